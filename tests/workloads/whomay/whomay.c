// SPDX-License-Identifier: GPL-2.0-only
/*
 * whomay RULES MODE: tries every operation as every identity and compares the results with the
 * tables of docs/privilege.md (RULES). MODE is "group"; "nogroup", where members are ordinary
 * users; "locked", under lockdown=confidentiality; or "pairs", where members try to see processes
 * of many kinds, and may see none whose /proc/PID/maps the kernel does not let them read. Runs as
 * root, in a directory of its own that other users may enter. Prints a matrix and the differences,
 * and exits 1 if there are any. "whomay wait", "whomay spin FD" and "whomay busy" are the programs
 * to be sampled.
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

/* Takes the identity in the calling process, and opens or receives its descriptors. */
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

/* Returns the number of cells that differ. */
static int identity_try(const struct identity *identity, int column)
{
	int fd[OPERATIONS_MAX], nr_wrong = 0;
	size_t i;

	identity_take(identity, fd);
	for (i = 0; i < nr_operations; i++) {
		const char *wanted = rule_cell(operations[i].name, OPERATION_CELLS, column);
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

/* Returns the number of cells that differ. */
static int operations_try(const char *mode)
{
	int nr_wrong = 0, status;
	gid_t gid = 0;
	pid_t pid;
	size_t i;

	cgroup_open();
	for (i = 0; i < nr_operations; i++)
		rule_cell(operations[i].name, OPERATION_CELLS, 0);
	for (i = 0; i < nr_identities; i++) {
		int column = rules_column(identities[i].name, mode);
		gid_t wanted = identities[i].gid ? identities[i].gid : MEMBER;

		if (gid != wanted) {
			if (gid)
				programs_stop();
			programs_start(wanted);
			gid = wanted;
		}
		fflush(stdout);
		pid = fork();
		if (!pid)
			_exit(identity_try(&identities[i], column));
		waitpid(pid, &status, 0);
		nr_wrong += WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	}
	programs_stop();
	printf("%zu cells, %d wrong\n", nr_identities * nr_operations, nr_wrong);
	return nr_wrong;
}

static int be_program(char **argv)
{
	if (!strcmp(argv[1], "wait")) {
		process_is_ready();
		return pause();
	}
	if (!strcmp(argv[1], "spin") && argv[2])
		program_spin(atoi(argv[2]));
	if (!strcmp(argv[1], "busy"))
		process_be_busy(argv[2] ? atoi(argv[2]) : -1);
	return -1;
}

int main(int argc, char **argv)
{
	int is_pairs, nr_wrong;

	if (argc > 1 && !be_program(argv))
		return 0;
	need(argc == 3, "usage: whomay RULES group|nogroup|locked|pairs");
	rules_read(argv[1]);
	is_pairs = !strcmp(argv[2], "pairs");
	nr_wrong = is_pairs ? pairs_try() : operations_try(argv[2]);
	rules_are_used(is_pairs);
	return nr_wrong ? 1 : 0;
}
