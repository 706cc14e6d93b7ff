/* SPDX-License-Identifier: GPL-2.0-only */
/* A named pipe that tells whether somebody opened it for reading, even for a moment. */
#ifndef PIPES_H
#define PIPES_H

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

/** A pipe, and a child that waits until another process opens the pipe for reading. */
struct watched_pipe {
	const char *path;
	pid_t child;
};

static inline void note_signal(int signal)
{
}

static inline bool is_asleep(pid_t pid)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%*d %*s %c", &state), 1);
	fclose(file);
	return state == 'S';
}

/* Makes the pipe at @path, which the caller keeps. */
static inline void watch_pipe(struct watched_pipe *watched, const char *path)
{
	/* Without SA_RESTART, the signal ends the child's open(), unless a reader came before. */
	struct sigaction action = { .sa_handler = note_signal }, before;

	*watched = (struct watched_pipe){ .path = path };
	assert_int_equal(mkfifo(path, 0644), 0);
	sigaction(SIGUSR1, &action, &before);
	watched->child = fork();
	if (!watched->child)
		_exit(open(path, O_WRONLY) >= 0);
	sigaction(SIGUSR1, &before, NULL);
	while (!is_asleep(watched->child))
		usleep(1000);
}

/* Removes the pipe. Returns whether it was opened for reading. */
static inline bool was_pipe_opened(struct watched_pipe *watched)
{
	int status;

	unlink(watched->path);
	kill(watched->child, SIGUSR1);
	assert_int_equal(waitpid(watched->child, &status, 0), watched->child);
	return status;
}

#endif
