// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaderless SECONDS: processes whose first thread ends first, so that their last thread is sampled
 * when that one has been reaped, and freed: it has passed release_task() and waits, at nice 19
 * beside a busy program on the same CPU, for the last of its own time. Prints how many there were.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define AT_ONCE 30

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void *be_last(void *unused)
{
	usleep(10000);
	syscall(SYS_exit, 0);
	return unused;
}

static void live(void)
{
	pthread_t thread;

	setpriority(PRIO_PROCESS, 0, 19);
	pthread_create(&thread, NULL, be_last, NULL);
	syscall(SYS_exit, 0);
}

static pid_t start_busy_program(void)
{
	pid_t pid = fork();

	for (volatile unsigned long i = 0; !pid; i++)
		;
	return pid;
}

int main(int argc, char **argv)
{
	double until = now_s() + (argc > 1 ? atof(argv[1]) : 10);
	unsigned long nr = 0;
	cpu_set_t set;
	pid_t busy;
	int i;

	/* The kernel reaps them itself: the leader as soon as the last thread has gone. */
	signal(SIGCHLD, SIG_IGN);
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
	busy = start_busy_program();
	while (now_s() < until) {
		for (i = 0; i < AT_ONCE; i++) {
			pid_t pid = fork();

			if (!pid)
				live();
			nr += pid > 0;
		}
		usleep(300000);
	}
	kill(busy, SIGKILL);
	printf("%lu\n", nr);
	return 0;
}
