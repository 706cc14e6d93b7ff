// SPDX-License-Identifier: GPL-2.0-only
/* Comparison of two runs: see diff.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sys/diff.h"

int diff_add_key(struct diff *diff, int side, const struct diff_key *key,
		 const struct diff_side *counts)
{
	struct diff_row *row;

	if (!array_has_room(&diff->row, diff->nr, sizeof(*row)))
		return -ENOMEM;
	row = &diff->row[diff->nr++];
	memset(row, 0, sizeof(*row));
	snprintf(row->name, DIFF_NAME_LEN, "%s", key->name);
	row->object = key->object;
	row->is_total = key->is_total;
	row->is_pseudo = key->is_pseudo;
	row->is_in[side] = true;
	row->side[side] = *counts;
	return 0;
}

int diff_add(struct diff *diff, int side, const char *name, bool is_pseudo,
	     const struct diff_side *counts)
{
	const struct diff_key key = { .name = name, .object = "", .is_pseudo = is_pseudo };

	return diff_add_key(diff, side, &key, counts);
}

static int compare_diff_names(const void *a_at, const void *b_at)
{
	const struct diff_row *a = a_at, *b = b_at;

	return strcmp(a->name, b->name) ?: strcmp(a->object, b->object) ?:
		a->is_total - b->is_total;
}

static void merge_side(struct diff_row *row, const struct diff_row *other, int side)
{
	struct diff_side *sum = &row->side[side];
	const struct diff_side *counts = &other->side[side];

	if (!other->is_in[side])
		return;
	/*
	 * The sum of squares of added shares is not known from the two sums of squares. This is its
	 * upper bound, by the Cauchy-Schwarz inequality.
	 */
	if (row->is_in[side])
		sum->block_sum2 += counts->block_sum2 +
			2 * sqrt(sum->block_sum2 * counts->block_sum2);
	else
		sum->block_sum2 = counts->block_sum2;
	row->is_in[side] = true;
	sum->share += counts->share;
	sum->hits += counts->hits;
	sum->block_sum += counts->block_sum;
}

/* Merge rows of one name. */
static void merge_names(struct diff *diff)
{
	size_t i, nr = 0;

	if (diff->nr)
		qsort(diff->row, diff->nr, sizeof(*diff->row), compare_diff_names);
	for (i = 0; i < diff->nr; i++) {
		if (nr && !compare_diff_names(&diff->row[nr - 1], &diff->row[i])) {
			merge_side(&diff->row[nr - 1], &diff->row[i], 0);
			merge_side(&diff->row[nr - 1], &diff->row[i], 1);
		} else {
			diff->row[nr++] = diff->row[i];
		}
	}
	diff->nr = nr;
}

/* The hits of both runs together say nothing about their difference, so that p remains valid. */
static void drop_small_rows(struct diff *diff)
{
	size_t i, nr = 0;

	for (i = 0; i < diff->nr; i++)
		if (diff->row[i].side[0].hits + diff->row[i].side[1].hits >= diff->least_hits)
			diff->row[nr++] = diff->row[i];
	diff->nr_dropped = diff->nr - nr;
	diff->nr = nr;
}

static struct stat_count get_side_count(const struct diff *diff, const struct diff_row *row,
					int side)
{
	return (struct stat_count){
		llround(row->side[side].share * diff->taken[side]), diff->taken[side],
		diff->excess[side]
	};
}

/*
 * A side's share of its @scale, and thereby its time. It is exact although a sample may count for parts of rows; only
 * Fisher's test needs whole hits.
 */
static struct stat_time get_side_time(const struct diff *diff, const struct diff_row *row, int side,
				      double scale)
{
	return (struct stat_time){
		row->side[side].share, diff->taken[side], scale, diff->excess[side]
	};
}

static void get_sides(const struct diff *diff, const struct diff_row *row, const double scale[2],
		      struct stat_side sides_ret[2])
{
	int side;

	for (side = 0; side < 2; side++) {
		sides_ret[side].time = get_side_time(diff, row, side, scale[side]);
		sides_ret[side].blocks = stat_mean_of(row->side[side].block_sum,
						      row->side[side].block_sum2, diff->nr_blocks[side]);
	}
}

static void compare_shares(const struct diff *diff, struct diff_row *row)
{
	static const double shares[2] = { 1, 1 };
	struct stat_side side[2];

	get_sides(diff, row, shares, side);
	if (diff->is_sampling_only) {
		const struct stat_count count_a = get_side_count(diff, row, 0);
		const struct stat_count count_b = get_side_count(diff, row, 1);

		row->found = stat_two_times(&side[0].time, &side[1].time);
		row->found.p = stat_two_shares(&count_a, &count_b).p;
		return;
	}
	row->found = stat_two_sides(&side[0], &side[1]);
}

/* Compares the times of one execution: shares of the runs' times per execution. */
static void compare_executions(const struct diff *diff, struct diff_row *row)
{
	struct stat_side side[2];

	get_sides(diff, row, diff->execution_ns, side);
	if (diff->is_sampling_only) {
		row->execution = stat_two_times(&side[0].time, &side[1].time);
		row->ratio = stat_ratio_of_times(&side[0].time, &side[1].time);
	} else {
		row->execution = stat_two_sides(&side[0], &side[1]);
		row->ratio = stat_ratio_of_sides(&side[0], &side[1]);
	}
	row->found.p = row->execution.p;
}

static double get_difference_size(const struct diff *diff, const struct diff_row *row)
{
	return fabs(diff_has_executions(diff) ? row->execution.difference : row->found.difference);
}

static int compare_difference_sizes(const void *a, const void *b, void *context)
{
	const struct diff_row *x = a, *y = b;
	const struct diff *diff = context;
	double dx = get_difference_size(diff, x), dy = get_difference_size(diff, y);

	if (diff->has_significant_first && diff_is_significant(x) != diff_is_significant(y))
		return diff_is_significant(x) ? -1 : 1;
	return (dx < dy) - (dx > dy) ?: compare_diff_names(a, b);
}

int diff_rank(struct diff *diff)
{
	double *p = calloc(diff->nr + 1, sizeof(*p));
	size_t i;
	int error;

	if (!p)
		return -ENOMEM;
	for (i = 0; i < diff->nr; i++)
		p[i] = diff->row[i].found.p;
	error = stat_holm(p, diff->nr);
	for (i = 0; !error && i < diff->nr; i++)
		diff->row[i].found.p = p[i];
	free(p);
	if (diff->nr)
		qsort_r(diff->row, diff->nr, sizeof(*diff->row), compare_difference_sizes, diff);
	return error;
}

int diff_finish(struct diff *diff)
{
	size_t i;

	merge_names(diff);
	drop_small_rows(diff);
	if (diff->nr_blocks[0] < 2 || diff->nr_blocks[1] < 2)
		diff->is_sampling_only = true;
	for (i = 0; i < diff->nr; i++) {
		compare_shares(diff, &diff->row[i]);
		if (diff_has_executions(diff))
			compare_executions(diff, &diff->row[i]);
	}
	return diff_rank(diff);
}

bool diff_is_significant(const struct diff_row *row)
{
	return row->found.p < 0.05;
}

const struct diff_row *diff_worst(const struct diff *diff, double points)
{
	bool has_executions = diff_has_executions(diff);
	size_t i;

	/* Rows are sorted: the first match is the largest. */
	for (i = 0; i < diff->nr; i++) {
		const struct diff_row *row = &diff->row[i];
		double growth = has_executions ?
			row->execution.difference / diff->execution_ns[0] : row->found.difference;

		if (!row->is_pseudo && diff_is_significant(row) && growth * 100 > points)
			return row;
	}
	return NULL;
}

void diff_deinit(struct diff *diff)
{
	free(diff->row);
	diff->row = NULL;
	diff->nr = 0;
}
