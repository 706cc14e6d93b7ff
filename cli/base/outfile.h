/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file being written, under a temporary name until it is complete. An existing file stays until
 * then.
 */
#ifndef OUTFILE_H
#define OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"

/** All zero: closed. */
struct outfile {
	FILE *file;		/* NULL: closed */
	const char *path;	/* owned by the caller */
	bool is_volatile;	/* may be lost when the machine fails: the disk is not waited for */
	char *target;		/* final name, with links followed; NULL: the path is written directly */
	char *temporary;	/* name until the file is complete; NULL: the path is written directly */
	bool has_name;		/* the temporary one; before it is complete, only if the file system demands it */
};

/**
 * outfile_open() - open the file, before there is anything to write so that errors show early. A link stays: the
 * file that it names is replaced. Pipes, devices and what links of /proc lead to, as /dev/stdout does, are opened and
 * truncated instead. -errno.
 */
int outfile_open(struct outfile *out, const char *path, struct text_error *error_ret);

/** outfile_is_same() - whether two paths, of files that need not exist, name the same file. */
bool outfile_is_same(const char *a, const char *b);

/** outfile_error() - flush the file; returns the errno of writing it so far, or 0. */
int outfile_error(const struct outfile *out);

/** outfile_commit() - finish the file and give it its final name. -EIO: the file was removed. */
int outfile_commit(struct outfile *out, struct text_error *error_ret);

/** outfile_abandon() - close and remove an uncommitted file. May be called in any state. */
void outfile_abandon(struct outfile *out);

#endif
