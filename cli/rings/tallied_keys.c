// SPDX-License-Identifier: GPL-2.0-only
/* Counts of samples by key: see tallied_keys.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "rings/tallied_keys.h"

int tallied_keys_init(struct tallied_keys *keys, u32 nr_max)
{
	int i;

	*keys = (struct tallied_keys){ .nr_max = 1 };
	while (keys->nr_max < nr_max)
		keys->nr_max *= 2;
	for (i = 0; i < 2; i++) {
		struct tallied_table *table = &keys->table[i];

		table->keys = calloc(keys->nr_max, sizeof(*table->keys));
		table->values = calloc(keys->nr_max, sizeof(*table->values));
		table->places = calloc(2 * keys->nr_max, sizeof(*table->places));
		if (!table->keys || !table->values || !table->places) {
			tallied_keys_deinit(keys);
			return -ENOMEM;
		}
	}
	return 0;
}

void tallied_keys_add(struct tallied_keys *keys, const struct counts_key *key)
{
	struct tallied_table *table = &keys->table[keys->turn];
	const u32 mask = 2 * keys->nr_max - 1;
	u32 at = intern_hash(0, key, sizeof(*key)) & mask;

	/* At least half of the places are free. */
	for (; table->places[at]; at = (at + 1) & mask)
		if (!memcmp(&table->keys[table->places[at] - 1], key, sizeof(*key))) {
			table->values[table->places[at] - 1]++;
			return;
		}
	if (table->nr == keys->nr_max) {
		table->nr_lost++;
		return;
	}
	table->keys[table->nr] = *key;
	table->values[table->nr] = 1;
	table->places[at] = ++table->nr;
}

bool tallied_keys_are_due(const struct tallied_keys *keys)
{
	return keys->table[keys->turn].nr > keys->nr_max / 2;
}

u64 tallied_keys_take(struct tallied_keys *keys, struct counts *counts_ret)
{
	const struct tallied_table *old = &keys->table[keys->turn];
	struct tallied_table *next;

	keys->turn = !keys->turn;
	next = &keys->table[keys->turn];
	memset(next->places, 0, 2 * keys->nr_max * sizeof(*next->places));
	next->nr = 0;
	next->nr_lost = 0;
	*counts_ret = (struct counts){
		.nr_entries = keys->nr_max, .nr_possible = 1, .key_len = sizeof(struct counts_key),
		.keys = old->keys, .values = old->values, .nr = old->nr,
	};
	return old->nr_lost;
}

void tallied_keys_deinit(struct tallied_keys *keys)
{
	int i;

	for (i = 0; i < 2; i++) {
		free(keys->table[i].keys);
		free(keys->table[i].values);
		free(keys->table[i].places);
	}
	memset(keys, 0, sizeof(*keys));
}
