// SPDX-License-Identifier: GPL-2.0-only
/* Cache of rows by frame: see flat_memo.h. */
#include <errno.h>
#include <stdlib.h>

#include "report/flat_memo.h"

struct flat_memo_entry {
	u32 process;
	u32 row;	/* position + 1; 0: none */
};

int flat_memo_init(struct flat_memo *memo, u32 nr_frames)
{
	memo->entries = calloc((size_t)nr_frames + 1, sizeof(*memo->entries));
	return memo->entries ? 0 : -ENOMEM;
}

u32 flat_memo_find(const struct flat_memo *memo, u32 frame, u32 process)
{
	const struct flat_memo_entry *entry = &memo->entries[frame];

	return entry->row && entry->process == process ? entry->row - 1 : FLAT_MEMO_NONE;
}

void flat_memo_keep(struct flat_memo *memo, u32 frame, u32 process, u32 row)
{
	memo->entries[frame] = (struct flat_memo_entry){ process, row + 1 };
}

void flat_memo_deinit(struct flat_memo *memo)
{
	free(memo->entries);
}
