/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file being written: beside its final name, until it is whole. What was there stays until then.
 */
#ifndef OUTFILE_H
#define OUTFILE_H

#include <stdio.h>

#include "base/text.h"

/** All zero: closed. */
struct outfile {
	FILE *file;		/* NULL: closed */
	const char *path;	/* the caller's */
	char temporary[512];	/* "" where the path is no regular file, written directly */
};

/** outfile_open() - before what is to be written is known, so that what is wrong shows in time. */
int outfile_open(struct outfile *out, const char *path, struct text_error *error_ret);

/** outfile_commit() - finish, and give the file its name. -EIO, and nothing is left of it. */
int outfile_commit(struct outfile *out, struct text_error *error_ret);

/** outfile_abandon() - close and remove what was not committed. May be called in any state. */
void outfile_abandon(struct outfile *out);

#endif
