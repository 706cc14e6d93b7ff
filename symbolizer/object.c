// SPDX-License-Identifier: GPL-2.0-only
/* The symbols of an object, from its own tables or a separate debug file. See symbolizer.h. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

#define DEBUG_DIRECTORY	"/usr/lib/debug"

/* Limit on .gnu_debugdata: real names do not decompress to far more than the object's size. */
#define UNPACKED_TIMES	4
#define UNPACKED_LEAST	65536
#define UNPACKED_MOST	(256UL << 20)

/* Limit on a file whose CRC is computed. */
#define LINKED_MOST	(4LL << 30)

/** A search for a separate debug file. */
struct search {
	struct elf_file *object;
	const char *root;
	struct sym_image image;		/* the object's image */
	struct builder *builder;
	struct sym_origin *origin;
	int *fd_ret;			/* returns the debug file itself; NULL: read its symbols */
	bool is_found;
	char link_name[NAME_MAX + 1];	/* name in .gnu_debuglink; empty: none */
	u32 link_crc;
};

static bool has_crc(int fd, u32 wanted)
{
	unsigned char bytes[65536];
	struct stat info;
	u32 crc = 0;
	off_t at = 0;
	ssize_t got;

	if (fstat(fd, &info) || info.st_size > LINKED_MOST || is_mostly_holes(&info))
		return false;
	while ((got = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		crc = sym_crc32(crc, bytes, got);
		at += got;
	}
	return !got && crc == wanted;
}

static bool is_matching(const struct search *search, int fd, struct elf_file *file,
			bool is_linked)
{
	struct sym_image image;

	/* A debug file has the program headers of the object, though not the contents. */
	if (elf_read_image(file, &image, NULL))
		return false;
	if (image.build_id_len && search->image.build_id_len)
		return sym_image_is_same(&image, &search->image);
	return is_linked && has_crc(fd, search->link_crc);
}

/* @root: "": ours */
static int try_file(struct search *search, const char *root, const char *inside, bool is_linked)
{
	struct elf_file file;
	size_t nr_before = search->builder->nr_syms;
	int fd = sym_open_inside(root, inside, 0), error;
	char path[PATH_MAX];

	if (fd < 0)
		return 0;
	snprintf(path, sizeof(path), "%s%s", root, inside);
	if (elf_open(fd, &file, NULL)) {
		close(fd);
		snprintf(search->origin->passed, sizeof(search->origin->passed), "%s", path);
		return 0;
	}
	if (is_matching(search, fd, &file, is_linked)) {
		if (search->fd_ret) {
			elf_close(&file);
			*search->fd_ret = fd;
			search->is_found = true;
			return 0;
		}
		error = elf_add_symbols(&file, SHT_SYMTAB, search->builder);
		search->is_found = search->builder->nr_syms > nr_before;
		if (search->is_found)
			snprintf(search->origin->path, sizeof(search->origin->path), "%s", path);
	} else {
		error = 0;
		snprintf(search->origin->passed, sizeof(search->origin->passed), "%s", path);
	}
	elf_close(&file);
	close(fd);
	return error;
}

/* Try the process's own root first, then ours. */
static int try_path(struct search *search, bool is_linked, const char *directory,
		    const char *middle, const char *name)
{
	const char *roots[] = { search->root, "" };
	char path[PATH_MAX];
	int error = 0;
	size_t i;

	for (i = search->root ? 0 : 1; i < 2 && !error && !search->is_found; i++)
		if ((size_t)snprintf(path, sizeof(path), "%s%s/%s", directory, middle, name) < sizeof(path))
			error = try_file(search, roots[i], path, is_linked);
	return error;
}

static int try_build_id(struct search *search)
{
	char name[2 * sizeof(search->image.build_id) + 16];
	size_t i, at = 0;

	if (search->image.build_id_len < 2)
		return 0;
	for (i = 0; i < search->image.build_id_len; i++)
		at += snprintf(name + at, sizeof(name) - at, "%s%02x", i == 1 ? "/" : "",
			       search->image.build_id[i]);
	snprintf(name + at, sizeof(name) - at, ".debug");
	return try_path(search, false, DEBUG_DIRECTORY, "/.build-id", name);
}

/* .gnu_debuglink: a name, padded to four bytes, then the debug file's CRC-32. */
static void read_link(struct search *search)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_section(search->object, ".gnu_debuglink", 0, &header);
	Elf_Data *data = section ? elf_data(search->object, section, &header) : NULL;
	size_t len;

	if (!data)
		return;
	len = strnlen(data->d_buf, data->d_size);
	if (!len || len > NAME_MAX || ((len + 4) & ~3UL) + 4 > data->d_size ||
	    memchr(data->d_buf, '/', len))
		return;
	memcpy(search->link_name, data->d_buf, len + 1);
	memcpy(&search->link_crc, (char *)data->d_buf + ((len + 4) & ~3UL), 4);
}

static int try_link(struct search *search, const char *path)
{
	char copy[PATH_MAX], debug[PATH_MAX];
	const char *directory;
	int error;

	read_link(search);
	if (!search->link_name[0] || path[0] != '/')
		return 0;
	snprintf(copy, sizeof(copy), "%s", path);
	directory = dirname(copy);
	error = try_path(search, true, directory, "", search->link_name);
	if (!error && !search->is_found)
		error = try_path(search, true, directory, "/.debug", search->link_name);
	if (error || search->is_found)
		return error;
	snprintf(debug, sizeof(debug), DEBUG_DIRECTORY "%.4000s", directory);
	return try_path(search, true, debug, "", search->link_name);
}

/* .gnu_debugdata: a small compressed ELF file in the object, with symbols that strip removed. */
static int try_debugdata(struct search *search)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_section(search->object, ".gnu_debugdata", 0, &header);
	Elf_Data *data = section ? elf_data(search->object, section, &header) : NULL;
	struct elf_file file;
	char *bytes;
	size_t len, limit = search->object->filled * UNPACKED_TIMES + UNPACKED_LEAST;
	int error;

	if (!data)
		return 0;
	error = xz_unpack(data->d_buf, data->d_size, limit < UNPACKED_MOST ? limit : UNPACKED_MOST, &bytes, &len);
	if (error)
		return error == -ENOMEM ? error : 0;
	if (!elf_open_memory(bytes, len, &file, NULL)) {
		error = elf_add_symbols(&file, SHT_SYMTAB, search->builder);
		elf_close(&file);
	}
	free(bytes);
	return error;
}

/*
 * Whether the dynamic symbols are known already. The linker puts them into .symtab too, so a shorter .symtab has lost
 * symbols: some build tools keep few of them.
 */
static bool has_dynamic_symbols(const struct search *search)
{
	return search->is_found ||
		elf_nr_symbols(search->object, SHT_SYMTAB) >= elf_nr_symbols(search->object, SHT_DYNSYM);
}

/*
 * Names of a .symtab that is not whole have versions, which those of dynamic symbols lack: an old "write@GLIBC_2.0" must
 * not become another "write".
 */
static int add_dynamic_symbols(struct search *search)
{
	size_t nr_before = search->builder->nr_syms;
	int error = elf_add_symbols(search->object, SHT_DYNSYM, search->builder);

	builder_drop_known(search->builder, nr_before);
	return error;
}

static int add_all_symbols(struct search *search, const char *path)
{
	struct builder *builder = search->builder;
	int error = elf_add_symbols(search->object, SHT_SYMTAB, builder);

	if (!error && !builder->nr_syms) {
		if (path) {
			error = try_build_id(search);
			if (!error && !search->is_found)
				error = try_link(search, path);
		}
		if (!error && !search->is_found)
			error = try_debugdata(search);
	}
	if (!error && !has_dynamic_symbols(search))
		error = add_dynamic_symbols(search);
	return error ?: plt_add_symbols(search->object, builder);
}

int object_read(int fd, const char *path, const char *root, struct builder *builder,
		struct sym_origin *origin_ret, struct sym_error *error_ret)
{
	struct elf_file object;
	struct search search = {
		.object = &object, .root = root, .builder = builder, .origin = origin_ret };
	int error = elf_open(fd, &object, error_ret);

	if (error)
		return error;
	memset(origin_ret, 0, sizeof(*origin_ret));
	elf_read_image(&object, &search.image, NULL);
	error = add_all_symbols(&search, path);
	elf_close(&object);
	return error ? sym_fail(error_ret, error, "out of memory") : 0;
}

static int create_object_index(int fd, const char *path, const char *root,
			       struct sym_index **index_ret, struct sym_origin *origin_ret,
			       struct sym_error *error_ret)
{
	struct builder builder = { 0 };
	int error = object_read(fd, path, root, &builder, origin_ret, error_ret) ?:
		builder_finish(&builder, index_ret, error_ret);

	builder_deinit(&builder);
	return error;
}

int sym_debug_open(int fd, const char *path, const char *root)
{
	struct builder builder = { 0 };
	struct sym_origin origin = { 0 };
	struct elf_file object;
	int debug_fd = -1;
	struct search search = { .object = &object, .root = root, .builder = &builder,
				 .origin = &origin, .fd_ret = &debug_fd };
	int error = elf_open(fd, &object, NULL);

	if (error)
		return error;
	elf_read_image(&object, &search.image, NULL);
	error = try_build_id(&search);
	if (!error && !search.is_found)
		error = try_link(&search, path);
	elf_close(&object);
	return debug_fd >= 0 ? debug_fd : -ENOENT;
}

int sym_index_create_object(int fd, const char *path, const char *root,
			    struct sym_index **index_ret, struct sym_origin *origin_ret,
			    struct sym_error *error_ret)
{
	struct sym_origin unused;

	return create_object_index(fd, path, root, index_ret, origin_ret ? origin_ret : &unused,
				   error_ret);
}

int sym_index_create_elf(int fd, struct sym_index **index_ret, struct sym_error *error_ret)
{
	struct sym_origin unused;

	return create_object_index(fd, NULL, NULL, index_ret, &unused, error_ret);
}

int sym_index_create(int fd, struct sym_index **index_ret, struct sym_error *error_ret)
{
	char magic[SELFMAG];

	if (pread(fd, magic, SELFMAG, 0) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG))
		return sym_index_create_elf(fd, index_ret, error_ret);
	return sym_index_create_text(fd, index_ret, error_ret);
}
