/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow while things are added, mostly those that an intern knows the positions of. */
#ifndef ARRAY_H
#define ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_FIRST	16

/**
 * array_has_room() - make room for one more entry, if there is none. Rooms are powers of two, so
 * that nobody needs to keep them.
 * @array_at: address of the pointer to the array; NULL in it: no entries yet
 * @nr: entries so far
 *
 * Returns false, and leaves the array as it is, if memory or 32-bit positions do not suffice.
 */
static inline bool array_has_room(void *array_at, uint32_t nr, size_t entry_len)
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

#endif
