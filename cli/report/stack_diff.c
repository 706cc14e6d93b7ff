// SPDX-License-Identifier: GPL-2.0-only
/* Runs with stacks compared by function: see stack_diff.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/stack_diff.h"

#define BUSY	"(not idle)"	/* name of all stacks except idle ones */

/** A function by its name and its object's name, and its counts in one run. */
struct named {
	const char *name, *object;	/* equal names have the same address */
	bool is_pseudo;
	u64 self_hits, total_hits;
	double self_ns, total_ns;
	struct block_sums sums;
	u32 last_stack;			/* position + 1 of the last stack counted */
};

/** All functions of one run. */
struct named_list {
	const struct stack_run *run;
	struct named *named;
	u32 nr;
	u32 *of;			/* by function of the profile: its position in .named */
	struct intern index;
	struct named busy;		/* all stacks except idle ones */
};

static bool matches_names(const void *owner, u32 position, const void *key_at)
{
	const struct named *named = &((const struct named_list *)owner)->named[position];
	const struct named *key = key_at;

	return named->name == key->name && named->object == key->object;
}

/* The square of a sum of shares is not known; this is its upper bound, as in merge_side(). */
static void add_squares(double *sum2, double other2)
{
	*sum2 += other2 + 2 * sqrt(*sum2 * other2);
}

static void add_block_sums(struct block_sums *sums, const struct block_sums *other)
{
	if (!other)
		return;
	sums->self += other->self;
	sums->total += other->total;
	add_squares(&sums->self2, other->self2);
	add_squares(&sums->total2, other->total2);
}

/* Marks are no code of anybody, except those that stand for a whole side of the system. */
static bool is_pseudo_function(u32 function)
{
	return function < PROFILE_MARK_COUNT && function != MARK_KERNEL && function != MARK_USER;
}

static int add_named(struct named_list *list, u32 function)
{
	const struct profile *profile = list->run->profile;
	const struct profile_object *object =
		&profile->objects[profile->functions[function].object];
	const struct named key = {
		.name = profile->functions[function].name,
		.object = function < PROFILE_MARK_COUNT ? "" : object->name,
		.is_pseudo = is_pseudo_function(function),
	};
	const char *names[] = { key.name, key.object };
	u64 hash = intern_hash(0, names, sizeof(names));
	u32 at = intern_find(&list->index, hash, matches_names, list, &key);

	if (at == INTERN_NONE) {
		at = list->nr++;
		list->named[at] = key;
		if (intern_add(&list->index, hash, at))
			return -ENOMEM;
	}
	list->of[function] = at;
	add_block_sums(&list->named[at].sums, blocks_of(&list->run->blocks, function));
	return 0;
}

static void count_total(struct named *named, const struct profile_stack *stack, u32 stack_at)
{
	if (named->last_stack == stack_at + 1)
		return;
	named->last_stack = stack_at + 1;
	named->total_hits += stack->hits;
	named->total_ns += stack->ns;
}

static void count_named_stack(struct named_list *list, u32 stack_at)
{
	const struct profile *profile = list->run->profile;
	const struct profile_stack *stack = &profile->stacks[stack_at];
	const u32 *frames = profile_frames_of(profile, stack);
	u32 leaf = profile->frames[frames[0]].function, i;

	list->named[list->of[leaf]].self_hits += stack->hits;
	list->named[list->of[leaf]].self_ns += stack->ns;
	if (leaf != MARK_IDLE)
		count_total(&list->busy, stack, stack_at);
	for (i = 0; i < stack->nr_frames; i++)
		count_total(&list->named[list->of[profile->frames[frames[i]].function]], stack,
			    stack_at);
}

static int count_run(struct named_list *list)
{
	const struct profile *profile = list->run->profile;
	u32 i;

	list->named = calloc(profile->nr_functions, sizeof(*list->named));
	list->of = calloc(profile->nr_functions, sizeof(*list->of));
	if (!list->named || !list->of)
		return -ENOMEM;
	for (i = 0; i < profile->nr_functions; i++)
		if (add_named(list, i))
			return -ENOMEM;
	list->busy = (struct named){ .name = BUSY, .object = "" };
	add_block_sums(&list->busy.sums, blocks_busy(&list->run->blocks));
	for (i = 0; i < profile->nr_stacks; i++)
		count_named_stack(list, i);
	return 0;
}

/* The times of a saved run need not fit together. */
static double share_of_run(const struct profile *profile, double ns)
{
	return profile->taken_ns > 0 ? fmin(ns / profile->taken_ns, 1) : 0;
}

static int add_self_row(struct diff *diff, int side, const struct profile *profile,
			const struct named *named)
{
	const struct diff_key key = { named->name, named->object, false, named->is_pseudo };
	const struct diff_side counts = {
		share_of_run(profile, named->self_ns), named->self_hits, named->sums.self,
		named->sums.self2
	};

	return named->self_hits ? diff_add_key(diff, side, &key, &counts) : 0;
}

static int add_total_row(struct diff *diff, int side, const struct profile *profile,
			 const struct named *named)
{
	const struct diff_key key = { named->name, named->object, true, named->is_pseudo };
	const struct diff_side counts = {
		share_of_run(profile, named->total_ns), named->total_hits, named->sums.total,
		named->sums.total2
	};

	return named->total_hits ? diff_add_key(diff, side, &key, &counts) : 0;
}

static int add_rows(struct diff *diff, int side, struct named_list *list)
{
	const struct profile *profile = list->run->profile;
	const struct named lost = {
		.name = "(lost)", .object = "", .is_pseudo = true, .self_hits = profile->lost,
		.self_ns = profile->lost_ns,
	};
	const struct named other = {
		.name = "(other processes)", .object = "", .is_pseudo = true,
		.self_hits = profile->other, .self_ns = profile->other_ns,
	};
	int error = 0;
	u32 i;

	/* Without a number of executions, a machine that is less idle is not worse. */
	list->busy.is_pseudo = !diff_has_executions(diff);
	for (i = 0; !error && i < list->nr; i++)
		error = add_self_row(diff, side, profile, &list->named[i]) ?:
			add_total_row(diff, side, profile, &list->named[i]);
	return error ?: add_total_row(diff, side, profile, &list->busy) ?:
		add_self_row(diff, side, profile, &lost) ?:
		add_self_row(diff, side, profile, &other);
}

void stack_diff_init(struct diff *diff, const struct stack_run runs[2])
{
	int side;

	for (side = 0; side < 2; side++) {
		diff->taken[side] = runs[side].profile->taken;
		diff->excess[side] = runs[side].profile->excess;
		diff->nr_blocks[side] = runs[side].blocks.nr;
		diff->execution_ns[side] = runs[side].executions ?
			runs[side].profile->taken_ns / runs[side].executions : 0;
	}
	diff->counts_events = runs[0].profile->counts_events;
	diff->event = runs[0].receipt.event.event;
	diff->has_significant_first = true;
	diff->least_hits = STACK_DIFF_LEAST_HITS;
}

int stack_diff_add(struct diff *diff, int side, const struct stack_run *run)
{
	struct named_list list = { .run = run };
	int error = count_run(&list);

	if (!error)
		error = add_rows(diff, side, &list);
	intern_deinit(&list.index);
	free(list.named);
	free(list.of);
	return error;
}

int stack_diff_finish(struct diff *diff)
{
	int error = diff_finish(diff), side;
	u32 i;

	for (i = 0; !error && diff_has_executions(diff) && i < diff->nr; i++) {
		const struct diff_row *row = &diff->row[i];

		if (strcmp(row->name, BUSY) || row->object[0] || !row->is_total)
			continue;
		for (side = 0; side < 2; side++)
			diff->whole.each[side] = row->side[side].share * diff->execution_ns[side];
		diff->whole.ratio = row->ratio;
	}
	return error;
}
