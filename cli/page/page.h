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

/**
 * page_write() - the page of one kind around its data.
 * @put_data: writes one value of JSON, in which nothing may end a <script>: see page_data.h
 * 0, or the -errno of what could not be written.
 */
int page_write(FILE *out, enum page_kind kind, void (*put_data)(FILE *out, const void *context),
	       const void *context);

#endif
