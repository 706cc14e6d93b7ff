// SPDX-License-Identifier: GPL-2.0-only
/* Resolves addresses of processes to frames: see resolver.h. */
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/space_id.h"
#include "code/native.h"
#include "profile/nameless.h"
#include "resolve/resolver_parts.h"

#define ROUNDS_TOLD	8	/* harvests for which events are believed to have told all */

/** A user address to resolve. */
struct query {
	struct space *space;
	const struct space_map *map;
	u64 addr;
	u64 looked_up;		/* addr; 1 less if it is a return address */
	enum resolver_found found;
	bool is_return;		/* any kind of return address */
	/* in a file */
	u64 link_addr;
	bool has_addr;		/* link_addr is an address of the file's image */
};

u32 resolver_add_frame(struct resolver *resolver, u32 object, const struct sym *sym, u64 addr,
		       const char *file, u32 line)
{
	struct profile_function function = { .name = NAMELESS_CODE, .object = object };
	struct profile_frame frame = { .addr = addr, .file = file, .line = line };
	char name[PROFILE_NAME_MAX];

	if (object == PROFILE_NONE)
		return PROFILE_NONE;
	if (sym) {
		sym_name(sym, name, sizeof(name));
		function.name = name;
		function.addr = sym->entry;
	}
	frame.function = profile_add_function(resolver->profile, &function);
	return frame.function == PROFILE_NONE ? PROFILE_NONE :
		profile_add_frame(resolver->profile, &frame);
}

static u32 add_unknown_frame(struct resolver *resolver, enum resolver_unknown reason)
{
	static const char *const object[RESOLVER_UNKNOWNS] = {
		[RESOLVER_EXITED] = "(exited)", [RESOLVER_DENIED] = "(not allowed)",
		[RESOLVER_UNMAPPED] = "(unmapped)", [RESOLVER_NO_ROOM] = "(no room)",
		[RESOLVER_REPLACED] = "(replaced)",
	};
	const struct profile_object key = { .kind = PROFILE_UNKNOWN, .name = object[reason] };
	struct profile_frame frame = { 0 };
	struct profile_function function;
	char name[64];

	resolver->counts.unknown[reason]++;
	snprintf(name, sizeof(name), "object unknown %s", object[reason]);
	function = (struct profile_function){ .name = name,
		.object = profile_add_object(resolver->profile, &key) };
	if (function.object == PROFILE_NONE)
		return PROFILE_NONE;
	frame.function = profile_add_function(resolver->profile, &function);
	return frame.function == PROFILE_NONE ? PROFILE_NONE :
		profile_add_frame(resolver->profile, &frame);
}

static u32 reject_return_addr(struct resolver *resolver, bool *is_code_ret)
{
	resolver->counts.no_call++;
	*is_code_ret = false;
	return profile_mark(MARK_NO_FRAME_POINTER);
}

/* Returns the frame of an address at which no mapping is known. */
static u32 add_unmapped_frame(struct resolver *resolver, const struct query *query,
			      bool *is_code_ret)
{
	if (query->space->is_denied)
		return add_unknown_frame(resolver, RESOLVER_DENIED);
	if (query->space->knowledge != SPACE_ALL && !resolver_is_there(resolver, query->space))
		return add_unknown_frame(resolver, RESOLVER_EXITED);
	if (query->found == RESOLVER_RETURN)
		return reject_return_addr(resolver, is_code_ret);
	return add_unknown_frame(resolver, RESOLVER_UNMAPPED);
}

/* Returns the profile's object of a file. @binary: the open file, or NULL. */
static u32 get_file_object(struct resolver *resolver, struct mapped_file *file,
			   const struct binary *binary)
{
	struct profile_object object = { .kind = file->kind, .name = file->path, .path = "" };

	if (file->object != PROFILE_NONE)
		return file->object;
	if (file->kind == PROFILE_ANON)
		object.name = "[anon]";
	if (file->kind == PROFILE_FILE) {
		object.name = text_base_name(file->path);
		object.path = file->path;
	}
	if (binary && binary->has_image) {
		object.build_id_len = binary->image.build_id_len;
		memcpy(object.build_id, binary->image.build_id, sizeof(object.build_id));
	}
	file->object = profile_add_object(resolver->profile, &object);
	return file->object;
}

/* Reads the bytes before an address from the process's memory, for example of generated code. */
static size_t read_memory_before(struct resolver *resolver, struct space *space, u64 addr,
				 u8 bytes[CALLS_BYTES])
{
	struct iovec to = { bytes, CALLS_BYTES };
	struct iovec from = { (void *)(addr - CALLS_BYTES), CALLS_BYTES };
	ssize_t len;

	if (addr < CALLS_BYTES || !resolver_is_there(resolver, space))
		return 0;
	len = process_vm_readv(space->pid, &to, 1, &from, 1, 0);
	return len == CALLS_BYTES ? CALLS_BYTES : 0;
}

static size_t read_file_before(const struct binary *binary, u64 offset, u8 bytes[CALLS_BYTES])
{
	if (offset < CALLS_BYTES || offset > INT64_MAX)
		return 0;
	return pread(binary->fd, bytes, CALLS_BYTES, offset - CALLS_BYTES) == CALLS_BYTES ?
		CALLS_BYTES : 0;
}

/*
 * Whether a return address follows a call. In a file, a direct call must lead to code of the same
 * file, as the linker resolved the call. Unreadable code is believed, being mapped as code.
 */
static bool follows_call(struct resolver *resolver, const struct query *query,
			 const struct binary *binary, u64 link_addr)
{
	u8 bytes[CALLS_BYTES];
	u64 offset = query->map->offset + (query->addr - query->map->start);
	size_t len = binary ? read_file_before(binary, offset, bytes) :
		read_memory_before(resolver, query->space, query->addr, bytes);
	u64 target;
	s32 distance;

	if (!len) {
		resolver->counts.unchecked++;
		return true;
	}
	switch (calls_before(bytes, len, &distance)) {
	case CALLS_INDIRECT:
		return true;
	case CALLS_DIRECT:
		target = link_addr + distance;
		return !binary || !binary->has_image ||
		       (target >= binary->image.code_start && target < binary->image.code_end);
	case CALLS_NONE:
		break;
	}
	return false;
}

/* Returns the frame of code generated at run time. */
static u32 add_generated_frame(struct resolver *resolver, const struct query *query,
			       bool *is_code_ret)
{
	u32 owner = query->space->serial | SPACE_OWNER;
	struct profile_object object = { .kind = PROFILE_ANON, .name = "[anon]" };
	const struct sym *sym;
	struct resolved *known;
	struct jit *jit;
	char name[64];

	if (query->found == RESOLVER_RETURN) {
		known = frame_cache_find(&resolver->cache, owner, query->addr, RESOLVER_RETURN);
		if (!known->owner) {
			known->is_code = follows_call(resolver, query, NULL, query->addr);
			known->frame = PROFILE_NONE;
			known->owner = owner;
		}
		if (!known->is_code)
			return reject_return_addr(resolver, is_code_ret);
	}
	sym = jits_find(&resolver->jits, query->space, query->looked_up, resolver->spaces->round,
			&jit);
	if (!sym)
		return resolver_add_frame(resolver, profile_add_object(resolver->profile, &object), NULL,
				 query->addr, "", 0);
	if (jit->object == PROFILE_NONE) {
		object.kind = PROFILE_JIT;
		snprintf(name, sizeof(name), "perf-%u.map", query->space->pid);
		object.name = name;
		object.path = jit->path;
		jit->object = profile_add_object(resolver->profile, &object);
	}
	return resolver_add_frame(resolver, jit->object, sym, query->addr, "", 0);
}

/* Whether a file that a container gave can be opened again through a process that has our root. */
static bool has_better_source(struct resolver *resolver, const struct query *query)
{
	const struct binary *binary = query->map->file->binary;

	return binary && binary->is_foreign && resolver->binaries.is_cheap &&
	       !resolver_is_foreign(resolver, query->space) && resolver_is_there(resolver, query->space);
}

/* Whether a file is only a name for memory in which code is generated, and no ELF file. */
static bool is_generated_code(const struct mapped_file *file, const struct binary *binary)
{
	if (file->kind == PROFILE_ANON)
		return true;
	return file->kind == PROFILE_FILE && !(binary && binary->has_image) &&
	       (!strncmp(file->path, "/memfd:", 7) || !strncmp(file->path, "/SYSV", 5) ||
		!strcmp(file->path, "/dev/zero"));
}

/* Counts files, not attempts: one that is opened after all is not counted. */
static void note_attempt(struct resolver *resolver, struct mapped_file *file, bool is_opened)
{
	bool is_unread = !is_opened && file->kind == PROFILE_FILE && !is_generated_code(file, NULL);

	if (is_unread && !file->is_unread)
		resolver->counts.files_unread++;
	else if (!is_unread && file->is_unread)
		resolver->counts.files_unread--;
	file->is_unread = is_unread;
}

/* Opens the file of a mapping. A failed attempt is repeated at most once per harvest. */
static struct binary *open_binary(struct resolver *resolver, const struct query *query)
{
	struct mapped_file *file = query->map->file;
	struct binary_hint hint = { .start = query->map->start, .end = query->map->end };
	u32 round = resolver->spaces->round;
	struct binary *binary;

	if (has_better_source(resolver, query))
		binaries_drop(file);
	if (!file->binary && file->is_missed && file->missed_round == round)
		return NULL;
	if (!file->binary && resolver_is_there(resolver, query->space))
		hint.pid = query->space->pid;
	hint.is_foreign = !file->binary && resolver_is_foreign(resolver, query->space);
	binary = binaries_get(&resolver->binaries, file, &hint);
	file->is_missed = !binary;
	file->missed_round = round;
	note_attempt(resolver, file, binary);
	return binary;
}

/* @inlined_ret: link of the innermost of the inlined frames that come before the frame */
static u32 add_named_frame(struct resolver *resolver, const struct query *query,
			   struct binary *binary, u32 *inlined_ret)
{
	struct mapped_file *file = query->map->file;
	u64 looked_up = query->link_addr - query->is_return;
	bool reads_lines = resolver->options.lines || resolver->options.inlined;
	struct sym_lines *lines = query->has_addr && reads_lines ?
		binaries_lines(&resolver->binaries, binary) : NULL;
	u32 object = get_file_object(resolver, file, binary), line = 0;
	struct profile_frame frame = { .addr = query->link_addr };
	const char *source = "";

	*inlined_ret = RESOLVER_NO_LINK;
	if (lines && resolver->options.lines && !sym_lines_find(lines, looked_up, &source, &line))
		source = "";
	if (lines && resolver->options.inlined && object != PROFILE_NONE)
		*inlined_ret = resolver_add_inlined(resolver, &(struct inline_source){
			.lines = lines, .looked_up = looked_up, .addr = query->link_addr,
			.object = object, .index = binaries_index(&resolver->binaries, binary),
			.names = &binary->names,
		}, &source, &line);
	frame.function = resolver_function_at(resolver, query->has_addr ? binary : NULL, object,
					      looked_up);
	frame.file = source;
	frame.line = line;
	return frame.function == PROFILE_NONE ? PROFILE_NONE :
		profile_add_frame(resolver->profile, &frame);
}

/* Whether an address in a file is code that a signal handler returns to. */
static bool is_signal_code(const struct query *query, const struct binary *binary)
{
	u64 offset = query->map->offset + (query->addr - query->map->start);
	u8 bytes[CALLS_SIGNAL_BYTES];
	ssize_t len = offset > INT64_MAX ? 0 :
		pread(binary->fd, bytes, sizeof(bytes), offset);

	return len > 0 && calls_is_signal(bytes, len);
}

/*
 * Whether a return address lies inside a function that is known, after its first byte. A signal handler
 * returns to the beginning of a function, whose call frame information may begin one byte before.
 */
static bool is_inside_function(struct resolver *resolver, const struct query *query,
			       struct binary *binary)
{
	u64 before = query->link_addr - 1, start, end;
	const struct sym_ranges *ranges;
	struct binary_symbol symbol;

	if (!query->has_addr)
		return false;
	if (binaries_find(&resolver->binaries, binary, before, false, &symbol))
		return query->link_addr < symbol.sym.end;
	ranges = binaries_ranges(&resolver->binaries, binary);
	return ranges && sym_ranges_find(ranges, before, &start, &end) && start < before &&
		query->link_addr < end;
}

bool resolver_is_signal(const struct resolver *resolver, u32 frame)
{
	u32 i;

	for (i = 0; i < resolver->nr_signals; i++)
		if (resolver->signals[i] == frame)
			return true;
	return false;
}

/* Resolves an address in a file that is not in the cache. @query: with its link-time address. */
static void resolve_file_frame(struct resolver *resolver, const struct query *query,
			       struct binary *binary, struct resolved *known)
{
	bool is_signal = query->found == RESOLVER_CALLER && binary &&
		!is_inside_function(resolver, query, binary) && is_signal_code(query, binary);
	struct query real = *query;

	real.is_return = query->is_return && !is_signal;
	known->is_code = query->found != RESOLVER_RETURN ||
		follows_call(resolver, query, binary, query->link_addr);
	known->frame = known->is_code ?
		add_named_frame(resolver, &real, binary, &known->inlined) : PROFILE_NONE;
	if (is_signal && !resolver_is_signal(resolver, known->frame) &&
	    resolver->nr_signals < RESOLVER_SIGNALS)
		resolver->signals[resolver->nr_signals++] = known->frame;
}

/* Remembers the address where the process has it. */
static void place_frame(struct resolver *resolver, const struct query *query,
			const struct resolved *known)
{
	bool is_plain = known->is_code && known->inlined == RESOLVER_NO_LINK &&
		!resolver_is_signal(resolver, known->frame);

	frame_cache_place(&resolver->cache, query->space->layout, query->addr, known, is_plain);
}

/* Resolves an address in a file that no process had before. @query: sets its link-time address */
static void find_file_frame(struct resolver *resolver, struct query *query, struct binary *binary,
			    struct resolved *known)
{
	u64 offset = query->map->offset + (query->looked_up - query->map->start);

	query->link_addr = offset;
	query->has_addr = binary && binary->has_image &&
		sym_image_addr(&binary->image, offset, &query->link_addr);
	query->link_addr += query->is_return;
	resolve_file_frame(resolver, query, binary, known);
	/* If the file is not open, keep trying: it may have a name later. */
	known->owner = binary && (known->frame != PROFILE_NONE || !known->is_code) ?
		query->map->file->serial : 0;
}

static u32 get_file_frame(struct resolver *resolver, const struct query *asked, bool *is_code_ret)
{
	const struct space_map *map = asked->map;
	struct mapped_file *file = map->file;
	struct binary *binary = NULL;
	/* 32-bit programs have another vdso than ours. */
	bool is_foreign = file->kind == PROFILE_VDSO && map->start <= UINT32_MAX;
	struct query query = *asked;
	struct resolved *known = frame_cache_find(&resolver->cache, file->serial,
						  map->offset + (query.looked_up - map->start),
						  query.found);

	if (!known->owner) {
		if (file->kind != PROFILE_ANON && !is_foreign)
			binary = open_binary(resolver, &query);
		if (is_generated_code(file, binary))
			return add_generated_frame(resolver, &query, is_code_ret);
		find_file_frame(resolver, &query, binary, known);
	}
	if (known->owner)
		place_frame(resolver, &query, known);
	if (!known->is_code)
		return reject_return_addr(resolver, is_code_ret);
	resolver->last_inlined = known->inlined;
	return known->frame;
}

/* Returns the frame of an address that the same process had before. */
static u32 get_placed_frame(struct resolver *resolver, const struct placed *placed,
			    bool *is_code_ret)
{
	if (!placed->is_code)
		return reject_return_addr(resolver, is_code_ret);
	resolver->last_inlined = placed->inlined;
	return placed->frame;
}

/* @addr: an address of the stack, which alone tells a space whose id nobody knows. */
static struct space *find_space(struct resolver *resolver, u32 pid, u64 id, u64 addr)
{
	struct space *space = resolver->last_space;

	if (id & SPACE_UNTOLD)
		space = spaces_find_mapping(resolver->spaces, pid, addr);
	else if (!space || space->pid != pid || space->id != id) {
		space = spaces_find(resolver->spaces, pid, id);
		resolver->last_space = space;
	}
	if (space)
		space->used_round = resolver->spaces->round;
	return space;
}

/* Whether mappings may be there that nobody told. Events tell all but those of mremap(), while none is lost. */
static bool may_have_more(const struct resolver *resolver, const struct space *space)
{
	const u32 round = resolver->spaces->round;

	return !resolver->sideband || space->knowledge != SPACE_ALL ||
	       (round - space->read_round > ROUNDS_TOLD && round - space->told_round > ROUNDS_TOLD);
}

/* Resolves an address of a process for the first time, or again because it may be known now. */
static u32 find_user_frame(struct resolver *resolver, struct space *space, u64 addr,
			   enum resolver_found found, bool *is_code_ret)
{
	bool is_return = found != RESOLVER_AT;
	struct query query = { .space = space, .addr = addr, .looked_up = addr - is_return,
			       .is_return = is_return, .found = found };

	query.map = space_at(space, query.looked_up);
	if (!query.map && may_have_more(resolver, space) && resolver_read_again(resolver, space))
		query.map = space_at(space, query.looked_up);
	if (!query.map)
		return add_unmapped_frame(resolver, &query, is_code_ret);
	if (!query.map->file)
		return add_unknown_frame(resolver, RESOLVER_NO_ROOM);
	if (spaces_is_replaced(resolver->spaces, space, query.looked_up))
		return add_unknown_frame(resolver, RESOLVER_REPLACED);
	return get_file_frame(resolver, &query, is_code_ret);
}

u32 resolver_user_frame(struct resolver *resolver, int pid, u64 id, u64 addr,
			enum resolver_found found, bool *is_code_ret)
{
	struct space *space = find_space(resolver, pid, id, addr - (found != RESOLVER_AT));
	const struct placed *placed;

	*is_code_ret = true;
	resolver->last_inlined = RESOLVER_NO_LINK;
	if (!space)
		return add_unknown_frame(resolver, id & SPACE_UNTOLD && id & SPACE_HIDDEN ? RESOLVER_DENIED :
					 RESOLVER_EXITED);
	placed = frame_cache_placed(&resolver->cache, space->layout, addr, found);
	return placed ? get_placed_frame(resolver, placed, is_code_ret) :
		find_user_frame(resolver, space, addr, found, is_code_ret);
}

u32 resolver_known_frames(struct resolver *resolver, int pid, u64 id, const u64 *addrs, u32 nr,
			  enum resolver_found found, u32 *frames_ret)
{
	const struct space *space = nr ? find_space(resolver, pid, id, addrs[0] - 1) : NULL;
	const struct placed *placed;
	u32 i;

	for (i = 0; space && i < nr; i++) {
		placed = frame_cache_placed(&resolver->cache, space->layout, addrs[i], found);
		if (!placed || !placed->is_plain)
			break;
		frames_ret[i] = placed->frame;
	}
	return i;
}

bool resolver_is_unknown(const struct resolver *resolver, u32 frame)
{
	const struct profile_function *function = profile_function_of(resolver->profile, frame);

	return resolver->profile->objects[function->object].kind == PROFILE_UNKNOWN;
}
