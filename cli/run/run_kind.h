/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of session as the tool knows them: each is one of these structs and one file, run_kind_*.c,
 * as in the module. Everything that all sessions have in common asks its kind and no more.
 */
#ifndef RUN_KIND_H
#define RUN_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpuprobe.h"

struct run_kind {
	/* enum cpuprobe_cost: which of the module's costs is that of such a sample */
	unsigned int (*cost)(const struct cpuprobe_start *start);
	/* Bytes that a harvest of a CPU may have. */
	size_t (*buffer_len)(const struct cpuprobe_start *start);
	/* Samples that @entries and @account account for; so many were taken if all is well. */
	uint64_t (*sum)(const struct cpuprobe_account *account, const void *entries);
	/* Whether the other sums of the same samples hold; NULL: there are none. */
	bool (*others_add_up)(const struct cpuprobe_account *account, const void *entries);
	double wake_seconds;	/* no sooner does poll() of the device call for a harvest */
	bool fills_up;		/* a full table loses samples: the harvest must be in time */
	bool names_tasks;	/* what a program had mapped is read while it runs: harvest early */
	const char *loss_hint;	/* how to lose fewer samples */
};

extern const struct run_kind run_kind_system, run_kind_process, run_kind_late, run_kind_stacks;

/** run_kind_of() - the kind of session by its number, enum cpuprobe_what. */
const struct run_kind *run_kind_of(uint32_t what);

/** run_kind_cost_ns() - the module's upper bound of a sample's cost; 0: it does not know it. */
uint32_t run_kind_cost_ns(const struct cpuprobe_info *info, const struct cpuprobe_start *start);

/**
 * run_kind_next_stack() - go through the stacks of an account.
 * @stack: the previous one; NULL: get the first
 * NULL: there are no more.
 */
const struct cpuprobe_stack *run_kind_next_stack(const struct cpuprobe_account *account,
						 const void *entries,
						 const struct cpuprobe_stack *stack);

/** run_kind_sum_others() - samples that @account says are in no entry. */
static inline uint64_t run_kind_sum_others(const struct cpuprobe_account *account)
{
	uint64_t sum = account->excluded + account->outside + account->other_mode +
		account->other_exe + account->other_task;
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		sum += account->lost[mode];
	return sum;
}

#endif
