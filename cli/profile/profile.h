/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile: whole stacks with the samples that found them, by process. What the commands about
 * stacks show and the exports write; all of them read it, none changes it. Nothing in it is
 * an address without an owner: frames belong to functions, functions to objects, and what
 * stands for no code at all (an idle CPU, the end of a stack that could not be followed) is a
 * function of the object PROFILE_MARKS.
 *
 * Everything is known by its position in an array and found again when it is added a second
 * time. Names are clean: no control characters, valid UTF-8.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "cpuprobe.h"

#define PROFILE_NONE	INTERN_NONE

/** What an object is. */
enum profile_kind {
	PROFILE_MARKS = 0,	/* no code: see enum profile_mark */
	PROFILE_KERNEL = 1,
	PROFILE_MODULE = 2,	/* of the kernel */
	PROFILE_FILE = 3,	/* an executable or a library */
	PROFILE_VDSO = 4,
	PROFILE_JIT = 5,	/* code made at run time, named by a perf map file */
	PROFILE_ANON = 6,	/* code made at run time, not named */
	PROFILE_UNKNOWN = 7,	/* could not be told: its process was gone */
	PROFILE_KINDS = 8,
};

struct profile_object {
	uint32_t kind;		/* enum profile_kind */
	uint32_t build_id_len;	/* 0: not known */
	uint8_t build_id[32];
	const char *name;	/* short, as rows show it: libc.so.6, kernel, ext4 */
	const char *path;	/* "" where there is none */
};

struct profile_function {
	const char *name;
	uint32_t object;
	uint64_t addr;		/* link-time address of its first byte; 0: not known */
};

/** A place in a function: of a sample, or the return address of a call. */
struct profile_frame {
	uint32_t function;
	uint32_t line;		/* 0: not known */
	uint64_t addr;		/* link-time address; 0 for marks */
	const char *file;	/* source; "" where not known */
};

/** What stands in a stack for something that is no code. */
enum profile_mark {
	MARK_IDLE,		/* leaf: the CPU had nothing to do */
	MARK_SOFTIRQ,		/* root: softirq work, whatever it came on top of */
	MARK_IRQ,		/* root: work at the end of an interrupt */
	MARK_GUEST,		/* leaf: a virtual CPU */
	MARK_NO_FRAME_POINTER,	/* root: what called the function before is not to be had */
	MARK_TOO_DEEP,		/* root: more frames than the module takes */
	MARK_UNREADABLE,	/* root: the stack was not in memory */
	MARK_BROKEN,		/* root: the kernel's unwinder gave up */
	MARK_KERNEL,		/* leaf: somewhere in the kernel, which was not to be looked at */
	MARK_USER,		/* leaf: user code, likewise */
	PROFILE_MARK_COUNT,
};

/** Who ran. */
struct profile_process {
	uint32_t kind;	/* enum cpuprobe_kind: _PROCESS, _KTHREAD, _IDLE, _SOFTIRQ, _EXITING */
	uint32_t pid;		/* 0: idle, softirq */
	const char *name;	/* of its executable, kernel thread, or "IDLE" */
	const char *cgroup;	/* "" where not known */
};

/** Samples that found the same stack of the same process in the same mode. */
struct profile_stack {
	uint32_t process;
	uint32_t mode;		/* enum cpuprobe_mode */
	uint32_t first_frame;	/* position in frame_lists of the leaf; callers follow it */
	uint32_t nr_frames;	/* at least 1 */
	uint64_t hits;
	double ns;		/* time they stand for */
};

struct profile {
	struct profile_object *objects;		/* [0] is PROFILE_MARKS */
	uint32_t nr_objects;
	struct profile_function *functions;	/* the first PROFILE_MARK_COUNT are the marks */
	uint32_t nr_functions;
	struct profile_frame *frames;		/* likewise */
	uint32_t nr_frames;
	struct profile_process *processes;
	uint32_t nr_processes;
	struct profile_stack *stacks;
	uint32_t nr_stacks;
	uint32_t *frame_lists;			/* positions in frames */
	uint32_t frame_lists_len;

	uint32_t stacks_max;			/* 0: as many as there are */

	/* What became of all samples: hits of stacks + lost + other = taken. */
	uint64_t taken;
	uint64_t lost;		/* found no room in the module */
	uint64_t other;		/* of processes that were not asked for */
	double taken_ns;	/* time that all of them stand for */
	double lost_ns;
	double other_ns;

	/* how things are found again; for profile.c */
	char **strings;
	uint32_t nr_strings;
	struct intern string_index, object_index, function_index, frame_index, process_index,
		stack_index;
};

/** profile_create() - an empty profile, with its marks. NULL: out of memory. */
struct profile *profile_create(void);

/** profile_destroy() - NULL is allowed. */
void profile_destroy(struct profile *profile);

/*
 * Each returns the position of what is asked for, a new one if need be, or PROFILE_NONE when
 * memory is out. Texts are copied, cleaned and cut, the NUL included, to as many bytes as a
 * measurement finds: hostile files may have a megabyte, and name it often.
 */
#define PROFILE_NAME_MAX 512	/* of objects, functions and processes */
#define PROFILE_PATH_MAX 4096	/* of objects, source files and control groups */

/** profile_add_object() - found again by kind, path and name, and build-id. */
uint32_t profile_add_object(struct profile *profile, const struct profile_object *object);

/** profile_add_function() - found again by object, name and addr. */
uint32_t profile_add_function(struct profile *profile, const struct profile_function *function);

/** profile_add_frame() - found again by function, addr, line and file. */
uint32_t profile_add_frame(struct profile *profile, const struct profile_frame *frame);

/** profile_add_process() - found again by kind, pid and name. */
uint32_t profile_add_process(struct profile *profile, const struct profile_process *process);

/** profile_find_stack() - one that is there already, or PROFILE_NONE. See profile_get_stack(). */
uint32_t profile_find_stack(const struct profile *profile, uint32_t process, uint32_t mode,
			    const uint32_t *frames, uint32_t nr);

/**
 * profile_get_stack() - found by all that it is given; a new one has no samples.
 * @frames: positions, the leaf first; copied
 * @nr: 1 or more
 * PROFILE_NONE also when there are stacks_max already.
 */
uint32_t profile_get_stack(struct profile *profile, uint32_t process, uint32_t mode,
			   const uint32_t *frames, uint32_t nr);

/**
 * profile_add_stack() - count @hits samples of a stack that stand for @ns.
 * 0, or -ENOMEM, as profile_get_stack(). What became of all samples is the caller's to add up.
 */
int profile_add_stack(struct profile *profile, uint32_t process, uint32_t mode,
		      const uint32_t *frames, uint32_t nr, uint64_t hits, double ns);

/**
 * profile_forget_stacks() - all of them and what became of samples: positions of stacks mean
 * nothing any more, those of all else stay.
 */
void profile_forget_stacks(struct profile *profile);

/**
 * profile_extract() - the same code and processes with other counts.
 * @hits, @ns: of each of the stacks; those without hits are left out
 * Totals are zero. NULL: out of memory.
 */
struct profile *profile_extract(const struct profile *profile, const uint64_t *hits,
				const double *ns);

/** profile_mark() - position of the frame of a mark. */
static inline uint32_t profile_mark(enum profile_mark mark)
{
	return mark;
}

/** profile_is_mark() - whether a frame is one of no code. */
static inline bool profile_is_mark(uint32_t frame)
{
	return frame < PROFILE_MARK_COUNT;
}

/** profile_function_of() - the function of a frame. */
static inline const struct profile_function *profile_function_of(const struct profile *profile,
								   uint32_t frame)
{
	return &profile->functions[profile->frames[frame].function];
}

/** profile_frames_of() - the frames of a stack, the leaf first. Valid until the next is added. */
static inline const uint32_t *profile_frames_of(const struct profile *profile,
						const struct profile_stack *stack)
{
	return profile->frame_lists + stack->first_frame;
}

#endif
