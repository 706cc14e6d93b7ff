// SPDX-License-Identifier: GPL-2.0-only
/*
 * whomay RULES MODE: lets every identity try every operation and compares what it gets with the
 * tables of docs/privilege.md (RULES). MODE is "group"; "nogroup", where members are users like
 * others; or "locked", under lockdown=confidentiality. Runs as root in a folder of its own that
 * others may enter. Prints a matrix and what differs, and ends with 1 if anything does.
 * "whomay wait" and "whomay spin FD" are the programs that it lets run to be looked at.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "whomay.h"

void need(int is_good, const char *what)
{
	if (is_good)
		return;
	printf("whomay: %s: %s\n", what, strerror(errno));
	fflush(stdout);
	_exit(2);
}

/* Descriptors: a number, or -errno of the open. */

static void open_all(int *fd)
{
	for (size_t i = 0; i < nr_operations; i++) {
		fd[i] = open("/dev/cpuprobe", O_RDWR);
		if (fd[i] < 0)
			fd[i] = -errno;
	}
}

static void send_all(int socket, const int *fd)
{
	char control[CMSG_SPACE(sizeof(int) * OPERATIONS_MAX)] = { 0 };
	int is_open = fd[0] >= 0 ? 0 : fd[0];
	struct iovec iov = { &is_open, sizeof(is_open) };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *header;

	if (!is_open) {
		message.msg_control = control;
		message.msg_controllen = CMSG_SPACE(sizeof(int) * nr_operations);
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int) * nr_operations);
		memcpy(CMSG_DATA(header), fd, sizeof(int) * nr_operations);
	}
	need(sendmsg(socket, &message, 0) == sizeof(is_open), "sendmsg");
}

static void receive_all(int socket, int *fd)
{
	char control[CMSG_SPACE(sizeof(int) * OPERATIONS_MAX)];
	int is_open = 0;
	struct iovec iov = { &is_open, sizeof(is_open) };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
				  .msg_controllen = sizeof(control) };

	need(recvmsg(socket, &message, 0) == sizeof(is_open), "recvmsg");
	if (is_open)
		for (size_t i = 0; i < nr_operations; i++)
			fd[i] = is_open;
	else
		memcpy(fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int) * nr_operations);
}

/* In the process that will try: become the identity, with descriptors as it gets them. */
static void identity_take(const struct identity *identity, int *fd)
{
	int sockets[2];

	if (identity->opener && !identity->is_self) {
		need(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), "socketpair");
		if (!fork()) {
			identity->opener();
			open_all(fd);
			send_all(sockets[1], fd);
			_exit(0);
		}
		identity->become();
		receive_all(sockets[0], fd);
	} else if (identity->opener) {
		identity->opener();
		open_all(fd);
		identity->become();
	} else {
		identity->become();
		open_all(fd);
	}
}

static const char *try_operation(const struct operation *operation, int fd)
{
	const char *word;

	if (fd < 0) {
		errno = -fd;
		return operation->run == try_open ? word_of_error(0) : "-";
	}
	word = operation->run(operation, fd);
	close(fd);
	return word;
}

/* Ends with the number of cells that differ. */
static int identity_try(const struct identity *identity, int column)
{
	int fd[OPERATIONS_MAX], nr_wrong = 0;
	size_t i;

	identity_take(identity, fd);
	for (i = 0; i < nr_operations; i++) {
		const char *wanted = rule_cell(operations[i].name, COLUMNS, column);
		const char *word = try_operation(&operations[i], fd[i]);

		printf("%s ", word);
		if (strcmp(word, wanted)) {
			printf("(instead of %s: %s) ", wanted, operations[i].name);
			nr_wrong++;
		}
	}
	printf("| %s\n", identity->name);
	fflush(stdout);
	return nr_wrong;
}

int main(int argc, char **argv)
{
	int nr_wrong = 0, status;
	pid_t pid;
	size_t i;

	if (argc > 1 && !strcmp(argv[1], "wait"))
		return pause();
	if (argc > 2 && !strcmp(argv[1], "spin"))
		program_spin(atoi(argv[2]));
	need(argc == 3, "usage: whomay RULES group|nogroup|locked");
	rules_read(argv[1]);
	cgroup_open();
	programs_start();
	for (i = 0; i < nr_operations; i++)
		rule_cell(operations[i].name, COLUMNS, 0);
	for (i = 0; i < nr_identities; i++) {
		int column = rules_column(identities[i].name, argv[2]);

		fflush(stdout);
		pid = fork();
		if (!pid)
			_exit(identity_try(&identities[i], column));
		waitpid(pid, &status, 0);
		nr_wrong += WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	}
	programs_stop();
	rules_are_used();
	printf("%zu cells, %d wrong\n", nr_identities * nr_operations, nr_wrong);
	return nr_wrong ? 1 : 0;
}
