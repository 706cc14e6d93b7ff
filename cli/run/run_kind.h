/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of session. Each has one of these structs in a file of its own, run_kind_*.c, as in the
 * module. Code for all sessions reads this struct and does not distinguish kinds otherwise.
 */
#ifndef RUN_KIND_H
#define RUN_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "cpuprobe.h"
#include "types.h"

struct run_kind {
	/* Which of the module's costs a sample has: enum cpuprobe_cost. */
	unsigned int (*cost)(const struct cpuprobe_start *start);
	/* Upper bound of the bytes of one CPU's harvest. */
	size_t (*buffer_len)(const struct cpuprobe_start *start);
	/* Samples accounted for by @entries and @account; must equal the samples taken. */
	u64 (*sum)(const struct cpuprobe_account *account, const void *entries);
	/* Whether other sums over the same samples are right; NULL: there are none. */
	bool (*others_add_up)(const struct cpuprobe_account *account, const void *entries);
	double wake_seconds;	/* after a harvest, ignore the device's poll() for so long */
	bool fills_up;		/* a full table loses samples: harvest on time */
	bool names_tasks;	/* mappings are read while a program runs: harvest early */
	const char *loss;	/* what became of lost samples; NULL: they found no room */
	const char *loss_hint;	/* how to lose fewer samples */
};

extern const struct run_kind run_kind_system, run_kind_process, run_kind_late, run_kind_stacks;

/** run_kind_of() - the kind of session of an enum cpuprobe_what. */
const struct run_kind *run_kind_of(u32 what);

/** run_kind_cost_ns() - the module's upper bound of a sample's cost; 0: unknown. */
u32 run_kind_cost_ns(const struct cpuprobe_info *info, const struct cpuprobe_start *start);

/**
 * run_kind_next_stack() - get the next stack of an account; NULL: there are no more.
 * @stack: the previous stack; NULL: get the first
 */
const struct cpuprobe_stack *run_kind_next_stack(const struct cpuprobe_account *account,
						 const void *entries,
						 const struct cpuprobe_stack *stack);

/** run_kind_sum_others() - samples that are in @account but in no entry. */
static inline u64 run_kind_sum_others(const struct cpuprobe_account *account)
{
	u64 sum = account->excluded + account->outside + account->other_mode + account->other_exe +
		account->other_task;
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		sum += account->lost[mode];
	return sum;
}

#endif
