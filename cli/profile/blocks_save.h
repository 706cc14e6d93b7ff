/* SPDX-License-Identifier: GPL-2.0-only */
/* Saves and loads the blocks of a run with stacks: the section PBLK of docs/format.md. */
#ifndef BLOCKS_SAVE_H
#define BLOCKS_SAVE_H

#include "profile/blocks.h"
#include "run/record.h"

/** blocks_save() - write the sums of the functions of @profile, which profile_save() writes. */
void blocks_save(struct record_writer *writer, const struct blocks *blocks,
		 const struct profile *profile);

/**
 * blocks_load() - read the sums. @profile: as profile_load() read it from the same record.
 * -ENOENT: the run was saved without them, or they are invalid. -ENOMEM. @blocks_ret is then empty.
 */
int blocks_load(const struct record *record, const struct profile *profile,
		struct blocks *blocks_ret);

#endif
