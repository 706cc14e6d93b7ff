/* SPDX-License-Identifier: GPL-2.0-only */
/* Clock and CPUs of the machine that the workloads run on. */
#ifndef MACHINE_H
#define MACHINE_H

#include <sched.h>
#include <time.h>

/** now_s() - the monotonic clock, in seconds. */
static inline double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/** stay_on() - run on this CPU only. 0, or -1 with errno. */
static inline int stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

#endif
