// SPDX-License-Identifier: GPL-2.0-only
/* Functions without samples: see unsampled.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/unsampled.h"

/** State while listing the functions of one object. */
struct unsampled_query {
	struct unsampled *unsampled;
	u32 object;
	const bool *is_seen;	/* by function */
	struct intern addrs;	/* addresses of sampled functions */
	struct intern names;	/* names of sampled functions without an address */
};

/** Identity of a function. */
struct function_key {
	u32 object;
	u64 addr;
	const char *name;
};

static bool matches_addr(const void *owner, u32 position, const void *key_at)
{
	const struct profile_function *function =
		&((const struct profile *)owner)->functions[position];
	const struct function_key *key = key_at;

	return function->object == key->object && function->addr == key->addr;
}

static bool matches_name(const void *owner, u32 position, const void *key_at)
{
	const struct profile_function *function =
		&((const struct profile *)owner)->functions[position];
	const struct function_key *key = key_at;

	return function->object == key->object && !strcmp(function->name, key->name);
}

static u64 hash_addr(u32 object, u64 addr)
{
	return intern_hash(object, &addr, sizeof(addr));
}

static u64 hash_name(u32 object, const char *name)
{
	return intern_hash(object, name, strlen(name));
}

static int add_unsampled(void *to, u64 addr, const char *name)
{
	struct unsampled_query *query = to;
	struct unsampled *unsampled = query->unsampled;
	struct function_key key = { query->object, addr, name };
	u32 nr = unsampled->nr_rows;

	if (intern_find(&query->addrs, hash_addr(key.object, addr), matches_addr,
			unsampled->profile, &key) != INTERN_NONE ||
	    intern_find(&query->names, hash_name(key.object, name), matches_name,
			unsampled->profile, &key) != INTERN_NONE)
		return 0;
	if (!array_has_room(&unsampled->rows, nr, sizeof(*unsampled->rows)))
		return -ENOMEM;
	unsampled->rows[nr] = (struct unsampled_row){ key.object, addr, strdup(name) };
	if (!unsampled->rows[nr].name)
		return -ENOMEM;
	text_clean(unsampled->rows[nr].name);
	unsampled->nr_rows++;
	return 0;
}

static int list_object(struct unsampled_query *query, unsampled_symbols symbols, void *context)
{
	struct unsampled *unsampled = query->unsampled;
	struct text_error why = { "", "" };
	struct unsampled_gap *gap;
	int error =
		symbols(context, &unsampled->profile->objects[query->object], add_unsampled,
			query, &why);

	if (!error) {
		unsampled->nr_objects++;
		return 0;
	}
	if (error == -ENOMEM)
		return error;
	gap = &unsampled->gaps[unsampled->nr_gaps++];
	gap->object = query->object;
	snprintf(gap->why, sizeof(gap->why), "%s", why.what);
	text_clean(gap->why);
	return 0;
}

/* Marks all functions in stacks of the base. */
static void mark_sampled(const struct profile *profile, enum flat_base base, bool *is_seen)
{
	const struct profile_stack *stack;
	u32 s, f;

	for (s = 0; s < profile->nr_stacks; s++) {
		stack = &profile->stacks[s];
		for (f = 0; flat_is_in_base(profile, stack, base) && f < stack->nr_frames; f++)
			is_seen[profile->frames[profile_frames_of(profile, stack)[f]].function] =
				true;
	}
}

/* Adds a function once: a hostile run may have any number of them at one address. */
static int index_function(struct unsampled_query *query, const struct profile *profile, u32 at)
{
	const struct profile_function *function = &profile->functions[at];
	const struct function_key key = { function->object, function->addr, function->name };
	struct intern *index = key.addr ? &query->addrs : &query->names;
	u64 hash = key.addr ? hash_addr(key.object, key.addr) : hash_name(key.object, key.name);

	if (intern_find(index, hash, key.addr ? matches_addr : matches_name, profile, &key) !=
	    INTERN_NONE)
		return 0;
	return intern_add(index, hash, at);
}

static int index_seen(struct unsampled_query *query, const struct profile *profile)
{
	int error = 0;
	u32 i;

	for (i = PROFILE_MARK_COUNT; !error && i < profile->nr_functions; i++)
		if (query->is_seen[i])
			error = index_function(query, profile, i);
	return error;
}

/* Whether to list an object's functions for this base. */
static bool is_listed_object(const struct profile_object *object, enum flat_base base)
{
	if (object->kind == PROFILE_KERNEL || object->kind == PROFILE_MODULE)
		return true;
	return base != FLAT_BASE_KERNEL &&
		(object->kind == PROFILE_FILE || object->kind == PROFILE_VDSO);
}

static int list_objects(struct unsampled *unsampled, enum flat_base base, const bool *is_seen,
			unsampled_symbols symbols, void *context)
{
	const struct profile *profile = unsampled->profile;
	struct unsampled_query query = { .unsampled = unsampled, .is_seen = is_seen };
	bool *has_code = calloc(profile->nr_objects, sizeof(*has_code));
	int error = has_code ? index_seen(&query, profile) : -ENOMEM;
	u32 i;

	for (i = PROFILE_MARK_COUNT; !error && i < profile->nr_functions; i++)
		has_code[profile->functions[i].object] |= is_seen[i];
	for (i = 0; !error && i < profile->nr_objects; i++) {
		query.object = i;
		if (has_code[i] && is_listed_object(&profile->objects[i], base))
			error = list_object(&query, symbols, context);
	}
	free(has_code);
	intern_deinit(&query.addrs);
	intern_deinit(&query.names);
	return error;
}

struct unsampled *unsampled_create(const struct profile *profile, enum flat_base base,
				   unsampled_symbols symbols, void *context)
{
	struct unsampled *unsampled = calloc(1, sizeof(*unsampled));
	bool *is_seen = calloc(profile->nr_functions, sizeof(*is_seen));
	int error = unsampled && is_seen ? 0 : -ENOMEM;

	if (!error) {
		unsampled->profile = profile;
		unsampled->gaps = calloc(profile->nr_objects, sizeof(*unsampled->gaps));
		mark_sampled(profile, base, is_seen);
		error = unsampled->gaps ? list_objects(unsampled, base, is_seen, symbols, context)
					: -ENOMEM;
	}
	free(is_seen);
	if (!error)
		return unsampled;
	unsampled_destroy(unsampled);
	return NULL;
}

void unsampled_destroy(struct unsampled *unsampled)
{
	u32 i;

	if (!unsampled)
		return;
	for (i = 0; i < unsampled->nr_rows; i++)
		free(unsampled->rows[i].name);
	free(unsampled->rows);
	free(unsampled->gaps);
	free(unsampled);
}
