// SPDX-License-Identifier: GPL-2.0-only
/* Waits for processes to be ready, and to have run for some time. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "whomay.h"

enum { READY_FD = 60 };		/* processes write here when they are ready; survives exec */

static int ready_fd = -1;

/* Makes the pipe before the first process starts. */
__attribute__((constructor)) static void ready_open(void)
{
	int ends[2];

	if (fcntl(READY_FD, F_GETFD) >= 0)
		return;		/* inherited: this is one of the processes */
	need(!pipe(ends) && dup2(ends[1], READY_FD) == READY_FD, "pipe");
	close(ends[1]);
	ready_fd = fcntl(ends[0], F_DUPFD_CLOEXEC, READY_FD + 1);
	close(ends[0]);
}

void processes_ready(int nr)
{
	char byte;

	while (nr--)
		need(read(ready_fd, &byte, 1) == 1, "ready");
}

void process_is_ready(void)
{
	need(write(READY_FD, "", 1) == 1, "ready");
}

unsigned long long process_run_ns(pid_t pid)
{
	unsigned long long sum = 0, ns;
	char pattern[64];
	glob_t tasks;

	snprintf(pattern, sizeof(pattern), "/proc/%d/task/*/schedstat", pid);
	if (glob(pattern, 0, NULL, &tasks))
		return 0;
	for (size_t i = 0; i < tasks.gl_pathc; i++) {
		FILE *file = fopen(tasks.gl_pathv[i], "r");

		if (file && fscanf(file, "%llu", &ns) == 1)
			sum += ns;
		if (file)
			fclose(file);
	}
	globfree(&tasks);
	return sum;
}

void process_let_run(pid_t pid, unsigned long long ns)
{
	unsigned long long until = process_run_ns(pid) + ns;

	while (process_run_ns(pid) < until)
		usleep(10000);
}

_Noreturn void process_be_busy(int dumpable)
{
	if (dumpable >= 0)
		need(!prctl(PR_SET_DUMPABLE, dumpable), "dumpable");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	process_is_ready();
	for (;;)
		for (volatile int i = 0; i < 10000; i++)
			;
}
