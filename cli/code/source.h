/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of source files. Debug information is untrusted and may name any file as a source: only a
 * regular file is read, and only if it is readable by everybody or belongs to the program's owner.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

/** The file read last. The caller sets the first two members, and zeroes the others. */
struct source {
	u64 changed_ns;		/* modification time of the program; newer sources are ignored */
	u32 owner;		/* user ID of the program's owner */
	char *path;
	char *text;		/* NULL: unavailable */
	size_t len;
	unsigned int nr_newer;	/* number of files ignored because they are newer */
};

/**
 * source_line() - copy a line of a file to @text: clean, without surrounding blanks.
 * @line: number of the line, from 1
 * False: no such line, or the file may not be read.
 */
bool source_line(struct source *source, const char *path, u32 line, char *text, size_t len);

/** source_deinit() - free all that @source holds. */
void source_deinit(struct source *source);

#endif
