/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time of one execution of the work that a run with stacks measured: the time of all its stacks
 * except idle ones, divided by the number of executions. Lost samples and other processes do not
 * count.
 */
#ifndef RUN_EXECUTION_H
#define RUN_EXECUTION_H

#include <stdio.h>

#include "base/share.h"
#include "profile/profile.h"

/**
 * run_execution() - compute the time in nanoseconds. The interval is that of the share of these
 * stacks in all samples taken.
 * @executions: not 0
 */
struct share run_execution(const struct profile *profile, u64 executions);

/** run_execution_print() - print a line of text for it, wrapped at @cols. 0 executions: nothing. */
void run_execution_print(FILE *out, const struct profile *profile, u64 executions, int cols);

/** run_execution_json() - print members of JSON for it; ends with a comma. 0 executions: nothing. */
void run_execution_json(FILE *out, const struct profile *profile, u64 executions);

#endif
