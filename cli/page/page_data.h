/* SPDX-License-Identifier: GPL-2.0-only */
/* What the data of all pages have, as JSON: see page_write(). */
#ifndef PAGE_DATA_H
#define PAGE_DATA_H

#include <stdint.h>
#include <stdio.h>

#include "base/columns.h"
#include "run/receipt.h"
#include "run/run_result.h"

/** page_number() - write a number; what is none, or has no end, is 0. */
void page_number(FILE *out, double value);

/** page_print - print a text about @context. */
typedef void (*page_print)(FILE *out, const void *context);

/**
 * page_printed() - write as a string literal what @print prints.
 * @is_line: only its first line
 * -ENOMEM, and the string is empty.
 */
int page_printed(FILE *out, page_print print, const void *context, bool is_line);

/**
 * page_begin() - write "{" and what every page tells of its run; more is to follow, each
 * with a comma before it, then "}".
 * @taken: samples the intervals are of
 * @receipt: NULL: not known
 */
void page_begin(FILE *out, const struct run_result *result, uint64_t taken,
		const struct receipt *receipt);

/** page_output() - write what 100% is, and which interval: ',"scale":...,"ci":...'. */
void page_output(FILE *out, const struct output_options *output, const struct run_result *result);

/** page_columns() - write what columns are called, and are: ',"NAME":{KEY:[TITLE,HELP],...}'. */
void page_columns(FILE *out, const char *name, const struct column_list *list);

#endif
