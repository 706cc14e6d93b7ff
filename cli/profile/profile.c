// SPDX-License-Identifier: GPL-2.0-only
/* Profiles: see profile.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "profile/profile.h"
#include "utf8.h"

static bool matches_string(const void *owner, u32 position, const void *key)
{
	return !strcmp(((const struct profile *)owner)->strings[position], key);
}

static u32 find_text(const struct profile *profile, const char *text, u64 hash)
{
	return intern_find(&profile->string_index, hash, matches_string, profile, text);
}

/* Keeps a clean copy of a text of @len bytes, which is cut. NULL: out of memory. */
static const char *keep_new(struct profile *profile, const char *text, size_t len)
{
	char *copy = strndup(text, len);
	u64 hash;
	u32 at;

	if (!copy)
		return NULL;
	text_clean(copy);
	hash = intern_hash(0, copy, strlen(copy));
	at = find_text(profile, copy, hash);
	if (at != INTERN_NONE) {
		free(copy);
		return profile->strings[at];
	}
	if (!array_has_room(&profile->strings, profile->nr_strings, sizeof(char *)) ||
	    intern_add(&profile->string_index, hash, profile->nr_strings)) {
		free(copy);
		return NULL;
	}
	profile->strings[profile->nr_strings++] = copy;
	return copy;
}

/* Keeps a clean copy, shorter than @max, as long as the profile lives. NULL: out of memory. */
static const char *keep_text(struct profile *profile, const char *text, size_t max)
{
	size_t len;
	u32 at;

	if (!text || !text[0])
		return "";
	len = strnlen(text, max);
	if (len == max)
		return keep_new(profile, text, utf8_cut(text, max - 1));
	/* Mostly it is there already, and then it is clean. */
	at = find_text(profile, text, intern_hash(0, text, len));
	return at != INTERN_NONE ? profile->strings[at] : keep_new(profile, text, len);
}

static const char *keep_name(struct profile *profile, const char *name)
{
	return keep_text(profile, name, PROFILE_NAME_MAX);
}

static const char *keep_path(struct profile *profile, const char *path)
{
	return keep_text(profile, path, PROFILE_PATH_MAX);
}

/* Equal texts are kept once, so texts are compared and hashed by their address. */
static bool matches_object(const void *owner, u32 position, const void *key)
{
	const struct profile_object *a = &((const struct profile *)owner)->objects[position],
		*b = key;

	return a->kind == b->kind && a->name == b->name && a->path == b->path &&
	       a->build_id_len == b->build_id_len &&
	       !memcmp(a->build_id, b->build_id, sizeof(a->build_id));
}

u32 profile_add_object(struct profile *profile, const struct profile_object *object)
{
	struct profile_object key = *object;
	u64 words[3], hash;
	u32 at;

	key.name = keep_name(profile, object->name);
	key.path = keep_path(profile, object->path);
	if (!key.name || !key.path)
		return PROFILE_NONE;
	words[0] = (u64)key.kind << 32 | key.build_id_len;
	words[1] = (uintptr_t)key.name;
	words[2] = (uintptr_t)key.path;
	hash = intern_hash(0, words, sizeof(words));
	hash = intern_hash(hash, key.build_id, sizeof(key.build_id));
	at = intern_find(&profile->object_index, hash, matches_object, profile, &key);
	if (at != INTERN_NONE)
		return at;
	if (!array_has_room(&profile->objects, profile->nr_objects, sizeof(key)) ||
	    intern_add(&profile->object_index, hash, profile->nr_objects))
		return PROFILE_NONE;
	profile->objects[profile->nr_objects] = key;
	return profile->nr_objects++;
}

static bool matches_function(const void *owner, u32 position, const void *key)
{
	const struct profile_function *a = &((const struct profile *)owner)->functions[position],
		*b = key;

	return a->object == b->object && a->addr == b->addr && a->name == b->name;
}

u32 profile_add_function(struct profile *profile, const struct profile_function *function)
{
	struct profile_function key = *function;
	u64 words[2], hash;
	u32 at;

	key.name = keep_name(profile, function->name);
	if (!key.name)
		return PROFILE_NONE;
	words[0] = key.addr;
	words[1] = (uintptr_t)key.name;
	hash = intern_hash(key.object, words, sizeof(words));
	at = intern_find(&profile->function_index, hash, matches_function, profile, &key);
	if (at != INTERN_NONE)
		return at;
	if (!array_has_room(&profile->functions, profile->nr_functions, sizeof(key)) ||
	    intern_add(&profile->function_index, hash, profile->nr_functions))
		return PROFILE_NONE;
	profile->functions[profile->nr_functions] = key;
	return profile->nr_functions++;
}

static bool matches_frame(const void *owner, u32 position, const void *key)
{
	const struct profile_frame *a = &((const struct profile *)owner)->frames[position],
		*b = key;

	return a->function == b->function && a->addr == b->addr && a->line == b->line &&
	       a->file == b->file && a->is_inlined == b->is_inlined;
}

u32 profile_add_frame(struct profile *profile, const struct profile_frame *frame)
{
	struct profile_frame key = *frame;
	u64 words[3], hash;
	u32 at;

	key.file = keep_path(profile, frame->file);
	if (!key.file)
		return PROFILE_NONE;
	words[0] = (u64)key.function << 32 | key.line;
	words[1] = key.addr;
	words[2] = (uintptr_t)key.file;
	hash = intern_hash(key.is_inlined, words, sizeof(words));
	at = intern_find(&profile->frame_index, hash, matches_frame, profile, &key);
	if (at != INTERN_NONE)
		return at;
	if (!array_has_room(&profile->frames, profile->nr_frames, sizeof(key)) ||
	    intern_add(&profile->frame_index, hash, profile->nr_frames))
		return PROFILE_NONE;
	profile->frames[profile->nr_frames] = key;
	return profile->nr_frames++;
}

static bool matches_process(const void *owner, u32 position, const void *key)
{
	const struct profile_process *a = &((const struct profile *)owner)->processes[position],
		*b = key;

	return a->kind == b->kind && a->pid == b->pid && a->name == b->name && a->cgroup == b->cgroup;
}

u32 profile_add_process(struct profile *profile, const struct profile_process *process)
{
	struct profile_process key = *process;
	u64 words[3], hash;
	u32 at;

	key.name = keep_name(profile, process->name);
	key.cgroup = keep_path(profile, process->cgroup);
	if (!key.name || !key.cgroup)
		return PROFILE_NONE;
	words[0] = (u64)key.kind << 32 | key.pid;
	words[1] = (uintptr_t)key.name;
	words[2] = (uintptr_t)key.cgroup;
	hash = intern_hash(0, words, sizeof(words));
	at = intern_find(&profile->process_index, hash, matches_process, profile, &key);
	if (at != INTERN_NONE)
		return at;
	if (!array_has_room(&profile->processes, profile->nr_processes, sizeof(key)) ||
	    intern_add(&profile->process_index, hash, profile->nr_processes))
		return PROFILE_NONE;
	profile->processes[profile->nr_processes] = key;
	return profile->nr_processes++;
}

/** Identity of a stack. */
struct stack_key {
	u32 process;
	u32 mode;
	const u32 *frames;
	u32 nr;
};

static bool matches_stack(const void *owner, u32 position, const void *key_at)
{
	const struct profile *profile = owner;
	const struct profile_stack *stack = &profile->stacks[position];
	const struct stack_key *key = key_at;

	return stack->process == key->process && stack->mode == key->mode &&
		stack->nr_frames == key->nr &&
		!memcmp(profile_frames_of(profile, stack), key->frames, key->nr * sizeof(u32));
}

static bool make_frames_room(struct profile *profile, u32 nr)
{
	u32 used = profile->frame_lists_len, last = used - 1;

	/* There is room up to the next power of two: see array_has_room(). */
	if (used && (last ^ (last + nr)) <= (last & (last + nr)))
		return true;
	for (; used < profile->frame_lists_len + nr; used++)
		if (!array_has_room(&profile->frame_lists, used, sizeof(u32)))
			return false;
	return true;
}

static u64 hash_stack(const struct stack_key *key)
{
	return intern_hash((u64)key->process << 8 | key->mode, key->frames,
			   key->nr * sizeof(*key->frames));
}

u32 profile_find_stack(const struct profile *profile, u32 process, u32 mode, const u32 *frames,
		       u32 nr)
{
	const struct stack_key key = { process, mode, frames, nr };

	return intern_find(&profile->stack_index, hash_stack(&key), matches_stack, profile, &key);
}

u32 profile_get_stack(struct profile *profile, u32 process, u32 mode, const u32 *frames, u32 nr)
{
	const struct stack_key key = { process, mode, frames, nr };
	u64 hash = hash_stack(&key);
	u32 at = intern_find(&profile->stack_index, hash, matches_stack, profile, &key);

	if (at != INTERN_NONE)
		return at;
	if ((profile->stacks_max && profile->nr_stacks >= profile->stacks_max) ||
	    !array_has_room(&profile->stacks, profile->nr_stacks, sizeof(struct profile_stack)) ||
	    !make_frames_room(profile, nr) ||
	    intern_add(&profile->stack_index, hash, profile->nr_stacks))
		return PROFILE_NONE;
	profile->stacks[profile->nr_stacks] = (struct profile_stack){
		.process = process, .mode = mode, .first_frame = profile->frame_lists_len,
		.nr_frames = nr,
	};
	memcpy(profile->frame_lists + profile->frame_lists_len, frames, nr * sizeof(*frames));
	profile->frame_lists_len += nr;
	return profile->nr_stacks++;
}

int profile_add_stack(struct profile *profile, u32 process, u32 mode, const u32 *frames, u32 nr,
		      u64 hits, double ns)
{
	u32 at = profile_get_stack(profile, process, mode, frames, nr);

	if (at == PROFILE_NONE)
		return -ENOMEM;
	profile->stacks[at].hits += hits;
	profile->stacks[at].ns += ns;
	return 0;
}

void profile_forget_stacks(struct profile *profile)
{
	intern_deinit(&profile->stack_index);
	profile->nr_stacks = profile->frame_lists_len = 0;
	profile->taken = profile->lost = profile->other = 0;
	profile->taken_ns = profile->lost_ns = profile->other_ns = 0;
}

/* Copies code and processes. All positions stay the same. */
static bool copy_code(struct profile *copy, const struct profile *profile)
{
	u32 i;

	for (i = 0; i < profile->nr_objects; i++)
		if (profile_add_object(copy, &profile->objects[i]) != i)
			return false;
	for (i = 0; i < profile->nr_functions; i++)
		if (profile_add_function(copy, &profile->functions[i]) != i)
			return false;
	for (i = 0; i < profile->nr_frames; i++)
		if (profile_add_frame(copy, &profile->frames[i]) != i)
			return false;
	for (i = 0; i < profile->nr_processes; i++)
		if (profile_add_process(copy, &profile->processes[i]) != i)
			return false;
	return true;
}

struct profile *profile_extract(const struct profile *profile, const u64 *hits, const double *ns)
{
	struct profile *copy = profile_create();
	bool is_whole = copy && copy_code(copy, profile);
	u32 i;

	for (i = 0; is_whole && i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];

		is_whole = !hits[i] || !profile_add_stack(copy, stack->process, stack->mode,
							  profile_frames_of(profile, stack),
							  stack->nr_frames, hits[i], ns[i]);
	}
	if (is_whole) {
		copy->excess = profile->excess;
		copy->counts_events = profile->counts_events;
		return copy;
	}
	profile_destroy(copy);
	return NULL;
}

void profile_copy_totals(struct profile *copy, const struct profile *profile)
{
	copy->taken = profile->taken;
	copy->excess = profile->excess;
	copy->counts_events = profile->counts_events;
	copy->lost = profile->lost;
	copy->other = profile->other;
	copy->taken_ns = profile->taken_ns;
	copy->lost_ns = profile->lost_ns;
	copy->other_ns = profile->other_ns;
}

static bool add_marks(struct profile *profile)
{
	static const char *const name[PROFILE_MARK_COUNT] = {
		[MARK_IDLE] = "[idle]", [MARK_SOFTIRQ] = "[softirq]", [MARK_IRQ] = "[irq]",
		[MARK_GUEST] = "[guest]", [MARK_NO_FRAME_POINTER] = "[no frame pointer]",
		[MARK_TOO_DEEP] = "[too deep]", [MARK_UNREADABLE] = "[stack not in memory]",
		[MARK_BROKEN] = "[kernel stack broken]", [MARK_KERNEL] = "[kernel]",
		[MARK_USER] = "[user]", [MARK_NO_TABLE] = "[no unwind table]",
		[MARK_UNSUPPORTED] = "[unsupported unwind rule]",
		[MARK_GENERATED] = "[generated code]", [MARK_OUTSIDE] = "[outside the stack]",
		[MARK_32BIT] = "[32-bit code]", [MARK_CUT] = "[callers not asked for]",
	};
	u32 mark;

	if (profile_add_object(profile,
			       &(struct profile_object){ .kind = PROFILE_MARKS, .name = "-" }))
		return false;
	for (mark = 0; mark < PROFILE_MARK_COUNT; mark++)
		if (profile_add_function(profile,
					 &(struct profile_function){ .name = name[mark] }) !=
		    mark ||
		    profile_add_frame(profile, &(struct profile_frame){ .function = mark }) != mark)
			return false;
	return true;
}

struct profile *profile_create(void)
{
	struct profile *profile = calloc(1, sizeof(*profile));

	if (profile && !add_marks(profile)) {
		profile_destroy(profile);
		return NULL;
	}
	return profile;
}

void profile_destroy(struct profile *profile)
{
	u32 i;

	if (!profile)
		return;
	for (i = 0; i < profile->nr_strings; i++)
		free(profile->strings[i]);
	free(profile->strings);
	free(profile->objects);
	free(profile->functions);
	free(profile->frames);
	free(profile->processes);
	free(profile->stacks);
	free(profile->frame_lists);
	intern_deinit(&profile->string_index);
	intern_deinit(&profile->object_index);
	intern_deinit(&profile->function_index);
	intern_deinit(&profile->frame_index);
	intern_deinit(&profile->process_index);
	intern_deinit(&profile->stack_index);
	free(profile);
}
