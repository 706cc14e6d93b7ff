/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files that processes have mapped as code, each known once, whoever maps it: by device,
 * inode and path. Anonymous memory and the vdso count as files without an inode. An entry lives
 * as long as somebody holds it, and after that while there is room, as its names may be asked
 * for again.
 */
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "symbolizer.h"

#define FILES_MAX	16384	/* entries */
#define FILES_BUCKETS	4096

struct binary;

struct mapped_file {
	struct mapped_file *next;	/* of the same hash */
	uint32_t serial;		/* never that of another one */
	uint32_t nr_holders;
	uint32_t kind;			/* PROFILE_FILE, _VDSO or _ANON */
	uint32_t dev_major;
	uint32_t dev_minor;
	uint64_t inode;
	bool is_retired;		/* another file has its inode now: found no more */
	bool is_missed;			/* it could not be opened */
	uint32_t missed_round;		/* in which it was last tried in vain */
	uint32_t object;		/* in the profile; PROFILE_NONE: not yet */
	struct binary *binary;		/* opened; belongs to the cache of binaries */
	char path[];			/* "[vdso]", "[vsyscall]", "" for anonymous memory */
};

/** All zero: none. */
struct files {
	struct mapped_file *bucket[FILES_BUCKETS];
	uint32_t nr;
	uint32_t last_serial;
	uint64_t nr_left_out;	/* mappings for whose file there was no room */
};

/**
 * files_get() - the file of a mapping, held for the caller; a new entry if need be.
 * NULL: no room, which is counted, or no memory.
 */
struct mapped_file *files_get(struct files *files, const struct sym_map *map);

/** files_hold() - hold it once more. */
static inline struct mapped_file *files_hold(struct mapped_file *file)
{
	file->nr_holders++;
	return file;
}

/** files_put() - hold it once less. NULL is allowed. */
void files_put(struct mapped_file *file);

/** files_retire() - whoever maps this file from now on maps another. */
void files_retire(struct mapped_file *file);

/** files_of_object() - an entry that stands for an object of the profile, open ones first. */
struct mapped_file *files_of_object(const struct files *files, uint32_t object);

/**
 * files_trim() - when half of the room is taken, forget entries that nobody holds; first those
 * that have no part in the profile. @drop is told of each that has a binary.
 */
void files_trim(struct files *files, void (*drop)(struct mapped_file *file, void *context),
		void *context);

/** files_deinit() - forget all of them. */
void files_deinit(struct files *files);

#endif
