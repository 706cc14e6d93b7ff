// SPDX-License-Identifier: GPL-2.0-only
/* Saves and loads the profile of a run: see profile_save.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_save.h"

/** The section "PROF". */
struct kept_totals {
	u64 taken;
	u64 lost;
	u64 other;
	double taken_ns;
	double lost_ns;
	double other_ns;
};

/* Texts are offsets into the section "PTXT", where each text ends with a NUL; 0 is "". */

/** An entry of the section "POBJ". */
struct kept_object {
	u32 kind;
	u32 name;
	u32 path;
	u32 build_id_len;
	u8 build_id[32];
};

/** An entry of the section "PFUN". */
struct kept_function {
	u32 name;
	u32 object;
	u64 addr;
};

/** An entry of the section "PFRM". */
struct kept_frame {
	u32 function;
	u32 line;
	u64 addr;
	u32 file;
	u32 flags;		/* FRAME_INLINED */
};

#define FRAME_INLINED	1

/** An entry of the section "PWHO". */
struct kept_process {
	u32 kind;
	u32 pid;
	u32 name;
	u32 cgroup;
};

/** An entry of the section "PSTK"; its frames are in "PLST", after those of the previous stack. */
struct kept_stack {
	u32 process;
	u32 mode;
	u32 nr_frames;
	u32 reserved;
	u64 hits;
	double ns;
};

_Static_assert(sizeof(struct kept_totals) == 48, "kept in files");
_Static_assert(sizeof(struct kept_object) == 48, "kept in files");
_Static_assert(sizeof(struct kept_function) == 16, "kept in files");
_Static_assert(sizeof(struct kept_frame) == 24, "kept in files");
_Static_assert(sizeof(struct kept_process) == 16, "kept in files");
_Static_assert(sizeof(struct kept_stack) == 32, "kept in files");

/* Offset of each text of the profile in the section. Texts are identified by their address. */
struct texts {
	const struct profile *profile;
	struct intern index;
	u32 *offset;		/* offset of each of profile->strings */
	char *bytes;
	size_t len;
};

static bool matches_text(const void *owner, u32 position, const void *key)
{
	return ((const struct texts *)owner)->profile->strings[position] == key;
}

static u64 hash_addr_of(const void *text)
{
	return intern_hash(0, &text, sizeof(text));
}

static u32 get_text_offset(const struct texts *texts, const char *text)
{
	u32 at = text[0] ?
		intern_find(&texts->index, hash_addr_of(text), matches_text, texts, text) :
		INTERN_NONE;

	return at == INTERN_NONE ? 0 : texts->offset[at];
}

static bool texts_init(struct texts *texts, const struct profile *profile)
{
	size_t len = 1;
	u32 i;

	*texts = (struct texts){ .profile = profile };
	for (i = 0; i < profile->nr_strings; i++)
		len += strlen(profile->strings[i]) + 1;
	texts->offset = calloc(profile->nr_strings + 1, sizeof(*texts->offset));
	texts->bytes = calloc(1, len);
	if (!texts->offset || !texts->bytes)
		return false;
	texts->len = 1;
	for (i = 0; i < profile->nr_strings; i++) {
		const char *text = profile->strings[i];

		if (intern_add(&texts->index, hash_addr_of(text), i))
			return false;
		texts->offset[i] = texts->len;
		memcpy(texts->bytes + texts->len, text, strlen(text) + 1);
		texts->len += strlen(text) + 1;
	}
	return true;
}

static void texts_deinit(struct texts *texts)
{
	intern_deinit(&texts->index);
	free(texts->offset);
	free(texts->bytes);
}

static void save_code(struct record_writer *writer, const struct profile *profile,
		      const struct texts *texts)
{
	struct kept_object *objects = calloc(profile->nr_objects, sizeof(*objects));
	struct kept_function *functions = calloc(profile->nr_functions, sizeof(*functions));
	struct kept_frame *frames = calloc(profile->nr_frames, sizeof(*frames));
	u32 i;

	for (i = 0; objects && i < profile->nr_objects; i++) {
		const struct profile_object *object = &profile->objects[i];

		objects[i].kind = object->kind;
		objects[i].name = get_text_offset(texts, object->name);
		objects[i].path = get_text_offset(texts, object->path);
		objects[i].build_id_len = object->build_id_len;
		memcpy(objects[i].build_id, object->build_id, sizeof(object->build_id));
	}
	for (i = 0; functions && i < profile->nr_functions; i++)
		functions[i] = (struct kept_function){
			.name = get_text_offset(texts, profile->functions[i].name),
			.object = profile->functions[i].object, .addr = profile->functions[i].addr,
		};
	for (i = 0; frames && i < profile->nr_frames; i++)
		frames[i] = (struct kept_frame){
			.function = profile->frames[i].function, .line = profile->frames[i].line,
			.addr = profile->frames[i].addr,
			.file = get_text_offset(texts, profile->frames[i].file),
			.flags = profile->frames[i].is_inlined ? FRAME_INLINED : 0,
		};
	if (objects && functions && frames) {
		record_add(writer, "POBJ", objects, profile->nr_objects * sizeof(*objects));
		record_add(writer, "PFUN", functions, profile->nr_functions * sizeof(*functions));
		record_add(writer, "PFRM", frames, profile->nr_frames * sizeof(*frames));
	}
	free(objects);
	free(functions);
	free(frames);
}

static void save_samples(struct record_writer *writer, const struct profile *profile,
			 const struct texts *texts)
{
	struct kept_process *processes = calloc(profile->nr_processes + 1, sizeof(*processes));
	struct kept_stack *stacks = calloc(profile->nr_stacks + 1, sizeof(*stacks));
	u32 i;

	for (i = 0; processes && i < profile->nr_processes; i++)
		processes[i] = (struct kept_process){
			.kind = profile->processes[i].kind, .pid = profile->processes[i].pid,
			.name = get_text_offset(texts, profile->processes[i].name),
			.cgroup = get_text_offset(texts, profile->processes[i].cgroup),
		};
	for (i = 0; stacks && i < profile->nr_stacks; i++)
		stacks[i] = (struct kept_stack){
			.process = profile->stacks[i].process, .mode = profile->stacks[i].mode,
			.nr_frames = profile->stacks[i].nr_frames, .hits = profile->stacks[i].hits,
			.ns = profile->stacks[i].ns,
		};
	if (processes && stacks) {
		record_add(writer, "PWHO", processes, profile->nr_processes * sizeof(*processes));
		record_add(writer, "PSTK", stacks, profile->nr_stacks * sizeof(*stacks));
		/* The lists are in the order of the stacks: both grow together. */
		record_add(writer, "PLST", profile->frame_lists,
			   profile->frame_lists_len * sizeof(*profile->frame_lists));
	}
	free(processes);
	free(stacks);
}

void profile_save(struct record_writer *writer, const struct profile *profile)
{
	const struct kept_totals totals = {
		.taken = profile->taken, .lost = profile->lost, .other = profile->other,
		.taken_ns = profile->taken_ns, .lost_ns = profile->lost_ns,
		.other_ns = profile->other_ns,
	};
	struct texts texts;

	/* If out of memory, sections are missing, and the file is refused on loading. */
	record_add(writer, "PROF", &totals, sizeof(totals));
	if (texts_init(&texts, profile)) {
		record_add(writer, "PTXT", texts.bytes, texts.len);
		save_code(writer, profile, &texts);
		save_samples(writer, profile, &texts);
	}
	texts_deinit(&texts);
}

bool profile_is_kept(const struct record *record)
{
	size_t len;

	return record_find(record, "PROF", &len);
}

/** A profile being loaded: the sections, and the new positions of their entries. */
struct loader {
	const struct record *record;
	struct profile *profile;
	const char *texts;
	size_t texts_len;
	u32 *map[4];		/* by old position: objects, functions, frames, processes */
	u32 nr[4];
};

enum { MAP_OBJECTS, MAP_FUNCTIONS, MAP_FRAMES, MAP_PROCESSES };

/* Gets a section of entries. NULL, with 0 in @nr_ret: missing, empty or not such an array. */
static const void *get_entries(const struct loader *loader, const char *tag, size_t entry_len,
			       size_t *nr_ret)
{
	size_t len = 0;
	const void *found = record_find(loader->record, tag, &len);

	*nr_ret = found && len % entry_len == 0 && len / entry_len < PROFILE_NONE ?
		len / entry_len : 0;
	return *nr_ret ? found : NULL;
}

/*
 * The last byte of all texts is a NUL. An offset into the middle of a text is as invalid as one
 * beyond the end: if texts could share their ends, they could add up to far more than the file.
 */
static const char *get_text(const struct loader *loader, u32 offset)
{
	bool matches_text = offset && offset < loader->texts_len && !loader->texts[offset - 1];

	return matches_text ? loader->texts + offset : "";
}

static bool map_init(struct loader *loader, int which, size_t nr)
{
	loader->map[which] = calloc(nr + 1, sizeof(u32));
	loader->nr[which] = nr;
	return loader->map[which];
}

/* Returns -ENOMEM if @position is PROFILE_NONE. */
static int map_set(struct loader *loader, int which, size_t at, u32 position)
{
	loader->map[which][at] = position;
	return position == PROFILE_NONE ? -ENOMEM : 0;
}

static int load_objects(struct loader *loader)
{
	size_t nr, i;
	const struct kept_object *kept = get_entries(loader, "POBJ", sizeof(*kept), &nr);
	int error = map_init(loader, MAP_OBJECTS, nr) ? 0 : -ENOMEM;

	for (i = 0; !error && i < nr; i++) {
		struct profile_object object = {
			.kind = kept[i].kind, .name = get_text(loader, kept[i].name),
			.path = get_text(loader, kept[i].path),
			.build_id_len = kept[i].build_id_len,
		};

		if (kept[i].kind >= PROFILE_KINDS || kept[i].build_id_len > sizeof(object.build_id))
			return -EBADMSG;
		memcpy(object.build_id, kept[i].build_id, sizeof(object.build_id));
		error = map_set(loader, MAP_OBJECTS, i,
				profile_add_object(loader->profile, &object));
	}
	return error;
}

static int load_functions(struct loader *loader)
{
	size_t nr, i;
	const struct kept_function *kept = get_entries(loader, "PFUN", sizeof(*kept), &nr);
	int error = map_init(loader, MAP_FUNCTIONS, nr) ? 0 : -ENOMEM;

	for (i = 0; !error && i < nr; i++) {
		if (kept[i].object >= loader->nr[MAP_OBJECTS])
			return -EBADMSG;
		error = map_set(loader, MAP_FUNCTIONS, i,
				profile_add_function(loader->profile, &(struct profile_function){
			.name = get_text(loader, kept[i].name), .addr = kept[i].addr,
			.object = loader->map[MAP_OBJECTS][kept[i].object] }));
	}
	return error;
}

static int load_frames(struct loader *loader)
{
	size_t nr, i;
	const struct kept_frame *kept = get_entries(loader, "PFRM", sizeof(*kept), &nr);
	int error = map_init(loader, MAP_FRAMES, nr) ? 0 : -ENOMEM;

	for (i = 0; !error && i < nr; i++) {
		if (kept[i].function >= loader->nr[MAP_FUNCTIONS])
			return -EBADMSG;
		error = map_set(loader, MAP_FRAMES, i,
				profile_add_frame(loader->profile, &(struct profile_frame){
			.function = loader->map[MAP_FUNCTIONS][kept[i].function],
			.line = kept[i].line, .addr = kept[i].addr,
			.file = get_text(loader, kept[i].file),
			.is_inlined = kept[i].flags & FRAME_INLINED }));
	}
	return error;
}

static int load_process_list(struct loader *loader)
{
	size_t nr, i;
	const struct kept_process *kept = get_entries(loader, "PWHO", sizeof(*kept), &nr);
	int error = map_init(loader, MAP_PROCESSES, nr) ? 0 : -ENOMEM;

	for (i = 0; !error && i < nr; i++)
		error = map_set(loader, MAP_PROCESSES, i,
				profile_add_process(loader->profile, &(struct profile_process){
			.kind = kept[i].kind, .pid = kept[i].pid,
			.name = get_text(loader, kept[i].name),
			.cgroup = get_text(loader, kept[i].cgroup) }));
	return error;
}

static int load_stack(struct loader *loader, const struct kept_stack *kept, const u32 *list,
		      u32 *frames)
{
	u32 i;

	if (kept->process >= loader->nr[MAP_PROCESSES] || kept->mode >= CPUPROBE_MODES ||
	    !isfinite(kept->ns) || kept->ns < 0)
		return -EBADMSG;
	for (i = 0; i < kept->nr_frames; i++) {
		if (list[i] >= loader->nr[MAP_FRAMES])
			return -EBADMSG;
		frames[i] = loader->map[MAP_FRAMES][list[i]];
	}
	return profile_add_stack(loader->profile, loader->map[MAP_PROCESSES][kept->process],
				 kept->mode, frames, kept->nr_frames, kept->hits, kept->ns);
}

static int load_stacks(struct loader *loader)
{
	size_t nr, list_len, i, used = 0;
	const struct kept_stack *kept = get_entries(loader, "PSTK", sizeof(*kept), &nr);
	const u32 *list = get_entries(loader, "PLST", sizeof(*list), &list_len);
	u64 left = loader->profile->taken;
	u32 *frames = calloc(list_len + 1, sizeof(*frames));
	int error = frames ? 0 : -ENOMEM;

	for (i = 0; !error && i < nr; i++) {
		if (!kept[i].nr_frames || kept[i].nr_frames > list_len - used ||
		    kept[i].hits > left)
			error = -EBADMSG;
		else
			error = load_stack(loader, &kept[i], list + used, frames);
		used += kept[i].nr_frames;
		left -= kept[i].hits;
	}
	free(frames);
	return error;
}

static int load_totals(struct loader *loader)
{
	struct profile *profile = loader->profile;
	struct kept_totals kept;

	if (record_get(loader->record, "PROF", &kept, sizeof(kept), sizeof(kept), NULL))
		return -EBADMSG;
	profile->taken = kept.taken;
	profile->lost = kept.lost;
	profile->other = kept.other;
	profile->taken_ns = kept.taken_ns;
	profile->lost_ns = kept.lost_ns;
	profile->other_ns = kept.other_ns;
	return isfinite(kept.taken_ns) && kept.taken_ns >= 0 && isfinite(kept.lost_ns) &&
		kept.lost_ns >= 0 && isfinite(kept.other_ns) && kept.other_ns >= 0 ? 0 : -EBADMSG;
}

static int load_all(struct loader *loader)
{
	static int (*const part[])(struct loader *loader) = {
		load_totals, load_objects, load_functions, load_frames, load_process_list,
			load_stacks
	};
	size_t i;
	int error;

	loader->texts = record_find(loader->record, "PTXT", &loader->texts_len);
	if (!loader->texts || !loader->texts_len || loader->texts[loader->texts_len - 1])
		return -EBADMSG;
	for (i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		error = part[i](loader);
		if (error)
			return error;
	}
	return 0;
}

struct profile *profile_load(const struct record *record, struct text_error *error_ret)
{
	struct loader loader = { .record = record, .profile = profile_create() };
	int error = loader.profile ? load_all(&loader) : -ENOMEM, which;

	for (which = 0; which < 4; which++)
		free(loader.map[which]);
	if (!error)
		return loader.profile;
	profile_destroy(loader.profile);
	text_fail(error_ret, 0, error == -ENOMEM ? "out of memory" :
		  "the sections of its stacks are missing or invalid");
	return NULL;
}
