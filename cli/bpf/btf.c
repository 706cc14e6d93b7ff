// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's type information: see btf.h. The types are read one after another, since only their own lengths tell
 * where the next one is. Strings are read only where a type refers to them.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <linux/btf.h>
#include <unistd.h>

#include "bpf/btf.h"

#define WINDOW_LEN	4096	/* the kernel hands out no more at once */
#define DEPTH_MAX	8	/* of structures in structures */

/** A part of the file, which moves to the bytes that are asked for. */
struct window {
	int fd;
	u64 at;			/* in the file */
	u32 len;		/* 0: nothing was read yet */
	char bytes[WINDOW_LEN];
};

/** Both sections of a file, [start, end) in it. */
struct sections {
	u64 types, types_end;
	u64 strings, strings_end;
	struct window type_window, string_window;
};

/** A place among the types. */
struct walk {
	struct sections *sections;
	u64 next;		/* in the file: of the following type */
	u64 rest;		/* the same: what belongs to the current type, from here to the following one */
	u32 id;			/* number of the current one; 0: before the first */
	struct btf_type type;
};

static void window_init(struct window *window, int fd)
{
	window->fd = fd;
	window->at = window->len = 0;
}

static int window_move(struct window *window, u64 at, u32 len)
{
	window->at = at;
	window->len = 0;
	while (window->len < len) {
		ssize_t nr = pread(window->fd, window->bytes + window->len, WINDOW_LEN - window->len,
				   at + window->len);

		if (nr <= 0)
			return nr < 0 ? -errno : -EBADMSG;
		window->len += nr;
	}
	return 0;
}

/* Makes the window contain bytes of the file, at most WINDOW_LEN. -EBADMSG: the file ends before. */
static inline int window_cover(struct window *window, u64 at, u32 len)
{
	return at >= window->at && at + len <= window->at + window->len ? 0 : window_move(window, at, len);
}

static inline const char *window_bytes(const struct window *window, u64 at)
{
	return window->bytes + (at - window->at);
}

static int read_header(int fd, struct sections *sections)
{
	struct btf_header header;
	ssize_t nr = pread(fd, &header, sizeof(header), 0);

	if (nr < 0)
		return -errno;
	if (nr != sizeof(header) || header.magic != BTF_MAGIC || header.version != BTF_VERSION ||
	    header.hdr_len < sizeof(header))
		return -EBADMSG;
	sections->types = (u64)header.hdr_len + header.type_off;
	sections->types_end = sections->types + header.type_len;
	sections->strings = (u64)header.hdr_len + header.str_off;
	sections->strings_end = sections->strings + header.str_len;
	window_init(&sections->type_window, fd);
	window_init(&sections->string_window, fd);
	return 0;
}

/* Whether the string at an offset is the wanted one. */
static int is_string(struct sections *sections, u32 offset, const char *wanted, bool *is_ret)
{
	const u64 at = sections->strings + offset;
	const size_t len = strlen(wanted) + 1;
	int error;

	*is_ret = false;
	if (at >= sections->strings_end)
		return -EBADMSG;
	if (len > sections->strings_end - at)
		return 0;
	error = window_cover(&sections->string_window, at, len);
	*is_ret = !error && !memcmp(window_bytes(&sections->string_window, at), wanted, len);
	return error;
}

/* Length of what follows a type; below 0: an unknown kind, after which nothing can be found. */
static s64 count_rest(const struct btf_type *type)
{
	const u32 nr = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return nr * sizeof(struct btf_enum);
	case BTF_KIND_FUNC_PROTO:
		return nr * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return nr * sizeof(struct btf_var_secinfo);
	case BTF_KIND_ENUM64:
		return nr * sizeof(struct btf_enum64);
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	}
	return -1;
}

static struct walk walk_from_start(struct sections *sections)
{
	return (struct walk){ .sections = sections, .next = sections->types };
}

/* Goes to the next type. -ENOENT: there is none. */
static int walk_next(struct walk *walk)
{
	struct sections *sections = walk->sections;
	const u64 at = walk->next;
	s64 rest;
	int error;

	if (at == sections->types_end)
		return -ENOENT;
	if (at + sizeof(walk->type) > sections->types_end)
		return -EBADMSG;
	error = window_cover(&sections->type_window, at, sizeof(walk->type));
	if (error)
		return error;
	memcpy(&walk->type, window_bytes(&sections->type_window, at), sizeof(walk->type));
	rest = count_rest(&walk->type);
	if (rest < 0)
		return -EBADMSG;
	walk->rest = at + sizeof(walk->type);
	walk->next = walk->rest + rest;
	walk->id++;
	return 0;
}

/* Takes the next member of the current type. -ENOENT: there is none. */
static int walk_member(struct walk *walk, struct btf_member *member_ret)
{
	struct sections *sections = walk->sections;
	int error;

	if (walk->rest == walk->next)
		return -ENOENT;
	if (walk->next > sections->types_end)
		return -EBADMSG;
	error = window_cover(&sections->type_window, walk->rest, sizeof(*member_ret));
	if (error)
		return error;
	memcpy(member_ret, window_bytes(&sections->type_window, walk->rest), sizeof(*member_ret));
	walk->rest += sizeof(*member_ret);
	return 0;
}

/* Types are often next to those that refer to them: the walk goes on from where it is, if it can. */
static int walk_to(struct walk *walk, u32 id)
{
	int error = id ? 0 : -ENOENT;

	if (id <= walk->id)
		*walk = walk_from_start(walk->sections);
	while (!error && walk->id != id)
		error = walk_next(walk);
	return error;
}

/* Goes to a type, through the names and qualifiers that it may have. */
static int walk_to_plain(struct walk *walk, u32 id)
{
	int depth, error = 0;

	for (depth = 0; !error && depth < DEPTH_MAX; depth++) {
		error = walk_to(walk, id);
		if (error)
			break;
		switch (BTF_INFO_KIND(walk->type.info)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_TYPE_TAG:
			id = walk->type.type;
			break;
		default:
			return 0;
		}
	}
	return error ?: -ENOENT;
}

static int check_int(struct walk walk, u32 id)
{
	int error = walk_to_plain(&walk, id);

	return error ?: BTF_INFO_KIND(walk.type.info) == BTF_KIND_INT &&
	       (walk.type.size == sizeof(u32) || walk.type.size == sizeof(u64)) ? 0 : -ENOENT;
}

/* Finds a member in a structure or union, and in those in it that have no name. */
static int find_member(struct walk walk, u32 id, const char *wanted, int depth, u32 *offset_ret)
{
	struct btf_member member;
	u32 inner, bits;
	int error = depth > DEPTH_MAX ? -ENOENT : walk_to_plain(&walk, id), kind;
	bool is_wanted;

	if (error)
		return error;
	kind = BTF_INFO_KIND(walk.type.info);
	if (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION)
		return -ENOENT;
	while (!(error = walk_member(&walk, &member))) {
		/* With bit fields the upper byte is the width: 0 for all others. */
		bits = member.offset;
		inner = 0;
		error = is_string(walk.sections, member.name_off, wanted, &is_wanted);
		if (error)
			break;
		if (member.name_off && !is_wanted)
			continue;
		error = member.name_off ? check_int(walk, member.type) :
					  find_member(walk, member.type, wanted, depth + 1, &inner);
		if (error == -ENOENT)
			continue;
		if (!error)
			*offset_ret = bits / 8 + inner;
		return error ?: bits % 8 || bits >> 24 ? -ENOENT : 0;
	}
	return error;
}

/* Looks at the current type. -ENOENT: it is not the name's. */
static int check_name(const struct walk *walk, const struct btf_name *name, u32 *offset_ret)
{
	const u32 kind = BTF_INFO_KIND(walk->type.info);
	const u32 id = name->is_type ? walk->id : walk->type.type;
	bool is_wanted;
	int error;

	if (kind != (name->is_type ? BTF_KIND_STRUCT : BTF_KIND_VAR))
		return -ENOENT;
	error = is_string(walk->sections, walk->type.name_off, name->name, &is_wanted);
	if (error || !is_wanted)
		return error ?: -ENOENT;
	*offset_ret = 0;
	return name->member ? find_member(*walk, id, name->member, 0, offset_ret) : check_int(*walk, id);
}

int btf_find_int(int fd, const struct btf_name *names, size_t nr_names, struct btf_place *place_ret)
{
	struct sections sections;
	struct walk walk;
	u32 offset;
	int error = read_header(fd, &sections);
	size_t i;

	if (error)
		return error;
	walk = walk_from_start(&sections);
	while (!(error = walk_next(&walk))) {
		for (i = 0, error = -ENOENT; error == -ENOENT && i < nr_names; i++)
			error = check_name(&walk, &names[i], &offset);
		if (!error)
			*place_ret = (struct btf_place){ walk.id, offset };
		if (error != -ENOENT)
			break;
	}
	return error;
}
