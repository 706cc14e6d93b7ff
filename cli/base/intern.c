// SPDX-License-Identifier: GPL-2.0-only
/* Hash table of positions: see intern.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/intern.h"

#define FIRST_SLOTS	64

/*
 * The key is drawn once per process: no file can know the key. Early after boot there may be no
 * random numbers; a fixed key serves then.
 */
static const uint64_t *get_key(void)
{
	static uint64_t key[2];

	if (!key[1]) {
		if (getrandom(key, sizeof(key), GRND_NONBLOCK) != sizeof(key))
			key[0] = key[1] = 0x9e3779b97f4a7c15;
		key[1] |= 1;
	}
	return key;
}

/* Combines both halves of the product: every input bit then reaches the result's low bits. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t intern_hash(uint64_t start, const void *bytes, size_t len)
{
	const uint64_t *key = get_key();
	/* The length is hashed too: "ab" + "c" must differ from "a" + "bc". */
	uint64_t hash = mix(start ^ key[0], len ^ key[1]), word;
	const unsigned char *at = bytes;

	for (; len >= sizeof(word); len -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = mix(hash ^ word, key[1]);
	}
	word = 0;
	memcpy(&word, at, len);
	return mix(hash ^ word, key[1]);
}

static uint32_t get_first_slot(const struct intern *intern, uint32_t hash)
{
	return hash & (intern->nr_slots - 1);
}

uint32_t intern_find(const struct intern *intern, uint64_t hash, intern_same same,
		     const void *owner, const void *key)
{
	uint32_t at;

	if (!intern->nr_slots)
		return INTERN_NONE;
	for (at = get_first_slot(intern, hash); intern->slot[at].position;
	     at = (at + 1) & (intern->nr_slots - 1)) {
		const struct intern_slot *slot = &intern->slot[at];

		if (slot->hash == (uint32_t)hash && same(owner, slot->position - 1, key))
			return slot->position - 1;
	}
	return INTERN_NONE;
}

static void put_position(struct intern *intern, struct intern_slot what)
{
	uint32_t at = get_first_slot(intern, what.hash);

	while (intern->slot[at].position)
		at = (at + 1) & (intern->nr_slots - 1);
	intern->slot[at] = what;
}

static int grow_slots(struct intern *intern)
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
			put_position(&larger, intern->slot[at]);
	free(intern->slot);
	*intern = larger;
	return 0;
}

int intern_add(struct intern *intern, uint64_t hash, uint32_t position)
{
	/* At most half full, so that searches stay short. */
	if (2 * intern->nr >= intern->nr_slots && grow_slots(intern))
		return -ENOMEM;
	put_position(intern, (struct intern_slot){ .position = position + 1, .hash = hash });
	intern->nr++;
	return 0;
}

void intern_deinit(struct intern *intern)
{
	free(intern->slot);
	*intern = (struct intern){ 0 };
}
