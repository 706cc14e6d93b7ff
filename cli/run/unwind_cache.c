// SPDX-License-Identifier: GPL-2.0-only
/* Compiled unwinding tables: see unwind_cache.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "run/unwind_cache.h"

/** A file and its table; most recently used first. */
struct cached_table {
	struct cached_table *next;
	struct unwind_key key;
	struct sym_unwind *table;	/* NULL: no call frame information */
	u64 bytes;
};

struct unwind_cache {
	struct cached_table *first;
	u64 bytes;
	u32 nr;
};

struct unwind_cache *unwind_cache_create(void)
{
	return calloc(1, sizeof(struct unwind_cache));
}

static void drop_table(struct unwind_cache *cache, struct cached_table **at)
{
	struct cached_table *cached = *at;

	*at = cached->next;
	cache->bytes -= cached->bytes;
	cache->nr--;
	sym_unwind_destroy(cached->table);
	free(cached);
}

void unwind_cache_destroy(struct unwind_cache *cache)
{
	if (!cache)
		return;
	while (cache->first)
		drop_table(cache, &cache->first);
	free(cache);
}

bool unwind_cache_find(struct unwind_cache *cache, const struct unwind_key *key,
		       const struct sym_unwind **table_ret)
{
	struct cached_table **at, *cached;

	for (at = &cache->first; *at; at = &(*at)->next)
		if (!memcmp(&(*at)->key, key, sizeof(*key)))
			break;
	cached = *at;
	if (!cached)
		return false;
	*at = cached->next;
	cached->next = cache->first;
	cache->first = cached;
	*table_ret = cached->table;
	return true;
}

static u64 count_bytes(const struct sym_unwind *table)
{
	return sizeof(struct cached_table) + (table ? sizeof(*table) + sym_unwind_bytes(table) : 0);
}

static void drop_least_used(struct unwind_cache *cache)
{
	struct cached_table **at = &cache->first;

	while ((*at)->next)
		at = &(*at)->next;
	drop_table(cache, at);
}

void unwind_cache_add(struct unwind_cache *cache, const struct unwind_key *key,
		      struct sym_unwind *table, u64 limit_bytes)
{
	u64 bytes = count_bytes(table);
	struct cached_table *cached = bytes <= limit_bytes ? malloc(sizeof(*cached)) : NULL;

	if (!cached) {
		sym_unwind_destroy(table);
		return;
	}
	while (cache->first && (cache->bytes + bytes > limit_bytes || cache->nr == UNWIND_CACHE_MAX))
		drop_least_used(cache);
	*cached = (struct cached_table){ cache->first, *key, table, bytes };
	cache->first = cached;
	cache->bytes += bytes;
	cache->nr++;
}

u64 unwind_cache_bytes(const struct unwind_cache *cache)
{
	return cache->bytes;
}
