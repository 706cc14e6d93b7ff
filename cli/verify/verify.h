/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks the sums in a saved run: every sample is counted exactly once. */
#ifndef VERIFY_H
#define VERIFY_H

#include <stdio.h>

#include "run/record.h"

/** Result of a check. */
struct verify_result {
	unsigned int nr_checked;	/* number of sums checked */
	unsigned int nr_wrong;
	const char *command;		/* "sys", "proc", "trace", or "flat" for any run with stacks */
	bool has_receipt;		/* without a receipt there is less to check */
	u64 taken;
	u64 events;			/* of a trace */
};

/**
 * verify_record() - check all sums; prints a line on @out for each wrong one.
 * -EBADMSG with a reason: sections are missing or invalid.
 */
int verify_record(const struct record *record, FILE *out, struct verify_result *result_ret,
		  struct text_error *error_ret);

#endif
