// SPDX-License-Identifier: GPL-2.0-only
/* Variation of functions' shares over blocks: see blocks.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/blocks.h"

const struct block_sums *blocks_busy(const struct blocks *blocks)
{
	return blocks->nr && blocks->nr_sums ? &blocks->sums[0] : NULL;
}

const struct block_sums *blocks_of(const struct blocks *blocks, u32 function)
{
	return blocks->nr && function + 1ULL < blocks->nr_sums ? &blocks->sums[function + 1] : NULL;
}

/* Makes room for the functions that the profile has now, and for some more. */
static int grow_blocks(struct blocks *blocks, u32 nr_functions)
{
	size_t before = blocks->nr_sums, nr = (size_t)nr_functions + nr_functions / 2 + 1;
	struct block_sums *sums;
	struct block_hits *hits;

	if (nr_functions < before)
		return 0;
	sums = reallocarray(blocks->sums, nr, sizeof(*sums));
	if (!sums)
		return -ENOMEM;
	blocks->sums = sums;
	hits = reallocarray(blocks->hits, nr, sizeof(*hits));
	if (!hits)
		return -ENOMEM;
	blocks->hits = hits;
	memset(sums + before, 0, (nr - before) * sizeof(*sums));
	memset(hits + before, 0, (nr - before) * sizeof(*hits));
	blocks->nr_sums = nr;
	return 0;
}

static void add_total(struct blocks *blocks, u32 at, u64 hits)
{
	if (blocks->hits[at].last_visit == blocks->nr_visits)
		return;
	blocks->hits[at].last_visit = blocks->nr_visits;
	blocks->hits[at].total += hits;
}

int blocks_add(struct blocks *blocks, const struct profile *profile, u32 stack, u64 hits)
{
	const u32 *frames = profile_frames_of(profile, &profile->stacks[stack]);
	u32 leaf = profile->frames[frames[0]].function, i;

	if (grow_blocks(blocks, profile->nr_functions))
		return -ENOMEM;
	blocks->nr_visits++;
	blocks->hits[leaf + 1].self += hits;
	if (leaf != MARK_IDLE)
		add_total(blocks, 0, hits);
	for (i = 0; i < profile->stacks[stack].nr_frames; i++)
		add_total(blocks, profile->frames[frames[i]].function + 1, hits);
	return 0;
}

void blocks_end(struct blocks *blocks, u64 taken)
{
	double n = taken - blocks->taken_before;
	u32 i;

	if (taken <= blocks->taken_before)
		return;
	for (i = 0; i < blocks->nr_sums; i++) {
		struct block_sums *sums = &blocks->sums[i];
		double self, total;

		/* Most functions of a program are not in most blocks. */
		if (!blocks->hits[i].self && !blocks->hits[i].total)
			continue;
		self = blocks->hits[i].self / n;
		total = blocks->hits[i].total / n;
		sums->self += self;
		sums->self2 += self * self;
		sums->total += total;
		sums->total2 += total * total;
		blocks->hits[i].self = blocks->hits[i].total = 0;
	}
	blocks->taken_before = taken;
	blocks->nr++;
}

void blocks_drop_sums(struct blocks *blocks)
{
	const u64 nr = blocks->nr;

	blocks_deinit(blocks);
	blocks->nr = nr;
}

void blocks_deinit(struct blocks *blocks)
{
	free(blocks->sums);
	free(blocks->hits);
	*blocks = (struct blocks){ 0 };
}
