// SPDX-License-Identifier: GPL-2.0-only
/*
 * pprof's format: see export.h. Field numbers are from pprof's profile.proto. Addresses are
 * addresses in the files, so each object is mapped at 0; a mapping of the whole address space tells
 * pprof this. Processes are labels, for pprof's -tagroot and -tagfocus. A location is an address, with the
 * functions that were inlined there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "export/export.h"
#include "export/gzip.h"
#include "export/inline_places.h"
#include "export/protobuf.h"
#include "release.h"

enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION,
       PROFILE_STRING, PROFILE_TIME_NS = 9, PROFILE_DURATION_NS, PROFILE_PERIOD_TYPE,
       PROFILE_PERIOD, PROFILE_COMMENT, PROFILE_DEFAULT_TYPE };
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT, LABEL_NUMBER };
enum { MAPPING_ID = 1, MAPPING_LIMIT = 3, MAPPING_FILE = 5, MAPPING_BUILD_ID, MAPPING_HAS_FUNCTIONS,
       MAPPING_HAS_FILES, MAPPING_HAS_LINES };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_NUMBER };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_FILE = 4 };

/**
 * The function of lost samples follows all others. Locations are numbered: frames, then lost samples,
 * then addresses with inlined functions.
 */
struct pprof {
	const struct profile *profile;
	const char **source;		/* source file of each function */
	struct protobuf message;
	struct inline_places places;
	struct intern index;		/* index of the strings */
	char **strings;
	u32 nr_strings;
	u32 main;			/* object whose mapping is the first; 0: none is preferred */
	bool is_full;
};

static bool is_string(const void *owner, u32 position, const void *key)
{
	return !strcmp(((const struct pprof *)owner)->strings[position], key);
}

/* Number of a text. A new text is written at once, after the others; 0 is the empty text. */
static u32 get_string_number(struct pprof *pprof, const char *text)
{
	u64 hash = intern_hash(0, text, strlen(text));
	u32 nr = pprof->nr_strings, at = intern_find(&pprof->index, hash, is_string, pprof, text);

	if (at != INTERN_NONE)
		return at;
	if (!array_has_room(&pprof->strings, nr, sizeof(char *)))
		goto full;
	pprof->strings[nr] = strdup(text);
	if (!pprof->strings[nr])
		goto full;
	pprof->nr_strings++;
	if (!intern_add(&pprof->index, hash, nr))
		return nr;
full:
	pprof->is_full = true;
	return 0;
}

static void add_text(struct pprof *pprof, u32 field, const char *text)
{
	protobuf_number(&pprof->message, field, get_string_number(pprof, text));
}

static void add_type(struct pprof *pprof, u32 field, const char *name, const char *unit)
{
	size_t begin = protobuf_begin(&pprof->message, field);

	add_text(pprof, TYPE_NAME, name);
	add_text(pprof, TYPE_UNIT, unit);
	protobuf_end(&pprof->message, begin);
}

/* Name an object: a file by its path, any other object in brackets, which pprof does not open. */
static void add_file(struct pprof *pprof, const struct profile_object *object)
{
	bool is_file = object->kind == PROFILE_FILE || object->kind == PROFILE_JIT;
	char name[512];

	if (is_file && object->path[0]) {
		add_text(pprof, MAPPING_FILE, object->path);
		return;
	}
	snprintf(name, sizeof(name), is_file || object->name[0] == '[' ? "%s" : "[%s]",
		 object->name);
	add_text(pprof, MAPPING_FILE, name);
}

/* Number of an object's mapping. Parca takes only mappings that are numbered in their order. */
static u32 get_mapping_number(const struct pprof *pprof, u32 object)
{
	if (object == pprof->main)
		return object ? 1 : 0;
	return object && object < pprof->main ? object + 1 : object;
}

static void add_mapping(struct pprof *pprof, u32 at, bool has_lines)
{
	const struct profile_object *object = &pprof->profile->objects[at];
	size_t begin = protobuf_begin(&pprof->message, PROFILE_MAPPING);
	char build_id[2 * sizeof(object->build_id) + 1];
	u32 i;

	for (i = 0; i < object->build_id_len; i++)
		sprintf(build_id + 2 * i, "%02x", object->build_id[i]);
	build_id[2 * i] = '\0';
	protobuf_number(&pprof->message, MAPPING_ID, get_mapping_number(pprof, at));
	protobuf_number(&pprof->message, MAPPING_LIMIT, UINT64_MAX);
	add_file(pprof, object);
	add_text(pprof, MAPPING_BUILD_ID, build_id);
	protobuf_number(&pprof->message, MAPPING_HAS_FUNCTIONS, true);
	protobuf_number(&pprof->message, MAPPING_HAS_FILES, has_lines);
	protobuf_number(&pprof->message, MAPPING_HAS_LINES, has_lines);
	protobuf_end(&pprof->message, begin);
}

/* A profile has each text once, so that equal names are at one address. */
static u64 hash_name(const char *name)
{
	return intern_hash(0, &name, sizeof(name));
}

static bool has_name(const void *owner, u32 position, const void *key)
{
	return ((const struct profile *)owner)->objects[position].name == key;
}

/* Number of the file of a name; of several, the one added first. INTERN_NONE: there is none. */
static u32 find_file(const struct profile *profile, const struct intern *files, const char *name)
{
	return intern_find(files, hash_name(name), has_name, profile, name);
}

/* Adds the files by their names, the last one first. -ENOMEM. */
static int add_files(const struct profile *profile, struct intern *files)
{
	int error = 0;
	u32 at;

	for (at = profile->nr_objects - 1; !error && at; at--) {
		const char *name = profile->objects[at].name;

		if (profile->objects[at].kind == PROFILE_FILE && find_file(profile, files, name) == INTERN_NONE)
			error = intern_add(files, hash_name(name), at);
	}
	return error;
}

/* Find the executable of the process with the most samples, by its name. 0: there is none. */
static u32 find_main(const struct profile *profile, u64 *hits)
{
	struct intern files = { 0 };
	u32 i, at, found = 0;
	u64 most = 0;

	for (i = 0; i < profile->nr_stacks; i++)
		hits[profile->stacks[i].process] += profile->stacks[i].hits;
	for (i = add_files(profile, &files) ? profile->nr_processes : 0; i < profile->nr_processes; i++) {
		at = hits[i] > most ? find_file(profile, &files, profile->processes[i].name) : INTERN_NONE;
		if (at != INTERN_NONE) {
			found = at;
			most = hits[i];
		}
	}
	intern_deinit(&files);
	return found;
}

/*
 * Add mappings of all objects except the marks, whose number 0 means no mapping. pprof takes the
 * first mapping for the program and prints its name at the head of reports.
 */
static void add_mappings(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;
	u64 *hits = calloc(profile->nr_processes + 1UL, sizeof(*hits));
	bool *has_lines = calloc(profile->nr_objects, sizeof(*has_lines));
	u32 i;

	if (hits && has_lines) {
		for (i = 0; i < profile->nr_functions; i++)
			has_lines[profile->functions[i].object] |= pprof->source[i][0] != '\0';
		pprof->main = find_main(profile, hits);
		if (pprof->main)
			add_mapping(pprof, pprof->main, has_lines[pprof->main]);
		for (i = 1; i < profile->nr_objects; i++)
			if (i != pprof->main)
				add_mapping(pprof, i, has_lines[i]);
	} else {
		pprof->is_full = true;
	}
	free(hits);
	free(has_lines);
}

static void add_function(struct pprof *pprof, u32 at, const char *name, const char *file)
{
	size_t begin = protobuf_begin(&pprof->message, PROFILE_FUNCTION);

	/* If the system name equaled the name, pprof would try to demangle the name. */
	protobuf_number(&pprof->message, FUNCTION_ID, at + 1ULL);
	add_text(pprof, FUNCTION_NAME, name);
	if (file[0])
		add_text(pprof, FUNCTION_FILE, file);
	protobuf_end(&pprof->message, begin);
}

static void add_line(struct pprof *pprof, const struct profile_frame *frame)
{
	size_t begin = protobuf_begin(&pprof->message, LOCATION_LINE);

	protobuf_number(&pprof->message, LINE_FUNCTION, frame->function + 1ULL);
	protobuf_number_set(&pprof->message, LINE_NUMBER, frame->line);
	protobuf_end(&pprof->message, begin);
}

static size_t begin_location(struct pprof *pprof, u64 at, u32 mapping, u64 addr)
{
	size_t begin = protobuf_begin(&pprof->message, PROFILE_LOCATION);

	protobuf_number(&pprof->message, LOCATION_ID, at + 1);
	protobuf_number_set(&pprof->message, LOCATION_MAPPING, get_mapping_number(pprof, mapping));
	protobuf_number_set(&pprof->message, LOCATION_ADDRESS, addr);
	return begin;
}

static void add_location(struct pprof *pprof, u32 at, u32 mapping,
			 const struct profile_frame *frame)
{
	size_t begin = begin_location(pprof, at, mapping, frame->addr);

	add_line(pprof, frame);
	protobuf_end(&pprof->message, begin);
}

/* Number of the location of an address with inlined functions, less one. */
static u64 get_place_number(const struct pprof *pprof, u32 place)
{
	return pprof->profile->nr_frames + 1ULL + place;
}

static void add_inline_place(struct pprof *pprof, u32 at)
{
	const struct inline_place *place = &pprof->places.list[at];
	u32 outer = place->frames[place->nr - 1], i;
	size_t begin = begin_location(pprof, get_place_number(pprof, at),
				      profile_function_of(pprof->profile, outer)->object,
				      pprof->profile->frames[outer].addr);

	for (i = 0; i < place->nr; i++)
		add_line(pprof, &pprof->profile->frames[place->frames[i]]);
	protobuf_end(&pprof->message, begin);
}

static void add_code(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;
	u32 i;

	add_mappings(pprof);
	for (i = 0; i < profile->nr_functions; i++)
		add_function(pprof, i, export_name(profile->functions[i].name), pprof->source[i]);
	add_function(pprof, i, EXPORT_LOST, "");
	for (i = 0; i < profile->nr_frames; i++)
		add_location(pprof, i, profile_function_of(profile, i)->object,
			     &profile->frames[i]);
	add_location(pprof, i, 0, &(struct profile_frame){ .function = profile->nr_functions });
	for (i = 0; i < pprof->places.nr; i++)
		add_inline_place(pprof, i);
}

static void add_values(struct pprof *pprof, u64 hits, double ns)
{
	size_t begin = protobuf_begin(&pprof->message, SAMPLE_VALUE);

	protobuf_packed(&pprof->message, hits < INT64_MAX ? hits : INT64_MAX);
	protobuf_packed(&pprof->message, export_whole(ns));
	protobuf_end(&pprof->message, begin);
}

static void add_label(struct pprof *pprof, const char *key, const char *text, u64 number)
{
	size_t begin = protobuf_begin(&pprof->message, SAMPLE_LABEL);

	add_text(pprof, LABEL_KEY, key);
	if (text)
		add_text(pprof, LABEL_TEXT, text);
	else
		protobuf_number(&pprof->message, LABEL_NUMBER, number);
	protobuf_end(&pprof->message, begin);
}

static void add_sample(struct pprof *pprof, const struct profile_stack *stack)
{
	static const char *const modes[CPUPROBE_MODES] = {
		[CPUPROBE_MODE_KERNEL] = "kernel", [CPUPROBE_MODE_SOFTIRQ] = "softirq",
		[CPUPROBE_MODE_GUEST] = "guest", [CPUPROBE_MODE_USER] = "user",
	};
	const struct profile_process *process = &pprof->profile->processes[stack->process];
	const u32 *frames = profile_frames_of(pprof->profile, stack);
	size_t begin = protobuf_begin(&pprof->message, PROFILE_SAMPLE), list;
	u32 i, nr;

	list = protobuf_begin(&pprof->message, SAMPLE_LOCATION);
	for (i = 0; i < stack->nr_frames; i += nr) {
		nr = inline_places_count(pprof->profile, stack, i);
		protobuf_packed(&pprof->message, 1 + (nr == 1 ? frames[i] : get_place_number(
			pprof, inline_places_find(&pprof->places, frames + i, nr))));
	}
	protobuf_end(&pprof->message, list);
	add_values(pprof, stack->hits, stack->ns);
	add_label(pprof, "process", export_name(process->name), 0);
	if (process->pid)
		add_label(pprof, "pid", NULL, process->pid);
	add_label(pprof, "mode", modes[stack->mode], 0);
	protobuf_end(&pprof->message, begin);
}

static void add_samples(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;
	size_t begin;
	u32 i;

	for (i = 0; i < profile->nr_stacks; i++)
		add_sample(pprof, &profile->stacks[i]);
	if (!profile->lost)
		return;
	begin = protobuf_begin(&pprof->message, PROFILE_SAMPLE);
	protobuf_number(&pprof->message, SAMPLE_LOCATION, profile->nr_frames + 1ULL);
	add_values(pprof, profile->lost, profile->lost_ns);
	protobuf_end(&pprof->message, begin);
}

/* The type of the second value of each sample: time or events. */
static void add_weight_type(struct pprof *pprof, int field, const struct run_result *result)
{
	const bool has_event = event_is_sampled(&result->event);

	add_type(pprof, field, has_event ? result->event.name : "cpu", has_event ? "count" : "nanoseconds");
}

static void add_run(struct pprof *pprof, const struct run_result *result, const char *const *comments)
{
	const struct profile *profile = pprof->profile;
	char comment[160];

	protobuf_number(&pprof->message, PROFILE_TIME_NS, export_whole(result->began * 1e9));
	protobuf_number(&pprof->message, PROFILE_DURATION_NS,
			export_whole(result->elapsed_seconds * 1e9));
	add_weight_type(pprof, PROFILE_PERIOD_TYPE, result);
	protobuf_number(&pprof->message, PROFILE_PERIOD, export_whole(result->period_ns));
	snprintf(comment, sizeof(comment), "cpuprobe " CPUPROBE_RELEASE ": %llu samples, "
		 "%llu of them lost; %llu of other processes dropped",
		 profile->taken, profile->lost, profile->other);
	add_text(pprof, PROFILE_COMMENT, comment);
	for (; *comments; comments++)
		add_text(pprof, PROFILE_COMMENT, *comments);
	add_text(pprof, PROFILE_DEFAULT_TYPE, event_is_sampled(&result->event) ? result->event.name : "cpu");
}

static int write_plain(FILE *out, const void *bytes, size_t len)
{
	/* An error of writing is the stream's. */
	fwrite(bytes, 1, len, out);
	return 0;
}

static int export_profile(FILE *out, const struct stack_run *stacks, const char *const *comments,
			  int (*write)(FILE *out, const void *bytes, size_t len))
{
	struct pprof pprof = { .profile = stacks->profile,
			       .source = export_source(stacks->profile) };
	int error = -ENOMEM;
	u32 i;

	get_string_number(&pprof, "");
	if (pprof.source && !inline_places_init(&pprof.places, stacks->profile)) {
		add_type(&pprof, PROFILE_SAMPLE_TYPE, "samples", "count");
		add_weight_type(&pprof, PROFILE_SAMPLE_TYPE, &stacks->result);
		add_code(&pprof);
		add_samples(&pprof);
		add_run(&pprof, &stacks->result, comments);
		for (i = 0; i < pprof.nr_strings; i++)
			protobuf_text(&pprof.message, PROFILE_STRING, pprof.strings[i]);
		if (!pprof.is_full && !pprof.message.is_full)
			error = write(out, pprof.message.bytes, pprof.message.len);
	}
	for (i = 0; i < pprof.nr_strings; i++)
		free(pprof.strings[i]);
	free(pprof.strings);
	free(pprof.source);
	inline_places_deinit(&pprof.places);
	intern_deinit(&pprof.index);
	protobuf_deinit(&pprof.message);
	return error;
}

int export_pprof(FILE *out, const struct stack_run *stacks)
{
	return export_pprof_with(out, stacks, (const char *const[]){ NULL });
}

int export_pprof_with(FILE *out, const struct stack_run *stacks, const char *const *comments)
{
	return export_profile(out, stacks, comments, gzip_write);
}

int export_pprof_plain(FILE *out, const struct stack_run *stacks, const char *const *comments)
{
	return export_profile(out, stacks, comments, write_plain);
}
