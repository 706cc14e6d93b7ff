// SPDX-License-Identifier: GPL-2.0-only
/* Why user stacks ended: see ends.h. */
#include <stdlib.h>
#include <string.h>

#include "resolve/ends.h"

/* In the order of precedence: the first flag that is set is the reason. */
static const struct {
	u32 flag;
	enum receipt_end end;
} reasons[] = {
	{ CPUPROBE_STACK_32BIT, RECEIPT_32BIT },
	{ CPUPROBE_STACK_USER_DEEP, RECEIPT_TOO_DEEP },
	{ CPUPROBE_STACK_UNREADABLE, RECEIPT_UNREADABLE },
	{ CPUPROBE_STACK_UNKNOWN, RECEIPT_UNKNOWN },
	{ CPUPROBE_STACK_UNMAPPED, RECEIPT_GENERATED },
	{ CPUPROBE_STACK_NO_BUDGET, RECEIPT_NO_BUDGET },
	{ CPUPROBE_STACK_NO_TABLE, RECEIPT_NO_TABLE },
	{ CPUPROBE_STACK_NO_RULE, RECEIPT_NO_RULE },
	{ CPUPROBE_STACK_UNSUPPORTED, RECEIPT_UNSUPPORTED },
	{ CPUPROBE_STACK_OUTSIDE, RECEIPT_OUTSIDE },
	{ CPUPROBE_STACK_NO_FRAME_POINTER, RECEIPT_NO_POINTER },
};

enum receipt_end ends_reason(u32 flags)
{
	size_t i;

	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (flags & reasons[i].flag)
			return reasons[i].end;
	return RECEIPT_WHOLE;
}

enum profile_mark ends_mark(enum receipt_end end)
{
	static const enum profile_mark mark[RECEIPT_ENDS] = {
		[RECEIPT_NO_TABLE] = MARK_NO_TABLE, [RECEIPT_NO_BUDGET] = MARK_NO_TABLE,
		[RECEIPT_UNSUPPORTED] = MARK_UNSUPPORTED, [RECEIPT_GENERATED] = MARK_GENERATED,
		[RECEIPT_UNKNOWN] = MARK_NO_TABLE, [RECEIPT_UNREADABLE] = MARK_UNREADABLE,
		[RECEIPT_TOO_DEEP] = MARK_TOO_DEEP, [RECEIPT_NO_POINTER] = MARK_NO_FRAME_POINTER,
		[RECEIPT_32BIT] = MARK_32BIT, [RECEIPT_OUTSIDE] = MARK_OUTSIDE,
		[RECEIPT_CUT] = MARK_CUT, [RECEIPT_LATE] = MARK_NO_TABLE,
		[RECEIPT_NO_RULE] = MARK_NO_TABLE,
	};

	return mark[end];
}

/* Whether a name is @word, with nothing but a version after it: python3.11, node. */
static bool is_version_of(const char *name, const char *word)
{
	size_t len = strlen(word);

	return *name == *word && !strncmp(name, word, len) && !name[len + strspn(name + len, "0123456789.")];
}

/* Interpreters name their functions, if asked, by code that they generate. */
static void count_nameless(const struct profile *profile, const struct ends_stack *stack,
			   struct receipt_stacks *stacks)
{
	const char *name = profile->processes[stack->process].name;
	enum receipt_interpreter which;
	u32 i;

	if (is_version_of(name, "python"))
		which = RECEIPT_PYTHON;
	else if (is_version_of(name, "node"))
		which = RECEIPT_NODE;
	else
		return;
	for (i = 0; i < stack->nr; i++) {
		const struct profile_function *function = profile_function_of(profile, stack->frames[i]);

		if (profile->objects[function->object].kind == PROFILE_JIT)
			return;
	}
	stacks->nameless[which] += stack->hits;
}

static bool make_objects_room(struct ends *ends, u32 nr)
{
	u64 *more;

	if (nr <= ends->nr_objects)
		return true;
	more = reallocarray(ends->no_table, nr, sizeof(*more));
	if (!more)
		return false;
	memset(more + ends->nr_objects, 0, (nr - ends->nr_objects) * sizeof(*more));
	ends->no_table = more;
	ends->nr_objects = nr;
	return true;
}

/* Keeps the objects of the receipt in order; one of them, or another, has @samples now. */
static void rank_object(struct receipt_stacks *stacks, const char *name, u64 samples)
{
	struct receipt_object *list = stacks->object, object = { .samples = samples };
	size_t i, at;

	snprintf(object.name, sizeof(object.name), "%s", name);
	/* The place that the object has, or the last one. */
	for (at = 0; at < RECEIPT_OBJECTS - 1 && strcmp(list[at].name, object.name); at++)
		;
	if (list[at].samples >= samples)
		return;
	for (i = at; i && list[i - 1].samples < samples; i--)
		list[i] = list[i - 1];
	list[i] = object;
}

static void count_object(struct ends *ends, const struct profile *profile,
			 const struct ends_stack *stack, struct receipt_stacks *stacks)
{
	u32 object = profile_function_of(profile, stack->last_user)->object;

	if (!make_objects_room(ends, profile->nr_objects))
		return;
	ends->no_table[object] += stack->hits;
	rank_object(stacks, profile->objects[object].name, ends->no_table[object]);
}

void ends_count(struct ends *ends, const struct profile *profile, const struct ends_stack *stack,
		struct receipt_stacks *stacks)
{
	if (stack->end == RECEIPT_NO_STACK)
		return;
	stacks->samples += stack->hits;
	if (stack->end == RECEIPT_WHOLE)
		stacks->whole += stack->hits;
	else
		stacks->ended[stack->end] += stack->hits;
	if (stack->flags & CPUPROBE_STACK_BY_POINTER)
		stacks->by_pointer += stack->hits;
	if (stack->end == RECEIPT_NO_TABLE)
		count_object(ends, profile, stack, stacks);
	count_nameless(profile, stack, stacks);
}

void ends_deinit(struct ends *ends)
{
	free(ends->no_table);
	memset(ends, 0, sizeof(*ends));
}
