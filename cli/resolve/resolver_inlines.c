// SPDX-License-Identifier: GPL-2.0-only
/* Frames of inlined functions: see resolver_parts.h. */
#include <string.h>

#include "base/array.h"
#include "resolve/resolver_parts.h"

/* Names of a malicious file may be of any length, and share their ends. */
static bool has_name(const void *owner, u32 position, const void *key)
{
	return !strncmp(sym_index_at(owner, position)->name, key, PROFILE_NAME_MAX);
}

static u32 find_name(const struct inline_source *source, const char *name, u64 *hash_ret)
{
	*hash_ret = intern_hash(0, name, strnlen(name, PROFILE_NAME_MAX));
	return intern_find(source->names, *hash_ret, has_name, source->index, name);
}

/* Finds a function by its raw name; of several the first. The names are put in at first use. */
static const struct sym *find_by_name(const struct inline_source *source, const char *name)
{
	size_t i, size = source->names->nr ? 0 : sym_index_size(source->index);
	const struct sym *sym;
	u64 hash;
	u32 at;

	for (i = 0; i < size; i++) {
		sym = sym_index_at(source->index, i);
		if (sym->start == sym->entry &&
		    find_name(source, sym->name, &hash) == INTERN_NONE &&
		    intern_add(source->names, hash, i))
			return NULL;
	}
	at = find_name(source, name, &hash);
	return at == INTERN_NONE ? NULL : sym_index_at(source->index, at);
}

/*
 * Adds the function of an inlined call. If it also has code of its own, both are one function: by
 * the address of that code, or by its name where another compilation unit has the code.
 */
static u32 add_inlined_function(struct resolver *resolver, const struct inline_source *source,
				const struct sym_inlined *inlined)
{
	const struct sym raw = { .name = inlined->name };
	u64 entry = inlined->entry + source->move;
	char name[512], own_name[512] = "";
	const struct sym *sym = NULL;
	u64 addr = 0;

	sym_name(&raw, name, sizeof(name));
	if (source->index && inlined->entry)
		sym = sym_index_find(source->index, entry);
	if (sym && sym->entry == entry)
		sym_name(sym, own_name, sizeof(own_name));
	/* A copy that the compiler changed has another name, "f.constprop.0". */
	if (strcmp(own_name, name)) {
		sym = source->index && inlined->is_global ?
			find_by_name(source, inlined->name) : NULL;
	}
	if (sym)
		addr = sym->entry - source->base;
	return profile_add_function(resolver->profile, &(struct profile_function){
		.name = name, .object = source->object, .addr = addr });
}

static bool is_same_link(const void *owner, u32 position, const void *key)
{
	const struct inline_link *a = &((const struct resolver *)owner)->links[position], *b = key;

	return a->frame == b->frame && a->outer == b->outer;
}

/* Adds a link of a list of inlined frames. RESOLVER_NO_LINK: out of memory. */
static u32 add_link(struct resolver *resolver, const struct inline_link *link)
{
	u64 hash = intern_hash(0, link, sizeof(*link));
	u32 at = intern_find(&resolver->link_index, hash, is_same_link, resolver, link);

	if (at != INTERN_NONE)
		return at;
	if (!array_has_room(&resolver->links, resolver->nr_links, sizeof(*link)) ||
	    intern_add(&resolver->link_index, hash, resolver->nr_links))
		return RESOLVER_NO_LINK;
	resolver->links[resolver->nr_links] = *link;
	return resolver->nr_links++;
}

u32 resolver_add_inlined(struct resolver *resolver, const struct inline_source *source,
			 const char **file, u32 *line)
{
	struct sym_inlined list[SYM_INLINED_MAX];
	bool has_lines = resolver->options.lines;
	size_t left = sym_lines_inlined(source->lines, source->looked_up, has_lines, list), i;
	u32 at = RESOLVER_NO_LINK;
	struct profile_frame frame;

	/* Each frame is at the source of the call in it; the innermost one is at the address. */
	for (i = left; i-- > 0;) {
		frame = (struct profile_frame){
			.function = add_inlined_function(resolver, source, &list[i]),
			.addr = source->addr, .is_inlined = true,
			.line = i ? list[i - 1].line : *line,
			.file = i ? list[i - 1].file : *file,
		};
		if (frame.function == PROFILE_NONE)
			return at;
		at = add_link(resolver, &(struct inline_link){
			profile_add_frame(resolver->profile, &frame), at });
	}
	if (left) {
		*file = list[left - 1].file;
		*line = list[left - 1].line;
	}
	return at;
}

u32 resolver_inlined(const struct resolver *resolver, u32 list[RESOLVER_INLINED_MAX])
{
	u32 at = resolver->last_inlined, nr = 0;

	for (; at != RESOLVER_NO_LINK && nr < RESOLVER_INLINED_MAX; at = resolver->links[at].outer)
		list[nr++] = resolver->links[at].frame;
	return nr;
}
