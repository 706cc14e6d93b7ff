/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of code generated at run time, from perf map files written by the program itself.
 *
 * Anybody can create a file of this name in the shared directory /tmp. A perf map is therefore read
 * only if it is a regular file owned by the process's user or by root. It only names addresses in
 * anonymous executable memory. At most JITS_MAX maps are held, with JITS_SYMS_MAX names in all.
 */
#ifndef JITS_H
#define JITS_H

#include <sys/types.h>
#include <time.h>

#include "resolve/spaces.h"

#define JITS_MAX	32
#define JITS_SYMS_MAX	1000000
#define JITS_ROUNDS_MAX	16	/* harvests until a changed file is read in any case */

struct jit {
	u32 space;			/* serial of the space; 0: free */
	u32 tried_round;		/* when the file was last checked */
	u32 read_round;			/* when the file was last read */
	u32 object;			/* in the profile; PROFILE_NONE: not yet */
	struct sym_index *index;	/* NULL: none */
	off_t len;
	struct timespec changed;
	bool is_refused;
	u64 used;
	char path[64];
};

struct jits {
	struct jit slot[JITS_MAX];
	u64 clock;
	u64 nr_refused;			/* files of another owner, links and other non-files */
	u64 nr_odd;			/* malformed lines, counted at each reading */
	u64 nr_overwritten;		/* functions replaced by later lines, at all readings */
};

/**
 * jits_find() - find the function that contains an address of a space. NULL: unknown.
 * @round: number of the harvest; the file is checked at most once per harvest
 * @jit_ret: the map that was searched; it and the function are valid until the next call
 */
const struct sym *jits_find(struct jits *jits, const struct space *space, u64 addr, u32 round,
			    struct jit **jit_ret);

/** jits_forget_objects() - another profile has none of the objects. */
void jits_forget_objects(struct jits *jits);

/** jits_of_object() - find the map of an object of the profile. NULL: none. */
struct jit *jits_of_object(struct jits *jits, u32 object);

/** jits_deinit() - free all maps. */
void jits_deinit(struct jits *jits);

#endif
