// SPDX-License-Identifier: GPL-2.0-only
/* Rows of `probe calls`: see call_rows.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calls/call_match.h"
#include "calls/call_rows.h"

/** State while samples are joined with calls. */
struct join {
	struct call_rows *rows;
	const struct profile *profile;
	u32 *call_function;	/* by function of the profile: position in the counts, or NONE */
	u32 *row_of;		/* by function of the counts: its row, or its first one */
	struct intern arcs;	/* rows by function and caller */
	u32 *seen;		/* by row: the last stack that counted in it, plus one */
	bool by_arc;
};

static bool is_row_of_arc(const void *owner, u32 position, const void *wanted)
{
	const struct call_row *row = &((const struct call_rows *)owner)->row[position];
	const u32 *key = wanted;

	return row->function == key[0] && row->caller == key[1];
}

static u32 find_arc_row(const struct join *join, u32 function, u32 caller)
{
	const u32 key[2] = { function, caller };

	return intern_find(&join->arcs, intern_hash(0, key, sizeof(key)), is_row_of_arc, join->rows,
			   key);
}

static struct call_row *add_row(struct call_rows *rows, u32 function, u32 caller)
{
	struct call_row *row = &rows->row[rows->nr++];

	*row = (struct call_row){ .function = function, .caller = caller };
	return row;
}

static void add_calls(struct call_row *row, const struct call_arc *arc)
{
	u32 context;

	for (context = 0; context < CPUPROBE_CONTEXTS; context++)
		row->calls[context] += arc->calls[context];
	row->nr += call_arc_calls(arc);
}

static void add_function_rows(struct join *join)
{
	const struct call_counts *counts = join->rows->counts;
	u32 i;

	for (i = 0; i < counts->nr_functions; i++)
		if (counts->functions[i].state == CALL_HOOKED) {
			join->row_of[i] = join->rows->nr;
			add_row(join->rows, i, CALLS_NONE);
		}
	for (i = 0; i < counts->nr_arcs; i++)
		add_calls(&join->rows->row[join->row_of[counts->arcs[i].function]],
			  &counts->arcs[i]);
}

static int add_arc_rows(struct join *join)
{
	const struct call_counts *counts = join->rows->counts;
	u32 i;

	for (i = 0; i < counts->nr_arcs; i++) {
		const struct call_arc *arc = &counts->arcs[i];
		const u32 key[2] = { arc->function, arc->caller };
		u32 at = find_arc_row(join, arc->function, arc->caller);

		if (at == INTERN_NONE) {
			at = join->rows->nr;
			if (intern_add(&join->arcs, intern_hash(0, key, sizeof(key)), at))
				return -ENOMEM;
			add_row(join->rows, arc->function, arc->caller);
		}
		add_calls(&join->rows->row[at], arc);
	}
	return 0;
}

/* The row of a frame: of its function, or of its function called by the next frame. */
static u32 find_frame_row(const struct join *join, const u32 *frames, u32 nr_left)
{
	const struct profile_frame *frame = join->profile->frames;
	u32 function = join->call_function[frame[frames[0]].function], caller;

	if (function == CALLS_NONE)
		return CALLS_NONE;
	if (!join->by_arc)
		return join->row_of[function];
	caller = nr_left > 1 ? join->call_function[frame[frames[1]].function] : CALLS_NONE;
	return caller == CALLS_NONE ? CALLS_NONE : find_arc_row(join, function, caller);
}

static void count_samples(struct join *join, u32 at)
{
	const struct profile_stack *stack = &join->profile->stacks[at];
	const u32 *frames = profile_frames_of(join->profile, stack);
	u32 i;

	for (i = 0; i < stack->nr_frames; i++) {
		u32 row = find_frame_row(join, frames + i, stack->nr_frames - i);

		if (row == CALLS_NONE)
			continue;
		if (!i)
			join->rows->row[row].self_hits += stack->hits;
		if (join->seen[row] == at + 1)
			continue;
		join->seen[row] = at + 1;
		join->rows->row[row].total_hits += stack->hits;
	}
}

static int make_rows(struct join *join)
{
	u32 i;
	int error = 0;

	for (i = 0; i < join->rows->counts->nr_functions; i++)
		join->row_of[i] = CALLS_NONE;
	if (join->by_arc)
		error = add_arc_rows(join);
	else
		add_function_rows(join);
	if (!error)
		error = call_match(join->rows->counts, join->profile, join->call_function);
	for (i = 0; !error && i < join->profile->nr_stacks; i++)
		count_samples(join, i);
	return error;
}

/* Keeps the rows with calls, or those without. */
static void keep_rows(struct call_rows *rows, bool never)
{
	u32 i, nr = 0;

	for (i = 0; i < rows->nr; i++)
		if (!rows->row[i].nr == never)
			rows->row[nr++] = rows->row[i];
	rows->nr = nr;
}

int call_rows_init(struct call_rows *rows, const struct call_counts *counts,
		   const struct profile *profile, double elapsed_ns, double sample_cost_ns,
		   bool by_arc, bool never)
{
	size_t nr_most = (size_t)counts->nr_functions + counts->nr_arcs + 1;
	struct join join = {
		.rows = rows, .profile = profile, .by_arc = by_arc && !never,
		.call_function = calloc(profile->nr_functions + 1, sizeof(u32)),
		.row_of = calloc(counts->nr_functions + 1, sizeof(u32)),
		.seen = calloc(nr_most, sizeof(u32)),
	};
	/* Otherwise calls were counted while samples were taken; the ends differ by some milliseconds. */
	double counted = counts->totals.is_over && elapsed_ns > 0 ?
		counts->totals.counted_ns / elapsed_ns : 1;
	double sampled_ns = fmax(profile->taken_ns - profile->taken * sample_cost_ns, 0);
	int error;

	*rows = (struct call_rows){
		.counts = counts, .samples = profile->taken, .excess = profile->excess,
		.samples_ns = sampled_ns * counted,
		.row = calloc(nr_most, sizeof(*rows->row)),
	};
	error = join.call_function && join.row_of && join.seen && rows->row ? make_rows(&join) :
		-ENOMEM;
	free(join.call_function);
	free(join.row_of);
	free(join.seen);
	intern_deinit(&join.arcs);
	if (error)
		call_rows_deinit(rows);
	else
		keep_rows(rows, never);
	return error;
}

/* For qsort(), which passes no context. */
static const struct call_rows *sorted_rows;
static enum call_sort sorted_by;

static int compare_counts(u64 a, u64 b)
{
	return (a < b) - (a > b);
}

static int compare_texts(const struct call_row *a, const struct call_row *b)
{
	const struct call_counts *counts = sorted_rows->counts;
	int order = strcmp(call_counts_name(counts, a->function),
			   call_counts_name(counts, b->function));

	if (order || a->caller == CALLS_NONE || b->caller == CALLS_NONE)
		return order;
	return strcmp(call_counts_name(counts, a->caller), call_counts_name(counts, b->caller));
}

static int compare_rows(const void *left, const void *right)
{
	const struct call_row *a = left, *b = right;
	int order = 0;

	if (sorted_by == CALLS_BY_TOTAL)
		order = compare_counts(a->total_hits, b->total_hits);
	else if (sorted_by == CALLS_BY_SELF)
		order = compare_counts(a->self_hits, b->self_hits);
	if (!order && sorted_by != CALLS_BY_NAME)
		order = compare_counts(a->nr, b->nr);
	return order ?: compare_texts(a, b);
}

void call_rows_sort(struct call_rows *rows, enum call_sort by)
{
	sorted_rows = rows;
	sorted_by = by;
	if (rows->nr)
		qsort(rows->row, rows->nr, sizeof(*rows->row), compare_rows);
}

struct share call_row_share(const struct call_rows *rows, u64 hits)
{
	return share_of_hits(hits, rows->samples, rows->excess, CI_WILSON, 100);
}

struct share call_row_time(const struct call_rows *rows, const struct call_row *row, u64 hits)
{
	return share_of_hits(hits, rows->samples, rows->excess, CI_WILSON,
			     row->nr ? rows->samples_ns / row->nr : NAN);
}

void call_rows_deinit(struct call_rows *rows)
{
	free(rows->row);
	rows->row = NULL;
	rows->nr = 0;
}
