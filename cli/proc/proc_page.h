/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page of `probe proc`: its report of JSON, drawn, and what only the report as text has: its
 * sentences and the headings of its histogram. See page.h.
 */
#ifndef PROC_PAGE_H
#define PROC_PAGE_H

#include "proc/proc_view.h"

/** What the page is of; all belongs to the caller. */
struct proc_page {
	const struct proc_report *report;
	const struct receipt *receipt;		/* NULL: not known */
	const struct sym_index *symbols;	/* NULL: none */
	const struct proc_view_options *options;
};

/** proc_page_write() - write it. @context: a struct proc_page. As export_page_write. */
int proc_page_write(FILE *out, const void *context);

#endif
