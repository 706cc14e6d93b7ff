/* SPDX-License-Identifier: GPL-2.0-only */
/* Time and memory of a program that runs in a process of its own; the same random numbers each time. */
#ifndef CHILD_H
#define CHILD_H

#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_ROUNDS	5

/** Processor time in milliseconds; largest memory in KB. */
struct cost {
	double ms;
	long kb;
};

static uint64_t random_state = 1;

/* A number below @n. */
static inline uint32_t below(uint32_t n)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (random_state >> 33) % n;
}

/* Run a program without its output. */
static inline struct cost run_child(char *const *argv)
{
	struct rusage usage;
	int status;
	pid_t pid = vfork();

	if (!pid) {
		if (!freopen("/dev/null", "w", stdout))
			_exit(126);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) < 0 || status)
		errx(1, "%s failed", argv[0]);
	return (struct cost){
		(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
			(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3,
		usage.ru_maxrss
	};
}

static inline int compare_costs(const void *a_at, const void *b_at)
{
	const struct cost *a = a_at, *b = b_at;

	return (a->ms > b->ms) - (a->ms < b->ms);
}

/* The median of several runs, by time. */
static inline struct cost measure_child(char *const *argv)
{
	struct cost costs[CHILD_ROUNDS];
	int round;

	for (round = 0; round < CHILD_ROUNDS; round++)
		costs[round] = run_child(argv);
	qsort(costs, CHILD_ROUNDS, sizeof(costs[0]), compare_costs);
	return costs[CHILD_ROUNDS / 2];
}

#endif
