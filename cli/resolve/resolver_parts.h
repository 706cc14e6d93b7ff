/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Internals of the resolver: resolver.c follows processes, resolver_frames.c resolves addresses,
 * resolver_names.c lists functions.
 */
#ifndef RESOLVER_PARTS_H
#define RESOLVER_PARTS_H

#include "resolve/binaries.h"
#include "resolve/jits.h"
#include "resolve/kernel_names.h"
#include "resolve/resolver.h"
#include "resolve/sideband.h"
#include "resolve/spaces.h"

#define RESOLVER_CACHED	(1u << 16)	/* a power of two */
#define RESOLVER_SIGNALS	64	/* C libraries and runtimes, each with one such code */
#define NO_SYMBOL	"(no symbol)"

/** A resolved address. If two addresses have the same cache slot, the newer one stays. */
struct resolved {
	u32 owner;		/* serial of a file, or of a space + SPACE_OWNER; 0: free */
	u32 frame;		/* PROFILE_NONE: only is_code is known */
	u64 addr;
	enum resolver_found found;
	bool is_code;
};

/* Above all serials of files. */
#define SPACE_OWNER	(1u << 31)
#define KERNEL_OWNER	(SPACE_OWNER - 1)

struct resolver {
	struct profile *profile;
	struct resolver_options options;
	struct sideband *sideband;	/* NULL: none */
	char note[256];
	struct files files;
	struct spaces *spaces;
	struct binaries binaries;
	struct jits jits;
	struct kernel_names kernel;
	u32 kernel_object;		/* PROFILE_NONE: not added yet */
	struct space *last_space;	/* last one looked up; NULL: none */
	unsigned int nr_reads;		/* maps of known processes read in this harvest */
	struct resolver_counts counts;
	u32 signals[RESOLVER_SIGNALS];	/* frames of code that signal handlers return to */
	u32 nr_signals;
	struct resolved cache[RESOLVER_CACHED];
};

/** resolver_is_there() - whether the process still has this space. Checked once per harvest. */
bool resolver_is_there(struct resolver *resolver, struct space *space);

/** resolver_read_again() - read a space's maps again, if useful. False: they were not read. */
bool resolver_read_again(struct resolver *resolver, struct space *space);

#endif
