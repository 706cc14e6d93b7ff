/* SPDX-License-Identifier: GPL-2.0-only */
/* The receipt of a run that sampled the user's own processes: what it did not cover. Plain data. */
#ifndef RECEIPT_OWN_H
#define RECEIPT_OWN_H

#include <stdio.h>

#include "types.h"

/** Saved in files. All 0: another engine. */
struct receipt_own {
	u64 late_ns;		/* CPU time of threads that had no event yet */
	u32 nr_threads;		/* threads that were sampled */
	u32 nr_gone;		/* new threads that ended before they could be sampled */
	u32 nr_no_file;		/* threads not sampled: the limit on descriptors */
	u32 nr_no_memory;	/* threads not sampled: the limit on locked memory */
	u32 nr_refused;		/* threads not sampled: the kernel refused them */
	u32 nr_throttled;	/* times that the kernel stopped an event for a moment */
};

/** receipt_add_own() - add what an earlier session of the same run did not cover. */
void receipt_add_own(struct receipt_own *own, const struct receipt_own *earlier);

/** receipt_print_own() - print it as a paragraph, wrapped at @cols columns. */
void receipt_print_own(FILE *out, const struct receipt_own *own, int cols);

/** receipt_json_own() - print a comma and "own": { ... }. */
void receipt_json_own(FILE *out, const struct receipt_own *own);

#endif
