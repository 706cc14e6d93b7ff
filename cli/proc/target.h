/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `probe proc` measures: a task, the object of it whose addresses are shown,
 * that object's symbols, and the range of addresses.
 */
#ifndef TARGET_H
#define TARGET_H

#include "proc/places.h"
#include "run/task.h"
#include "slots.h"
#include "symbolizer.h"

/** What was asked for, as typed. Strings are the caller's. */
struct target_request {
	const char *word;	/* TASK; NULL: the executable of the COMMAND */
	int all_of;	/* instead of both: every process of what this pid runs; 0: not given */
	char **command;		/* NULL: none */
	const char *symbols;	/* file; NULL: the object's own */
	const char *map;	/* object; NULL: the executable, or the kernel proper */
	const char *low;	/* NULL: the object's code */
	const char *high;
	bool is_kernel;		/* kernel mode */
	bool is_plain;		/* symbols are wanted for -low and -high only */
};

struct target {
	struct task task;
	struct places places;
	struct sym_index *symbols;	/* NULL: none */
	struct slots_layout layout;
	uint64_t object_start;		/* address of the object's offset 0 */
	uint64_t code_low;		/* the object's code */
	uint64_t code_high;
	struct sym_image image;		/* of the object; its build-id and size */
	int object_fd;			/* open on its file; -1: it has none, or it is the kernel */
	int object_pid;			/* a process that has it mapped; 0: none known */
	const char *object_path;	/* of that file; belongs to the target */
	char object[88];		/* its name, clean */
	bool is_exe;			/* the executable, or the kernel proper */
	bool is_command_missing;	/* -ENOENT was about the COMMAND's executable */
};

/**
 * target_init() - find all of it. May print warnings about symbols on stderr.
 * On failure nothing needs target_deinit().
 */
int target_init(struct target *target, const struct target_request *request,
		struct text_error *error_ret);

void target_deinit(struct target *target);

#endif
