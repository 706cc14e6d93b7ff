/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames of addresses that were resolved before, in two levels: by the address where a process has it, and
 * by the address in its file, which serves all processes. A frame of a known process then costs some
 * twenty instructions. A third level has the functions of files by their entries, so that each function is
 * named once. Each level has a fixed number of places; a newer address takes the place of an older one.
 */
#ifndef FRAME_CACHE_H
#define FRAME_CACHE_H

#include "resolve/resolver.h"

#define FRAME_CACHE_PLACES	(1u << 16)	/* of each level; a power of two */
#define FRAME_CACHE_SMALL	2		/* .coarse of measurements at a low rate: a fourth of the places */

/* Owners above all serials of files. */
#define SPACE_OWNER	(1u << 31)
#define KERNEL_OWNER	(SPACE_OWNER - 1)

/** A resolved address of a file, of the kernel, or of a space's generated code. */
struct resolved {
	u32 owner;		/* serial of a file, or of a space + SPACE_OWNER; 0: free */
	u32 frame;		/* PROFILE_NONE: only is_code is known */
	u32 inlined;		/* link of the innermost inlined frame, or RESOLVER_NO_LINK */
	u64 addr;
	enum resolver_found found;
	bool is_code;
};

/** The frame of an address of a process. */
struct placed {
	u32 layout;		/* of the space, see struct space; 0: free */
	u32 frame;
	u64 addr;
	u32 inlined;
	u8 found;		/* enum resolver_found */
	bool is_code;
	bool is_plain;		/* its frame is all there is to it: resolver_known_frames() */
};

/** The function at an entry in a file. */
struct entered {
	u32 file;		/* its serial: two files of one path, without build-ids, are one object */
	u32 function;		/* position in the profile; 0: free, since 0 is a mark */
	u64 entry;
};

struct frame_cache {
	struct resolved resolved[FRAME_CACHE_PLACES];
	struct placed placed[FRAME_CACHE_PLACES];
	struct entered entered[FRAME_CACHE_PLACES];
	u32 coarse;		/* only the first FRAME_CACHE_PLACES >> coarse places are used */
};

/** frame_cache_forget() - forget all addresses: their names may have changed. */
void frame_cache_forget(struct frame_cache *cache);

/**
 * frame_cache_find() - find the place of an address of a file, of the kernel or of generated code. If its
 * owner is 0, the address is not known: the caller fills the place, with the owner.
 */
struct resolved *frame_cache_find(struct frame_cache *cache, u32 owner, u64 addr,
				  enum resolver_found found);

/* Addresses that share a place only cost time, so the hash needs no key. */
static inline u32 frame_cache_hash(const struct frame_cache *cache, u32 owner, u64 addr)
{
	return (addr ^ (u64)owner << 40) * 0x9e3779b97f4a7c15 >> 48 >> cache->coarse;
}

/** frame_cache_placed() - find an address of a process. NULL: it is not known. Called for each frame. */
static inline const struct placed *frame_cache_placed(const struct frame_cache *cache, u32 layout, u64 addr,
						      enum resolver_found found)
{
	const struct placed *placed = &cache->placed[frame_cache_hash(cache, layout, addr)];

	return placed->layout == layout && placed->addr == addr && placed->found == found &&
		layout ? placed : NULL;
}

/** frame_cache_place() - remember what an address of a process was resolved to. @is_plain: struct placed */
void frame_cache_place(struct frame_cache *cache, u32 layout, u64 addr,
		       const struct resolved *resolved, bool is_plain);

/**
 * frame_cache_entered() - find the place of the function at an entry in a file. If its function is 0, the
 * function is not known: the caller fills it in.
 */
struct entered *frame_cache_entered(struct frame_cache *cache, u32 file, u64 entry);

#endif
