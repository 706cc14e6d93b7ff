// SPDX-License-Identifier: GPL-2.0-only
/* Runs with calls compared by function: see call_diff.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "calls/call_diff.h"
#include "calls/call_match.h"
#include "calls/call_rows.h"

/** Identity of a row. */
struct row_key {
	const char *name, *module;
};

static bool is_row_named(const void *owner, u32 position, const void *wanted)
{
	const struct call_diff_row *row = &((const struct call_diff *)owner)->row[position];
	const struct row_key *key = wanted;

	return !strcmp(row->name, key->name) && !strcmp(row->module, key->module);
}

/* The row of a function, which is added if it is new. NULL: out of memory. */
static struct call_diff_row *get_row(struct call_diff *diff, const struct row_key *key)
{
	u64 hash = intern_hash(0, key->module, strlen(key->module));
	u32 at;

	hash = intern_hash(hash, key->name, strlen(key->name));
	at = intern_find(&diff->index, hash, is_row_named, diff, key);
	if (at != INTERN_NONE)
		return &diff->row[at];
	if (!array_has_room(&diff->row, diff->nr, sizeof(*diff->row)) ||
	    intern_add(&diff->index, hash, diff->nr))
		return NULL;
	diff->row[diff->nr] = (struct call_diff_row){ .name = key->name, .module = key->module };
	return &diff->row[diff->nr++];
}

static struct call_diff_row *get_function_row(struct call_diff *diff,
					      const struct call_counts *counts, u32 function)
{
	const struct row_key key = {
		call_counts_name(counts, function), call_counts_module(counts, function)
	};

	return get_row(diff, &key);
}

/* The square of a sum of shares is not known; this is its upper bound (Cauchy-Schwarz). */
static void add_block_sums(struct call_time *time, double sum, double sum2)
{
	time->block_sum += sum;
	time->block_sum2 += sum2 + 2 * sqrt(time->block_sum2 * sum2);
}

static int add_blocks(struct call_diff *diff, int side, const struct call_run *run)
{
	const struct profile *profile = run->stacks->profile;
	u32 *counted = calloc(profile->nr_functions + 1, sizeof(*counted)), i;
	int error = counted ? call_match(run->counts, profile, counted) : -ENOMEM;

	for (i = 0; !error && i < profile->nr_functions; i++) {
		const struct block_sums *sums = blocks_of(&run->stacks->blocks, i);
		struct call_diff_row *row;

		if (!sums || counted[i] == CALLS_NONE ||
		    run->counts->functions[counted[i]].state != CALL_HOOKED)
			continue;
		row = get_function_row(diff, run->counts, counted[i]);
		if (!row)
			error = -ENOMEM;
		else {
			add_block_sums(&row->total.side[side], sums->total, sums->total2);
			add_block_sums(&row->self.side[side], sums->self, sums->self2);
		}
	}
	free(counted);
	return error;
}

static int add_functions(struct call_diff *diff, int side, const struct call_run *run)
{
	u32 i;

	for (i = 0; i < run->counts->nr_functions; i++) {
		struct call_diff_row *row;

		if (run->counts->functions[i].state != CALL_HOOKED)
			continue;
		row = get_function_row(diff, run->counts, i);
		if (!row)
			return -ENOMEM;
		row->is_in[side] = true;
	}
	return 0;
}

static int add_calls(struct call_diff *diff, int side, const struct call_run *run)
{
	const struct stack_run *stacks = run->stacks;
	struct call_rows rows;
	int error = call_rows_init(&rows, run->counts, stacks->profile,
				   stacks->result.elapsed_seconds * 1e9,
				   stacks->has_receipt ? stacks->receipt.cost_ns : 0, false, false);
	u32 i;

	if (error)
		return error;
	diff->samples[side] = rows.samples;
	diff->excess[side] = rows.excess;
	diff->samples_ns[side] = rows.samples_ns;
	diff->nr_blocks[side] = run->stacks->blocks.nr;
	for (i = 0; !error && i < rows.nr; i++) {
		struct call_diff_row *row = get_function_row(diff, run->counts, rows.row[i].function);

		if (!row) {
			error = -ENOMEM;
			break;
		}
		row->calls[side] += rows.row[i].nr;
		row->total.side[side].hits += rows.row[i].total_hits;
		row->self.side[side].hits += rows.row[i].self_hits;
	}
	call_rows_deinit(&rows);
	return error;
}

static int add_run(struct call_diff *diff, int side, const struct call_run *run)
{
	u64 counted_ns = run->counts->totals.counted_ns;
	int error = add_functions(diff, side, run) ?: add_calls(diff, side, run) ?:
		add_blocks(diff, side, run);
	u32 i;

	for (i = 0; !error && i < diff->nr; i++)
		diff->row[i].calls_s[side] = counted_ns ? diff->row[i].calls[side] * 1e9 / counted_ns :
			NAN;
	return error;
}

/* Functions that neither run called have nothing to compare. */
static void drop_uncalled(struct call_diff *diff)
{
	u32 i, nr = 0;

	for (i = 0; i < diff->nr; i++)
		if (diff->row[i].calls[0] || diff->row[i].calls[1])
			diff->row[nr++] = diff->row[i];
	diff->nr = nr;
}

/* Functions of one name may add up to more samples than there are. */
static struct stat_time get_time(const struct call_diff *diff, const struct call_diff_row *row,
				 const struct call_time *time, int side)
{
	double share = diff->samples[side] ? (double)time->hits / diff->samples[side] : 0;

	return (struct stat_time){
		fmin(share, 1), diff->samples[side], diff->samples_ns[side] / row->calls[side],
		diff->excess[side]
	};
}

static void compare_times(const struct call_diff *diff, const struct call_diff_row *row,
			  struct call_change *change)
{
	struct stat_side sides[2];
	int side;

	change->ratio = (struct stat_ratio){ NAN, { NAN, NAN } };
	change->p = NAN;
	for (side = 0; side < 2; side++) {
		struct call_time *time = &change->side[side];
		struct stat_time sampled = get_time(diff, row, time, side);

		time->ns = row->calls[side] && sampled.n && sampled.scale > 0 ?
			sampled.share * sampled.scale : NAN;
		sides[side].time = sampled;
		sides[side].blocks = stat_mean_of(time->block_sum, time->block_sum2, diff->nr_blocks[side]);
	}
	if (isnan(change->side[0].ns) || isnan(change->side[1].ns) ||
	    change->side[0].hits + change->side[1].hits < CALL_DIFF_LEAST_HITS)
		return;
	if (diff->is_sampling_only) {
		change->ratio = stat_ratio_of_times(&sides[0].time, &sides[1].time);
		change->p = stat_two_times(&sides[0].time, &sides[1].time).p;
	} else {
		change->ratio = stat_ratio_of_sides(&sides[0], &sides[1]);
		change->p = stat_two_sides(&sides[0], &sides[1]).p;
	}
}

static double value_or_0(double value)
{
	return isfinite(value) ? value : 0;
}

/* The change of calls/s x time per call: the change of each, times the mean of the other. */
static void divide_change(struct call_diff_row *row)
{
	double a = value_or_0(row->total.side[0].ns), b = value_or_0(row->total.side[1].ns);
	double rate_a = value_or_0(row->calls_s[0]), rate_b = value_or_0(row->calls_s[1]);

	/* Without calls in one run nothing is known about the time of a call in it. */
	if (!row->calls[0])
		a = b;
	if (!row->calls[1])
		b = a;
	row->by_time = (b - a) * (rate_a + rate_b) / 2 / 1e9;
	row->by_calls = (rate_b - rate_a) * (a + b) / 2 / 1e9;
}

static int correct_for_rows(struct call_diff *diff)
{
	double *p = calloc(2 * (size_t)diff->nr + 1, sizeof(*p));
	size_t nr = 0;
	int error, i;
	u32 at;

	if (!p)
		return -ENOMEM;
	for (at = 0; at < diff->nr; at++)
		for (i = 0; i < 2; i++) {
			const struct call_change *change = i ? &diff->row[at].self : &diff->row[at].total;

			if (!isnan(change->p))
				p[nr++] = change->p;
		}
	error = stat_holm(p, nr);
	for (at = nr = 0; !error && at < diff->nr; at++)
		for (i = 0; i < 2; i++) {
			struct call_change *change = i ? &diff->row[at].self : &diff->row[at].total;

			if (!isnan(change->p))
				change->p = p[nr++];
		}
	free(p);
	return error;
}

static bool is_row_significant(const struct call_diff_row *row)
{
	return call_diff_is_significant(&row->total) || call_diff_is_significant(&row->self);
}

static int compare_rows(const void *left, const void *right)
{
	const struct call_diff_row *a = left, *b = right;
	double size_a = fabs(a->by_time) + fabs(a->by_calls);
	double size_b = fabs(b->by_time) + fabs(b->by_calls);

	if (is_row_significant(a) != is_row_significant(b))
		return is_row_significant(a) ? -1 : 1;
	return (size_a < size_b) - (size_a > size_b) ?: strcmp(a->name, b->name) ?:
		strcmp(a->module, b->module);
}

static int compare_runs(struct call_diff *diff)
{
	u32 i;
	int error;

	drop_uncalled(diff);
	if (diff->nr_blocks[0] < 2 || diff->nr_blocks[1] < 2)
		diff->is_sampling_only = true;
	for (i = 0; i < diff->nr; i++) {
		compare_times(diff, &diff->row[i], &diff->row[i].total);
		compare_times(diff, &diff->row[i], &diff->row[i].self);
		divide_change(&diff->row[i]);
	}
	error = correct_for_rows(diff);
	if (!error && diff->nr)
		qsort(diff->row, diff->nr, sizeof(*diff->row), compare_rows);
	return error;
}

int call_diff_init(struct call_diff *diff, const struct call_run runs[2], bool is_sampling_only)
{
	int error;

	*diff = (struct call_diff){ .is_sampling_only = is_sampling_only };
	error = add_run(diff, 0, &runs[0]) ?: add_run(diff, 1, &runs[1]) ?: compare_runs(diff);
	intern_deinit(&diff->index);
	if (error)
		call_diff_deinit(diff);
	return error;
}

void call_diff_deinit(struct call_diff *diff)
{
	free(diff->row);
	diff->row = NULL;
	diff->nr = 0;
}

bool call_diff_is_significant(const struct call_change *change)
{
	return change->p < 0.05;
}

const char *call_diff_time_word(const struct call_change *change)
{
	if (!call_diff_is_significant(change))
		return "";
	return change->side[1].ns > change->side[0].ns ? "slower" : "faster";
}

const char *call_diff_calls_word(const struct call_diff_row *row)
{
	if (row->calls_s[1] >= row->calls_s[0] * CALL_DIFF_LEAST_RATE)
		return "more calls";
	return row->calls_s[0] >= row->calls_s[1] * CALL_DIFF_LEAST_RATE ? "fewer calls" : "";
}

int call_diff_only_in(const struct call_diff_row *row)
{
	return row->calls[0] && row->calls[1] ? -1 : !row->calls[0];
}

const struct call_diff_row *call_diff_worst(const struct call_diff *diff, double percent)
{
	u32 i;

	for (i = 0; i < diff->nr; i++) {
		const struct call_change *total = &diff->row[i].total;

		if (call_diff_is_significant(total) &&
		    total->side[1].ns > total->side[0].ns * (1 + percent / 100))
			return &diff->row[i];
	}
	return NULL;
}
