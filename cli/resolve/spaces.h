/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code mappings of each process over time. A process has one address space after another: each
 * exec begins a new one. Each space has its own mappings.
 *
 * Mappings come from /proc/PID/maps when a process is first seen, and from the kernel's events
 * (sideband.h). Events do not report unmapping: a mapping stays until another one replaces it. This
 * code reads neither processes nor clocks; the caller passes all information.
 *
 * Memory is bounded: at most SPACES_MAX spaces and SPACES_MAPS_MAX mappings of 32 bytes each.
 * Spaces and mappings without room are counted.
 */
#ifndef SPACES_H
#define SPACES_H

#include "resolve/cgroup_paths.h"
#include "resolve/files.h"

#define SPACES_MAX		65536
#define SPACES_MAPS_MAX		(1u << 20)
#define SPACE_MAPS_MAX		8192	/* mappings of one space */
#define SPACES_BUCKETS		8192
#define SPACES_ROUNDS_KEPT	8	/* harvests for which an ended space is kept, unless .rounds_kept says other */
#define SPACES_ROUNDS_IDLE	64	/* harvests for an unused space, if ends are not reported */

/** A mapping of code. */
struct space_map {
	u64 start;
	u64 end;
	u64 offset;			/* in the file */
	struct mapped_file *file;	/* held; NULL: there was no room for the file */
};

/** How much is known of a space. */
enum space_knowledge {
	SPACE_NOTHING,	/* its process was gone, or could not be examined */
	SPACE_PART,	/* some mappings */
	SPACE_ALL,	/* all mappings, unless events were lost */
};

struct space {
	struct space *next;		/* in the same bucket; newer ones first */
	u32 pid;
	u32 serial;			/* unique */
	u64 id;				/* bottom of its stack; 0: unknown */
	struct space_map *maps;		/* ascending, none overlapping */
	u32 nr;
	u32 room;
	u32 layout;			/* changes whenever a mapping does; a fork keeps it */
	u32 replaced_round;		/* when code took the place of other code last, */
	u64 replaced_start, replaced_end;	/* and addresses that include all such in that round */
	enum space_knowledge knowledge;
	bool is_denied;			/* its process may not be examined */
	bool has_ended;			/* by exec or exit */
	u32 used_round;			/* when it was last used */

	/* for the resolver */
	u32 read_round;			/* when its maps were last read */
	u32 told_round;			/* when events told all of them */
	u32 wait_rounds;		/* to wait before reading them again */
	u32 checked_round;		/* when its process was last checked, */
	bool is_there;			/* and whether it still had this space */
	bool has_user;
	u32 user;			/* effective user of the process */
	int own_pid;			/* its pid in its own pid namespace */
	u32 parent_pid;			/* 0: not known */
	bool knows_root;		/* its root directory was looked up */
	bool is_foreign;		/* not ours; until then, as before the exec or the fork */
	struct cgroup_number group;	/* as far as it is known, else its parent's as of the fork */
	u32 group_round;		/* when it was last read; 0: never */
	u32 group_wait;			/* harvests to wait before reading it again */
};

struct spaces {
	struct space *bucket[SPACES_BUCKETS];
	struct files *files;		/* the caller's */
	u32 nr;
	u32 nr_maps;
	u32 last_serial;
	u32 last_layout;
	u32 round;			/* harvests so far */
	u32 rounds_kept;		/* harvests for which an ended space is kept */
	u64 nr_left_out;		/* spaces and mappings that found no room */
};

/** spaces_create() - create an empty set. @files must outlive it. NULL: out of memory. */
struct spaces *spaces_create(struct files *files);

/** spaces_destroy() - free all spaces. NULL is allowed. The files must still exist. */
void spaces_destroy(struct spaces *spaces);

/**
 * spaces_begin_round() - begin a new harvest, and drop spaces that ended some harvests ago.
 * @has_exit_events: ends of processes are reported; if not, spaces unused for long are dropped too
 */
void spaces_begin_round(struct spaces *spaces, bool has_exit_events);

/** spaces_newest() - get the newest space of a process, ended or not. NULL: none. */
struct space *spaces_newest(const struct spaces *spaces, u32 pid);

/** spaces_find() - find the space of a process by its id, the newest of several. NULL: none. */
struct space *spaces_find(const struct spaces *spaces, u32 pid, u64 id);

/**
 * spaces_find_mapping() - find the newest space of a process that has a mapping at @addr, one that has ended if
 * possible. NULL: none.
 */
struct space *spaces_find_mapping(const struct spaces *spaces, u32 pid, u64 addr);

/**
 * spaces_find_nameless() - find a process's newest space without an id.
 * @inode: inode of a file that the space must have mapped; 0: any space
 * @is_over: only spaces that have ended
 */
struct space *spaces_find_nameless(const struct spaces *spaces, u32 pid, u64 inode, bool is_over);

/**
 * spaces_add() - add a space, now the newest of the process; the previous one ends.
 * @id: 0: not known yet
 *
 * NULL: no room (counted in nr_left_out), or out of memory.
 */
struct space *spaces_add(struct spaces *spaces, u32 pid, u64 id);

/** spaces_add_past() - add a space that is older than all others of the process, and has ended. */
struct space *spaces_add_past(struct spaces *spaces, u32 pid, u64 id);

/**
 * spaces_fork() - add a space for @pid with the known mappings of @parent, if any. NULL: as
 * spaces_add().
 */
struct space *spaces_fork(struct spaces *spaces, u32 pid, u32 parent);

/** spaces_exit() - end the newest space of a process. */
void spaces_exit(struct spaces *spaces, u32 pid);

/** spaces_mark_incomplete() - events were lost: mappings of living processes may be incomplete. */
void spaces_mark_incomplete(struct spaces *spaces);

/** spaces_map() - add an executable mapping. It replaces older mappings at its addresses. */
void spaces_map(struct spaces *spaces, struct space *space, const struct sym_map *map);

/** spaces_set_maps() - set the current mappings; older ones stay at addresses that are free now. */
void spaces_set_maps(struct spaces *spaces, struct space *space, const struct sym_maps *maps);

/** spaces_touch() - call this after changing a mapping of a space. */
void spaces_touch(struct spaces *spaces, struct space *space);

/**
 * spaces_is_replaced() - whether other code took this address in the current harvest: samples of the harvest may
 * be of either. May be true of addresses between two such mappings.
 */
static inline bool spaces_is_replaced(const struct spaces *spaces, const struct space *space, u64 addr)
{
	return space->replaced_round == spaces->round && addr - space->replaced_start <
		space->replaced_end - space->replaced_start;
}

/** space_at() - find the mapping that contains an address. NULL: none. */
const struct space_map *space_at(const struct space *space, u64 addr);

#endif
