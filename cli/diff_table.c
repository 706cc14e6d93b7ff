// SPDX-License-Identifier: GPL-2.0-only
/* The part of `probe diff` about tables of the whole machine: see diff_command.h. */
#include <errno.h>
#include <stdio.h>

#include "diff_command.h"
#include "sys/rows.h"
#include "sys/sys_save.h"

int diff_add_table(struct diff *diff, int side, const struct record *record, struct text_error *error_ret)
{
	struct run_result result;
	struct fold *fold = sys_load(record, &result, error_ret);
	struct rows rows;
	size_t i;
	int error;

	if (!fold)
		return -EBADMSG;
	error = rows_init(&rows, fold, result.account.excess);
	diff->taken[side] = rows.taken;
	diff->excess[side] = rows.excess;
	diff->nr_blocks[side] = rows.nr_blocks;
	for (i = 0; !error && i < rows.nr; i++) {
		const struct row *row = &rows.row[i];
		struct diff_side said = { row->total, row_hits(row), row->block_sum,
					  row->block_sum2 };
		char name[FOLD_NAME_LEN];

		/* Other runs may tell executables of one name apart by other words, or not at all. */
		snprintf(name, sizeof(name), "%.*s", (int)row->plain_len, row->name);
		error = diff_add(diff, side, name, row_is_pseudo(row), &said);
	}
	if (!error)
		rows_deinit(&rows);
	fold_destroy(fold);
	return error ? text_fail(error_ret, error, "out of memory") : 0;
}
