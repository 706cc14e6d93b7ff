/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of source files. What debug information calls a source may be any file at all: only
 * plain files are read, and only those that whoever runs the program could have read too.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The file read last. Zero-initialised by its owner, who calls source_deinit(). */
struct source {
	/* set by the owner: when the program was made; newer files are others */
	uint64_t changed_ns;
	uint32_t owner;		/* likewise: the user to whom it belongs */
	char *path;
	char *text;		/* NULL: it cannot be had */
	size_t len;
	unsigned int nr_newer;	/* files that are newer than the program */
};

/**
 * source_line() - line @line of @path, from 1 on, without blanks around it, into @text; clean.
 * False: it is not there, or not to be read.
 */
bool source_line(struct source *source, const char *path, uint32_t line, char *text, size_t len);

/** source_deinit() - free what it holds. */
void source_deinit(struct source *source);

#endif
