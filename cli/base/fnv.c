// SPDX-License-Identifier: GPL-2.0-only
/* Hashes that may be saved: see fnv.h. */
#include "base/fnv.h"

u64 fnv_hash(const void *bytes, size_t len)
{
	const u8 *byte = bytes;
	u64 hash = 0xcbf29ce484222325ULL;

	while (len--)
		hash = (hash ^ *byte++) * 0x100000001b3ULL;
	return hash;
}
