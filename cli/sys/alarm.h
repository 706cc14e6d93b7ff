/* SPDX-License-Identifier: GPL-2.0-only */
/* Alarms: limits of rows' shares, judged after each interval of a repeated table. Pure. */
#ifndef ALARM_H
#define ALARM_H

#include "base/options.h"
#include "base/share.h"
#include "sys/rows.h"

#define ALARMS_MAX	16

/** A limit, given as "NAME>PCT" or "NAME<PCT". */
struct alarm_limit {
	char name[FOLD_NAME_LEN];
	bool is_upper;		/* ">": the share must not be above it; else not below it */
	double percent;
};

struct alarm_limits {
	struct alarm_limit limit[ALARMS_MAX];
	size_t nr;
};

/** alarm_parse() - struct alarm_limits: one more limit. */
option_parse_fn alarm_parse;

/**
 * alarm_judge() - whether the whole 95% interval of the named row's share is past the limit.
 * @share_ret: the share of the machine in percent, as the table prints it
 *
 * Rows of one name are added up, also executables that the table tells apart by their directories.
 * A row that does not exist has no samples.
 */
bool alarm_judge(const struct alarm_limit *limit, const struct rows *rows, enum output_ci ci,
		 struct share *share_ret);

/** alarm_print() - write the line that tells of an alarm; the interval began at @unix_seconds. */
void alarm_print(FILE *out, const struct alarm_limit *limit, const struct share *share,
		 double unix_seconds);

#endif
