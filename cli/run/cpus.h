/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs to sample. */
#ifndef CPUS_H
#define CPUS_H

#include <stddef.h>

#include "base/text.h"
#include "types.h"

#define CPUS_MAX	8192

/** A set of CPU numbers, ascending. */
struct cpus {
	u32 *number;
	size_t nr;
};

/**
 * cpus_parse() - parse numbers and ranges such as "0,2-3", or "all" for all possible CPUs. Order
 * and repetition do not matter. Free @cpus_ret with cpus_deinit(). -EINVAL: not a list of CPUs.
 */
int cpus_parse(const char *text, struct cpus *cpus_ret, struct text_error *error_ret);

/**
 * cpus_default() - all possible CPUs except isolated ones (isolcpus=, nohz_full=, isolated
 * partitions of control groups). If all CPUs are isolated, all are chosen.
 * @quiet_ret: the isolated CPUs left out; free both sets with cpus_deinit()
 */
int cpus_default(struct cpus *cpus_ret, struct cpus *quiet_ret, struct text_error *error_ret);

/** cpus_print() - print numbers and ranges such as "0,2-3"; a list too long ends in "...". */
void cpus_print(const struct cpus *cpus, char *text, size_t len);

/** cpus_check() - check that all of @cpus exist on this machine. -ENODEV: one does not. */
int cpus_check(const struct cpus *cpus, struct text_error *error_ret);

/** cpus_deinit() - free the numbers. */
void cpus_deinit(struct cpus *cpus);

#endif
