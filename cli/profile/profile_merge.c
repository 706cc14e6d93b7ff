// SPDX-License-Identifier: GPL-2.0-only
/* Merges profiles: see profile_merge.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_merge.h"

/** A profile being added: positions in the sum of its objects, functions, frames and processes. */
struct adding {
	struct profile_merge *merge;
	const struct profile *from;
	const char *host;
	u32 *objects, *functions, *frames, *processes;
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
static u32 merge_object(struct profile_merge *merge, const struct profile_object *object)
{
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

static u32 merge_process(struct profile *sum, const struct profile_process *process, const char *host)
{
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

static int merge_code(const struct adding *adding)
{
	const struct profile *from = adding->from;
	struct profile *sum = adding->merge->profile;
	u32 i;

	for (i = 0; i < from->nr_objects; i++) {
		adding->objects[i] = merge_object(adding->merge, &from->objects[i]);
		if (adding->objects[i] == PROFILE_NONE)
			return -ENOMEM;
	}
	for (i = 0; i < from->nr_functions; i++) {
		struct profile_function function = from->functions[i];

		function.object = adding->objects[function.object];
		adding->functions[i] = profile_add_function(sum, &function);
		if (adding->functions[i] == PROFILE_NONE)
			return -ENOMEM;
	}
	for (i = 0; i < from->nr_frames; i++) {
		struct profile_frame frame = from->frames[i];

		frame.function = adding->functions[frame.function];
		adding->frames[i] = profile_add_frame(sum, &frame);
		if (adding->frames[i] == PROFILE_NONE)
			return -ENOMEM;
	}
	return 0;
}

static int merge_stacks(const struct adding *adding)
{
	const struct profile *from = adding->from;
	struct profile *sum = adding->merge->profile;
	u32 *list = calloc(from->frame_lists_len + 1, sizeof(*list)), i, j;
	int error = list ? 0 : -ENOMEM;

	for (i = 0; !error && i < from->nr_processes; i++) {
		adding->processes[i] = merge_process(sum, &from->processes[i], adding->host);
		error = adding->processes[i] == PROFILE_NONE ? -ENOMEM : 0;
	}
	for (i = 0; !error && i < from->nr_stacks; i++) {
		const struct profile_stack *stack = &from->stacks[i];
		const u32 *frames = profile_frames_of(from, stack);

		for (j = 0; j < stack->nr_frames; j++)
			list[j] = adding->frames[frames[j]];
		error = profile_add_stack(sum, adding->processes[stack->process], stack->mode, list,
					  stack->nr_frames, stack->hits, stack->ns);
	}
	free(list);
	return error;
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

/* The blocks of different runs are different blocks. */
static int merge_blocks(const struct adding *adding, const struct blocks *blocks)
{
	struct blocks *sum = &adding->merge->blocks;
	u32 nr = adding->merge->profile->nr_functions + 1, i;
	struct block_sums *part = calloc(nr, sizeof(*part));
	int error = part ? grow_sums(sum, nr) : -ENOMEM;

	for (i = 0; !error && i < blocks->nr_sums && i <= adding->from->nr_functions; i++)
		add_sums(&part[i ? adding->functions[i - 1] + 1 : 0], &blocks->sums[i]);
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

static void merge_totals(struct profile_merge *merge, const struct profile *from)
{
	struct profile *sum = merge->profile;

	sum->taken += from->taken;
	sum->lost += from->lost;
	sum->other += from->other;
	sum->taken_ns += from->taken_ns;
	sum->lost_ns += from->lost_ns;
	sum->other_ns += from->other_ns;
	if (from->taken)
		merge->largest = fmax(merge->largest, from->taken_ns / from->taken * (1 + from->excess));
}

int profile_merge_add(struct profile_merge *merge, const struct profile *profile,
		      const struct blocks *blocks, const char *host)
{
	struct adding adding = {
		.merge = merge, .from = profile, .host = host,
		.objects = calloc(profile->nr_objects + 1, sizeof(u32)),
		.functions = calloc(profile->nr_functions + 1, sizeof(u32)),
		.frames = calloc(profile->nr_frames + 1, sizeof(u32)),
		.processes = calloc(profile->nr_processes + 1, sizeof(u32)),
	};
	int error = -ENOMEM;

	if (adding.objects && adding.functions && adding.frames && adding.processes)
		error = merge_code(&adding) ?: merge_stacks(&adding) ?: merge_blocks(&adding, blocks);
	if (!error)
		merge_totals(merge, profile);
	free(adding.objects);
	free(adding.functions);
	free(adding.frames);
	free(adding.processes);
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
