/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs of other users, for root: in the directories that control_directory() makes for users and services.
 * Others write these directories: a socket counts only if it is its directory's owner's, and so does whoever
 * answers at it. A file whose name is not that of a run is none: others choose the names, and root sees them.
 */
#ifndef OTHERS_H
#define OTHERS_H

#include <stdio.h>
#include <sys/types.h>

#include "base/text.h"

#define OTHERS_USER_LEN	64	/* bytes of a user's name or number, with its NUL */

/** A run of another user. */
struct other_run {
	char user[OTHERS_USER_LEN];	/* name, or number */
	char name[64];
	char directory[256];
	uid_t uid;
};

/**
 * others_each() - call @found for each run of another user, by name of directory, until it returns other than 0,
 * which is returned.
 * @root: prefix of every path; "" except in tests
 */
int others_each(const char *root, int (*found)(void *context, const struct other_run *run), void *context);

/**
 * others_find() - find the run of another user.
 * @name: "NAME", or "USER/NAME" with a name or number of a user
 * -ENOENT: there is none. -EEXIST: several users have one; @error_ret says who.
 */
int others_find(const char *root, const char *name, struct other_run *run_ret, struct text_error *error_ret);

#endif
