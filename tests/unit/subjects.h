/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process to look up in /proc, which changes its name on request. It is a child of the test, with exactly
 * one thread: the sanitizer may run threads of its own in the test's process (hard_rss_limit_mb does).
 */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#define SUBJECT_NAME_LEN	16

static struct subject {
	pid_t pid;
	int socket;
} subject;

/* The child takes each name that it reads, and answers with one byte. */
static inline int subject_start(void **state)
{
	char name[SUBJECT_NAME_LEN];
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return -1;
	subject.socket = sockets[0];
	subject.pid = fork();
	if (subject.pid) {
		close(sockets[1]);
		return subject.pid < 0 ? -1 : 0;
	}
	close(sockets[0]);
	while (read(sockets[1], name, sizeof(name)) == sizeof(name)) {
		prctl(PR_SET_NAME, name);
		if (write(sockets[1], name, 1) != 1)
			break;
	}
	_exit(0);
}

static inline int subject_stop(void **state)
{
	int status;

	close(subject.socket);
	return waitpid(subject.pid, &status, 0) == subject.pid ? status : -1;
}

static inline void subject_rename(const char *to)
{
	char name[SUBJECT_NAME_LEN] = "";

	strcpy(name, to);
	assert_int_equal(write(subject.socket, name, sizeof(name)), sizeof(name));
	assert_int_equal(read(subject.socket, name, 1), 1);
}

#endif
