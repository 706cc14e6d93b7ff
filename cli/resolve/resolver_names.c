// SPDX-License-Identifier: GPL-2.0-only
/* Finds and lists the functions of an object, and names frames from debug files: see resolver.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/nameless.h"
#include "resolve/fetch.h"
#include "resolve/resolver_parts.h"

/* Names the function of a symbol, or of the range from @start if there is none, and adds it. */
static u32 add_function(struct resolver *resolver, const struct sym *sym, u32 object, u64 start)
{
	char name[PROFILE_NAME_MAX];

	if (sym)
		sym_name(sym, name, sizeof(name));
	else
		nameless_name(resolver->profile->objects[object].name, start, name);
	return profile_add_function(resolver->profile, &(struct profile_function){
		.name = name, .object = object, .addr = start });
}

/* Finds the beginning of the function at an address. False: neither a symbol nor a range is there. */
static bool find_start(struct resolver *resolver, struct binary *binary, u64 addr, struct binary_symbol *symbol_ret,
		       bool *is_symbol_ret, u64 *start_ret)
{
	const struct sym_ranges *ranges;
	u64 end;

	*is_symbol_ret = binaries_find(&resolver->binaries, binary, addr, false, symbol_ret);
	if (*is_symbol_ret) {
		*start_ret = symbol_ret->sym.entry;
		return true;
	}
	ranges = binaries_ranges(&resolver->binaries, binary);
	return ranges && sym_ranges_find(ranges, addr, start_ret, &end);
}

u32 resolver_function_at(struct resolver *resolver, struct binary *binary, u32 object, u64 addr)
{
	struct binary_symbol symbol;
	struct entered *known;
	bool is_symbol;
	u64 start;

	if (object == PROFILE_NONE)
		return PROFILE_NONE;
	if (!binary || !find_start(resolver, binary, addr, &symbol, &is_symbol, &start))
		return profile_add_function(resolver->profile, &(struct profile_function){
			.name = NAMELESS_CODE, .object = object });
	known = frame_cache_entered(&resolver->cache, binary->file->serial, start);
	if (!known->function) {
		if (is_symbol)
			is_symbol = binaries_find(&resolver->binaries, binary, addr, true, &symbol) &&
				symbol.sym.name[0];
		known->function = add_function(resolver, is_symbol ? &symbol.sym : NULL, object, start);
	}
	if (known->function != PROFILE_NONE)
		return known->function;
	known->function = 0;
	return PROFILE_NONE;
}

/* Lists each function once: only the piece at its entry counts. */
static int list_index(const struct sym_index *index, resolver_function callback, void *context)
{
	const struct sym *sym;
	int result = 0;
	char name[512];
	size_t i;

	for (i = 0; !result && i < sym_index_size(index); i++) {
		sym = sym_index_at(index, i);
		if (sym->start != sym->entry)
			continue;
		sym_name(sym, name, sizeof(name));
		result = callback(name, sym->entry, context);
	}
	return i ? result : -ENODATA;
}

static int list_kernel(struct resolver *resolver, const char *wanted, resolver_function callback,
		       void *context)
{
	struct kernel_names *names = &resolver->kernel;
	char name[512], module[64];
	struct kernel_place place;
	const struct sym *sym;
	size_t i, nr = 0;
	int result = 0;

	/* For a saved run, no kernel address has been looked up yet. */
	if (!names->index && !kernel_names_find(names, 0, false, 1, &place))
		return -ENODATA;
	if (!names->index)
		return -ENODATA;
	for (i = 0; !result && i < sym_index_size(names->index); i++) {
		sym = sym_index_at(names->index, i);
		if (sym->start != sym->entry)
			continue;
		kernel_names_split(sym, name, sizeof(name), module, sizeof(module));
		if (strcmp(module, wanted) ||
		    !kernel_names_find(names, sym->entry, false, names->read_round, &place) ||
		    !place.function[0])
			continue;
		result = callback(place.function, place.function_addr, context);
		nr++;
	}
	return nr ? result : -ENODATA;
}

int resolver_functions(struct resolver *resolver, u32 at, resolver_function callback, void *context)
{
	const struct profile_object *object = &resolver->profile->objects[at];
	const struct binary_hint nowhere = { 0 };
	const struct sym_index *index = NULL;
	struct mapped_file *file;
	struct binary *binary;
	struct jit *jit;

	switch (object->kind) {
	case PROFILE_KERNEL:
		return list_kernel(resolver, "", callback, context);
	case PROFILE_MODULE:
		return list_kernel(resolver, object->name, callback, context);
	case PROFILE_JIT:
		jit = jits_of_object(&resolver->jits, at);
		index = jit ? jit->index : NULL;
		break;
	case PROFILE_FILE:
	case PROFILE_VDSO:
		file = files_of_object(&resolver->files, at);
		binary = file ? binaries_get(&resolver->binaries, file, &nowhere) : NULL;
		index = binary ? binaries_index(&resolver->binaries, binary) : NULL;
		break;
	}
	return index ? list_index(index, callback, context) : -ENODATA;
}

/* Marks frames that are leaves in some stack; all others are return addresses only. */
static bool *find_leaf_frames(const struct profile *profile)
{
	bool *is_leaf = calloc(profile->nr_frames + 1, sizeof(*is_leaf));
	u32 i, at;

	for (i = 0; is_leaf && i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];
		const u32 *frames = profile_frames_of(profile, stack);

		for (at = 0; at + 1 < stack->nr_frames; at++)
			if (!profile->frames[frames[at]].is_inlined)
				break;
		is_leaf[frames[at]] = true;
	}
	return is_leaf;
}

static void name_old_frame(struct profile *profile, struct profile_frame *frame, bool is_return,
			   const struct sym_index *index, struct sym_lines *lines)
{
	const struct sym *sym = sym_index_find(index, frame->addr - is_return);
	struct profile_function function = {
		.object = profile->functions[frame->function].object };
	struct profile_frame key = *frame;
	char name[512];
	u32 at;

	if (!sym)
		return;
	sym_name(sym, name, sizeof(name));
	function.name = name;
	function.addr = sym->entry;
	at = profile_add_function(profile, &function);
	if (at == PROFILE_NONE)
		return;
	frame->function = key.function = at;
	if (!lines || !sym_lines_find(lines, frame->addr - is_return, &key.file, &key.line))
		return;
	/* Adding the frame makes the profile keep a copy of the file's name. */
	at = profile_add_frame(profile, &key);
	if (at != PROFILE_NONE)
		*frame = profile->frames[at];
}

static bool is_nameless(const struct profile *profile, u32 frame, u32 object)
{
	u32 function = profile->frames[frame].function;

	return profile->functions[function].object == object &&
	       !profile->frames[frame].is_inlined && nameless_is(profile, function);
}

static u32 count_nameless_frames(const struct profile *profile, u32 object)
{
	u32 i, nr = 0;

	for (i = PROFILE_MARK_COUNT; i < profile->nr_frames; i++)
		nr += is_nameless(profile, i, object);
	return nr;
}

static int name_old_frames(struct resolver *resolver, u32 object, int debug_fd)
{
	struct profile *profile = resolver->profile;
	u32 i, nr = profile->nr_frames;
	bool *is_leaf = find_leaf_frames(profile);
	struct sym_lines *lines = NULL;
	struct sym_index *index;
	int error = is_leaf ? sym_index_create_elf(debug_fd, &index, NULL) : -ENOMEM;

	if (!error && resolver->options.lines && sym_lines_create(debug_fd, &lines, NULL))
		lines = NULL;
	for (i = PROFILE_MARK_COUNT; !error && i < nr; i++) {
		struct profile_frame frame = profile->frames[i];

		if (!is_nameless(profile, i, object))
			continue;
		name_old_frame(profile, &frame, !is_leaf[i], index, lines);
		profile->frames[i] = frame;
	}
	if (!error)
		sym_index_destroy(index);
	sym_lines_destroy(lines);
	free(is_leaf);
	return error;
}

int resolver_fetch(struct resolver *resolver, u32 at, struct text_error *error_ret)
{
	const struct profile_object *object = &resolver->profile->objects[at];
	struct mapped_file *file;
	int fd, error;

	if (object->kind != PROFILE_FILE || !object->build_id_len ||
	    !count_nameless_frames(resolver->profile, at))
		return text_fail(error_ret, -ENODATA,
				 "fetch debug file of %s: no build-id, or all names are known",
				 object->name);
	fd = fetch_debug(object->build_id, object->build_id_len, error_ret);
	if (fd < 0)
		return fd;
	error = name_old_frames(resolver, at, fd);
	file = files_of_object(&resolver->files, at);
	if (!error && file && file->binary)
		binaries_use_debug(&resolver->binaries, file->binary, fd);
	close(fd);
	/* The cache still has the frames without names. */
	frame_cache_forget(&resolver->cache);
	return error ? text_fail(error_ret, -ENOENT, "read debug file of %s: it has no symbols",
				 object->name) : 0;
}
