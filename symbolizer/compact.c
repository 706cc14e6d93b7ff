// SPDX-License-Identifier: GPL-2.0-only
/* A compact index, made from an index, which is then freed. See sym_compact.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "spans.h"
#include "sym_compact.h"

/* A name is the number of its source, in the upper bits, and its place there. */
#define PLACE_BITS	29
#define PLACE_MAX	((1U << PLACE_BITS) - 1)
#define NO_NAME		UINT32_MAX

_Static_assert(BUILDER_BLOCKS <= 1 << (32 - PLACE_BITS), "sources need more bits");

/** The names of one block. */
struct name_source {
	char *bytes;		/* NULL: they are in the file */
	size_t len;
	int fd;
	u64 offset;
	off_t file_len;		/* the file as it was: another one has other names */
	struct timespec changed;
};

/** A piece, without its addresses. */
struct piece {
	u32 back;		/* from its start to the symbol's */
	u32 name;
};

struct sym_compact {
	struct spans spans;
	struct piece *pieces;
	struct name_source source[BUILDER_BLOCKS];
	size_t nr_sources;
};

/* Takes over the descriptor of a block; without one, its bytes. */
static int take_block(struct sym_compact *compact, struct name_block *block)
{
	struct name_source *source = &compact->source[compact->nr_sources];
	struct stat info;

	*source = (struct name_source){ .len = block->len, .fd = -1, .offset = block->offset };
	if (block->fd >= 0 && !fstat(block->fd, &info)) {
		source->fd = block->fd;
		source->file_len = info.st_size;
		source->changed = info.st_mtim;
		block->fd = -1;
	} else {
		/* Nobody has pointers to names any more, and the block may be much larger than its names. */
		source->bytes = realloc(block->bytes, block->len + 1);
		if (!source->bytes)
			return -ENOMEM;
		source->bytes[block->len] = '\0';
		block->bytes = NULL;
	}
	compact->nr_sources++;
	return 0;
}

/* Symbols of one block follow each other, mostly. @at: the block of the last name */
static u32 find_name(const struct sym_index *index, const char *name, size_t *at)
{
	size_t i, tries, place;

	for (tries = 0; tries < index->nr_blocks; tries++) {
		i = (*at + tries) % index->nr_blocks;
		if (name < index->blocks[i].bytes)
			continue;
		place = name - index->blocks[i].bytes;
		if (place >= index->blocks[i].len)
			continue;
		*at = i;
		return place <= PLACE_MAX ? (u32)i << PLACE_BITS | (u32)place : NO_NAME;
	}
	return NO_NAME;
}

static u32 cut(u64 distance)
{
	return distance < UINT32_MAX ? distance : UINT32_MAX;
}

static int take_pieces(struct sym_compact *compact, const struct sym_index *index)
{
	size_t i, at = 0;
	int error = spans_init(&compact->spans, index->nr_syms);

	compact->pieces = malloc((index->nr_syms + 1) * sizeof(*compact->pieces));
	if (!compact->pieces)
		return -ENOMEM;
	for (i = 0; !error && i < index->nr_syms; i++) {
		const struct sym *sym = &index->syms[i];

		compact->pieces[i] = (struct piece){
			.back = cut(sym->start - sym->entry), .name = find_name(index, sym->name, &at),
		};
		error = spans_add(&compact->spans, sym->start, sym->end);
	}
	return error;
}

/* Frees @index, also on failure. */
static int create(struct sym_index *index, struct sym_compact **compact_ret, struct sym_error *error_ret)
{
	struct sym_compact *compact = calloc(1, sizeof(*compact));
	int error = compact ? take_pieces(compact, index) : -ENOMEM;
	size_t i;

	/* The memory of symbols goes before that of names comes. */
	free(index->syms);
	free(index->raw);
	index->syms = NULL;
	index->raw = NULL;
	for (i = 0; !error && i < index->nr_blocks; i++)
		error = take_block(compact, &index->blocks[i]);
	sym_index_destroy(index);
	if (error) {
		sym_compact_destroy(compact);
		return sym_fail(error_ret, error, "out of memory");
	}
	*compact_ret = compact;
	return 0;
}

int sym_compact_create_object(int fd, const char *path, const char *root, struct sym_compact **compact_ret,
			      struct sym_error *error_ret)
{
	struct builder builder = { .keeps_files = true };
	struct sym_index *index = NULL;
	struct sym_origin origin;
	int error = object_read(fd, path, root, &builder, &origin, error_ret) ?:
		builder_finish(&builder, &index, error_ret);

	builder_deinit(&builder);
	return error ?: create(index, compact_ret, error_ret);
}

int sym_compact_create_kallsyms(const char *path, struct sym_compact **compact_ret, u64 *low_ret, u64 *high_ret,
				struct sym_error *error_ret)
{
	struct sym_index *index = NULL;
	u64 low, high;
	int error = sym_index_create_kallsyms(path, &index, error_ret);

	if (error)
		return error;
	if (!sym_index_by_name(index, "_stext", &low))
		low = 0;
	if (!sym_index_by_name(index, "_etext", &high))
		high = UINT64_MAX;
	error = create(index, compact_ret, error_ret);
	if (!error && low_ret) {
		*low_ret = low;
		*high_ret = high;
	}
	return error;
}

/* Whether the file of a source is as it was. */
static bool is_unchanged(const struct name_source *source)
{
	struct stat info;

	return !fstat(source->fd, &info) && info.st_size == source->file_len &&
		info.st_mtim.tv_sec == source->changed.tv_sec &&
		info.st_mtim.tv_nsec == source->changed.tv_nsec;
}

static void read_name(const struct sym_compact *compact, u32 name, char text[SYM_COMPACT_NAME])
{
	const struct name_source *source;
	size_t place = name & PLACE_MAX, len;
	ssize_t got;

	text[0] = '\0';
	if (name == NO_NAME)
		return;
	source = &compact->source[name >> PLACE_BITS];
	len = source->len - place < SYM_COMPACT_NAME - 1 ? source->len - place : SYM_COMPACT_NAME - 1;
	if (source->bytes) {
		memcpy(text, source->bytes + place, len);
		text[len] = '\0';
		elf_cut_version(text);
		return;
	}
	if (!is_unchanged(source))
		return;
	got = pread(source->fd, text, len, source->offset + place);
	text[got > 0 ? got : 0] = '\0';
	elf_cut_version(text);
}

bool sym_compact_find(const struct sym_compact *compact, u64 addr, struct sym *sym_ret,
		      char name[SYM_COMPACT_NAME])
{
	struct sym sym = { .name = name };
	size_t at;

	if (!spans_find(&compact->spans, addr, &at, &sym.start, &sym.end))
		return false;
	sym.entry = sym.start - compact->pieces[at].back;
	if (name)
		read_name(compact, compact->pieces[at].name, name);
	*sym_ret = sym;
	return true;
}

size_t sym_compact_bytes(const struct sym_compact *compact)
{
	size_t bytes = sizeof(*compact) + spans_bytes(&compact->spans) +
		compact->spans.nr * sizeof(*compact->pieces), i;

	for (i = 0; i < compact->nr_sources; i++)
		bytes += compact->source[i].bytes ? compact->source[i].len : 0;
	return bytes;
}

void sym_compact_destroy(struct sym_compact *compact)
{
	size_t i;

	if (!compact)
		return;
	for (i = 0; i < compact->nr_sources; i++) {
		free(compact->source[i].bytes);
		if (compact->source[i].fd >= 0)
			close(compact->source[i].fd);
	}
	spans_deinit(&compact->spans);
	free(compact->pieces);
	free(compact);
}
