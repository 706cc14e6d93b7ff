// SPDX-License-Identifier: GPL-2.0-only
/*
 * waits pipe N: a reader of higher priority waits N times at a pipe, in read(), while the writer
 * executes 1,000,000 instructions. waits vfork N: N children execute 1,000,000 instructions and exit,
 * while the parent waits in vfork(). waits fork N: children that call getppid() once each, and exit.
 * All on CPU 0.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "count_down.h"

static void work(void)
{
	COUNT_DOWN(500000);
}

static void read_all(int from, long nr)
{
	const struct sched_param priority = { .sched_priority = 1 };
	char byte;

	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		_exit(1);
	while (nr--)
		if (read(from, &byte, 1) != 1)
			_exit(1);
	_exit(0);
}

static int wait_child(pid_t child)
{
	int status;

	return child > 0 && waitpid(child, &status, 0) == child && !status ? 0 : 1;
}

static int wait_at_pipe(long nr)
{
	long i;
	int ends[2];
	pid_t reader;

	if (pipe(ends))
		return 1;
	reader = fork();
	if (!reader)
		read_all(ends[0], nr);
	/* The reader waits before the first byte. */
	usleep(10000);
	for (i = 0; i < nr; i++) {
		work();
		if (write(ends[1], "", 1) != 1)
			return 1;
	}
	return wait_child(reader);
}

static int wait_in_vfork(void)
{
	pid_t child = vfork();

	if (!child) {
		work();
		_exit(0);
	}
	return wait_child(child);
}

static int wait_for_fork(void)
{
	pid_t child = fork();

	if (!child) {
		syscall(SYS_getppid);
		_exit(0);
	}
	return wait_child(child);
}

static int repeat(int (*what)(void), long nr)
{
	while (nr--)
		if (what())
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (argc != 3 || sched_setaffinity(0, sizeof(one), &one))
		return 2;
	if (!strcmp(argv[1], "pipe"))
		return wait_at_pipe(atol(argv[2]));
	return repeat(!strcmp(argv[1], "vfork") ? wait_in_vfork : wait_for_fork, atol(argv[2]));
}
