/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading clocks. */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

#include "types.h"

static inline double clock_read(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/** clock_seconds() - seconds of the monotonic clock, which nobody can set. */
static inline double clock_seconds(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

/** clock_ns() - nanoseconds of the monotonic clock. */
static inline u64 clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/** clock_unix() - seconds since 1970. */
static inline double clock_unix(void)
{
	return clock_read(CLOCK_REALTIME);
}

#endif
