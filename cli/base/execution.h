/* SPDX-License-Identifier: GPL-2.0-only */
/* The time of one execution: a share of a run's time, divided by the number of executions. */
#ifndef EXECUTION_H
#define EXECUTION_H

#include <stdio.h>

#include "base/columns.h"
#include "base/share.h"

#define EXECUTION_DIGITS	3	/* decimals of a time in text, in its unit */

/** A unit of time for text. */
struct execution_unit {
	const char *name;	/* s, ms, us, ns, or events */
	double ns;		/* of a time; 1 for events */
};

/** execution_events() - the unit of runs that sample an event: an execution has events, and no time. */
const struct execution_unit *execution_events(void);

/** execution_unit() - the largest unit in which @ns is at least 1; otherwise ns. */
const struct execution_unit *execution_unit(double ns);

/**
 * execution_print() - print the time of one execution with its interval, wrapped at @cols.
 * @time: in nanoseconds
 * @counts_events: it is a number of events instead
 */
void execution_print(FILE *out, const struct share *time, bool counts_events, u64 executions, int cols);

/** execution_json() - print the members of a JSON object for it; ends with a comma. */
void execution_json(FILE *out, const struct share *time, bool counts_events, u64 executions);

/**
 * execution_titles() - add the name of the unit to the titles of the columns in COLUMN_EACH_NS; for events
 * their keys name it too.
 */
void execution_titles(struct columns *columns, const struct execution_unit *unit);

#endif
