/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups of functions, by patterns on their names: copying, locking, IPC. A file of them is
 *
 *	# a comment
 *	[copying]
 *	memcpy*
 *	kernel:copy_*_user*
 *	[locking]
 *	*mutex*
 *
 * A pattern is a glob, as the shell has them, on the function's whole name, or one on the
 * object's, a single ':' and one on the function's. The "::" of C++ is part of a name. The first
 * pattern of the file that fits says the group. A heading may come again.
 */
#ifndef GROUPS_H
#define GROUPS_H

#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

#define GROUPS_NONE		UINT32_MAX
#define GROUPS_MAX		1000
#define GROUPS_PATTERNS_MAX	100000

struct groups;

/**
 * groups_read() - the groups of a file.
 * @name: of the file, for messages, which have the number of the line
 * NULL and a reason: something in it makes no sense, it cannot be read, no memory.
 */
struct groups *groups_read(FILE *in, const char *name, struct text_error *error_ret);

/** groups_destroy() - NULL is allowed. */
void groups_destroy(struct groups *groups);

/** groups_nr() - how many groups there are, at least one. */
uint32_t groups_nr(const struct groups *groups);

/** groups_name() - of the group at @position, clean, never empty. */
const char *groups_name(const struct groups *groups, uint32_t position);

/** groups_match() - position of the group of a function, or GROUPS_NONE. O(patterns). */
uint32_t groups_match(const struct groups *groups, const char *object, const char *function);

#endif
