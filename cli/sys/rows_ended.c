// SPDX-License-Identifier: GPL-2.0-only
/* Rows of processes that ended: see rows_parts.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sys/rows_parts.h"

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

/* Whether a command has the name of an executable, which the kernel cuts to 15 bytes. */
static bool is_command_of(const char *command, const char *name)
{
	size_t len = strlen(command);

	return !strncmp(command, name, len) && (!name[len] || len == 15);
}

/* With BPF, a process that ended before it could be looked up in /proc has a row by its command name. */
bool row_has_only_name(const struct row *row)
{
	return row->kind == CPUPROBE_KIND_EXITING && row->id[0];
}

/*
 * A process that ended before it could be looked up in /proc goes by its command name.
 * Its samples go to the row of the only executable of that name, if there is one.
 */
static void merge_gone(struct rows *rows)
{
	size_t i, j;

	for (i = 0; i < rows->nr; i++) {
		struct row *gone = &rows->row[i], *found = NULL;
		size_t nr = 0;

		if (!row_has_only_name(gone))
			continue;
		for (j = 0; j < rows->nr; j++)
			if (rows->row[j].kind == CPUPROBE_KIND_EXE &&
			    is_command_of(gone->name, rows->row[j].name)) {
				found = &rows->row[j];
				nr++;
			}
		if (nr == 1)
			merge_row(rows, found, gone);
	}
}

int rows_merge_ended(struct rows *rows)
{
	if (merge_dying(rows))
		return -ENOMEM;
	merge_gone(rows);
	return 0;
}
