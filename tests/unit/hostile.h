/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files made so that reading them would take hours or gigabytes: too large for fuzzing
 * (tests/fuzz), which is limited to 80 KB a file. A test that takes a minute is killed.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <sys/resource.h>
#include <unistd.h>

#include "types.h"
#include "unit.h"

/* Processor time that a hostile file may take; work of linear cost takes a tenth of it here. */
#define SECONDS_MAX	5

/* gcc does not ship the address sanitizer's header. */
size_t __sanitizer_get_current_allocated_bytes(void);

/* A word for every @first, such that unkeyed FNV hashes each pair of the two to the same value. */
static inline u64 colliding(u64 first)
{
	u64 hash = (0xcbf29ce484222325 ^ first) * 0x100000001b3;

	return hash ^ hash >> 32;
}

/* Processor time used by this process so far. */
static inline double own_seconds(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_utime.tv_sec + used.ru_utime.tv_usec / 1e6 + used.ru_stime.tv_sec +
	       used.ru_stime.tv_usec / 1e6;
}

static inline int set_alarm(void **state)
{
	alarm(60);
	return 0;
}

#define LIMITED(test) cmocka_unit_test_setup(test, set_alarm)

#endif
