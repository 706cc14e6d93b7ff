/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of code made at run time: perf map files, in which a program says what it has made.
 * Anybody may write such a file, in a folder that is everybody's: it is read only when it is a
 * regular file of the process's user, or root's, and says nothing but names of addresses in
 * anonymous executable memory. JITS_MAX of them are held, with JITS_SYMS_MAX names in all.
 */
#ifndef JITS_H
#define JITS_H

#include <sys/types.h>
#include <time.h>

#include "resolve/spaces.h"

#define JITS_MAX	32
#define JITS_SYMS_MAX	1000000
#define JITS_ROUNDS_MAX	16	/* harvests after which a changed file is read again for sure */

struct jit {
	uint32_t space;			/* serial of the space; 0: free */
	uint32_t tried_round;		/* when the file was last looked at */
	uint32_t read_round;		/* and read */
	uint32_t object;		/* in the profile; PROFILE_NONE: not yet */
	struct sym_index *index;	/* NULL: none */
	off_t len;
	struct timespec changed;
	bool is_refused;
	uint64_t used;
	char path[64];
};

struct jits {
	struct jit slot[JITS_MAX];
	uint64_t clock;
	uint64_t nr_refused;		/* files that were somebody else's, or no files */
	uint64_t nr_odd;		/* lines of another form, at all readings */
	uint64_t nr_overwritten;	/* functions whose addresses a later line took, likewise */
};

/**
 * jits_find() - the function that holds an address of a space, or NULL.
 * @round: of harvests; the file is looked at again at most once in each
 * @jit_ret: the map that knows it; both are valid until the next call
 */
const struct sym *jits_find(struct jits *jits, const struct space *space, uint64_t addr,
			    uint32_t round, struct jit **jit_ret);

/** jits_of_object() - the map that stands for an object of the profile, or NULL. */
struct jit *jits_of_object(struct jits *jits, uint32_t object);

/** jits_deinit() - forget all. */
void jits_deinit(struct jits *jits);

#endif
