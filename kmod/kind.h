/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of session: each is one of these structs and one file, kind_*.c. A kind has a timer
 * handler and its part of a bank; what all sessions have in common never asks which kind they are.
 *
 * A handler takes one sample of its CPU and sets the next instant, in hard irq on that CPU. It takes no
 * lock, allocates nothing and has no loop but those of its tables, which are bounded: the five steps
 * of table_get() and late_place(), the 14 of areas_find(), the copying of a name, the few frames of
 * caller_outside_locks(), and of a stack the 2 x 64 frames and the 16 steps of stacks_get().
 */
#ifndef CPUPROBE_KIND_H
#define CPUPROBE_KIND_H

#include "session.h"

/** Where a member may be NULL it says so. */
struct kind {
	u32 cost;	/* enum cpuprobe_cost: of stacks, the first of three */

	/* START, in this order; session->lock held, may sleep. */

	/* Whether the fields are right that only some kinds have. */
	bool (*are_fields_right)(const struct cpuprobe_start *start);
	/* Further fields, and rights. 0 or -errno with a reason. */
	int (*check)(const struct session *session, struct cpuprobe_start *start);
	/* Take what START names; NULL: nothing. On failure nothing is taken, and there is a reason. */
	int (*prepare)(struct session *session, struct cpuprobe_start *start);
	/* Whether the counts will tell where the kernel's code lies. */
	bool (*tells_kernel)(const struct cpuprobe_start *start);
	/* Memory that each CPU has beside its sampler, in bytes; NULL: none, and the next two too. */
	u64 (*memory)(const struct session *session);
	/* -ENOMEM: release() is still to be called. */
	int (*allocate)(const struct session *session, struct cpu_sampler *sampler);
	void (*release)(struct cpu_sampler *sampler);

	/* The timer's function; /proc/timer_list names it, so it bears ours. */
	enum hrtimer_restart (*fire)(struct hrtimer *timer);
	/*
	 * Count @nr samples that need not be taken: all find the CPU idle, or in softirq work on top
	 * of idle. By the writer of the active bank: see session.h. NULL: idle CPUs must be sampled.
	 */
	void (*count_idle)(struct cpu_sampler *sampler, bool is_in_softirq, u64 nr);

	/* A harvest of a retired bank; session->lock held, may sleep, but for the last. */

	/* Fill in the kind's part of the account. Returns how many samples the bank accounts for. */
	u64 (*finish)(const struct session *session, struct bank *bank,
		      struct cpuprobe_account *account);
	/* Take out what only full access may see; NULL: nothing. */
	void (*veil)(struct bank *bank);
	/* Bytes that the reader's buffer must have. */
	size_t (*wanted_len)(const struct session *session);
	/* Copy the counts. 0 or -EFAULT. */
	int (*copy)(const struct bank *bank, const struct cpuprobe_account *account,
		    void __user *buffer);
	/* Open an executable that the account names; NULL: it names none. */
	int (*open_exe)(const struct bank *bank, u32 exe);
	/* Empty the bank; NULL: by memset(). */
	void (*clear)(struct bank *bank);
	/*
	 * Whether the active bank is worth taking before the next periodic harvest. A hint, in any
	 * context: for poll(), which takes no lock, the bank may have been retired and be cleared by
	 * now. Whatever makes its successor due wakes the sleeper.
	 */
	bool (*is_due)(const struct bank *active);
};

extern const struct kind kind_system, kind_by, kind_process, kind_late, kind_stacks;

/** kind_of() - the kind of session that START asks for; NULL: there is none. Any context. */
const struct kind *kind_of(const struct cpuprobe_start *start);

#endif
