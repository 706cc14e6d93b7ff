/* SPDX-License-Identifier: GPL-2.0-only */
/* Which CPUs to sample. */
#ifndef CPUS_H
#define CPUS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define CPUS_MAX	8192

/** A set of CPU numbers, ascending. */
struct cpus {
	uint32_t *number;
	size_t nr;
};

/**
 * cpus_parse() - numbers and ranges, as in "0,2-3", or "all" for all CPUs this machine may ever
 * have. Order and repetition do not matter. @cpus_ret is to be freed with cpus_deinit().
 */
int cpus_parse(const char *text, struct cpus *cpus_ret, struct text_error *error_ret);

/**
 * cpus_default() - all CPUs this machine may ever have, but for those that the kernel was told
 * to keep quiet: isolcpus=, nohz_full=, isolated partitions of control groups. Where that
 * leaves none, all.
 * @quiet_ret: those left out; to be freed like @cpus_ret
 */
int cpus_default(struct cpus *cpus_ret, struct cpus *quiet_ret, struct text_error *error_ret);

/** cpus_print() - as numbers and ranges, as in "0,2-3"; what has no room ends in "...". */
void cpus_print(const struct cpus *cpus, char *text, size_t len);

/** cpus_check() - that all of @cpus exist on this machine; -ENODEV otherwise. */
int cpus_check(const struct cpus *cpus, struct text_error *error_ret);

/** cpus_deinit() - free the numbers. */
void cpus_deinit(struct cpus *cpus);

#endif
