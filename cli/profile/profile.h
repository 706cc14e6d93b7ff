/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile: whole stacks with their numbers of samples, by process. Commands show profiles and
 * exports write them; neither changes them. Every address has an owner: a frame belongs to a
 * function, a function to an object. Marks stand for something that is not code (an idle CPU, the
 * end of a stack that could not be followed): they are functions of the object PROFILE_MARKS.
 *
 * Each entry is identified by its position in an array; adding it again returns the same position.
 * Names are clean: valid UTF-8 without control characters.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/intern.h"
#include "cpuprobe.h"
#include "types.h"

#define PROFILE_NONE	INTERN_NONE

/** Kind of an object. */
enum profile_kind {
	PROFILE_MARKS = 0,	/* no code: see enum profile_mark */
	PROFILE_KERNEL = 1,
	PROFILE_MODULE = 2,	/* kernel module */
	PROFILE_FILE = 3,	/* an executable or a library */
	PROFILE_VDSO = 4,
	PROFILE_JIT = 5,	/* code generated at run time, named by a perf map file */
	PROFILE_ANON = 6,	/* code generated at run time, without names */
	PROFILE_UNKNOWN = 7,	/* could not be determined, mostly as its process was gone */
	PROFILE_KINDS = 8,
};

struct profile_object {
	u32 kind;		/* enum profile_kind */
	u32 build_id_len;	/* 0: unknown */
	u8 build_id[32];
	const char *name;	/* short, for rows: libc.so.6, kernel, ext4 */
	const char *path;	/* "": none */
};

struct profile_function {
	const char *name;
	u32 object;
	u64 addr;		/* link-time address of its first byte; 0: unknown */
};

/** An address in a function: of a sample, or the return address of a call. */
struct profile_frame {
	u32 function;
	u32 line;		/* 0: unknown */
	u64 addr;		/* link-time address; 0 for marks */
	const char *file;	/* source file; "": unknown */
	/*
	 * The function was inlined: it has no call of its own. In a stack its caller follows, with
	 * the same address. The source is that of the call in it, if it is not the innermost.
	 */
	bool is_inlined;
};

/** Entries of a stack that are not code. */
enum profile_mark {
	MARK_IDLE,		/* leaf: the CPU had nothing to do */
	MARK_SOFTIRQ,		/* root: softirq work, whatever was interrupted */
	MARK_IRQ,		/* root: work at the end of an interrupt */
	MARK_GUEST,		/* leaf: a virtual CPU */
	MARK_NO_FRAME_POINTER,	/* root: the caller cannot be determined */
	MARK_TOO_DEEP,		/* root: more frames than the module takes */
	MARK_UNREADABLE,	/* root: the stack was not in memory */
	MARK_BROKEN,		/* root: the kernel's unwinder gave up */
	MARK_KERNEL,		/* leaf: kernel code that was not examined */
	MARK_USER,		/* leaf: user code that was not examined */
	MARK_NO_TABLE,		/* root: no unwinding table for the code, or none yet */
	MARK_UNSUPPORTED,	/* root: an unwinding rule that tables cannot express */
	MARK_GENERATED,		/* root: code in no file */
	MARK_OUTSIDE,		/* root: an unwinding rule led out of the stack */
	MARK_32BIT,		/* root: 32-bit code is not followed */
	MARK_CUT,		/* root: callers were not asked for */
	PROFILE_MARK_COUNT,
};

/** A process, or the pseudo-process of idle or softirq time. */
struct profile_process {
	u32 kind;	/* enum cpuprobe_kind: _PROCESS, _KTHREAD, _IDLE, _SOFTIRQ, _EXITING */
	u32 pid;		/* 0: idle, softirq */
	const char *name;	/* its executable or kernel thread, or "IDLE" */
	const char *cgroup;	/* "": unknown */
};

/** Samples with the same stack, process and mode. */
struct profile_stack {
	u32 process;
	u32 mode;		/* enum cpuprobe_mode */
	u32 first_frame;	/* position of the leaf in frame_lists, before its callers */
	u32 nr_frames;		/* at least 1 */
	u64 hits;
	double ns;		/* time that they represent, or events: see counts_events */
};

struct profile {
	struct profile_object *objects;		/* [0] is PROFILE_MARKS */
	u32 nr_objects;
	struct profile_function *functions;	/* the first PROFILE_MARK_COUNT are the marks */
	u32 nr_functions;
	struct profile_frame *frames;		/* the first PROFILE_MARK_COUNT are the marks */
	u32 nr_frames;
	struct profile_process *processes;
	u32 nr_processes;
	struct profile_stack *stacks;
	u32 nr_stacks;
	u32 *frame_lists;			/* positions in frames */
	u32 frame_lists_len;

	u32 stacks_max;				/* 0: no limit */

	/* Totals. Hits of all stacks + lost + other = taken. */
	u64 taken;
	double excess;		/* of these samples, as in stat.h */
	bool counts_events;	/* samples are of an event: all members in ns count events instead */
	u64 lost;		/* found no room in the module */
	u64 other;		/* samples of processes other than the target */
	double taken_ns;	/* time that all samples taken represent */
	double lost_ns;
	double other_ns;

	/* indexes and texts, for profile.c */
	char **strings;
	u32 nr_strings;
	struct intern string_index, object_index, function_index, frame_index, process_index,
		stack_index;
};

/** profile_create() - create an empty profile with its marks. NULL: out of memory. */
struct profile *profile_create(void);

/** profile_destroy() - NULL is allowed. */
void profile_destroy(struct profile *profile);

/*
 * Functions that add return the position of the entry, which is new or existed before;
 * PROFILE_NONE: out of memory. Texts are copied, cleaned and cut to these lengths in bytes,
 * including the NUL: a hostile file may have names of a megabyte, and use them often.
 */
#define PROFILE_NAME_MAX 512	/* names of objects, functions and processes */
#define PROFILE_PATH_MAX 4096	/* paths of objects, source files, control groups */

/** profile_add_object() - add an object, identified by kind, path, name and build-id. */
u32 profile_add_object(struct profile *profile, const struct profile_object *object);

/** profile_add_function() - add a function, identified by object, name and addr. */
u32 profile_add_function(struct profile *profile, const struct profile_function *function);

/** profile_add_frame() - add a frame, identified by all its members. */
u32 profile_add_frame(struct profile *profile, const struct profile_frame *frame);

/** profile_add_process() - add a process, identified by all its members. */
u32 profile_add_process(struct profile *profile, const struct profile_process *process);

/** profile_find_stack() - find an existing stack, as profile_get_stack(). PROFILE_NONE: none. */
u32 profile_find_stack(const struct profile *profile, u32 process, u32 mode, const u32 *frames,
		       u32 nr);

/**
 * profile_get_stack() - find or add a stack, identified by all parameters. A new one has no hits.
 * @frames: positions, the leaf first; copied
 * @nr: at least 1
 *
 * Returns PROFILE_NONE also if there are stacks_max stacks already.
 */
u32 profile_get_stack(struct profile *profile, u32 process, u32 mode, const u32 *frames, u32 nr);

/**
 * profile_add_stack() - add @hits samples, which represent @ns, to a stack as profile_get_stack()
 * finds it. The caller updates the profile's totals. Returns 0 or -ENOMEM.
 */
int profile_add_stack(struct profile *profile, u32 process, u32 mode, const u32 *frames, u32 nr,
		      u64 hits, double ns);

/**
 * profile_forget_stacks() - drop all stacks and totals. Positions of stacks become invalid, all
 * other positions stay valid.
 */
void profile_forget_stacks(struct profile *profile);

/**
 * profile_extract() - copy a profile with other counts.
 * @hits, @ns: per stack; stacks without hits are left out; the copy has no totals
 * NULL: out of memory.
 */
struct profile *profile_extract(const struct profile *profile, const u64 *hits, const double *ns);

/** profile_copy_totals() - give @copy, which has the same samples, the totals of a profile. */
void profile_copy_totals(struct profile *copy, const struct profile *profile);

/** profile_mark() - get the position of a mark's frame. */
static inline u32 profile_mark(enum profile_mark mark)
{
	return mark;
}

/** profile_is_mark() - whether a frame is a mark. */
static inline bool profile_is_mark(u32 frame)
{
	return frame < PROFILE_MARK_COUNT;
}

/** profile_function_of() - get the function of a frame. */
static inline const struct profile_function *
profile_function_of(const struct profile *profile, u32 frame)
{
	return &profile->functions[profile->frames[frame].function];
}

/** profile_frames_of() - get a stack's frames, the leaf first. Valid until a stack is added. */
static inline const u32 *
profile_frames_of(const struct profile *profile, const struct profile_stack *stack)
{
	return profile->frame_lists + stack->first_frame;
}

#endif
