// SPDX-License-Identifier: GPL-2.0-only
/* Finding what is kept already: see intern.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/intern.h"

#define FIRST_SLOTS	64

uint64_t intern_hash(uint64_t start, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	uint64_t hash = start ^ 0xcbf29ce484222325, word;

	for (; len >= sizeof(word); len -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = (hash ^ word) * 0x100000001b3;
		hash ^= hash >> 32;
	}
	for (; len; len--)
		hash = (hash ^ *at++) * 0x100000001b3;
	/* The table looks at the lowest bits. */
	return hash ^ hash >> 29;
}

static uint32_t first_slot(const struct intern *intern, uint32_t hash)
{
	return hash & (intern->nr_slots - 1);
}

uint32_t intern_find(const struct intern *intern, uint64_t hash, intern_same same,
		     const void *owner, const void *key)
{
	uint32_t at;

	if (!intern->nr_slots)
		return INTERN_NONE;
	for (at = first_slot(intern, hash); intern->slot[at].position;
	     at = (at + 1) & (intern->nr_slots - 1)) {
		const struct intern_slot *slot = &intern->slot[at];

		if (slot->hash == (uint32_t)hash && same(owner, slot->position - 1, key))
			return slot->position - 1;
	}
	return INTERN_NONE;
}

static void put(struct intern *intern, struct intern_slot what)
{
	uint32_t at = first_slot(intern, what.hash);

	while (intern->slot[at].position)
		at = (at + 1) & (intern->nr_slots - 1);
	intern->slot[at] = what;
}

static int grow(struct intern *intern)
{
	struct intern larger = {
		.nr_slots = intern->nr_slots ? 2 * intern->nr_slots : FIRST_SLOTS, .nr = intern->nr
	};
	uint32_t at;

	larger.slot = calloc(larger.nr_slots, sizeof(*larger.slot));
	if (!larger.slot)
		return -ENOMEM;
	for (at = 0; at < intern->nr_slots; at++)
		if (intern->slot[at].position)
			put(&larger, intern->slot[at]);
	free(intern->slot);
	*intern = larger;
	return 0;
}

int intern_add(struct intern *intern, uint64_t hash, uint32_t position)
{
	/* At most half full, so that searches stay short. */
	if (2 * intern->nr >= intern->nr_slots && grow(intern))
		return -ENOMEM;
	put(intern, (struct intern_slot){ .position = position + 1, .hash = hash });
	intern->nr++;
	return 0;
}

void intern_deinit(struct intern *intern)
{
	free(intern->slot);
	*intern = (struct intern){ 0 };
}
