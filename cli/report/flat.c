// SPDX-License-Identifier: GPL-2.0-only
/* Counts a flat profile: see flat.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/flat.h"
#include "report/flat_rows.h"

static const struct flat_key no_key = {
	PROFILE_NONE, PROFILE_NONE, PROFILE_NONE, 0, PROFILE_NONE, NULL
};

static bool matches_key(const void *owner, u32 position, const void *key_at)
{
	const struct flat_key *a = &((const struct flat *)owner)->rows[position].key, *b = key_at;

	return a->process == b->process && a->object == b->object && a->function == b->function &&
	       a->line == b->line && a->group == b->group && a->file == b->file;
}

static u64 hash_key(const struct flat_key *key)
{
	const u64 words[] = { (u64)key->process << 32 | key->object,
			      (u64)key->function << 32 | key->line, key->group,
			      (uintptr_t)key->file };

	return intern_hash(0, words, sizeof(words));
}

static bool is_idle_stack(const struct profile *profile, const struct profile_stack *stack)
{
	return profile_frames_of(profile, stack)[0] == profile_mark(MARK_IDLE);
}

bool flat_is_in_base(const struct profile *profile, const struct profile_stack *stack,
		     enum flat_base base)
{
	if (base == FLAT_BASE_MACHINE)
		return true;
	if (is_idle_stack(profile, stack))
		return false;
	return base == FLAT_BASE_TARGET || stack->mode == CPUPROBE_MODE_KERNEL ||
	       stack->mode == CPUPROBE_MODE_SOFTIRQ;
}

static bool is_counted_stack(const struct flat *flat, const struct profile_stack *stack)
{
	const struct flat_options *options = &flat->options;

	return flat_is_in_base(flat->profile, stack, options->base) &&
	       (!options->has_only ||
		flat->program_of[stack->process] == flat->program_of[options->only]);
}

static enum flat_state get_state(const struct profile *profile, const struct profile_stack *stack)
{
	if (is_idle_stack(profile, stack))
		return FLAT_IDLE;
	return stack->mode == CPUPROBE_MODE_USER ? FLAT_USER :
		stack->mode == CPUPROBE_MODE_GUEST ? FLAT_GUEST : FLAT_SYSTEM;
}

/* Each function is matched only once, when it is first met: there may be many patterns. */
static u32 get_group(const struct flat *flat, u32 function)
{
	const struct profile_function *of = &flat->profile->functions[function];
	u32 group;

	if (!flat->group_of[function]) {
		group = groups_match(flat->options.groups, flat->profile->objects[of->object].name,
				     of->name);
		flat->group_of[function] = 1 + (group == GROUPS_NONE ?
						groups_nr(flat->options.groups) : group);
	}
	return flat->group_of[function] - 1;
}

/* Returns the process in the keys of a stack's rows. */
static u32 get_row_process(const struct flat *flat, const struct profile_stack *stack)
{
	enum flat_by by = flat->options.by;

	if (by == FLAT_PROCESS)
		return stack->process;
	return by == FLAT_PROGRAM || by == FLAT_PROGRAM_OBJECT || flat->options.has_program ?
		flat->program_of[stack->process] : PROFILE_NONE;
}

static struct flat_key make_key(const struct flat *flat, const struct profile_stack *stack,
				u32 frame_at)
{
	const struct profile_frame *frame = &flat->profile->frames[frame_at];
	u32 object = flat->profile->functions[frame->function].object;
	struct flat_key key = no_key;
	enum flat_by by = flat->options.by;

	if (by == FLAT_FUNCTION || by == FLAT_LINE || by == FLAT_OBJECT ||
	    by == FLAT_PROGRAM_OBJECT)
		key.object = object;
	/* Marks share one meaningless object: the function distinguishes them. */
	if (by == FLAT_FUNCTION || (by == FLAT_LINE && !frame->line) ||
	    (key.object != PROFILE_NONE && profile_is_mark(frame_at)))
		key.function = frame->function;
	if (by == FLAT_LINE && frame->line) {
		key.line = frame->line;
		key.file = frame->file;
	}
	if (by == FLAT_GROUP)
		key.group = get_group(flat, frame->function);
	if (by == FLAT_STATE)
		key.group = get_state(flat->profile, stack);
	key.process = get_row_process(flat, stack);
	return key;
}

/* Adds a row without counts. NULL: out of memory. */
static struct flat_row *add_flat_row(struct flat *flat, enum flat_kind kind,
				     const struct flat_key *key)
{
	u32 nr = flat->nr_rows;

	if (!array_has_room(&flat->rows, nr, sizeof(*flat->rows)))
		return NULL;
	flat->rows[nr] = (struct flat_row){ .kind = kind, .key = *key };
	flat->nr_rows++;
	return &flat->rows[nr];
}

/* Returns the position of the row with a key, which is added if it is new. */
static u32 get_key_row(struct flat *flat, const struct flat_key *key)
{
	u64 hash = hash_key(key);
	u32 at = intern_find(&flat->index, hash, matches_key, flat, key);
	bool is_no_group = flat->options.by == FLAT_GROUP &&
		key->group == groups_nr(flat->options.groups);

	if (at != INTERN_NONE)
		return at;
	at = flat->nr_rows;
	if (!add_flat_row(flat, is_no_group ? FLAT_NO_GROUP : FLAT_ROW, key) ||
	    intern_add(&flat->index, hash, at))
		return INTERN_NONE;
	return at;
}

/* Returns the row of a stack's frame. @process: get_row_process() the stack. */
static u32 get_frame_row(struct flat *flat, const struct profile_stack *stack, u32 process,
			 u32 frame)
{
	u32 at = flat_memo_find(&flat->memo, frame, process);
	struct flat_key key;

	if (at != FLAT_MEMO_NONE)
		return at;
	key = make_key(flat, stack, frame);
	at = get_key_row(flat, &key);
	/* A state belongs to the whole stack, not to a frame. */
	if (at != INTERN_NONE && flat->options.by != FLAT_STATE)
		flat_memo_keep(&flat->memo, frame, process, at);
	return at;
}

static void count_cumulative(struct flat_row *row, const struct profile_stack *stack, u32 stack_at)
{
	/* A stack counts once, even if the row occurs in it several times. */
	if (row->last_stack == stack_at + 1)
		return;
	row->last_stack = stack_at + 1;
	row->all_hits += stack->hits;
	row->all_ns += stack->ns;
}

static int count_flat_stack(struct flat *flat, u32 stack_at)
{
	const struct profile_stack *stack = &flat->profile->stacks[stack_at];
	const u32 *frames = profile_frames_of(flat->profile, stack);
	u32 process = get_row_process(flat, stack), i, at;

	for (i = 0; i < stack->nr_frames; i++) {
		at = get_frame_row(flat, stack, process, frames[i]);
		if (at == INTERN_NONE)
			return -ENOMEM;
		count_cumulative(&flat->rows[at], stack, stack_at);
		if (i)
			continue;
		flat->rows[at].hits += stack->hits;
		flat->rows[at].ns += stack->ns;
	}
	flat->hits += stack->hits;
	flat->ns += stack->ns;
	return 0;
}

static int add_pseudo_row(struct flat *flat, enum flat_kind kind, u64 hits, double ns)
{
	struct flat_row *row;

	if (!hits)
		return 0;
	row = add_flat_row(flat, kind, &no_key);
	if (!row)
		return -ENOMEM;
	row->hits = row->all_hits = hits;
	row->ns = row->all_ns = ns;
	flat->hits += hits;
	flat->ns += ns;
	return 0;
}

/* Adds the rows that exist even without samples, in the order of their definition. */
static int add_fixed_rows(struct flat *flat)
{
	struct flat_key key = no_key;
	u32 nr = flat->options.by == FLAT_STATE ? FLAT_STATES :
		flat->options.by == FLAT_GROUP && !flat->options.has_program ?
		groups_nr(flat->options.groups) : 0;

	for (key.group = 0; key.group < nr; key.group++)
		if (get_key_row(flat, &key) == INTERN_NONE)
			return -ENOMEM;
	return 0;
}

static int count_stacks(struct flat *flat)
{
	const struct profile *profile = flat->profile;
	int error = add_fixed_rows(flat);
	u32 i;

	for (i = 0; !error && i < profile->nr_stacks; i++)
		if (is_counted_stack(flat, &profile->stacks[i]))
			error = count_flat_stack(flat, i);
	if (error || flat->options.base != FLAT_BASE_MACHINE || flat->options.has_only)
		return error;
	error = add_pseudo_row(flat, FLAT_LOST, profile->lost, profile->lost_ns);
	return error ? error : add_pseudo_row(flat, FLAT_OTHER, profile->other, profile->other_ns);
}

static void set_shares(const struct flat *flat, struct flat_row *row)
{
	double excess = flat->profile->excess;

	row->share = row->ns / flat->ns;
	row->all_share = row->all_ns / flat->ns;
	row->interval = stat_wilson_share(row->share, flat->hits, excess);
	row->all_interval = stat_wilson_share(row->all_share, flat->hits, excess);
}

static bool matches_program(const void *owner, u32 position, const void *key)
{
	const struct profile_process *a = &((const struct profile *)owner)->processes[position],
		*b = key;

	return a->kind == b->kind && a->name == b->name;
}

/* The first process of each name represents its program. Equal names have the same address. */
static int find_flat_programs(struct flat *flat)
{
	const struct profile *profile = flat->profile;
	struct intern index = { 0 };
	int error = 0;
	u32 i;

	for (i = 0; !error && i < profile->nr_processes; i++) {
		const struct profile_process *process = &profile->processes[i];
		u64 hash = intern_hash(process->kind, &process->name, sizeof(process->name));
		u32 first = intern_find(&index, hash, matches_program, profile, process);

		if (first == INTERN_NONE)
			error = intern_add(&index, hash, i);
		flat->program_of[i] = first == INTERN_NONE ? i : first;
	}
	intern_deinit(&index);
	return error;
}

static int init_flat(struct flat *flat)
{
	u32 i;

	flat->program_of = calloc(flat->profile->nr_processes + 1, sizeof(*flat->program_of));
	flat->group_of = calloc(flat->profile->nr_functions, sizeof(*flat->group_of));
	if (!flat->program_of || !flat->group_of ||
	    flat_memo_init(&flat->memo, flat->profile->nr_frames) || find_flat_programs(flat) ||
	    count_stacks(flat))
		return -ENOMEM;
	/* One more, for the row of the folded ones. */
	flat->order = calloc((size_t)flat->nr_rows + 1, sizeof(*flat->order));
	if (!flat->order)
		return -ENOMEM;
	for (i = 0; i < flat->nr_rows; i++)
		flat->order[i] = i;
	flat->nr_shown = flat->nr_rows;
	return 0;
}

struct flat *flat_create(const struct profile *profile, const struct flat_options *options,
			 struct text_error *error_ret)
{
	static const char *const what[] = {
		[FLAT_BASE_MACHINE] = "no samples",
		[FLAT_BASE_KERNEL] = "no kernel samples except idle ones",
		[FLAT_BASE_TARGET] = "no samples except idle, lost and other processes' ones",
	};
	struct flat *flat = calloc(1, sizeof(*flat));
	u32 i;

	if (flat) {
		flat->profile = profile;
		flat->options = *options;
	}
	if (!flat || init_flat(flat)) {
		text_fail(error_ret, -ENOMEM, "out of memory");
	} else if (!flat->hits || !(flat->ns > 0)) {
		text_fail(error_ret, -ENODATA, "%s", what[options->base]);
	} else if (!isfinite(flat->ns)) {
		text_fail(error_ret, -EBADMSG, "its times are invalid");
	} else {
		for (i = 0; i < flat->nr_rows; i++)
			set_shares(flat, &flat->rows[i]);
		return flat;
	}
	flat_destroy(flat);
	return NULL;
}

void flat_destroy(struct flat *flat)
{
	if (!flat)
		return;
	free(flat->rows);
	free(flat->order);
	free(flat->program_of);
	free(flat->group_of);
	flat_memo_deinit(&flat->memo);
	intern_deinit(&flat->index);
	free(flat);
}

static void count_folded_frames(struct flat *flat, struct flat_row *rest, u32 stack_at)
{
	const struct profile_stack *stack = &flat->profile->stacks[stack_at];
	const u32 *frames = profile_frames_of(flat->profile, stack);
	u32 process = get_row_process(flat, stack), i;

	for (i = 0; i < stack->nr_frames; i++) {
		if (!flat->rows[get_frame_row(flat, stack, process, frames[i])].is_folded)
			continue;
		count_cumulative(rest, stack, stack_at);
		rest->hits += i ? 0 : stack->hits;
		rest->ns += i ? 0 : stack->ns;
	}
}

/* Adds up the folded rows. A stack with several of them counts once in cumulative counts. */
int flat_add_rest(struct flat *flat)
{
	struct flat_row *rest = add_flat_row(flat, FLAT_REST, &no_key);
	u32 i;

	if (!rest)
		return -ENOMEM;
	for (i = 0; i < flat->profile->nr_stacks; i++)
		if (is_counted_stack(flat, &flat->profile->stacks[i]))
			count_folded_frames(flat, rest, i);
	set_shares(flat, rest);
	return 0;
}
