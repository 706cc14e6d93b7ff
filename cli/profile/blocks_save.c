// SPDX-License-Identifier: GPL-2.0-only
/* Saves and loads blocks: see blocks_save.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/blocks_save.h"

#define BLOCKS_MAX	(1ULL << 40)	/* more seconds than a machine lives */

_Static_assert(sizeof(struct block_sums) == 32, "kept in files");

void blocks_save(struct record_writer *writer, const struct blocks *blocks,
		 const struct profile *profile)
{
	size_t nr = (size_t)profile->nr_functions + 1, len = sizeof(u64) + nr * sizeof(*blocks->sums);
	char *bytes = blocks->nr ? calloc(1, len) : NULL;
	size_t nr_known = blocks->nr_sums < nr ? blocks->nr_sums : nr;

	/* Without blocks, or out of memory, `probe diff` compares only the counts. */
	if (!bytes)
		return;
	memcpy(bytes, &blocks->nr, sizeof(u64));
	memcpy(bytes + sizeof(u64), blocks->sums, nr_known * sizeof(*blocks->sums));
	record_add(writer, "PBLK", bytes, len);
	free(bytes);
}

/* A share is at most 1 in each block. */
static bool is_sum(double sum, double sum2, u64 nr)
{
	return sum >= 0 && sum2 >= 0 && sum <= nr * 1.001 && sum2 <= nr * 1.001;
}

static bool are_sums(const struct block_sums *sums, size_t nr_sums, u64 nr_blocks)
{
	size_t i;

	for (i = 0; i < nr_sums; i++)
		if (!is_sum(sums[i].self, sums[i].self2, nr_blocks) ||
		    !is_sum(sums[i].total, sums[i].total2, nr_blocks))
			return false;
	return true;
}

int blocks_load(const struct record *record, const struct profile *profile,
		struct blocks *blocks_ret)
{
	size_t len = 0, nr_functions = 0, nr = (size_t)profile->nr_functions + 1;
	const char *bytes = record_find(record, "PBLK", &len);
	u64 nr_blocks;

	*blocks_ret = (struct blocks){ 0 };
	/* In a file with functions that occur twice, positions have moved. */
	if (!bytes || !record_find(record, "PFUN", &nr_functions) ||
	    nr_functions / 16 + 1 != nr || len != sizeof(u64) + nr * sizeof(struct block_sums))
		return -ENOENT;
	memcpy(&nr_blocks, bytes, sizeof(u64));
	blocks_ret->sums = calloc(nr, sizeof(*blocks_ret->sums));
	if (!blocks_ret->sums)
		return -ENOMEM;
	memcpy(blocks_ret->sums, bytes + sizeof(u64), len - sizeof(u64));
	blocks_ret->nr = nr_blocks;
	blocks_ret->nr_sums = nr;
	if (nr_blocks && nr_blocks <= BLOCKS_MAX && are_sums(blocks_ret->sums, nr, nr_blocks))
		return 0;
	blocks_deinit(blocks_ret);
	return -ENOENT;
}
