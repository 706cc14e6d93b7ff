/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two runs with stacks compared by function. A function has a row for the time in itself and one for
 * the total time, in the function and in those that it called; a stack counts once for each, however
 * often the function is in it. Functions of equal names in one object are one. Pure.
 */
#ifndef STACK_DIFF_H
#define STACK_DIFF_H

#include "profile/stack_run.h"
#include "sys/diff.h"

#define STACK_DIFF_LEAST_HITS	10	/* in both runs together; fewer are not compared */

/**
 * stack_diff_init() - prepare the comparison of two runs, which must outlive it. Only members that
 * the caller asks for may be set before: .is_sampling_only.
 */
void stack_diff_init(struct diff *diff, const struct stack_run runs[2]);

/** stack_diff_add() - add the functions of a run. @side: 0 or 1. Then call stack_diff_finish(). -ENOMEM. */
int stack_diff_add(struct diff *diff, int side, const struct stack_run *run);

/** stack_diff_finish() - diff_finish(), and compare one execution of all that was not idle. -ENOMEM. */
int stack_diff_finish(struct diff *diff);

#endif
