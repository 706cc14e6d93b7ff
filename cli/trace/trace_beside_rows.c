// SPDX-License-Identifier: GPL-2.0-only
/* A trace compared with its samples: see trace_beside_rows.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "trace/trace_beside_rows.h"

/* The hooks are hidden if less than this part of their cost was found. The measured cost may be a tenth off. */
#define HIDDEN_BELOW	0.8
/* Returns are hidden too if more than this part of the cost was not found. */
#define ALL_HIDDEN	0.9

static enum beside_verdict judge(const struct beside_row *row)
{
	if (row->samples < TRACE_BESIDE_LEAST)
		return BESIDE_FEW;
	if (row->traced_frac >= row->interval.lo && row->traced_frac <= row->interval.hi)
		return BESIDE_WITHIN;
	/* The cost was subtracted, but the calibrated one may not be that of this function. */
	if (fmin(row->traced_frac, row->raw_frac) <= row->interval.hi &&
	    fmax(row->traced_frac, row->raw_frac) >= row->interval.lo)
		return BESIDE_HOOKS;
	return BESIDE_DIFFERS;
}

static void add_row(struct beside_rows *beside, struct beside_row row)
{
	u64 taken = beside->beside->totals.taken;

	row.sampled_frac = taken ? (double)row.samples / taken : NAN;
	row.interval = stat_wilson(row.samples, taken, STAT_INDEPENDENT);
	row.verdict = judge(&row);
	beside->row[beside->nr++] = row;
}

static u64 calls_of(const struct trace_rows *rows)
{
	u64 calls = 0;
	u32 i;

	for (i = 0; i < rows->nr; i++)
		calls += rows->row[i].node.sums.calls;
	return calls;
}

/* The part of the CPUs' time. A crafted file may tell of no time at all. */
static double part_of_run(const struct trace_rows *rows, double ns)
{
	return rows->run_ns > 0 ? ns / rows->run_ns : 0;
}

/* The part of the CPUs' time that the hooks took, by their measured cost. */
static double cost_of(const struct trace_rows *rows)
{
	double cost_ns = calls_of(rows) * (rows->account->sums.trace->totals.cost_ps / 1e3);

	return part_of_run(rows, cost_ns);
}

/*
 * The part of the cost that samples cannot find in the hooks: those that run in exceptions, as breakpoints of arm64
 * do, keep interrupts off. Returns have breakpoints too (6.12), or a trampoline in which samples are found (6.1).
 */
static double find_hidden(const struct trace_rows *rows, const struct trace_beside_totals *totals)
{
	double cost = cost_of(rows);

	if (!totals->taken || stat_wilson(totals->hooks, totals->taken, STAT_INDEPENDENT).hi >= HIDDEN_BELOW * cost)
		return 0;
	return 1 - (double)totals->hooks / totals->taken / cost;
}

/*
 * A function's share with the hidden cost. A sample of a hidden hook waits until it has ended: that of an entry is
 * found in the function entered, and each call has one; that of a return in the caller. If both are hidden, this is
 * about where the raw time has the cost.
 */
static double with_hidden(const struct beside_rows *beside, const struct trace_rows *rows, const struct trace_row *row)
{
	double net = part_of_run(rows, trace_row_net(rows, row));

	if (!beside->hidden_frac)
		return net;
	if (beside->hidden_frac > ALL_HIDDEN)
		return part_of_run(rows, row->node.sums.net_ns);
	return net + beside->hidden_frac * cost_of(rows) * row->node.sums.calls / calls_of(rows);
}

static void add_functions(struct beside_rows *beside, const struct trace_rows *rows)
{
	u32 i;

	for (i = 0; i < rows->nr; i++) {
		const struct trace_row *row = &rows->row[i];

		if (row->more.kind != TRACE_FUNCTION)
			continue;
		add_row(beside, (struct beside_row){
			.name = row->name, .object = row->object, .calls = row->node.sums.calls,
			.samples = beside->beside->samples[row->more.number],
			.raw_frac = part_of_run(rows, row->node.sums.net_ns),
			.traced_frac = with_hidden(beside, rows, row),
		});
		beside->nr_judged += beside->row[beside->nr - 1].verdict != BESIDE_FEW;
		beside->nr_within += beside->row[beside->nr - 1].verdict == BESIDE_WITHIN;
	}
}

/* The hooks have no time of their own in a trace: it is the calls' cost, which lies in other times. */
static void add_rest(struct beside_rows *beside, const struct trace_rows *rows)
{
	const struct trace_beside_totals *totals = &beside->beside->totals;
	double hooks = cost_of(rows) * (1 - beside->hidden_frac);
	double raw = 1, traced = 1 - hooks;
	u32 i;

	for (i = 0; i < beside->nr; i++) {
		raw -= beside->row[i].raw_frac;
		traced -= beside->row[i].traced_frac;
	}
	add_row(beside, (struct beside_row){
		.name = "(hooks)", .object = "", .calls = calls_of(rows), .samples = totals->hooks,
		.traced_frac = hooks, .raw_frac = NAN,
	});
	add_row(beside, (struct beside_row){
		.name = "(outside)", .object = "", .samples = totals->outside, .raw_frac = raw > 0 ? raw : 0,
		.traced_frac = traced > 0 ? traced : 0,
	});
}

int beside_rows_init(struct beside_rows *beside, const struct trace_rows *rows)
{
	*beside = (struct beside_rows){
		.beside = rows->account->sums.trace->beside,
		.row = calloc((size_t)rows->nr + 2, sizeof(*beside->row)),
	};
	if (!beside->row)
		return -ENOMEM;
	beside->hidden_frac = find_hidden(rows, &beside->beside->totals);
	add_functions(beside, rows);
	add_rest(beside, rows);
	return 0;
}

void beside_rows_deinit(struct beside_rows *beside)
{
	free(beside->row);
	beside->row = NULL;
	beside->nr = 0;
}
