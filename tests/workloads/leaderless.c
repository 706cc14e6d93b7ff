// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaderless SECONDS GROUP...: starts processes whose first thread ends first, so that samples find
 * the last thread after the first one has been reaped and freed: the last one has passed
 * release_task() but not ended yet. For that each last thread ends in a control group that gets the
 * CPU for a moment every 100 ms: it is throttled wherever it is, for longer than an RCU grace
 * period. Prints the number of processes.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"

static void join(const char *group)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	file = fopen(path, "w");
	if (!file || fprintf(file, "0") < 0 || fclose(file)) {
		perror(path);
		exit(1);
	}
}

/*
 * Joins the group and ends. After release_task() the kernel still frees the pipe of sendfile(),
 * which takes a while.
 */
static void *be_last(void *group)
{
	int from = open("/proc/self/exe", O_RDONLY), to = open("/dev/null", O_WRONLY);

	sendfile(to, from, NULL, 65536);
	usleep(10000);
	join(group);
	syscall(SYS_exit, 0);
	return NULL;
}

static void live(const char *group)
{
	pthread_t thread;

	pthread_create(&thread, NULL, be_last, (void *)group);
	syscall(SYS_exit, 0);
}

/* Runs one process after the other until @until. Returns their number. */
static unsigned int run_in(const char *group, double until)
{
	unsigned int nr = 0;

	for (; now_s() < until; nr++) {
		pid_t pid = fork();

		if (!pid)
			live(group);
		/* Returns -1: SIGCHLD is ignored, so the kernel reaps the process by itself. */
		waitpid(pid, NULL, 0);
	}
	return nr;
}

int main(int argc, char **argv)
{
	double until = now_s() + atof(argv[1]);
	unsigned int nr, sum = 0;
	int ends[2], i;

	if (pipe(ends))
		return 1;
	for (i = 2; i < argc; i++)
		if (!fork()) {
			signal(SIGCHLD, SIG_IGN);
			nr = run_in(argv[i], until);
			return write(ends[1], &nr, sizeof(nr)) != sizeof(nr);
		}
	close(ends[1]);
	while (read(ends[0], &nr, sizeof(nr)) == sizeof(nr))
		sum += nr;
	printf("%u\n", sum);
	return 0;
}
