// SPDX-License-Identifier: GPL-2.0-only
/* Rows of a trace's summary: see trace_rows.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace_rows.h"

static const char *object_of(const struct trace_account *account, u32 node)
{
	const struct time_counts *counts = account->sums.counts;
	const char *module = call_counts_module(counts->calls, counts->nodes[node].function);

	return module[0] ? module : "kernel";
}

static struct trace_row make_row(const struct trace_account *account, u32 node)
{
	const struct time_counts *counts = account->sums.counts;

	return (struct trace_row){
		.name = time_counts_name(counts, &counts->nodes[node]), .object = object_of(account, node),
		.node = counts->nodes[node], .more = account->sums.more[node],
	};
}

/* Adds a function to its group. */
static void add_to_group(struct trace_row *group, const struct time_node *node, const struct trace_more *more)
{
	if (node->sums.ended && (!group->node.sums.ended || more->net_min_ns < group->more.net_min_ns))
		group->more.net_min_ns = more->net_min_ns;
	if (more->net_max_ns > group->more.net_max_ns)
		group->more.net_max_ns = more->net_max_ns;
	group->more.net_ns += more->net_ns;
	group->more.cut += more->cut;
	group->more.unwound += more->unwound;
	group->more.open += more->open;
	group->more.tails += more->tails;
	time_sums_add(&group->node.sums, &node->sums);
}

static void make_groups(struct trace_rows *rows, const struct groups *groups)
{
	const struct trace_account *account = rows->account;
	const struct time_counts *counts = account->sums.counts;
	u32 i, nr = groups_nr(groups);

	for (i = 0; i <= nr; i++)
		rows->row[i] = (struct trace_row){
			.name = i < nr ? groups_name(groups, i) : "(no group)", .object = "(group)",
			.is_group = true,
			.node = { .parent = CALLS_NONE, .function = CALLS_NONE },
		};
	for (i = 0; i < account->sums.nr_more; i++) {
		const struct time_node *node = &counts->nodes[i];
		u32 group = groups_match(groups, object_of(account, i), time_counts_name(counts, node));

		add_to_group(&rows->row[group == GROUPS_NONE ? nr : group], node, &account->sums.more[i]);
	}
	rows->nr = nr + 1;
}

static bool is_empty(const struct trace_row *row)
{
	return !row->node.sums.calls && !row->node.sums.missed;
}

static void drop_empty(struct trace_rows *rows)
{
	u32 i, nr = 0;

	for (i = 0; i < rows->nr; i++)
		if (!is_empty(&rows->row[i]))
			rows->row[nr++] = rows->row[i];
	rows->nr = nr;
}

/* For qsort(), which passes no context. */
static const struct trace_rows *sorted_rows;
static enum trace_sort sorted_by;

static double key_of(const struct trace_row *row)
{
	double key = 0;

	if (sorted_by == TRACE_BY_NET)
		key = trace_row_net(sorted_rows, row);
	else if (sorted_by == TRACE_BY_ELAPSED)
		key = trace_row_elapsed(sorted_rows, row);
	else if (sorted_by == TRACE_BY_CALLS)
		key = row->node.sums.calls;
	else if (sorted_by == TRACE_BY_MAX)
		key = row->node.sums.max_ns;
	return isnan(key) ? 0 : key;
}

static int compare_rows(const void *left, const void *right)
{
	const struct trace_row *a = left, *b = right;
	double a_key = key_of(a), b_key = key_of(b);

	return (a_key < b_key) - (a_key > b_key) ?: strcmp(a->name, b->name) ?: strcmp(a->object, b->object);
}

int trace_rows_init(struct trace_rows *rows, const struct trace_account *account, enum trace_sort by,
		    const struct groups *groups)
{
	struct trace_cpu_time total = trace_account_total(account);
	u32 i, nr = groups ? groups_nr(groups) + 1 : account->sums.nr_more;

	*rows = (struct trace_rows){
		.account = account, .run_ns = total.covered_ns, .busy_ns = total.covered_ns - total.idle_ns,
		.row = calloc((size_t)nr + 1, sizeof(*rows->row)),
	};
	if (!rows->row)
		return -ENOMEM;
	if (groups)
		make_groups(rows, groups);
	else
		for (i = 0; i < nr; i++)
			rows->row[rows->nr++] = make_row(account, i);
	drop_empty(rows);
	sorted_rows = rows;
	sorted_by = by;
	qsort(rows->row, rows->nr, sizeof(*rows->row), compare_rows);
	return 0;
}

void trace_rows_deinit(struct trace_rows *rows)
{
	free(rows->row);
	rows->row = NULL;
	rows->nr = 0;
}

static bool has_times(const struct trace_row *row)
{
	return row->more.kind != TRACE_OLDER && row->more.kind != TRACE_OLDER_SYSCALL;
}

double trace_row_elapsed(const struct trace_rows *rows, const struct trace_row *row)
{
	return row->is_group || !has_times(row) ? NAN : time_on_ns(rows->account->sums.counts, &row->node);
}

double trace_row_net(const struct trace_rows *rows, const struct trace_row *row)
{
	return has_times(row) ? time_net_ns(rows->account->sums.counts, &row->node) : NAN;
}

double trace_row_avg(const struct trace_row *row)
{
	u64 nr = time_outermost(&row->node);

	return row->is_group || !nr ? NAN : (double)row->more.elapsed_ns / nr;
}

double trace_row_net_avg(const struct trace_row *row)
{
	return row->node.sums.ended ? (double)row->more.net_ns / row->node.sums.ended : NAN;
}
