// SPDX-License-Identifier: GPL-2.0-only
/* Tables of call frame information: see cfi.h. */
#include "cfi.h"

#define PAGES_MAX	65536	/* a table describes the first 4 GiB of a file */
#define REGISTER_MAX	31	/* number of a register in DWARF */

static bool is_saved_valid(u8 saved, s16 words)
{
	return saved == CPUPROBE_SAVED_STACK || (saved <= CPUPROBE_SAVED_LOST && !words);
}

/* A rule without a return address leads nowhere: its kind must say so. */
static bool is_rule_valid(const struct cpuprobe_rule *rule)
{
	if (rule->base > (rule->kind == CPUPROBE_RULE_REGISTER ? REGISTER_MAX : 1) ||
	    rule->ra == CPUPROBE_SAVED_LOST ||
	    !is_saved_valid(rule->fp, rule->fp_words) || !is_saved_valid(rule->ra, rule->ra_words))
		return false;
	switch (rule->kind) {
	case CPUPROBE_RULE_CFA:
	case CPUPROBE_RULE_REGISTER:
		return !rule->add;
	case CPUPROBE_RULE_DEREF:
		return true;
	case CPUPROBE_RULE_REALIGNED:
		return rule->fp == CPUPROBE_SAVED_STACK;
	case CPUPROBE_RULE_PLT:
		return rule->add >= 0 && rule->add <= 15;
	case CPUPROBE_RULE_SIGNAL:
		return rule->ra == CPUPROBE_SAVED_STACK && rule->add >= 0 && !(rule->add & 7);
	case CPUPROBE_RULE_NONE:
	case CPUPROBE_RULE_OUTERMOST:
	case CPUPROBE_RULE_UNSUPPORTED:
		return !rule->base && !rule->fp && !rule->ra && !rule->offset && !rule->add &&
			!rule->fp_words && !rule->ra_words;
	default:
		return false;
	}
}

/* Rows of one page, from @row up to @end. */
static bool are_rows_valid(const struct cfi *cfi, u32 row, u32 end)
{
	u32 first = row;

	for (; row < end; row++) {
		if (cfi->rows[row] >> 16 >= cfi->nr_rules)
			return false;
		if (row > first && (u16)cfi->rows[row] <= (u16)cfi->rows[row - 1])
			return false;
	}
	return true;
}

static bool are_numbers_valid(const struct cfi *cfi)
{
	return cfi->nr_rows && cfi->nr_rows <= CPUPROBE_UNWIND_ROWS_MAX && cfi->nr_rules &&
		cfi->nr_rules <= CPUPROBE_UNWIND_RULES_MAX && cfi->nr_pages &&
		cfi->nr_pages <= PAGES_MAX && cfi->first_page <= PAGES_MAX - cfi->nr_pages;
}

int cfi_check(const struct cfi *cfi)
{
	u32 i;

	if (!cfi->nr_rows && !cfi->nr_pages && !cfi->first_page && !cfi->nr_rules)
		return 0;
	if (!are_numbers_valid(cfi))
		return -EINVAL;
	for (i = 0; i < cfi->nr_rules; i++)
		if (!is_rule_valid(&cfi->rules[i]))
			return -EINVAL;
	/* The first and the last page have rows. */
	if (cfi->pages[0] || !cfi->pages[1] || cfi->pages[cfi->nr_pages] != cfi->nr_rows ||
	    cfi->pages[cfi->nr_pages - 1] >= cfi->nr_rows)
		return -EINVAL;
	for (i = 0; i < cfi->nr_pages; i++)
		if (cfi->pages[i] > cfi->pages[i + 1] || cfi->pages[i + 1] > cfi->nr_rows ||
		    !are_rows_valid(cfi, cfi->pages[i], cfi->pages[i + 1]))
			return -EINVAL;
	return 0;
}

/*
 * Shar's binary search (Knuth, volume 3, section 6.2.1): after the first comparison the number of rows
 * left is a power of two minus one, and a step has five instructions without a hard-to-predict jump.
 * @at: last row of earlier pages, -1 if there is none
 * @nr: number of rows after it, over 0
 */
static __always_inline unsigned long find_row(const u32 *rows, unsigned long at, unsigned long nr,
					      u16 place)
{
	unsigned long step = 1UL << (fls64(nr) - 1);

	if ((u16)rows[at + step] <= place)
		at += nr - step + 1;
	while (step >>= 1)
		if ((u16)rows[at + step] <= place)
			at += step;
	return at;
}

const struct cpuprobe_rule *notrace cfi_find(const struct cfi *cfi, u64 offset)
{
	unsigned long at, nr, page = (offset >> 16) - cfi->first_page;

	if (likely(page < cfi->nr_pages)) {
		page = array_index_nospec(page, cfi->nr_pages);
		at = cfi->pages[page] - 1UL;
		nr = cfi->pages[page + 1] - cfi->pages[page];
		if (likely(nr))
			at = find_row(cfi->rows, at, nr, offset);
	} else if (offset >> 16 < cfi->first_page) {
		return NULL;
	} else {
		at = cfi->nr_rows - 1UL;
	}
	return at == -1UL ? NULL : &cfi->rules[cfi->rows[at] >> 16];
}
