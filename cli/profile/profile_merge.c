// SPDX-License-Identifier: GPL-2.0-only
/* Merges profiles: see profile_merge.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_join.h"
#include "profile/profile_merge.h"

/** A profile being added. */
struct adding {
	struct profile_merge *merge;
	const char *host;
	struct profile_join join;
};

int profile_merge_init(struct profile_merge *merge)
{
	*merge = (struct profile_merge){ .profile = profile_create() };
	return merge->profile ? 0 : -ENOMEM;
}

static bool matches_build(const void *owner, u32 position, const void *key_at)
{
	const struct profile_object *object = &((const struct profile *)owner)->objects[position];
	const struct profile_object *key = key_at;

	return object->kind == key->kind && object->build_id_len == key->build_id_len &&
		!memcmp(object->build_id, key->build_id, sizeof(key->build_id));
}

/* A file that is installed at two paths is one object, with the path of the first. */
static u32 merge_object(void *context, const struct profile_object *object)
{
	struct profile_merge *merge = ((struct adding *)context)->merge;
	u64 hash = intern_hash(object->kind, object->build_id, sizeof(object->build_id));
	u32 at;

	if (!object->build_id_len)
		return profile_add_object(merge->profile, object);
	at = intern_find(&merge->by_build, hash, matches_build, merge->profile, object);
	if (at != INTERN_NONE)
		return at;
	at = profile_add_object(merge->profile, object);
	if (at != PROFILE_NONE && intern_add(&merge->by_build, hash, at))
		return PROFILE_NONE;
	return at;
}

static u32 merge_process(void *context, const struct profile_process *process)
{
	const struct adding *adding = context;
	struct profile *sum = adding->merge->profile;
	const char *host = adding->host;
	struct profile_process merged = *process;
	char name[PROFILE_NAME_MAX];

	if (!host) {
		merged.pid = 0;
		merged.cgroup = "";
		return profile_add_process(sum, &merged);
	}
	snprintf(name, sizeof(name), "%.*s@%s", (int)(sizeof(name) - 2 - strlen(host)), process->name,
		 host);
	merged.name = name;
	return profile_add_process(sum, &merged);
}

/* The square of a sum is not known; its bounds are those of Cauchy and Schwarz, and of shares up to 1. */
static void add_share(double *sum, double *sum2, double other, double other2)
{
	*sum += other;
	*sum2 = fmin(*sum2 + other2 + 2 * sqrt(fmax(*sum2 * other2, 0)), *sum);
}

static void add_sums(struct block_sums *sums, const struct block_sums *other)
{
	add_share(&sums->self, &sums->self2, other->self, other->self2);
	add_share(&sums->total, &sums->total2, other->total, other->total2);
}

/* Makes room for the sums of all functions of the merged profile. */
static int grow_sums(struct blocks *blocks, u32 nr)
{
	struct block_sums *sums = reallocarray(blocks->sums, nr, sizeof(*sums));

	if (!sums)
		return -ENOMEM;
	memset(sums + blocks->nr_sums, 0, (nr - blocks->nr_sums) * sizeof(*sums));
	blocks->sums = sums;
	blocks->nr_sums = nr;
	return 0;
}

/* Functions of blocks have samples in some stack, unless a limit left the stack out. */
static int find_functions(struct adding *adding, const struct blocks *blocks)
{
	u32 i;

	for (i = 1; i < blocks->nr_sums && i <= adding->join.from->nr_functions; i++)
		if (blocks->sums[i].total > 0 && profile_join_function(&adding->join, i - 1) == PROFILE_NONE)
			return -ENOMEM;
	return 0;
}

/* The blocks of different runs are different blocks. */
static int merge_blocks(struct adding *adding, const struct blocks *blocks)
{
	struct blocks *sum = &adding->merge->blocks;
	int error = find_functions(adding, blocks);
	u32 nr = adding->merge->profile->nr_functions + 1, i;
	struct block_sums *part = calloc(nr, sizeof(*part));

	error = error ?: (part ? grow_sums(sum, nr) : -ENOMEM);
	for (i = 0; !error && i < blocks->nr_sums && i <= adding->join.from->nr_functions; i++)
		if (!i || blocks->sums[i].total > 0)
			add_sums(&part[i ? profile_join_function(&adding->join, i - 1) + 1 : 0], &blocks->sums[i]);
	for (i = 0; !error && i < nr; i++) {
		sum->sums[i].self += part[i].self;
		sum->sums[i].self2 += part[i].self2;
		sum->sums[i].total += part[i].total;
		sum->sums[i].total2 += part[i].total2;
	}
	sum->nr += error ? 0 : blocks->nr;
	free(part);
	return error;
}

int profile_merge_add(struct profile_merge *merge, const struct profile *profile,
		      const struct blocks *blocks, const char *host)
{
	struct adding adding = { .merge = merge, .host = host };
	int error = profile_join_init(&adding.join, merge->profile, profile);

	adding.join.add_object = merge_object;
	adding.join.add_process = merge_process;
	adding.join.context = &adding;
	error = error ?: profile_join_all(&adding.join) ?: merge_blocks(&adding, blocks);
	profile_join_deinit(&adding.join);
	if (!error && profile->taken)
		merge->largest = fmax(merge->largest, profile->taken_ns / profile->taken * (1 + profile->excess));
	return error;
}

double profile_merge_excess(const struct profile_merge *merge)
{
	const struct profile *sum = merge->profile;

	return sum->taken_ns > 0 ? fmax(merge->largest / sum->taken_ns * sum->taken - 1, 0) : 0;
}

void profile_merge_deinit(struct profile_merge *merge)
{
	profile_destroy(merge->profile);
	blocks_deinit(&merge->blocks);
	intern_deinit(&merge->by_build);
	*merge = (struct profile_merge){ 0 };
}
