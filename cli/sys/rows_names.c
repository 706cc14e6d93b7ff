// SPDX-License-Identifier: GPL-2.0-only
/* Names of rows that tell executables apart: see rows_parts.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sys/rows_parts.h"

#define NAMESAKES_MAX 64	/* rows of one name; with more, directories are not compared */

static int compare_names_only(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;

	return strcmp(x->name, y->name);
}

static unsigned long long get_inode(const struct row *row)
{
	return (row->id[0] ^ (u32)row->id[1]) * CPUPROBE_INODE_INVERSE;
}

/*
 * Append the directory to the names of executables of one name; also the inode, if the directories
 * are equal.
 */
static void add_directories(struct row **rows, size_t nr, const char *const *directories,
			    const struct row *first)
{
	char addition[64];
	size_t i, j;

	for (i = 0; i < nr; i++) {
		const char *directory = directories[rows[i] - first];
		bool is_alone = directory[0] && nr <= NAMESAKES_MAX;

		for (j = 0; j < nr && is_alone; j++)
			is_alone = i == j || strcmp(directory, directories[rows[j] - first]);
		if (is_alone)
			snprintf(addition, sizeof(addition), " (%s)", directory);
		else
			snprintf(addition, sizeof(addition), " (%s%sinode %llu)", directory,
				 directory[0] ? ", " : "", get_inode(rows[i]));
		strncat(rows[i]->name, addition, sizeof(rows[i]->name) - strlen(rows[i]->name) - 1);
		text_clean(rows[i]->name);
	}
}

/* The module puts the directory's name after the executable's NUL, if there is room. */
static const char *get_directory(const struct fold_process *process)
{
	size_t len = strlen(process->name) + 1;

	return process->kind == CPUPROBE_KIND_EXE && len < sizeof(process->name) ?
		process->name + len : "";
}

int rows_name(struct rows *rows, const struct fold *fold)
{
	size_t nr, i, from, nr_exe = 0;
	const struct fold_process *processes = fold_processes(fold, &nr);
	const char **directories = calloc(nr + 1, sizeof(*directories));
	struct row **exe = calloc(nr + 1, sizeof(struct row *));

	if (directories && exe) {
		for (i = 0; i < nr; i++) {
			directories[i] = get_directory(&processes[i]);
			if (processes[i].kind == CPUPROBE_KIND_EXE)
				exe[nr_exe++] = &rows->row[i];
		}
		qsort(exe, nr_exe, sizeof(struct row *), compare_names_only);
		for (from = 0, i = 1; i <= nr_exe; i++) {
			if (i < nr_exe && !strcmp(exe[i]->name, exe[from]->name))
				continue;
			if (i - from > 1)
				add_directories(&exe[from], i - from, directories, rows->row);
			from = i;
		}
	}
	free(directories);
	free(exe);
	return directories && exe ? 0 : -ENOMEM;
}
