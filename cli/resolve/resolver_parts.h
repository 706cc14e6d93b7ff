/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Internals of the resolver: resolver.c finds the address spaces of processes, resolver_events.c follows them by
 * their events, resolver_frames.c resolves their addresses, resolver_kernel.c those of the kernel,
 * resolver_inlines.c adds inlined functions, resolver_names.c names and lists functions.
 */
#ifndef RESOLVER_PARTS_H
#define RESOLVER_PARTS_H

#include "resolve/binaries.h"
#include "resolve/frame_cache.h"
#include "resolve/jits.h"
#include "resolve/kernel_lines.h"
#include "resolve/kernel_names.h"
#include "resolve/resolver.h"
#include "resolve/sideband.h"
#include "resolve/spaces.h"

#define RESOLVER_READS_MAX	64	/* reads of known processes' maps per harvest */
#define RESOLVER_SIGNALS	64	/* C libraries and runtimes, each with one such code */
#define RESOLVER_NO_LINK UINT32_MAX

/** An inlined frame in front of another one. Lists of them share their ends. */
struct inline_link {
	u32 frame;
	u32 outer;		/* link of the next one, or RESOLVER_NO_LINK */
};

/** Source of the inlined frames of an address. */
struct inline_source {
	struct sym_lines *lines;
	u64 looked_up;		/* address in the debug information */
	u64 addr;		/* address of the frames in the profile */
	u32 object;
	const struct sym_index *index;	/* symbols of the object; NULL: none */
	struct intern *names;	/* names of these symbols, put in at first use */
	u64 move;		/* from the debug information's addresses to those of the symbols */
	u64 base;		/* subtracted from the addresses of symbols in the profile */
};

struct resolver {
	struct profile *profile;
	struct resolver_options options;
	struct sideband *sideband;	/* NULL: none */
	char note[256];
	struct files files;
	struct spaces *spaces;
	struct cgroup_paths cgroups;
	struct binaries binaries;
	struct jits jits;
	struct kernel_names kernel;
	struct kernel_lines kernel_lines;
	u32 kernel_object;		/* PROFILE_NONE: not added yet */
	struct space *last_space;	/* last one looked up; NULL: none */
	unsigned int nr_reads;		/* maps of known processes read in this harvest */
	struct resolver_counts counts;
	u32 signals[RESOLVER_SIGNALS];	/* frames of code that signal handlers return to */
	u32 nr_signals;
	struct inline_link *links;
	u32 nr_links;
	struct intern link_index;
	u32 last_inlined;		/* link of the last address resolved, or RESOLVER_NO_LINK */
	struct frame_cache cache;
};

/** resolver_is_there() - whether the process still has this space. Checked once per harvest. */
bool resolver_is_there(struct resolver *resolver, struct space *space);

/** resolver_is_foreign() - whether the process has another root directory than we. Looked up once per space. */
bool resolver_is_foreign(struct resolver *resolver, struct space *space);

/**
 * resolver_add_frame() - add a frame and its function to the profile.
 * @object: position in the profile; PROFILE_NONE: out of memory
 * @sym: the function's symbol; NULL: none
 * @addr: address of the frame in the profile
 * @file, @line: source; "" and 0: unknown
 *
 * Returns the position of the frame. PROFILE_NONE: out of memory.
 */
u32 resolver_add_frame(struct resolver *resolver, u32 object, const struct sym *sym, u64 addr,
		       const char *file, u32 line);

/**
 * resolver_add_inlined() - add the frames of the inlined functions at an address.
 * @file, @line: source of the address, which becomes that of the innermost inlined frame; changed to
 *	the source of the outermost inlined call, for the frame of the function that contains it
 *
 * Returns the link of the innermost. RESOLVER_NO_LINK: there are none.
 */
u32 resolver_add_inlined(struct resolver *resolver, const struct inline_source *source,
			 const char **file, u32 *line);

/**
 * resolver_function_at() - find the function at a link-time address of a file: by its symbol, else by its
 * range, else all code of the file without either. The function is added to the profile.
 * @binary: the file, if the address is one of its image; else NULL
 * @object: position of the file's object
 *
 * Returns the position of the function. PROFILE_NONE: out of memory.
 */
u32 resolver_function_at(struct resolver *resolver, struct binary *binary, u32 object, u64 addr);

/**
 * resolver_read_maps() - read a space's current mappings. They are dropped if an exec came in between: two spaces
 * would mix.
 */
void resolver_read_maps(struct resolver *resolver, struct space *space);

/** resolver_read_again() - read a space's maps again, if useful. False: they were not read. */
bool resolver_read_again(struct resolver *resolver, struct space *space);

#endif
