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
static const u64 *get_key(void)
{
	static u64 key[2];

	if (!key[1]) {
		if (getrandom(key, sizeof(key), GRND_NONBLOCK) != sizeof(key))
			key[0] = key[1] = 0x9e3779b97f4a7c15;
		key[1] |= 1;
	}
	return key;
}

/* Combines both halves of the product: every input bit then reaches the result's low bits. */
static u64 mix(u64 a, u64 b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (u64)product ^ (u64)(product >> 64);
}

u64 intern_hash(u64 start, const void *bytes, size_t len)
{
	const u64 *key = get_key();
	/* The length is hashed too: "ab" + "c" must differ from "a" + "bc". */
	u64 hash = mix(start ^ key[0], len ^ key[1]), word;
	const unsigned char *at = bytes;

	for (; len >= sizeof(word); len -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = mix(hash ^ word, key[1]);
	}
	word = 0;
	memcpy(&word, at, len);
	return mix(hash ^ word, key[1]);
}

static u32 get_first_slot(const struct intern *intern, u32 hash)
{
	return hash & (intern->nr_slots - 1);
}

u32 intern_find(const struct intern *intern, u64 hash, intern_same same, const void *owner,
		const void *key)
{
	u32 at;

	if (!intern->nr_slots)
		return INTERN_NONE;
	for (at = get_first_slot(intern, hash); intern->slot[at].position;
	     at = (at + 1) & (intern->nr_slots - 1)) {
		const struct intern_slot *slot = &intern->slot[at];

		if (slot->hash == (u32)hash && same(owner, slot->position - 1, key))
			return slot->position - 1;
	}
	return INTERN_NONE;
}

static void put_position(struct intern *intern, struct intern_slot what)
{
	u32 at = get_first_slot(intern, what.hash);

	while (intern->slot[at].position)
		at = (at + 1) & (intern->nr_slots - 1);
	intern->slot[at] = what;
}

static int grow_slots(struct intern *intern)
{
	struct intern larger = {
		.nr_slots = intern->nr_slots ? 2 * intern->nr_slots : FIRST_SLOTS, .nr = intern->nr
	};
	u32 at;

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

int intern_add(struct intern *intern, u64 hash, u32 position)
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
