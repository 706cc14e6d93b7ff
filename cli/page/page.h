/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pages of -html, one for each kind of report: one file each, which needs nothing else. All
 * have one frame, one style and one way to write numbers; they are in cli/page, and what is
 * written here is their data.
 */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

enum page_kind {
	PAGE_STACKS,	/* flame graph, functions, call graph */
	PAGE_PROC,	/* histogram of one task */
	PAGE_SYS,	/* system table */
};

/** page_data - write the data of a page, what @context is, as one value of JSON; 0 or -errno. */
typedef int (*page_data)(FILE *out, const void *context);

/**
 * page_write() - the page of one kind around its data.
 * 0, or -errno: that of @put_data, and nothing is written; or of what could not be written.
 */
int page_write(FILE *out, enum page_kind kind, page_data put_data, const void *context);

/** page_json() - write JSON so that nothing in its strings ends a <script> or begins a comment. */
void page_json(FILE *out, const char *json);

#endif
