// SPDX-License-Identifier: GPL-2.0-only
/* Rows of processes that ended: see rows_parts.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sys/rows_parts.h"

#define COMMAND_LEN 15

static u64 get_start_time(const struct row *row)
{
	return row->id[1] & ~0ULL >> 8;
}

/* By number, start time and name; if all are equal, the dying process is last. */
static int compare_identities(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
	bool dx = !(u32)x->id[0], dy = !(u32)y->id[0];

	if (x->pid != y->pid)
		return (x->pid > y->pid) - (x->pid < y->pid);
	if (get_start_time(x) != get_start_time(y))
		return (get_start_time(x) > get_start_time(y)) -
		       (get_start_time(x) < get_start_time(y));
	return strcmp(x->name, y->name) ?: dx - dy;
}

static void merge_row(struct rows *rows, struct row *row, struct row *ended)
{
	row_add(rows, row, ended);
	memset(ended->hits, 0, sizeof(ended->hits));
	memset(ended->other, 0, sizeof(ended->other));
}

/*
 * A dying process has released its memory, so its executable is unknown: its identity has 0
 * there. Its samples go to the row with an equal number, start time and name.
 */
static int merge_dying(struct rows *rows)
{
	struct row **order = calloc(rows->nr + 1, sizeof(struct row *));
	size_t i, nr = 0;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < rows->nr; i++)
		if (rows->row[i].kind == CPUPROBE_KIND_PROCESS)
			order[nr++] = &rows->row[i];
	qsort(order, nr, sizeof(struct row *), compare_identities);
	for (i = 1; i < nr; i++)
		if (!(u32)order[i]->id[0] && (u32)order[i - 1]->id[0] &&
		    order[i]->pid == order[i - 1]->pid &&
		    get_start_time(order[i]) == get_start_time(order[i - 1]) &&
		    !strcmp(order[i]->name, order[i - 1]->name))
			merge_row(rows, order[i - 1], order[i]);
	free(order);
	return 0;
}

/* By command name: the kernel cuts the name of an executable to 15 bytes. */
static int compare_commands(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;

	return strncmp(x->name, y->name, COMMAND_LEN);
}

/* With BPF, a process that could not be looked up in /proc has a row by its command name. */
bool row_has_only_name(const struct row *row)
{
	return row->kind == CPUPROBE_KIND_EXITING && row->id[0];
}

bool row_is_pseudo(const struct row *row)
{
	return row->kind == CPUPROBE_KIND_IDLE || row->kind == CPUPROBE_KIND_SOFTIRQ || row->kind == FOLD_KIND_LOST ||
	       (row->kind == CPUPROBE_KIND_EXITING && !row_has_only_name(row));
}

/*
 * A process that ended before it could be looked up in /proc goes by its command name.
 * Its samples go to the row of the only executable of that name, if there is one. A name that the kernel has cut
 * may be another executable's, which was never seen.
 */
static int merge_gone(struct rows *rows)
{
	struct row **order = calloc(rows->nr + 1, sizeof(struct row *));
	size_t i, end, nr = 0;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < rows->nr; i++)
		if (rows->row[i].kind == CPUPROBE_KIND_EXE || row_has_only_name(&rows->row[i]))
			order[nr++] = &rows->row[i];
	qsort(order, nr, sizeof(struct row *), compare_commands);
	for (i = 0; i < nr; i = end) {
		struct row *found = NULL;
		size_t nr_found = 0;

		for (end = i; end < nr && !compare_commands(&order[i], &order[end]); end++)
			if (order[end]->kind == CPUPROBE_KIND_EXE) {
				found = order[end];
				nr_found++;
			}
		for (; nr_found == 1 && strlen(found->name) < COMMAND_LEN && i < end; i++)
			if (order[i] != found)
				merge_row(rows, found, order[i]);
	}
	free(order);
	return 0;
}

int rows_merge_ended(struct rows *rows)
{
	return merge_dying(rows) ?: merge_gone(rows);
}
