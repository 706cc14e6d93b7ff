/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lies where in the memory of each process, as far as code goes, over time: address spaces,
 * of which a process has one after another, as it execs, and its mappings.
 *
 * What is known comes from /proc/PID/maps, when a process is first found, and from the kernel's
 * events (sideband.h), which do not say that something was unmapped: so what was mapped
 * somewhere stays until something else is mapped there. No process and no clock is looked at
 * here; the caller reads and tells.
 *
 * Memory is bounded: SPACES_MAX spaces, SPACES_MAPS_MAX mappings in all, of 32 bytes each. What
 * finds no room is counted.
 */
#ifndef SPACES_H
#define SPACES_H

#include "resolve/files.h"

#define SPACES_MAX		65536
#define SPACES_MAPS_MAX		(1u << 20)
#define SPACE_MAPS_MAX		8192	/* of one process */
#define SPACES_BUCKETS		8192
#define SPACES_ROUNDS_KEPT	8	/* a space that has ended stays for so many harvests, */
#define SPACES_ROUNDS_IDLE	64	/* and one whose end nobody would tell */

/** A piece of a process's memory that is mapped as code. */
struct space_map {
	uint64_t start;
	uint64_t end;
	uint64_t offset;		/* in the file */
	struct mapped_file *file;	/* held; NULL: no room for it */
};

/** How much is known of a space. */
enum space_knowledge {
	SPACE_NOTHING,	/* its process was gone, or could not be looked into */
	SPACE_PART,	/* some mappings */
	SPACE_ALL,	/* everything that was mapped, as far as nothing was lost */
};

struct space {
	struct space *next;		/* of the same hash of pid; newer ones first */
	uint32_t pid;
	uint32_t serial;		/* never that of another one */
	uint64_t id;			/* bottom of its stack; 0: not known yet */
	struct space_map *maps;		/* ascending, none overlapping */
	uint32_t nr;
	uint32_t room;
	enum space_knowledge knowledge;
	bool is_denied;			/* its process may not be looked into */
	bool has_ended;			/* by exec or exit */
	uint32_t used_round;		/* when it was last asked for */

	/* for the resolver */
	uint32_t read_round;		/* when its maps were last read */
	uint32_t wait_rounds;		/* that pass before they are read again in vain */
	uint32_t checked_round;		/* when its process was last looked for, and */
	bool is_there;			/* whether it still was the one with this space */
	bool has_user;
	uint32_t user;			/* effective user of the process */
	int own_pid;			/* as which the process knows itself */
};

struct spaces {
	struct space *bucket[SPACES_BUCKETS];
	struct files *files;		/* the caller's */
	uint32_t nr;
	uint32_t nr_maps;
	uint32_t last_serial;
	uint32_t round;			/* harvests so far */
	uint64_t nr_left_out;		/* spaces and mappings that found no room */
};

/** spaces_create() - NULL: out of memory. */
struct spaces *spaces_create(struct files *files);

/** spaces_destroy() - NULL is allowed. The files must still be there. */
void spaces_destroy(struct spaces *spaces);

/**
 * spaces_begin_round() - a new harvest: spaces that ended some rounds ago are forgotten.
 * @is_told: whether ends are told; if not, those that nobody has asked for in a long time too
 */
void spaces_begin_round(struct spaces *spaces, bool is_told);

/** spaces_newest() - the latest space of a process, ended or not; NULL: none known. */
struct space *spaces_newest(const struct spaces *spaces, uint32_t pid);

/** spaces_find() - the space of a process with this id, the newest of several; NULL: none. */
struct space *spaces_find(const struct spaces *spaces, uint32_t pid, uint64_t id);

/**
 * spaces_find_nameless() - a space whose id is not known yet, the newest of them.
 * @inode: of a file that it must have mapped; 0: any will do
 * @is_over: only of those that have ended
 */
struct space *spaces_find_nameless(const struct spaces *spaces, uint32_t pid, uint64_t inode,
				   bool is_over);

/**
 * spaces_add() - a new space, now the process's newest; the one before has ended.
 * @id: 0: not known yet
 * NULL: no room, which is counted, or no memory.
 */
struct space *spaces_add(struct spaces *spaces, uint32_t pid, uint64_t id);

/** spaces_add_past() - likewise, of a time before the process's newest: it has ended. */
struct space *spaces_add_past(struct spaces *spaces, uint32_t pid, uint64_t id);

/**
 * spaces_fork() - @pid begins with what is known of @parent, which is nothing when that is not
 * known. NULL as spaces_add().
 */
struct space *spaces_fork(struct spaces *spaces, uint32_t pid, uint32_t parent);

/** spaces_exit() - the process has ended. */
void spaces_exit(struct spaces *spaces, uint32_t pid);

/** spaces_doubt() - something was not told: of no living process all is known any more. */
void spaces_doubt(struct spaces *spaces);

/** spaces_map() - something was mapped, whatever was there. Wants the executable mappings only. */
void spaces_map(struct spaces *spaces, struct space *space, const struct sym_map *map);

/** spaces_set_maps() - what is mapped now; what was known of other addresses stays. */
void spaces_set_maps(struct spaces *spaces, struct space *space, const struct sym_maps *maps);

/** space_at() - the mapping that holds an address, or NULL. */
const struct space_map *space_at(const struct space *space, uint64_t addr);

#endif
