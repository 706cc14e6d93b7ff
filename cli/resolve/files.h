/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files that processes have mapped as code. Each file has one entry for all processes, found by
 * device, inode and path. Anonymous memory and the vdso count as files without an inode. An entry
 * lives as long as it is held, and afterwards while there is room: its names may be needed again. If it is found again
 * after that, and was not open, it counts as a new file.
 */
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>

#include "symbolizer.h"
#include "types.h"

#define FILES_MAX	16384	/* entries */
#define FILES_BUCKETS	4096

struct binary;

struct mapped_file {
	struct mapped_file *next;	/* in the same bucket */
	u32 serial;			/* unique */
	u32 nr_holders;
	u32 kind;			/* PROFILE_FILE, _VDSO or _ANON */
	u32 dev_major;
	u32 dev_minor;
	u64 inode;
	bool is_retired;		/* another file has its inode now: no longer found */
	bool is_missed;			/* the last attempt to open it failed */
	u32 missed_round;		/* round of that attempt */
	bool is_unread;			/* counted among the files that could not be opened */
	u32 object;			/* in the profile; PROFILE_NONE: not yet */
	struct binary *binary;		/* its open file, owned by the cache of binaries */
	char path[];			/* "[vdso]", "[vsyscall]", "" for anonymous memory */
};

/** All zero: no files. */
struct files {
	struct mapped_file *bucket[FILES_BUCKETS];
	u32 nr;
	u32 last_serial;
	u64 nr_left_out;	/* mappings whose file found no room */
};

/**
 * files_get() - get the file of a mapping, held for the caller; a new file is added. NULL: no room
 * (counted in nr_left_out), or out of memory.
 */
struct mapped_file *files_get(struct files *files, const struct sym_map *map);

/** files_hold() - add one holder. */
static inline struct mapped_file *files_hold(struct mapped_file *file)
{
	file->nr_holders++;
	return file;
}

/** files_put() - remove one holder. NULL is allowed. */
void files_put(struct mapped_file *file);

/** files_retire() - never find this file again, because another one has its inode and path now. */
void files_retire(struct mapped_file *file);

/** files_of_object() - find the file of an object of the profile, open files first. NULL: none. */
struct mapped_file *files_of_object(const struct files *files, u32 object);

/** files_forget_objects() - another profile has none of the objects. */
void files_forget_objects(struct files *files);

/**
 * files_trim() - drop files without holders if more than half of the room is taken. Files without
 * an object in the profile are dropped first. @drop is called for each dropped file that is open.
 */
void files_trim(struct files *files, void (*drop)(struct mapped_file *file, void *context),
		void *context);

/** files_deinit() - free all files, held or not. */
void files_deinit(struct files *files);

#endif
