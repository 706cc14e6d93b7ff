/* SPDX-License-Identifier: GPL-2.0-only */
/* Why user stacks ended: from the module's flags to marks of the profile and counts of the receipt. */
#ifndef ENDS_H
#define ENDS_H

#include "profile/profile.h"
#include "run/receipt_stacks.h"

/** ends_reason() - why the user frames of a stack ended, from its CPUPROBE_STACK_* flags. */
enum receipt_end ends_reason(u32 flags);

/** ends_mark() - the mark after the last user frame. @end: a reason, not RECEIPT_WHOLE or _NO_STACK */
enum profile_mark ends_mark(enum receipt_end end);

/** Counts of ends. All zero: empty. */
struct ends {
	u64 *no_table;		/* samples that ended for lack of a table, by object of the profile */
	u32 nr_objects;
};

/** A stack to count. */
struct ends_stack {
	u64 hits;
	u32 flags;		/* CPUPROBE_STACK_* */
	enum receipt_end end;
	u32 process;		/* position in the profile */
	const u32 *frames;	/* as in the profile, the leaf first */
	u32 nr;
	u32 last_user;		/* the outermost user frame */
};

/**
 * ends_count() - add a stack to @stacks; RECEIPT_NO_STACK is not counted. If out of memory, the
 * object that lacks a table is not named.
 */
void ends_count(struct ends *ends, const struct profile *profile, const struct ends_stack *stack,
		struct receipt_stacks *stacks);

void ends_deinit(struct ends *ends);

#endif
