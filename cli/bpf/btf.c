// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's type information: see btf.h. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <linux/btf.h>
#include <unistd.h>

#include "bpf/btf.h"

#define PIECE_LEN	(16 << 10)
#define DEPTH_MAX	8	/* of structures in structures */

/** A section that is being read. */
struct stream {
	int fd;
	u64 next, end;		/* in the file: of the following piece, and of the section */
	u32 at, len;		/* in the piece */
	char piece[PIECE_LEN];
};

/** Both sections of a file. */
struct sections {
	int fd;
	u64 types, types_end;
	u64 strings, strings_end;
};

/** The types, one after another. */
struct walk {
	struct stream stream;
	u32 id;			/* number of the current one */
	struct btf_type type;
	u32 rest_len;		/* bytes of it that follow and were not taken */
};

static void stream_init(struct stream *stream, int fd, u64 start, u64 end)
{
	stream->fd = fd;
	stream->next = start;
	stream->end = end;
	stream->at = stream->len = 0;
}

/* Takes the next bytes out; @to: NULL: skips them. -ENODATA: the section ends before. */
static int stream_take(struct stream *stream, void *to, u64 len)
{
	while (len) {
		u32 part = stream->len - stream->at;
		ssize_t nr;

		if (!part) {
			const u64 left = stream->end - stream->next;

			if (!left)
				return -ENODATA;
			nr = pread(stream->fd, stream->piece, left < PIECE_LEN ? left : PIECE_LEN, stream->next);
			if (nr <= 0)
				return nr < 0 ? -errno : -ENODATA;
			stream->next += nr;
			stream->at = 0;
			stream->len = nr;
			continue;
		}
		if (part > len)
			part = len;
		if (to) {
			memcpy(to, stream->piece + stream->at, part);
			to = (char *)to + part;
		}
		stream->at += part;
		len -= part;
	}
	return 0;
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
	sections->fd = fd;
	sections->types = (u64)header.hdr_len + header.type_off;
	sections->types_end = sections->types + header.type_len;
	sections->strings = (u64)header.hdr_len + header.str_off;
	sections->strings_end = sections->strings + header.str_len;
	return 0;
}

/* The offset of a string among the strings, each of which is there once. */
static int find_string(const struct sections *sections, const char *wanted, u32 *offset_ret)
{
	const size_t len = strlen(wanted) + 1;
	struct stream stream;
	size_t matched = 0;	/* bytes of this string that are the wanted one's; len: not the same */
	u32 at = 0, start = 0;
	char byte;

	stream_init(&stream, sections->fd, sections->strings, sections->strings_end);
	for (; !stream_take(&stream, &byte, 1); at++) {
		if (matched < len && byte == wanted[matched]) {
			if (++matched == len) {
				*offset_ret = start;
				return 0;
			}
		} else {
			matched = len;
		}
		if (!byte) {
			start = at + 1;
			matched = 0;
		}
	}
	return -ENOENT;
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

static void walk_init(struct walk *walk, const struct sections *sections)
{
	stream_init(&walk->stream, sections->fd, sections->types, sections->types_end);
	walk->id = 0;
	walk->rest_len = 0;
}

/* Goes to the next type. -ENOENT: there is none. */
static int walk_next(struct walk *walk)
{
	s64 rest;
	int error = stream_take(&walk->stream, NULL, walk->rest_len);

	if (error)
		return error == -ENODATA ? -EBADMSG : error;
	if (walk->stream.at == walk->stream.len && walk->stream.next == walk->stream.end)
		return -ENOENT;
	error = stream_take(&walk->stream, &walk->type, sizeof(walk->type));
	if (error)
		return error == -ENODATA ? -EBADMSG : error;
	rest = count_rest(&walk->type);
	if (rest < 0)
		return -EBADMSG;
	walk->rest_len = rest;
	walk->id++;
	return 0;
}

/* Takes the next member of the current type; false: there is none. */
static bool walk_member(struct walk *walk, struct btf_member *member_ret)
{
	if (walk->rest_len < sizeof(*member_ret) ||
	    stream_take(&walk->stream, member_ret, sizeof(*member_ret)))
		return false;
	walk->rest_len -= sizeof(*member_ret);
	return true;
}

static int walk_to(struct walk *walk, const struct sections *sections, u32 id)
{
	int error = id ? 0 : -ENOENT;

	walk_init(walk, sections);
	while (!error && walk->id != id)
		error = walk_next(walk);
	return error;
}

/* Goes to a type, through the names and qualifiers that it may have. */
static int walk_to_plain(struct walk *walk, const struct sections *sections, u32 id)
{
	int depth, error = 0;

	for (depth = 0; !error && depth < DEPTH_MAX; depth++) {
		error = walk_to(walk, sections, id);
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

static int check_int(const struct sections *sections, u32 id)
{
	struct walk walk;
	int error = walk_to_plain(&walk, sections, id);

	return error ?: BTF_INFO_KIND(walk.type.info) == BTF_KIND_INT && walk.type.size == sizeof(u32) ?
	       0 : -ENOENT;
}

/* Finds a member in a structure or union, and in those in it that have no name. */
static int find_member(const struct sections *sections, u32 id, u32 name, int depth, u32 *offset_ret)
{
	struct btf_member member;
	struct walk walk;
	u32 inner, bits;
	int error = depth > DEPTH_MAX ? -ENOENT : walk_to_plain(&walk, sections, id), kind;

	if (error)
		return error;
	kind = BTF_INFO_KIND(walk.type.info);
	if (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION)
		return -ENOENT;
	while (walk_member(&walk, &member)) {
		/* With bit fields the upper byte is the width: 0 for all others. */
		bits = member.offset;
		inner = 0;
		if (member.name_off && member.name_off != name)
			continue;
		error = member.name_off ? check_int(sections, member.type) :
					  find_member(sections, member.type, name, depth + 1, &inner);
		if (error == -ENOENT)
			continue;
		if (!error)
			*offset_ret = bits / 8 + inner;
		return error ?: bits % 8 || bits >> 24 ? -ENOENT : 0;
	}
	return -ENOENT;
}

static int find_variable(const struct sections *sections, u32 name, struct walk *walk)
{
	int error;

	walk_init(walk, sections);
	while (!(error = walk_next(walk)))
		if (BTF_INFO_KIND(walk->type.info) == BTF_KIND_VAR && walk->type.name_off == name)
			break;
	return error;
}

int btf_find_int(int fd, const char *variable, const char *member, struct btf_place *place_ret)
{
	u32 variable_name, member_name, offset = 0;
	struct sections sections;
	struct walk walk;
	int error = read_header(fd, &sections) ?: find_string(&sections, variable, &variable_name) ?:
		    find_variable(&sections, variable_name, &walk);

	if (error)
		return error;
	if (member)
		error = find_string(&sections, member, &member_name) ?:
			find_member(&sections, walk.type.type, member_name, 0, &offset);
	else
		error = check_int(&sections, walk.type.type);
	if (!error)
		*place_ret = (struct btf_place){ walk.id, offset };
	return error;
}
