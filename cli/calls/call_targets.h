/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that are in the code of counted functions, whether they were taken or not: direct calls of
 * one counted function by another. Read from the running kernel, if it is the run's.
 */
#ifndef CALL_TARGETS_H
#define CALL_TARGETS_H

#include "calls/call_counts.h"
#include "code/insn.h"
#include "profile/profile.h"

/** A call; both are positions in the counts. */
struct call_target {
	u32 caller, function;
};

/** The place of a counted function in memory. */
struct call_start {
	u64 addr;
	u32 function;
};

struct call_targets {
	struct call_start *start;	/* of all counted functions; ascending */
	u32 nr_starts;
	struct call_target *target;
	u32 nr;
};

/**
 * call_targets_read() - find the direct calls in the code of the functions that were called.
 * @profile: samples of the run; its build-ids say of which kernel and modules
 * -errno with a reason, without an object: the code cannot be read. Nothing to deinit.
 */
int call_targets_read(struct call_targets *targets_ret, const struct call_counts *counts,
		      const struct profile *profile, struct text_error *error_ret);

/**
 * call_targets_add() - add the calls in the code of @caller, for which .start must be complete.
 * @addr: of the first byte
 * -ENOMEM.
 */
int call_targets_add(struct call_targets *targets, struct disassembler *disassembler, u32 caller,
		     u64 addr, const u8 *bytes, size_t len);

void call_targets_deinit(struct call_targets *targets);

#endif
