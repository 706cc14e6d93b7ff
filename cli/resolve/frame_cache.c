// SPDX-License-Identifier: GPL-2.0-only
/* Frames of addresses that were resolved before: see frame_cache.h. */
#include <string.h>

#include "resolve/frame_cache.h"
#include "resolve/resolver_parts.h"

void frame_cache_forget(struct frame_cache *cache)
{
	const size_t nr = FRAME_CACHE_PLACES >> cache->coarse;

	/* Places that are not used stay out of memory. */
	memset(cache->resolved, 0, nr * sizeof(*cache->resolved));
	memset(cache->placed, 0, nr * sizeof(*cache->placed));
	memset(cache->entered, 0, nr * sizeof(*cache->entered));
}

struct resolved *frame_cache_find(struct frame_cache *cache, u32 owner, u64 addr,
				  enum resolver_found found)
{
	struct resolved *place = &cache->resolved[frame_cache_hash(cache, owner, addr)];

	if (place->owner != owner || place->addr != addr || place->found != found)
		*place = (struct resolved){ .addr = addr, .found = found,
					    .inlined = RESOLVER_NO_LINK };
	return place;
}

void frame_cache_place(struct frame_cache *cache, u32 layout, u64 addr,
		       const struct resolved *resolved, bool is_plain)
{
	cache->placed[frame_cache_hash(cache, layout, addr)] = (struct placed){
		.layout = layout, .addr = addr, .frame = resolved->frame,
		.inlined = resolved->inlined, .found = resolved->found,
		.is_code = resolved->is_code, .is_plain = is_plain,
	};
}

struct entered *frame_cache_entered(struct frame_cache *cache, u32 file, u64 entry)
{
	struct entered *place = &cache->entered[frame_cache_hash(cache, file, entry)];

	if (place->file != file || place->entry != entry)
		*place = (struct entered){ .file = file, .entry = entry };
	return place;
}
