/* SPDX-License-Identifier: GPL-2.0-only */
/* Fetches names from debug files on servers, for rows of a report that have no name. */
#ifndef DEBUG_NAMES_H
#define DEBUG_NAMES_H

#include <stdio.h>

#include "profile/stack_run.h"
#include "report/flat.h"

#define DEBUG_NAMES_LEAST	0.05

extern const struct option_spec debug_names_specs[];	/* -debuginfod, a bool */

/** Selects the rows that the report will show. */
struct debug_names_rows {
	struct flat_options flat;
	enum flat_sort sort;	/* FLAT_BY_SELF or _CUMULATIVE */
	double least;
	u64 nr_max;		/* 0: no limit */
};

/**
 * debug_names_fetch() - name the nameless functions of files that have one in a shown row, or that
 * debug_names_hint() would name. Prints on stderr what it fetches and what fails. May take minutes.
 * -ENOMEM.
 */
int debug_names_fetch(const struct stack_run *stacks, const struct debug_names_rows *rows,
		      struct text_error *error_ret);

/**
 * debug_names_hint() - print a hint if more than DEBUG_NAMES_LEAST of the base ran in nameless
 * functions of one file, all together: which file, and how to get names. If several files qualify, the
 * hint names the one with the largest share.
 */
void debug_names_hint(FILE *out, const struct profile *profile, enum flat_base base);

#endif
