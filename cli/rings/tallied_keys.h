/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of samples by key, in memory of fixed size, as a struct counts that a tally can read. Two tables
 * take turns, so that one can be read while the other fills.
 */
#ifndef TALLIED_KEYS_H
#define TALLIED_KEYS_H

#include "bpf/counts.h"

struct tallied_table {
	struct counts_key *keys;
	u64 *values;
	u32 *places;		/* twice as many as keys: index of a key, plus one; 0: free */
	u32 nr;
	u64 nr_lost;		/* samples whose new key found no room */
};

struct tallied_keys {
	struct tallied_table table[2];
	unsigned int turn;	/* which one fills */
	u32 nr_max;		/* keys of a table, a power of two */
};

/** tallied_keys_init() - @nr_max: keys, rounded up to a power of two. -ENOMEM. */
int tallied_keys_init(struct tallied_keys *keys, u32 nr_max);

/** tallied_keys_add() - count one sample; without room it is counted as lost. */
void tallied_keys_add(struct tallied_keys *keys, const struct counts_key *key);

/** tallied_keys_are_due() - whether the keys should be taken before the table fills up. */
bool tallied_keys_are_due(const struct tallied_keys *keys);

/**
 * tallied_keys_take() - take turns. @counts_ret: the counts since the last turn; its arrays belong to
 * @keys and are valid until the next call. Returns the number of lost samples since the last turn.
 */
u64 tallied_keys_take(struct tallied_keys *keys, struct counts *counts_ret);

/** tallied_keys_deinit() - free; may be called after zeroing. */
void tallied_keys_deinit(struct tallied_keys *keys);

#endif
