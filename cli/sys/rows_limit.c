// SPDX-License-Identifier: GPL-2.0-only
/* Order of rows, and the largest of them: see rows.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/rows_parts.h"

/* Order of pseudo-rows: "(N others)" first, "(lost)" last; 0: a real row. */
static int get_pseudo_rank(const struct row *row)
{
	switch (row->kind) {
	case ROW_KIND_OTHERS:
		return 1;
	case CPUPROBE_KIND_SOFTIRQ:
		return 2;
	case CPUPROBE_KIND_EXITING:
		return row_has_only_name(row) ? 0 : 3;
	case FOLD_KIND_LOST:
		return 4;
	default:
		return 0;
	}
}

static double get_sort_key(const struct row *row, enum rows_sort sort)
{
	return sort == ROWS_SORT_USER ? row->share[CPUPROBE_MODE_USER] :
	       sort == ROWS_SORT_KERNEL ? row->share[CPUPROBE_MODE_KERNEL] : row->total;
}

static int compare_rows(const struct row *a, const struct row *b, enum rows_sort sort)
{
	int rank = get_pseudo_rank(a) - get_pseudo_rank(b);
	double x = get_sort_key(a, sort), y = get_sort_key(b, sort);

	if (rank)
		return rank;
	if (sort != ROWS_SORT_NAME && x != y)
		return (x < y) - (x > y);
	return strcmp(a->name, b->name) ?: memcmp(a->id, b->id, sizeof(a->id));
}

static int compare_by_total(const void *a, const void *b)
{
	return compare_rows(a, b, ROWS_SORT_TOTAL);
}

static int compare_by_name(const void *a, const void *b)
{
	return compare_rows(a, b, ROWS_SORT_NAME);
}

static int compare_by_user(const void *a, const void *b)
{
	return compare_rows(a, b, ROWS_SORT_USER);
}

static int compare_by_kernel(const void *a, const void *b)
{
	return compare_rows(a, b, ROWS_SORT_KERNEL);
}

/* Merge rows [from, to) into one. Its block sums stay 0: they cannot be computed from the rows'. */
static void fold_others(struct rows *rows, size_t from, size_t to)
{
	struct row others = { .kind = ROW_KIND_OTHERS, .first_part = ROW_NO_PART,
			      .last_part = ROW_NO_PART };
	size_t i;

	for (i = from; i < to; i++)
		row_add(rows, &others, &rows->row[i]);
	others.interval = row_interval(rows, &others);
	snprintf(others.name, sizeof(others.name), "(%zu others)", to - from);
	rows->row[from] = others;
}

void rows_limit(struct rows *rows, enum rows_sort sort, size_t nr_keep)
{
	static int (*const compare[])(const void *, const void *) = {
		[ROWS_SORT_TOTAL] = compare_by_total, [ROWS_SORT_NAME] = compare_by_name,
		[ROWS_SORT_USER] = compare_by_user, [ROWS_SORT_KERNEL] = compare_by_kernel,
	};
	size_t nr_real = 0;

	if (!rows->nr)
		return;
	qsort(rows->row, rows->nr, sizeof(*rows->row),
	      compare[sort == ROWS_SORT_NAME ? ROWS_SORT_TOTAL : sort]);
	while (nr_real < rows->nr && !get_pseudo_rank(&rows->row[nr_real]))
		nr_real++;
	/* A single row is not folded: folding would only remove its name. */
	if (nr_keep && nr_real > nr_keep + 1) {
		fold_others(rows, nr_keep, nr_real);
		memmove(&rows->row[nr_keep + 1], &rows->row[nr_real],
			(rows->nr - nr_real) * sizeof(*rows->row));
		rows->nr -= nr_real - nr_keep - 1;
	}
	qsort(rows->row, rows->nr, sizeof(*rows->row), compare[sort]);
}
