/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow one entry at a time, mostly next to an intern of their positions. */
#ifndef ARRAY_H
#define ARRAY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "types.h"

#define ARRAY_FIRST	16

/**
 * array_has_room() - make room for one more entry. Capacities are powers of two, so they follow
 * from the number of entries and are not stored.
 * @array_at: address of the pointer to the array; the pointer is NULL without entries
 * @nr: entries so far
 *
 * Returns false, with the array unchanged, if out of memory or of 32-bit positions.
 */
static inline bool array_has_room(void *array_at, u32 nr, size_t entry_len)
{
	size_t room = nr < ARRAY_FIRST ? ARRAY_FIRST : 2 * (size_t)nr;
	void *array;

	if (nr & (nr - 1) || (nr && nr < ARRAY_FIRST))
		return true;
	if (nr > UINT32_MAX / 2)
		return false;
	memcpy(&array, array_at, sizeof(array));
	array = reallocarray(array, room, entry_len);
	if (!array)
		return false;
	memcpy(array_at, &array, sizeof(array));
	return true;
}

/**
 * array_hold() - make room for @nr entries. @room_at: those that find room now.
 *
 * Returns false, with the array unchanged, if out of memory. The pointer is not NULL afterwards, even without entries.
 */
static inline bool array_hold(void *array_at, size_t *room_at, size_t nr, size_t entry_len)
{
	void *array;

	memcpy(&array, array_at, sizeof(array));
	if (array && nr <= *room_at)
		return true;
	array = reallocarray(array, nr + 1, entry_len);
	if (!array)
		return false;
	memcpy(array_at, &array, sizeof(array));
	*room_at = nr;
	return true;
}

#endif
