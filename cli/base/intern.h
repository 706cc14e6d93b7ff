/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finding what is kept already: a hash table of positions in somebody else's array. It knows
 * neither the things nor their keys; the owner compares.
 */
#ifndef INTERN_H
#define INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTERN_NONE	UINT32_MAX

struct intern_slot {
	uint32_t position;	/* plus one; 0: free */
	uint32_t hash;
};

/** All zero: empty. */
struct intern {
	struct intern_slot *slot;
	uint32_t nr_slots;	/* a power of two */
	uint32_t nr;
};

/** intern_same - whether the thing at @position is the one with @key. */
typedef bool (*intern_same)(const void *owner, uint32_t position, const void *key);

/**
 * intern_hash() - of @len bytes, 64 bits of it as the start for more. Keyed with random numbers of
 * this process, so that nobody can make a file whose contents collide: never keep or print it.
 */
uint64_t intern_hash(uint64_t start, const void *bytes, size_t len);

/** intern_find() - the position of the thing with @key, or INTERN_NONE. */
uint32_t intern_find(const struct intern *intern, uint64_t hash, intern_same same,
		     const void *owner, const void *key);

/** intern_add() - remember @position, which intern_find() did not find. -ENOMEM. */
int intern_add(struct intern *intern, uint64_t hash, uint32_t position);

void intern_deinit(struct intern *intern);

#endif
