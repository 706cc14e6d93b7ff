/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of session. Each kind is one struct and one file, kind_*.c, with its own timer handler
 * and its own part of a bank. Code common to all sessions never tests the kind.
 *
 * A handler takes one sample of its CPU and sets the next instant, in hard irq on that CPU. The
 * handler takes no lock, allocates nothing, and all its loops are bounded: 5 steps of table_get()
 * and late_place(), 14 of areas_find(), the bytes of a name, the few frames of
 * caller_outside_locks(), and for a stack 2 x 64 frames and 16 steps of stacks_get(). A user frame found by
 * a table takes up to 17 steps of cfi_find() and 11 in the map of the process.
 */
#ifndef CPUPROBE_KIND_H
#define CPUPROBE_KIND_H

#include "session.h"

struct perf_event;
struct perf_sample_data;
struct pt_regs;
struct sample;

/** A kind of session. A member that may be NULL says so. */
struct kind {
	u32 cost;	/* enum cpuprobe_cost; for stacks the first of three */

	/* Called at START, in this order; session->lock held, may sleep. */

	/* Check the fields that only some kinds have. */
	bool (*are_fields_valid)(const struct cpuprobe_start *start);
	/* Check further fields, and access rights. 0, or -errno with a reason. */
	int (*check)(const struct session *session, struct cpuprobe_start *start);
	/* Get the target that START names; NULL: none. On failure nothing is held, a reason set. */
	int (*prepare)(struct session *session, struct cpuprobe_start *start);
	/* Whether the counts reveal kernel addresses. */
	bool (*reveals_kernel)(const struct cpuprobe_start *start);
	/* Bytes per CPU besides the sampler; NULL: none, then the next two are NULL too. */
	u64 (*memory)(const struct session *session);
	/* Allocate this memory. -ENOMEM: the caller must still call release(). */
	int (*allocate)(const struct session *session, struct cpu_sampler *sampler);
	void (*release)(struct cpu_sampler *sampler);

	/* The timer's function; /proc/timer_list shows its name, hence the cpuprobe_ prefix. */
	enum hrtimer_restart (*fire)(struct hrtimer *timer);
	/* Count a sample of an event. Interrupts off, or an NMI. NULL: only time can be sampled. */
	void (*count)(struct cpu_sampler *sampler, const struct sample *sample);
	/* The counter's function, with a fast path: overflow.h. NULL: one for all kinds that uses count(). */
	void (*overflow)(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
	/*
	 * Count @nr samples without taking them: all find the CPU idle, or in softirq work on top
	 * of idle. Called by the writer of the active bank, see session.h. NULL: idle CPUs must be
	 * sampled.
	 */
	void (*count_idle)(struct cpu_sampler *sampler, bool is_in_softirq, u64 nr);

	/* For a harvest of a retired bank; session->lock held, may sleep; except is_due(). */

	/* Fill in the kind's part of the account. Returns the samples the bank accounts for. */
	u64 (*finish)(const struct session *session, struct bank *bank,
		      struct cpuprobe_account *account);
	/* Hide what only full access may see; NULL: nothing. */
	void (*veil)(struct bank *bank);
	/* Minimum size of the reader's buffer, in bytes. */
	size_t (*buffer_len)(const struct session *session);
	/* Copy the counts. 0 or -EFAULT. */
	int (*copy)(const struct bank *bank, const struct cpuprobe_account *account,
		    void __user *buffer);
	/* Open an executable that the account names; NULL: this kind names none. */
	int (*open_exe)(const struct bank *bank, u32 exe);
	/* Clear the bank; NULL: by memset(). */
	void (*clear)(struct bank *bank);
	/*
	 * Whether the active bank should be harvested before the next periodic harvest. A hint, in
	 * any context: poll() takes no lock, so a harvest may retire and clear the bank then.
	 * A bank that becomes due later wakes the poller again.
	 */
	bool (*is_due)(const struct bank *active);
};

extern const struct kind kind_system, kind_by, kind_process, kind_late, kind_stacks;

/** kind_of() - the kind of session that START asks for; NULL: unknown. Any context. */
const struct kind *kind_of(const struct cpuprobe_start *start);

#endif
