/* SPDX-License-Identifier: GPL-2.0-only */
/* HTML page of `probe sys`, drawn from its JSON report. See page.h. */
#ifndef SYS_PAGE_H
#define SYS_PAGE_H

#include "run/receipt.h"
#include "sys/table_view.h"

/** Input of the page; everything belongs to the caller. The fold has samples. */
struct sys_page {
	const struct fold *fold;
	const struct run_result *result;
	const struct receipt *receipt;		/* NULL: not known */
	const struct table_events *others;	/* NULL: there is one event, or time */
	const struct table_options *options;
};

/** sys_page_write() - write the page, as an export_page_write. @context: a struct sys_page */
int sys_page_write(FILE *out, const void *context);

#endif
