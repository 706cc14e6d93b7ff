/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns addresses into frames of the profile: finds what a process had mapped at an address, and
 * the function there. A resolver lives as long as a measurement. Calls at each harvest:
 *	resolver_events()			follow events since the last harvest
 *	resolver_see()				each process of the harvest
 *	resolver_user_frame(), _kernel_frame()	each address of its stacks, the leaf first
 *
 * Mappings are used as they are at the harvest: if the mapping at an address changed after a
 * sample, the newer mapping is reported. A mapping that was removed is remembered.
 *
 * Memory is bounded: see files.h, spaces.h, binaries.h, jits.h and sideband.h, plus 1.5 MB for the
 * cache of resolved addresses. Additions to the profile belong to the profile.
 *
 * Functions that return a frame return PROFILE_NONE when out of memory. Single-threaded.
 */
#ifndef RESOLVER_H
#define RESOLVER_H

#include "base/text.h"
#include "profile/profile.h"

/** Whether functions that the compiler inlined become frames of their own. */
enum resolver_inline {
	RESOLVER_INLINE_NO,
	RESOLVER_INLINE_CHEAP,	/* files of root or the user, with little debug information */
	RESOLVER_INLINE_ALL,
};

struct resolver_options {
	bool lines;		/* find source lines too */
	enum resolver_inline inlined;
	bool cgroups;		/* find the control groups of processes */
	bool sideband;		/* follow processes by the kernel's events, if allowed */
	u64 names_max;		/* bytes of symbols of open files that are kept; 0: BINARIES_NAMES_MAX */
	/* Keep a sixth of the memory of symbols: without .lines, .inlined and resolver_functions(). */
	bool is_compact;

	const char *vmlinux;	/* debug information of the running kernel; NULL: none */

	/* for tests; NULL: the default */
	const char *debug_root;	/* first root for debug files */
	const char *kallsyms;	/* instead of /proc/kallsyms */
	const char *modules;	/* instead of /proc/modules */
	const char *notes;	/* instead of /sys/kernel/notes */
};

/** Why the object of an address is unknown: "object unknown (exited)". */
enum resolver_unknown {
	RESOLVER_EXITED,	/* its process ended before it could be examined */
	RESOLVER_DENIED,	/* its process may not be examined */
	RESOLVER_UNMAPPED,	/* nothing is mapped there any more */
	RESOLVER_NO_ROOM,	/* more files than FILES_MAX */
	RESOLVER_REPLACED,	/* other code took its place while it was sampled */
	RESOLVER_UNKNOWNS,
};

/** How the address of a frame was found. */
enum resolver_found {
	RESOLVER_AT,		/* the instruction itself: sampled, or interrupted by a signal */
	RESOLVER_RETURN,	/* a return address found by frame pointers: must follow a call */
	RESOLVER_CALLER,	/* a return address found by call frame information: believed */
	RESOLVER_SYSCALL,	/* where a system call returns to: believed */
};

/** Counts of problems since the resolver was created. */
struct resolver_counts {
	u64 unknown[RESOLVER_UNKNOWNS];		/* frames of unknown objects, each time */
	u64 no_call;		/* return addresses outside code or not after a call */
	u64 unchecked;		/* return addresses whose code was unreadable: believed */
	u64 events_lost;	/* by the kernel: the rings were full */
	u64 spaces_left_out;		/* mappings and processes that found no room */
	u64 files_unread;	/* files of code that could not be opened: their functions have no names */
	u64 debug_left_out;	/* files whose debug information RESOLVER_INLINE_CHEAP left out */
	u64 jits_refused;	/* perf maps not owned by the process's user or root, or refused by the kernel */
	u64 jits_odd;		/* malformed lines of perf maps */
	u64 jits_overwritten;		/* functions of perf maps replaced by a later line */
};

struct resolver;

/**
 * resolver_create() - create a resolver that adds frames to @profile. The profile and the strings
 * of the options must outlive it. Only a vmlinux is read yet. NULL: out of memory, or the vmlinux is
 * not that of the running kernel; @error_ret is filled.
 */
struct resolver *resolver_create(struct profile *profile, const struct resolver_options *options,
				 struct text_error *error_ret);

/** resolver_destroy() - NULL is allowed. */
void resolver_destroy(struct resolver *resolver);

/**
 * resolver_begin() - before sampling: read kernel symbols and, if asked for, open process events.
 * Without events, processes are known only as /proc shows them when they are seen.
 */
void resolver_begin(struct resolver *resolver);

/** resolver_note() - one line that says why there are no process events; "": there are. */
const char *resolver_note(const struct resolver *resolver);

/** resolver_renew() - go on with another profile. Symbols, mappings and processes stay known. */
void resolver_renew(struct resolver *resolver, struct profile *profile);

/** resolver_fd() - descriptor, readable when resolver_follow() should be called; -1: none. */
int resolver_fd(const struct resolver *resolver);

/** resolver_events() - begin a new harvest and read the process events since the last one. */
void resolver_events(struct resolver *resolver);

/** resolver_follow() - read the process events since the last reading, without a new harvest. */
void resolver_follow(struct resolver *resolver);

/**
 * resolver_keep() - choose for how many harvests an address space is kept after its end. Needed are those that
 * can still bring a sample of it.
 */
void resolver_keep(struct resolver *resolver, u32 nr_harvests);

/**
 * resolver_see() - examine a process that a harvest found.
 * @pid: in the initial pid namespace
 * @space: bottom of its stack, mm->start_stack: distinguishes address spaces of one pid
 * @exe_fd: descriptor of its executable, which the caller keeps; -1: none
 * @code_start: mm->start_code, the start of the executable's code; 0: unknown. If the process is
 *	gone and its events were not followed, only this mapping can be known
 *
 * A known process costs almost nothing.
 */
void resolver_see(struct resolver *resolver, int pid, u64 space, int exe_fd, u64 code_start);

/**
 * resolver_cgroup() - path of the control group of a process that was seen, as /proc tells it; "": unknown. A
 * process that ended before it was seen has the group of its nearest ancestor that still runs.
 */
const char *resolver_cgroup(struct resolver *resolver, int pid, u64 space);

/** resolver_trim_cgroups() - forget control groups if there are many: a long measurement meets ever new ones. */
void resolver_trim_cgroups(struct resolver *resolver);

/**
 * resolver_user_frame() - resolve an address of a process.
 * @found: the frame of a return address, or of a system call's, is that of the instruction before it. An
 *	exception is code that a signal handler returns to, if found with RESOLVER_CALLER
 * @is_code_ret: false: the address is outside code or does not follow a call, with RESOLVER_RETURN.
 *	The stack ends before it, and MARK_NO_FRAME_POINTER is returned
 *
 * Frames of unknown objects have the address 0: there is one frame per reason.
 */
u32 resolver_user_frame(struct resolver *resolver, int pid, u64 id, u64 addr,
			enum resolver_found found, bool *is_code_ret);

/**
 * resolver_known_frames() - resolve the first ones of @nr addresses, as long as they were resolved before.
 * It ends before an address with inlined functions, before code that a signal handler returns to, and
 * before what is no code. Returns the number of frames.
 */
u32 resolver_known_frames(struct resolver *resolver, int pid, u64 id, const u64 *addrs, u32 nr,
			  enum resolver_found found, u32 *frames_ret);

/**
 * resolver_is_signal() - whether a frame that was found with RESOLVER_CALLER is the code that a signal
 * handler returns to: the next frame is the interrupted instruction, not a return address.
 */
bool resolver_is_signal(const struct resolver *resolver, u32 frame);

#define RESOLVER_INLINED_MAX	32	/* SYM_INLINED_MAX */

/**
 * resolver_inlined() - get the inlined functions at the address that was resolved last, the
 * innermost first. Their frames come before the frame of that address. Returns their number.
 */
u32 resolver_inlined(const struct resolver *resolver, u32 list[RESOLVER_INLINED_MAX]);

/**
 * resolver_kernel_frame() - resolve a kernel address. Addresses in the profile count from the start
 * of the kernel's or module's text. If the kernel hides its addresses, the result is MARK_KERNEL;
 * only the leaf is then worth keeping.
 */
u32 resolver_kernel_frame(struct resolver *resolver, u64 addr, bool is_return);

/** resolver_is_irq_entry() - whether a frame is the first of an interrupt in the kernel. */
bool resolver_is_irq_entry(const struct resolver *resolver, u32 frame);

/** resolver_is_softirq_entry() - whether a frame's function runs softirqs. */
bool resolver_is_softirq_entry(const struct resolver *resolver, u32 frame);

/** resolver_is_unknown() - whether a frame's object is unknown. */
bool resolver_is_unknown(const struct resolver *resolver, u32 frame);

/**
 * resolver_function - called for each function of an object. A result other than 0 ends the list.
 */
typedef int (*resolver_function)(const char *name, u64 addr, void *context);

/**
 * resolver_functions() - list all known functions of an object, sampled or not. Functions of the
 * kernel and its modules are read from the running kernel. Returns what @callback returned.
 * -ENODATA: no functions are known, or the file is gone.
 */
int resolver_functions(struct resolver *resolver, u32 object, resolver_function callback,
		       void *context);

/**
 * resolver_fetch() - fetch an object's debug file with debuginfod-find. Gives names (and source
 * lines, if wanted) to frames of nameless functions: see nameless.h. May take minutes. -ENODATA: the
 * object has no build-id, or no frame without a name. -ENOENT: no usable debug file; the reason is in
 * @error_ret.
 */
int resolver_fetch(struct resolver *resolver, u32 object, struct text_error *error_ret);

/** resolver_counts() - get the counts. Valid until the next call. */
const struct resolver_counts *resolver_counts(struct resolver *resolver);

#endif
