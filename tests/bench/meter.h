/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Measurements that the bench's workloads take of themselves: elapsed time and, within it, the CPU
 * time of the profilers whose process ids are in $TOOL. One line is appended to the file $METER.
 */
#ifndef METER_H
#define METER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/** NEXT_TURN - assembly of the end of a loop that begins at 1: and counts %0 down; two instructions. */
#ifdef __aarch64__
#define NEXT_TURN "subs %0, %0, #1\nb.ne 1b"
#else
#define NEXT_TURN "dec %0\njnz 1b"
#endif

static uint64_t meter_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* All threads of the profilers. */
static uint64_t meter_tool_ns(void)
{
	const char *pids = getenv("TOOL") ?: "";
	uint64_t sum = 0;
	clockid_t clock;
	int len, pid;

	for (; sscanf(pids, "%d%n", &pid, &len) == 1; pids += len) {
		if (clock_getcpuclockid(pid, &clock))
			exit(1);
		sum += meter_now(clock);
	}
	return sum;
}

struct meter {
	uint64_t started_ns;
	uint64_t tool_ns;
};

/* Start right after a scheduler tick, so that equal work meets equally many ticks. */
static inline void meter_start(struct meter *meter)
{
	uint64_t tick;

	meter->tool_ns = meter_tool_ns();
	tick = meter_now(CLOCK_MONOTONIC_COARSE);
	while (meter_now(CLOCK_MONOTONIC_COARSE) == tick)
		;
	meter->started_ns = meter_now(CLOCK_MONOTONIC);
}

static inline void meter_stop(const struct meter *meter)
{
	uint64_t elapsed_ns = meter_now(CLOCK_MONOTONIC) - meter->started_ns;
	FILE *file = fopen(getenv("METER") ?: "/dev/stdout", "w");

	if (!file)
		exit(1);
	fprintf(file, "%llu %llu\n", (unsigned long long)elapsed_ns,
		(unsigned long long)(meter_tool_ns() - meter->tool_ns));
	fclose(file);
}

#endif
