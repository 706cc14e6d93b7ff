/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the sums in a kept run hold: every sample is counted once, in one place. */
#ifndef VERIFY_H
#define VERIFY_H

#include <stdio.h>

#include "run/record.h"

/** What was found. */
struct verify_result {
	unsigned int nr_checked;	/* sums that were looked at */
	unsigned int nr_wrong;
	const char *command;		/* that made it: "sys", "proc", "flat" for stacks */
	bool has_receipt;		/* without one there is less to check */
	uint64_t taken;
};

/**
 * verify_record() - check all sums, a line on @out for each that does not hold.
 * -EBADMSG with a reason: sections are missing or senseless.
 */
int verify_record(const struct record *record, FILE *out, struct verify_result *result_ret,
		  struct text_error *error_ret);

#endif
