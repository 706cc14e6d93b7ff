// SPDX-License-Identifier: GPL-2.0-only
/* Comparison of two runs: see diff.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sys/diff.h"

int diff_add(struct diff *diff, int side, const char *name, bool is_pseudo,
	     const struct diff_side *counts)
{
	struct diff_row *row;

	if (!array_has_room(&diff->row, diff->nr, sizeof(*row)))
		return -ENOMEM;
	row = &diff->row[diff->nr++];
	memset(row, 0, sizeof(*row));
	snprintf(row->name, DIFF_NAME_LEN, "%s", name);
	row->is_pseudo = is_pseudo;
	row->is_in[side] = true;
	row->side[side] = *counts;
	return 0;
}

static int compare_diff_names(const void *a, const void *b)
{
	return strcmp(((const struct diff_row *)a)->name, ((const struct diff_row *)b)->name);
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

static struct stat_mean get_side_mean(const struct diff *diff, const struct diff_row *row, int side)
{
	const struct diff_side *counts = &row->side[side];
	u64 nr = diff->nr_blocks[side];
	struct stat_mean mean = stat_mean_of(counts->block_sum, counts->block_sum2, nr);
	double sampling = counts->share * (1 - counts->share) / diff->taken[side] * nr;

	mean.mean = counts->share;
	mean.variance = fmax(mean.variance, sampling);
	return mean;
}

static void compare_shares(const struct diff *diff, struct diff_row *row)
{
	struct stat_mean a, b;

	if (diff->is_sampling_only) {
		row->found = stat_two_shares(llround(row->side[0].share * diff->taken[0]),
					     diff->taken[0],
					     llround(row->side[1].share * diff->taken[1]),
					     diff->taken[1]);
		row->found.difference = row->side[1].share - row->side[0].share;
		return;
	}
	a = get_side_mean(diff, row, 0);
	b = get_side_mean(diff, row, 1);
	row->found = stat_welch(&a, &b);
}

static int compare_difference_sizes(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;
	double dx = fabs(x->found.difference), dy = fabs(y->found.difference);

	return (dx < dy) - (dx > dy) ?: strcmp(x->name, y->name);
}

int diff_finish(struct diff *diff)
{
	double *p;
	size_t i;
	int error;

	merge_names(diff);
	p = calloc(diff->nr + 1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	if (diff->nr_blocks[0] < 2 || diff->nr_blocks[1] < 2)
		diff->is_sampling_only = true;
	for (i = 0; i < diff->nr; i++) {
		compare_shares(diff, &diff->row[i]);
		p[i] = diff->row[i].found.p;
	}
	error = stat_holm(p, diff->nr);
	for (i = 0; !error && i < diff->nr; i++)
		diff->row[i].found.p = p[i];
	free(p);
	if (diff->nr)
		qsort(diff->row, diff->nr, sizeof(*diff->row), compare_difference_sizes);
	return error;
}

bool diff_is_significant(const struct diff_row *row)
{
	return row->found.p < 0.05;
}

const struct diff_row *diff_worst(const struct diff *diff, double points)
{
	size_t i;

	/* Rows are sorted: the first match is the largest. */
	for (i = 0; i < diff->nr; i++) {
		const struct diff_row *row = &diff->row[i];

		if (!row->is_pseudo && diff_is_significant(row) &&
		    row->found.difference * 100 > points)
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
