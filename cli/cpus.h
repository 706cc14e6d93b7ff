/* SPDX-License-Identifier: GPL-2.0-only */
/* Which CPUs to sample. */
#ifndef CPUS_H
#define CPUS_H

#include <stddef.h>
#include <stdint.h>

#include "text.h"

#define CPUS_MAX	8192

/** A set of CPU numbers, ascending. */
struct cpus {
	uint32_t *number;
	size_t nr;
};

/**
 * cpus_parse() - numbers and ranges, as in "0,2-3". @cpus is to be freed with cpus_deinit().
 * Order and repetition do not matter.
 */
int cpus_parse(const char *text, struct cpus *cpus_ret, struct text_error *error_ret);

/**
 * cpus_default() - all CPUs this machine may ever have, but for those given to
 * isolation or nohz_full, which are left quiet.
 * @quiet_ret: how many were left out
 */
int cpus_default(struct cpus *cpus_ret, size_t *quiet_ret, struct text_error *error_ret);

/** cpus_check() - that all of @cpus exist on this machine; -ENODEV otherwise. */
int cpus_check(const struct cpus *cpus, struct text_error *error_ret);

/** cpus_deinit() - free the numbers. */
void cpus_deinit(struct cpus *cpus);

#endif
