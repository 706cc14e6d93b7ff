// SPDX-License-Identifier: GPL-2.0-only
/*
 * steady CPU LOOPS: runs a fixed number of loops on one CPU and prints the seconds that this took: of the
 * thread's CPU time, which interrupts are part of unless the kernel accounts them apart, and of the wall clock.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Memory and arithmetic in the first level of the cache: as much as most code, and the same each time. */
static uint32_t work(unsigned long nr)
{
	static uint32_t table[1024];
	uint32_t x = 1;

	while (nr--) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		table[x & 1023] += x;
	}
	return table[0];
}

int main(int argc, char **argv)
{
	unsigned long nr = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;
	volatile uint32_t result;
	double cpu, wall;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(argc == 3 ? atoi(argv[1]) : 0, &cpus);
	if (!nr || sched_setaffinity(0, sizeof(cpus), &cpus)) {
		fprintf(stderr, "usage: steady CPU LOOPS\n");
		return 2;
	}
	result = work(nr / 20);
	cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
	wall = seconds(CLOCK_MONOTONIC);
	result = work(nr);
	(void)result;
	printf("steady %.9f %.9f\n", seconds(CLOCK_THREAD_CPUTIME_ID) - cpu, seconds(CLOCK_MONOTONIC) - wall);
	return 0;
}
