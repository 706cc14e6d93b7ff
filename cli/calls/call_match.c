// SPDX-License-Identifier: GPL-2.0-only
/* Functions of samples and of calls matched: see call_match.h. */
#include <errno.h>
#include <string.h>

#include "calls/call_match.h"

/* Part of a function that the compiler moved away counts as the function. */
static size_t base_len(const char *name)
{
	const char *cold = strstr(name, ".cold");

	return cold && (!cold[5] || cold[5] == '.') ? (size_t)(cold - name) : strlen(name);
}

static const char *module_of(const struct profile *profile, const struct profile_function *function)
{
	const struct profile_object *object = &profile->objects[function->object];

	return object->kind == PROFILE_KERNEL ? "" :
		object->kind == PROFILE_MODULE ? object->name : NULL;
}

/** Key of an index of functions: by address, or by name. */
struct call_key {
	const struct call_counts *counts;
	const char *module;
	u64 addr;
	const char *name;	/* NULL: by address */
	size_t name_len;
};

static bool is_key_of(const void *owner, u32 position, const void *wanted)
{
	const struct call_counts *counts = owner;
	const struct call_key *key = wanted;
	const char *name = call_counts_name(counts, position);

	if (strcmp(call_counts_module(counts, position), key->module))
		return false;
	return key->name ? strlen(name) == key->name_len && !memcmp(name, key->name, key->name_len) :
		counts->functions[position].addr == key->addr;
}

static u64 hash_key(const struct call_key *key)
{
	u64 hash = intern_hash(0, key->module, strlen(key->module));

	return key->name ? intern_hash(hash, key->name, key->name_len) :
		intern_hash(hash, &key->addr, sizeof(key->addr));
}

/* Indexes of all functions of the counts, the first of equal ones. */
static int index_functions(const struct call_counts *counts, struct intern *by_addr,
			   struct intern *by_name)
{
	u32 i;

	for (i = 0; i < counts->nr_functions; i++) {
		const char *module = call_counts_module(counts, i), *name = call_counts_name(counts, i);
		const struct call_key addr = { counts, module, counts->functions[i].addr, NULL, 0 };
		const struct call_key text = { counts, module, 0, name, strlen(name) };

		if (addr.addr &&
		    intern_find(by_addr, hash_key(&addr), is_key_of, counts, &addr) == INTERN_NONE &&
		    intern_add(by_addr, hash_key(&addr), i))
			return -ENOMEM;
		if (intern_find(by_name, hash_key(&text), is_key_of, counts, &text) == INTERN_NONE &&
		    intern_add(by_name, hash_key(&text), i))
			return -ENOMEM;
	}
	return 0;
}

/* The function of the counts that a function of the profile is, by address or else by name. */
static u32 find_counted(const struct call_counts *counts, const struct profile *profile, u32 at,
			const struct intern *by_addr, const struct intern *by_name)
{
	const struct profile_function *function = &profile->functions[at];
	struct call_key key = { counts, module_of(profile, function), function->addr, NULL, 0 };
	u32 found = INTERN_NONE;

	if (!key.module)
		return CALLS_NONE;
	if (key.addr)
		found = intern_find(by_addr, hash_key(&key), is_key_of, counts, &key);
	if (found != INTERN_NONE)
		return found;
	key.name = function->name;
	key.name_len = base_len(function->name);
	/* A name without a part moved away would have been found by its address. */
	if (key.addr && key.name_len == strlen(key.name))
		return CALLS_NONE;
	found = intern_find(by_name, hash_key(&key), is_key_of, counts, &key);
	return found == INTERN_NONE ? CALLS_NONE : found;
}

bool call_match_is_part(const char *name)
{
	return name[base_len(name)];
}

int call_match_parts(const struct call_counts *counts, u32 *whole)
{
	struct intern by_addr = { .nr = 0 }, by_name = { .nr = 0 };
	int error = index_functions(counts, &by_addr, &by_name);
	u32 i;

	for (i = 0; !error && i < counts->nr_functions; i++) {
		const char *name = call_counts_name(counts, i);
		const struct call_key key = { counts, call_counts_module(counts, i), 0, name,
					      base_len(name) };
		u32 found = call_match_is_part(name) ?
			intern_find(&by_name, hash_key(&key), is_key_of, counts, &key) : i;

		whole[i] = found == INTERN_NONE ? i : found;
	}
	intern_deinit(&by_addr);
	intern_deinit(&by_name);
	return error;
}

int call_match(const struct call_counts *counts, const struct profile *profile, u32 *counted)
{
	struct intern by_addr = { .nr = 0 }, by_name = { .nr = 0 };
	int error = index_functions(counts, &by_addr, &by_name);
	u32 i;

	for (i = 0; !error && i < profile->nr_functions; i++)
		counted[i] = find_counted(counts, profile, i, &by_addr, &by_name);
	intern_deinit(&by_addr);
	intern_deinit(&by_name);
	return error;
}
