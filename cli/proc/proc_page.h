/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The HTML page of `probe proc`: draws the JSON report, with the sentences and the headings of the
 * histogram, which only the text report has. See page.h.
 */
#ifndef PROC_PAGE_H
#define PROC_PAGE_H

#include "proc/proc_view.h"

/** Contents of the page; everything belongs to the caller. */
struct proc_page {
	const struct proc_report *report;
	const struct receipt *receipt;		/* NULL: none */
	const struct sym_index *symbols;	/* NULL: none */
	const struct proc_view_options *options;
};

/** proc_page_write() - write the page: an export_page_write. @context: a struct proc_page. */
int proc_page_write(FILE *out, const void *context);

#endif
