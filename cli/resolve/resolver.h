/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From raw addresses to frames of the profile: which process had what mapped where, and what
 * the functions there are called. It lives as long as a measurement. At each harvest:
 *	resolver_events()			what has happened since
 *	resolver_see()				each process of the harvest
 *	resolver_user_frame(), _kernel_frame()	each address of its stacks, the leaf first
 *
 * What was mapped is taken as it is at the time of the harvest: of a sample that is older than
 * a change at its address, the newer mapping is told. A mapping that is gone is remembered.
 *
 * Memory is bounded: see files.h, spaces.h, binaries.h, jits.h, sideband.h; and 1.5 MB of
 * addresses that were resolved before. What it adds to the profile is the profile's.
 *
 * Positions of frames are PROFILE_NONE when memory is out. One thread.
 */
#ifndef RESOLVER_H
#define RESOLVER_H

#include "base/text.h"
#include "profile/profile.h"

struct resolver_options {
	bool lines;		/* source lines too */
	bool sideband;		/* follow processes by the kernel's events, where that is allowed */

	/* for tests; NULL: as it should be */
	const char *debug_root;	/* where debug files are looked for first */
	const char *kallsyms;	/* instead of /proc/kallsyms */
	const char *modules;	/* instead of /proc/modules */
};

/** Why the object of an address is not known: "object unknown (exited)". */
enum resolver_unknown {
	RESOLVER_EXITED,	/* its process was gone before it could be looked at */
	RESOLVER_DENIED,	/* it may not be looked at */
	RESOLVER_UNMAPPED,	/* nothing was mapped there any more */
	RESOLVER_NO_ROOM,	/* more files than FILES_MAX */
	RESOLVER_UNKNOWNS,
};

/** What did not go as it should, for those who want to know. Numbers since the beginning. */
struct resolver_counts {
	uint64_t unknown[RESOLVER_UNKNOWNS];	/* frames asked for, each time */
	uint64_t no_call;	/* return addresses in no code or behind no call, likewise */
	uint64_t unchecked;	/* return addresses whose code could not be read: believed */
	uint64_t events_lost;	/* by the kernel, for want of room in the rings */
	uint64_t spaces_left_out;	/* mappings and processes for which there was no room */
	uint64_t jits_refused;	/* perf maps of somebody else than the process's user or root */
	uint64_t jits_odd;	/* lines of perf maps that are none */
	uint64_t jits_overwritten;	/* functions of perf maps that a later line replaced */
};

struct resolver;

/**
 * resolver_create() - for frames of @profile, which must outlive it, as must the strings of
 * @options. Nothing is read or opened yet. -ENOMEM is NULL, with @error_ret filled.
 */
struct resolver *resolver_create(struct profile *profile, const struct resolver_options *options,
				 struct text_error *error_ret);

/** resolver_destroy() - NULL is allowed. */
void resolver_destroy(struct resolver *resolver);

/**
 * resolver_begin() - before sampling begins: listen to what processes do, if asked for.
 * Where that is not to be had, processes are known by what /proc says when they are seen.
 */
void resolver_begin(struct resolver *resolver);

/** resolver_note() - why there is no listening, for people, in one line; "": there is. */
const char *resolver_note(const struct resolver *resolver);

/** resolver_fd() - readable while resolver_events() should be called soon; -1: never. */
int resolver_fd(const struct resolver *resolver);

/** resolver_events() - a new harvest: take in what has happened since the last. */
void resolver_events(struct resolver *resolver);

/**
 * resolver_see() - a process was found in a harvest.
 * @pid: as seen from the initial pid namespace
 * @space: bottom of its stack, mm->start_stack: tells address spaces of one pid apart
 * @exe_fd: leads to its executable; stays the caller's; -1: none
 * @code_start: mm->start_code: where the executable's code is, which is all that can be known
 *	of a process that is gone and was not listened to; 0: not known
 *
 * Costs next to nothing for one that is known already.
 */
void resolver_see(struct resolver *resolver, int pid, uint64_t space, int exe_fd,
		  uint64_t code_start);

/**
 * resolver_user_frame() - the frame of an address of a process.
 * @is_return: a return address as a frame pointer leads to it, rather than where it was found
 *	running: it belongs to what holds the instruction before it
 * @is_code_ret: false: @is_return, and the address lies in no code or follows no call
 *	instruction, so the stack ends before it; MARK_NO_FRAME_POINTER is what is returned
 *
 * Frames of unknown objects have the address 0: all of one reason are the same.
 */
uint32_t resolver_user_frame(struct resolver *resolver, int pid, uint64_t space, uint64_t addr,
			     bool is_return, bool *is_code_ret);

/**
 * resolver_kernel_frame() - the frame of an address of the kernel. Addresses count from the
 * beginning of the kernel's or the module's text. Where they are hidden from us,
 * MARK_KERNEL: of those only the leaf is worth keeping.
 */
uint32_t resolver_kernel_frame(struct resolver *resolver, uint64_t addr, bool is_return);

/** resolver_is_irq_entry() - whether a frame is the first of an interrupt in the kernel. */
bool resolver_is_irq_entry(const struct resolver *resolver, uint32_t frame);

/** resolver_is_softirq_entry() - whether a frame is where softirqs are served. */
bool resolver_is_softirq_entry(const struct resolver *resolver, uint32_t frame);

/** resolver_is_unknown() - whether the object of a frame is not known. */
bool resolver_is_unknown(const struct resolver *resolver, uint32_t frame);

/**
 * resolver_function - told of each function of an object. Other than 0: tell no more.
 * @name: clean; valid during the call
 * @addr: as in the profile
 */
typedef int (*resolver_function)(const char *name, uint64_t addr, void *context);

/**
 * resolver_functions() - all functions that an object is known to have, hit or not. Those of the
 * kernel and of its modules are those of the kernel that runs.
 * -ENODATA: none are known, or their file is not to be had any more; or what @callback returned.
 */
int resolver_functions(struct resolver *resolver, uint32_t object, resolver_function callback,
		       void *context);

/**
 * resolver_fetch() - fetch an object's debug file with debuginfod-find, and give names, and
 * lines if they are wanted, to its frames in the profile that have none. May take minutes.
 * -ENODATA: the object has no build-id, or no frame without
 * a name. -ENOENT: not to be had; the reason is in @error_ret.
 */
int resolver_fetch(struct resolver *resolver, uint32_t object, struct text_error *error_ret);

/** resolver_counts() - valid until the next call. */
const struct resolver_counts *resolver_counts(struct resolver *resolver);

#endif
