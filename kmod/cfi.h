/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of call frame information, as UNWIND hands them over, and one step of a walk by them. The
 * table is untrusted: a walk by any table that cfi_check() accepts reads only the stack, and ends.
 */
#ifndef CPUPROBE_CFI_H
#define CPUPROBE_CFI_H

#include "cpuprobe.h"
#include "pure.h"

/** A table. Immutable; see struct cpuprobe_unwind for pages and rows. */
struct cfi {
	u32 first_page;
	u32 nr_pages;
	u32 nr_rows;
	u32 nr_rules;
	const u32 *pages;
	const u32 *rows;
	const struct cpuprobe_rule *rules;
};

/** Registers of a function, as far as a walk needs them. */
struct cfi_regs {
	unsigned long pc;
	unsigned long sp;
	unsigned long fp;
	unsigned long lr;	/* link register; 0 on processors without one */
	bool is_fp_lost;	/* fp is unknown */
	bool is_sp_low;		/* sp is only a lower bound; fp leads to the function's frame record */
	bool is_exact;	/* pc is where the function was interrupted, not a return address */
};

/**
 * cfi_check() - check that numbers, order and fields are valid, as struct cpuprobe_unwind describes
 * them. -EINVAL otherwise. Takes time in proportion to the table.
 */
int cfi_check(const struct cfi *cfi);

/**
 * cfi_find() - find the rule for the place @offset of a file with a valid table: that of the last row
 * at or before it. Any context; at most 16 + 1 steps. NULL: before the first row, or no rows. A rule of
 * CPUPROBE_RULE_NONE is returned like any other: the table says nothing about the place either.
 */
const struct cpuprobe_rule *cfi_find(const struct cfi *cfi, u64 offset);

#endif
