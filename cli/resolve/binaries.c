// SPDX-License-Identifier: GPL-2.0-only
/* Cache of opened code files: see binaries.h. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "profile/profile.h"
#include "resolve/binaries.h"

/* All processes of this architecture share one vdso, so a copy of our own will do. */
static int copy_vdso(void)
{
	u64 start = getauxval(AT_SYSINFO_EHDR);
	struct sym_maps maps;
	int fd = -1;
	size_t i;

	if (!start || sym_maps_read(getpid(), &maps))
		return -1;
	for (i = 0; i < maps.nr && maps.maps[i].start != start; i++)
		;
	if (i < maps.nr)
		fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0) {
		size_t len = maps.maps[i].end - start;

		if (write(fd, (void *)start, len) != (ssize_t)len) {
			close(fd);
			fd = -1;
		}
	}
	sym_maps_deinit(&maps);
	return fd;
}

void binaries_init(struct binaries *binaries, const char *root)
{
	memset(binaries, 0, sizeof(*binaries));
	binaries->root = root;
	binaries->names_max = BINARIES_NAMES_MAX;
	binaries->vdso_fd = copy_vdso();
}

static void drop_index(struct binary *slot)
{
	sym_index_destroy(slot->index);
	slot->index = NULL;
	sym_compact_destroy(slot->compact);
	slot->compact = NULL;
	intern_deinit(&slot->names);
	slot->is_indexed = false;
	sym_ranges_destroy(slot->ranges);
	slot->ranges = NULL;
	slot->is_ranged = false;
}

/* Counts what BINARIES_NAMES_MAX limits. */
static u64 count_name_bytes(const struct binary *slot)
{
	return (slot->index ? sym_index_size(slot->index) * BINARIES_SYM_BYTES : 0) +
		(slot->compact ? sym_compact_bytes(slot->compact) : 0) +
		(slot->ranges ? sym_ranges_bytes(slot->ranges) : 0);
}

static void drop_lines(struct binary *slot)
{
	sym_lines_destroy(slot->lines);
	slot->lines = NULL;
	slot->debug_len = 0;
	slot->is_lined = false;
}

static void close_binary_slot(struct binary *slot)
{
	if (!slot->file)
		return;
	close(slot->fd);
	drop_index(slot);
	sym_lines_destroy(slot->lines);
	slot->file->binary = NULL;
	memset(slot, 0, sizeof(*slot));
}

void binaries_drop(struct mapped_file *file)
{
	if (file->binary)
		close_binary_slot(file->binary);
}

void binaries_deinit(struct binaries *binaries)
{
	size_t i;

	for (i = 0; i < BINARIES_MAX; i++)
		close_binary_slot(&binaries->slot[i]);
	if (binaries->vdso_fd >= 0)
		close(binaries->vdso_fd);
}

/* Opens a file in our root by its path. @is_foreign: the path is one of another root, where it may be another file's */
static int open_in_our_root(const struct mapped_file *file, bool is_foreign)
{
	int fd = sym_open_regular(file->path, file->inode);
	struct stat info;

	if (fd < 0 || !is_foreign || (!fstat(fd, &info) && major(info.st_dev) == file->dev_major &&
				      minor(info.st_dev) == file->dev_minor))
		return fd;
	close(fd);
	return -1;
}

/*
 * Device numbers are not compared if the process has our root: some file systems show another device in maps than in
 * stat. The inode is not compared for map_files either: its link always leads to the mapped file.
 */
static int open_mapped_file(const struct binaries *binaries, const struct mapped_file *file,
			    const struct binary_hint *hint)
{
	char path[64];
	int fd = -1;

	if (file->kind == PROFILE_VDSO)
		return binaries->vdso_fd >= 0 && !strcmp(file->path, "[vdso]") ?
			fcntl(binaries->vdso_fd, F_DUPFD_CLOEXEC, 0) : -1;
	if (file->kind != PROFILE_FILE)
		return -1;
	if (hint->pid) {
		snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", hint->pid, hint->start,
			 hint->end);
		fd = sym_open_regular(path, 0);
		snprintf(path, sizeof(path), "/proc/%d/root", hint->pid);
		if (fd < 0 && file->path[0] == '/')
			fd = sym_open_inside(path, file->path, file->inode);
	}
	return fd < 0 && file->path[0] == '/' ? open_in_our_root(file, hint->is_foreign) : fd;
}

/* Returns a free slot, or the least recently used one after closing it. */
static struct binary *claim_binary_slot(struct binaries *binaries)
{
	struct binary *oldest = &binaries->slot[0];
	size_t i;

	for (i = 0; i < BINARIES_MAX && oldest->file; i++)
		if (!binaries->slot[i].file || binaries->slot[i].used < oldest->used)
			oldest = &binaries->slot[i];
	close_binary_slot(oldest);
	return oldest;
}

/* Takes ownership of @fd. */
static struct binary *fill_binary_slot(struct binaries *binaries, struct mapped_file *file, int fd,
				       int pid)
{
	struct binary *slot = claim_binary_slot(binaries);
	struct stat info;

	if (fstat(fd, &info)) {
		close(fd);
		return NULL;
	}
	*slot = (struct binary){ .file = file, .fd = fd, .pid = pid, .len = info.st_size,
				 .changed = info.st_mtim, .used = ++binaries->clock };
	slot->has_image = !sym_image_read(fd, &slot->image, NULL);
	file->binary = slot;
	return slot;
}

struct binary *binaries_get(struct binaries *binaries, struct mapped_file *file,
			    const struct binary_hint *hint)
{
	struct binary *slot;
	int fd;

	if (file->binary) {
		file->binary->used = ++binaries->clock;
		return file->binary;
	}
	fd = open_mapped_file(binaries, file, hint);
	slot = fd < 0 ? NULL : fill_binary_slot(binaries, file, fd, hint->pid);
	if (slot)
		slot->is_foreign = hint->is_foreign;
	return slot;
}

struct binary *binaries_adopt(struct binaries *binaries, struct mapped_file *file, int fd, bool is_foreign)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	struct binary *slot;

	binaries_drop(file);
	slot = own < 0 ? NULL : fill_binary_slot(binaries, file, own, 0);
	if (slot)
		slot->is_foreign = is_foreign;
	return slot;
}

bool binaries_is_it(const struct binary *binary, int fd)
{
	struct stat info;

	return !fstat(fd, &info) && info.st_size == binary->len &&
	       info.st_mtim.tv_sec == binary->changed.tv_sec &&
	       info.st_mtim.tv_nsec == binary->changed.tv_nsec;
}

void binaries_retire_changed(struct binaries *binaries)
{
	struct binary *slot;
	size_t i;

	for (i = 0; i < BINARIES_MAX; i++) {
		slot = &binaries->slot[i];
		if (slot->file && slot->file->kind == PROFILE_FILE && !slot->file->is_retired &&
		    !binaries_is_it(slot, slot->fd))
			files_retire(slot->file);
	}
}

/* Drops symbols, with ranges, and source lines of other files, least recently used first, until all fit. */
static void limit_open_symbols(struct binaries *binaries, const struct binary *keep)
{
	struct binary *slot, *oldest_index, *oldest_lines;
	size_t i, nr_lines;
	u64 bytes;

	do {
		oldest_index = oldest_lines = NULL;
		bytes = nr_lines = 0;
		for (i = 0; i < BINARIES_MAX; i++) {
			slot = &binaries->slot[i];
			bytes += count_name_bytes(slot);
			nr_lines += slot->lines != NULL;
			if (slot == keep)
				continue;
			if (count_name_bytes(slot) && (!oldest_index || slot->used < oldest_index->used))
				oldest_index = slot;
			if (slot->lines && (!oldest_lines || slot->used < oldest_lines->used))
				oldest_lines = slot;
		}
		if (bytes > binaries->names_max && oldest_index)
			drop_index(oldest_index);
		if (nr_lines > BINARIES_LINES_MAX && oldest_lines)
			drop_lines(oldest_lines);
	} while ((bytes > binaries->names_max && oldest_index) ||
		 (nr_lines > BINARIES_LINES_MAX && oldest_lines));
}

static const char *get_debug_root(const struct binaries *binaries, const struct binary *binary,
				  char text[32])
{
	if (binaries->root)
		return binaries->root;
	snprintf(text, 32, "/proc/%d/root", binary->pid);
	return binary->pid ? text : NULL;
}

/* Reads a binary's symbols, if they were not read yet. */
static void read_symbols(struct binaries *binaries, struct binary *binary)
{
	const char *root;
	char text[32];
	int error;

	if (binary->is_indexed || !binary->has_image)
		return;
	binary->is_indexed = true;
	root = get_debug_root(binaries, binary, text);
	error = binaries->is_compact ?
		sym_compact_create_object(binary->fd, binary->file->path, root, &binary->compact, NULL) :
		sym_index_create_object(binary->fd, binary->file->path, root, &binary->index, NULL, NULL);
	if (!error)
		limit_open_symbols(binaries, binary);
}

const struct sym_index *binaries_index(struct binaries *binaries, struct binary *binary)
{
	if (!binaries->is_compact)
		read_symbols(binaries, binary);
	return binary->index;
}

bool binaries_find(struct binaries *binaries, struct binary *binary, u64 addr, bool with_name,
		   struct binary_symbol *symbol_ret)
{
	const struct sym *sym;

	read_symbols(binaries, binary);
	if (binary->compact)
		return sym_compact_find(binary->compact, addr, &symbol_ret->sym,
					with_name ? symbol_ret->name : NULL);
	sym = binary->index ? sym_index_find(binary->index, addr) : NULL;
	if (sym)
		symbol_ret->sym = *sym;
	return sym;
}

const struct sym_ranges *binaries_ranges(struct binaries *binaries, struct binary *binary)
{
	if (binary->is_ranged || !binary->has_image)
		return binary->ranges;
	binary->is_ranged = true;
	if (sym_ranges_create(binary->fd, &binary->ranges, NULL))
		return NULL;
	limit_open_symbols(binaries, binary);
	return binary->ranges;
}

/* Whether debug information may be read without having been asked for: see is_cheap. */
static bool is_cheap_to_read(const struct binaries *binaries, int fd, u64 len)
{
	struct stat info;
	size_t i;

	if (fstat(fd, &info) || (info.st_uid && info.st_uid != geteuid()))
		return false;
	for (i = 0; i < BINARIES_MAX && len <= BINARIES_CHEAP_MAX; i++)
		len += binaries->slot[i].debug_len;
	return len <= BINARIES_CHEAP_MAX;
}

/* Reads the debug information of a file. False: it has none. */
static bool read_debug_file(struct binaries *binaries, struct binary *binary, int fd)
{
	u64 len = sym_debug_len(fd);

	if (!len)
		return false;
	if (binaries->is_cheap && (binary->is_foreign || !is_cheap_to_read(binaries, fd, len)))
		binaries->nr_debug_left_out++;
	else if (!sym_lines_create(fd, &binary->lines, NULL))
		binary->debug_len = len;
	return true;
}

struct sym_lines *binaries_lines(struct binaries *binaries, struct binary *binary)
{
	char root[32];
	int debug_fd;

	if (binary->is_lined || !binary->has_image)
		return binary->lines;
	binary->is_lined = true;
	if (!read_debug_file(binaries, binary, binary->fd)) {
		debug_fd = sym_debug_open(binary->fd, binary->file->path,
					  get_debug_root(binaries, binary, root));
		if (debug_fd < 0)
			return NULL;
		read_debug_file(binaries, binary, debug_fd);
		close(debug_fd);
	}
	limit_open_symbols(binaries, binary);
	return binary->lines;
}

int binaries_use_debug(struct binaries *binaries, struct binary *binary, int debug_fd)
{
	struct sym_index *index;
	int error = sym_index_create_elf(debug_fd, &index, NULL);

	if (error)
		return error;
	drop_index(binary);
	binary->index = index;
	binary->is_indexed = true;
	if (!binary->lines)
		binary->is_lined = !sym_lines_create(debug_fd, &binary->lines, NULL);
	limit_open_symbols(binaries, binary);
	return 0;
}
