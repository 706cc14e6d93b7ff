// SPDX-License-Identifier: GPL-2.0-only
/*
 * bomb GROUP NR RATE: make NR control groups below GROUP, named as docker names its own, RATE a second, or as many as
 * the machine can. Each has a process that computes for five milliseconds, and is removed after it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BUSY_SECONDS	0.005

static double read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Moves to the group and computes. */
static void compute_in(const char *group)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1)
		_exit(1);
	while (read_clock(CLOCK_PROCESS_CPUTIME_ID) < BUSY_SECONDS)
		;
	_exit(0);
}

static int run_group(const char *parent, unsigned int number)
{
	char group[400];
	int status, tries = 1000;
	pid_t pid;

	snprintf(group, sizeof(group), "%s/docker-%064x.scope", parent, number);
	if (mkdir(group, 0755))
		return -1;
	pid = fork();
	if (!pid)
		compute_in(group);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		return -1;
	/* The kernel empties a group some time after its last process. */
	while (rmdir(group) && errno == EBUSY && --tries)
		usleep(1000);
	return 0;
}

int main(int argc, char **argv)
{
	const unsigned int nr = argc == 4 ? atoi(argv[2]) : 0;
	const double began = read_clock(CLOCK_MONOTONIC);
	double early;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (run_group(argv[1], i + 1)) {
			fprintf(stderr, "bomb: group %u of %s: %s\n", i + 1, argv[1], strerror(errno));
			return 1;
		}
		early = began + (i + 1) / atof(argv[3]) - read_clock(CLOCK_MONOTONIC);
		if (early > 0)
			usleep(early * 1e6);
	}
	return nr ? 0 : 2;
}
