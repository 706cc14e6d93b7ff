/* SPDX-License-Identifier: GPL-2.0-only */
/* The page of `probe sys`: its report of JSON, drawn. See page.h. */
#ifndef SYS_PAGE_H
#define SYS_PAGE_H

#include "run/receipt.h"
#include "sys/table_view.h"

/** What the page is of; all belongs to the caller. Samples have been taken. */
struct sys_page {
	const struct fold *fold;
	const struct run_result *result;
	const struct receipt *receipt;		/* NULL: not known */
	const struct table_options *options;
};

/** sys_page_write() - write it. @context: a struct sys_page. As export_page_write. */
int sys_page_write(FILE *out, const void *context);

#endif
