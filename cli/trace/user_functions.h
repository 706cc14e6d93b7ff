/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Choosing functions of programs and libraries by name, for -ufn. An object is a path, or the name of a file
 * that the chosen task has mapped as code.
 */
#ifndef USER_FUNCTIONS_H
#define USER_FUNCTIONS_H

#include "calls/hookable.h"
#include "cpuprobe.h"
#include "run/task.h"

#define USER_CHOICES_MAX	32

/** Values of -ufn, "OBJECT:GLOBS"; strings are the caller's. */
struct user_choices {
	const char *text[USER_CHOICES_MAX];
	u32 nr;
	bool may_unwind;	/* files whose code uses exceptions too */
};

/** A file with its chosen functions. */
struct user_object {
	char *path;
	char root[32];			/* root directory of the path, "/proc/PID/root"; "": ours */
	int fd;
	struct sym_image image;
	struct hookables functions;	/* by link-time address */
};

/** Begins as all zeros. */
struct user_functions {
	struct user_object *objects;
	u32 nr_objects;
	struct cpuprobe_user_function *asked;	/* of all objects in order, with the module's answer */
	u32 nr;
};

/**
 * user_functions_choose() - find the objects and their functions.
 * @task: finds objects by name; NULL: only the tool's own libraries are
 * -errno with a reason: user_functions_deinit() all the same.
 */
int user_functions_choose(struct user_functions *functions, const struct user_choices *choices,
			  const struct task *task, struct text_error *error_ret);

/** user_functions_at() - a chosen function; *@object_ret is its file. */
const struct hookable *user_functions_at(const struct user_functions *functions, u32 at,
					 const struct user_object **object_ret);

/** user_functions_find() - position of the only function with a name; UINT32_MAX: none, or several. */
u32 user_functions_find(const struct user_functions *functions, const char *name);

/** user_functions_tell_refused() - say on stderr which functions cannot be hooked, once it has begun. */
void user_functions_tell_refused(const struct user_functions *functions);

void user_functions_deinit(struct user_functions *functions);

#endif
