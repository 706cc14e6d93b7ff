/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The target of `probe proc`: a task, the object whose addresses are shown, its symbols, and the
 * range of addresses.
 */
#ifndef TARGET_H
#define TARGET_H

#include "proc/places.h"
#include "run/task.h"
#include "slots.h"
#include "symbolizer.h"

/** Arguments as typed. Strings belong to the caller. */
struct target_request {
	const char *word;	/* TASK; NULL: the executable of the COMMAND */
	int all_of;		/* instead: all processes of this pid's executable; 0: not given */
	char **command;		/* NULL: none */
	const char *symbols;	/* file; NULL: the object's own */
	const char *map;	/* object; NULL: the executable or the core kernel */
	const char *low;	/* NULL: start of the object's code */
	const char *high;	/* NULL: end of the object's code */
	bool is_kernel;		/* kernel mode */
	bool is_plain;		/* symbols are needed only for -low and -high: no warnings */
};

struct target {
	struct task task;
	struct places places;
	struct sym_index *symbols;	/* NULL: none */
	struct slots_layout layout;
	u64 object_start;		/* address of the object's offset 0 */
	u64 code_low;			/* range of the object's code */
	u64 code_high;			/* exclusive */
	struct sym_image image;		/* the object's build-id and segments */
	int object_fd;			/* open on the object's file; -1: kernel, or no file */
	int object_pid;			/* a process that has the object mapped; 0: none known */
	const char *object_path;	/* the object's file; belongs to the target */
	char object[88];		/* name of the object, clean */
	bool is_exe;			/* the object is the executable or the core kernel */
	bool is_command_missing;	/* -ENOENT: the COMMAND's executable was not found */
};

/**
 * target_init() - find the task, its object, symbols and range. May print warnings about symbols on
 * stderr. -errno with a reason: @target needs no target_deinit().
 */
int target_init(struct target *target, const struct target_request *request,
		struct text_error *error_ret);

void target_deinit(struct target *target);

#endif
