/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Choosing kernel functions by name. A function may have several names at one address; it is chosen
 * by any of them. Only ftrace knows which functions can be hooked: the module asks it.
 */
#ifndef HOOKABLE_H
#define HOOKABLE_H

#include <stddef.h>

#include "base/text.h"
#include "types.h"

/** A name of a kernel function. */
struct hookable {
	u64 address;
	const char *name;
	const char *module;	/* "": the kernel itself */
};

/** Names by ascending address. */
struct hookables {
	struct hookable *list;
	u32 nr;
	char *texts;
	const char *file;	/* base name of the program's file, the caller's; NULL: the kernel */
};

/**
 * hookables_read() - read the names of all functions.
 * @path: "/proc/kallsyms", or a file like it
 * -EACCES: the kernel hides its addresses. -errno with a reason.
 */
int hookables_read(struct hookables *all, const char *path, struct text_error *error_ret);

/**
 * hookables_choose() - keep the functions that globs choose, each with one name.
 * @globs: separated by commas: "vfs_*,!vfs_read,ext4:*". "!": leave these out. "MODULE:": only
 *	functions of that module; "kernel:": only those of the kernel itself
 * -ENOENT: a glob matches nothing; the hint has the nearest name. -EINVAL: nothing is chosen.
 */
int hookables_choose(struct hookables *all, const char *globs, struct text_error *error_ret);

void hookables_deinit(struct hookables *all);

#endif
