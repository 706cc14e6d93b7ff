/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pages of -html, one for each kind of report. A page is a single file that needs no other
 * file. All pages share a frame, a style and the formatting of numbers, from cli/page/assets; the
 * commands add the data.
 */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

enum page_kind {
	PAGE_STACKS,	/* flame graph, functions, call graph */
	PAGE_PROC,	/* histogram of one task */
	PAGE_SYS,	/* system table */
	PAGE_TRACE,	/* timeline */
};

/** page_data - write the data of a page about @context as one JSON value; 0 or -errno. */
typedef int (*page_data)(FILE *out, const void *context);

/**
 * page_write() - write a page of @kind with its data.
 * 0 or -errno. If @put_data fails, its error is returned and nothing is written.
 */
int page_write(FILE *out, enum page_kind kind, page_data put_data, const void *context);

/** page_json() - write JSON; its strings are escaped so that none ends a <script> or is markup. */
void page_json(FILE *out, const char *json);

#endif
