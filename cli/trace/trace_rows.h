/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of a trace's summary: a function, system call or interrupt, or a group of these. Pure. */
#ifndef TRACE_ROWS_H
#define TRACE_ROWS_H

#include "profile/groups.h"
#include "trace/trace_account.h"

enum trace_sort { TRACE_BY_NET, TRACE_BY_ELAPSED, TRACE_BY_CALLS, TRACE_BY_MAX, TRACE_BY_NAME };

/** Times of a group's calls have no sum: some of them contain others. Only their net times do. */
struct trace_row {
	const char *name;
	const char *object;	/* "kernel", a module, or a kind of calls */
	bool is_group;
	struct time_node node;
	struct trace_more more;
};

struct trace_rows {
	const struct trace_account *account;
	struct trace_row *row;
	u32 nr;
	double run_ns;		/* time of all CPUs */
	double busy_ns;		/* the part of it that is not idle */
};

/**
 * trace_rows_init() - make the rows, sorted: the largest first, equal ones by name.
 * @groups: a row for each of them, and one for all other functions; NULL: a row for each function
 * -ENOMEM: nothing to deinit.
 */
int trace_rows_init(struct trace_rows *rows, const struct trace_account *account, enum trace_sort by,
		    const struct groups *groups);

void trace_rows_deinit(struct trace_rows *rows);

/* Times in ns without the cost of tracing; NAN: unknown. */

/** trace_row_elapsed() - on a CPU, of all calls that no call of the same function contains. */
double trace_row_elapsed(const struct trace_rows *rows, const struct trace_row *row);

/** trace_row_net() - on a CPU without traced callees, of all calls. */
double trace_row_net(const struct trace_rows *rows, const struct trace_row *row);

/** trace_row_avg() - the average of the calls with a duration. */
double trace_row_avg(const struct trace_row *row);

/** trace_row_net_avg() - the same of their net times. */
double trace_row_net_avg(const struct trace_row *row);

#endif
