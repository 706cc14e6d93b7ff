// SPDX-License-Identifier: GPL-2.0-only
/* The files that are mapped as code: see files.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "resolve/files.h"

/* Finds the kind of a mapping, and the path by which its file is known. */
static u32 find_mapping_kind(const struct sym_map *map, const char **path_ret)
{
	*path_ret = map->path;
	if (map->inode)
		return PROFILE_FILE;
	if (!strcmp(map->path, "[vdso]") || !strcmp(map->path, "[vsyscall]"))
		return PROFILE_VDSO;
	/* "//anon", "[heap]", "[stack]": code was generated in this memory, whatever its name. */
	*path_ret = "";
	return PROFILE_ANON;
}

static bool matches_mapping(const struct mapped_file *file, u32 kind, const struct sym_map *map,
			    const char *path)
{
	return !file->is_retired && file->kind == kind && file->inode == map->inode &&
	       file->dev_major == map->dev_major && file->dev_minor == map->dev_minor &&
	       !strcmp(file->path, path);
}

/* Hashes all that matches_mapping() compares: anybody may mount files of one inode and path. */
static struct mapped_file **find_file_bucket(struct files *files, const struct sym_map *map,
					     const char *path, size_t len)
{
	const u64 words[] = { map->inode, (u64)map->dev_major << 32 | map->dev_minor };
	u64 hash = intern_hash(0, words, sizeof(words));

	return &files->bucket[intern_hash(hash, path, len) % FILES_BUCKETS];
}

/* Nobody maps the file, and it is not open: its inode may have become another file's, with other functions. */
static void renew_unheld_file(struct files *files, struct mapped_file *file)
{
	if (file->nr_holders || file->binary || file->kind != PROFILE_FILE || file->object == PROFILE_NONE)
		return;
	file->serial = ++files->last_serial;
	file->object = PROFILE_NONE;
	file->is_missed = file->is_unread = false;
}

struct mapped_file *files_get(struct files *files, const struct sym_map *map)
{
	struct mapped_file *file, **bucket;
	const char *path;
	u32 kind = find_mapping_kind(map, &path);
	size_t len = strlen(path) + 1;

	bucket = find_file_bucket(files, map, path, len);
	for (file = *bucket; file; file = file->next)
		if (matches_mapping(file, kind, map, path)) {
			renew_unheld_file(files, file);
			return files_hold(file);
		}
	if (files->nr >= FILES_MAX) {
		files->nr_left_out++;
		return NULL;
	}
	file = calloc(1, sizeof(*file) + len);
	if (!file)
		return NULL;
	*file = (struct mapped_file){
		.next = *bucket, .serial = ++files->last_serial, .nr_holders = 1, .kind = kind,
		.dev_major = map->dev_major, .dev_minor = map->dev_minor, .inode = map->inode,
		.object = PROFILE_NONE,
	};
	memcpy(file->path, path, len);
	*bucket = file;
	files->nr++;
	return file;
}

void files_put(struct mapped_file *file)
{
	if (file)
		file->nr_holders--;
}

void files_retire(struct mapped_file *file)
{
	file->is_retired = true;
}

void files_forget_objects(struct files *files)
{
	struct mapped_file *file;
	size_t i;

	for (i = 0; i < FILES_BUCKETS; i++)
		for (file = files->bucket[i]; file; file = file->next)
			file->object = PROFILE_NONE;
}

struct mapped_file *files_of_object(const struct files *files, u32 object)
{
	struct mapped_file *file, *found = NULL;
	size_t i;

	for (i = 0; i < FILES_BUCKETS; i++)
		for (file = files->bucket[i]; file; file = file->next)
			if (file->object == object && (!found || (!found->binary && file->binary)))
				found = file;
	return found;
}

/* Drops files without holders: @all, or only those without an object in the profile. */
static void drop_unheld_files(struct files *files, bool all,
			      void (*drop)(struct mapped_file *file, void *context), void *context)
{
	struct mapped_file **at, *file;
	size_t i;

	for (i = 0; i < FILES_BUCKETS; i++)
		for (at = &files->bucket[i]; (file = *at);) {
			if (file->nr_holders || (!all && file->object != PROFILE_NONE)) {
				at = &file->next;
				continue;
			}
			*at = file->next;
			if (file->binary)
				drop(file, context);
			free(file);
			files->nr--;
		}
}

void files_trim(struct files *files, void (*drop)(struct mapped_file *file, void *context),
		void *context)
{
	if (files->nr > FILES_MAX / 2)
		drop_unheld_files(files, false, drop, context);
	if (files->nr > FILES_MAX / 2)
		drop_unheld_files(files, true, drop, context);
}

void files_deinit(struct files *files)
{
	struct mapped_file *file;
	size_t i;

	for (i = 0; i < FILES_BUCKETS; i++)
		while ((file = files->bucket[i])) {
			files->bucket[i] = file->next;
			free(file);
		}
	files->nr = 0;
}
