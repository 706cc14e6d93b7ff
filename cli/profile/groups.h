/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups of functions by patterns for their names: copying, locking, IPC. Example of a groups file:
 *
 *	# a comment
 *	[copying]
 *	memcpy*
 *	kernel:copy_*_user*
 *	[locking]
 *	*mutex*
 *
 * A pattern is a shell glob for the whole function name, or a glob for the object, a single ':' and
 * a glob for the function. The "::" of C++ is part of a name. The first matching pattern in the
 * file decides the group. A heading may occur several times.
 */
#ifndef GROUPS_H
#define GROUPS_H

#include <stdio.h>

#include "base/text.h"
#include "types.h"

#define GROUPS_NONE		UINT32_MAX
#define GROUPS_MAX		1000
#define GROUPS_PATTERNS_MAX	100000

struct groups;

/**
 * groups_read() - read groups from a file.
 * @name: name of the file, for messages, which also state the line number
 * NULL and a reason: invalid contents, read error, or out of memory.
 */
struct groups *groups_read(FILE *in, const char *name, struct text_error *error_ret);

/** groups_read_file() - groups_read() from the file @path. -errno with a reason. */
int groups_read_file(const char *path, struct groups **groups_ret, struct text_error *error_ret);

/** groups_destroy() - NULL is allowed. */
void groups_destroy(struct groups *groups);

/** groups_nr() - number of groups, at least one. */
u32 groups_nr(const struct groups *groups);

/** groups_name() - name of the group at @position, clean and not empty. */
const char *groups_name(const struct groups *groups, u32 position);

/** groups_match() - find the group of a function: its position, or GROUPS_NONE. O(patterns). */
u32 groups_match(const struct groups *groups, const char *object, const char *function);

#endif
