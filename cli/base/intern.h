/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hash table of positions in an array that belongs to the caller. The table knows neither the
 * entries nor their keys; the caller's callback compares.
 */
#ifndef INTERN_H
#define INTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

#define INTERN_NONE	UINT32_MAX

struct intern_slot {
	u32 position;		/* plus one; 0: free */
	u32 hash;
};

/** All zero: empty. */
struct intern {
	struct intern_slot *slot;
	u32 nr_slots;		/* a power of two */
	u32 nr;
};

/** intern_same - whether the entry at @position has @key. */
typedef bool (*intern_same)(const void *owner, u32 position, const void *key);

/**
 * intern_hash() - hash @len bytes.
 * @start: 0, or the hash of the preceding bytes
 *
 * The hash is keyed with random numbers of this process, so that nobody can craft a file whose
 * contents collide. Never save or print a hash.
 */
u64 intern_hash(u64 start, const void *bytes, size_t len);

/** intern_find() - position of the entry with @key, or INTERN_NONE. */
u32 intern_find(const struct intern *intern, u64 hash, intern_same same, const void *owner,
		const void *key);

/** intern_add() - add @position, whose key intern_find() did not find. -ENOMEM. */
int intern_add(struct intern *intern, u64 hash, u32 position);

/** intern_deinit() - free all memory; the index is empty then, and may be used again. */
void intern_deinit(struct intern *intern);

#endif
