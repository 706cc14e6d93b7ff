/* SPDX-License-Identifier: GPL-2.0-only */
/* Data that all pages share, as JSON: see page_write(). */
#ifndef PAGE_DATA_H
#define PAGE_DATA_H

#include <stdio.h>

#include "base/columns.h"
#include "run/receipt.h"
#include "run/run_result.h"
#include "types.h"

/** page_number() - write a number; NaN and infinity become 0. */
void page_number(FILE *out, double value);

/** page_print - print a text about @context. */
typedef void (*page_print)(FILE *out, const void *context);

/**
 * page_printed() - write the output of @print as a string literal.
 * @is_line: write all lines as one, with blanks between them
 * -ENOMEM: the string is empty.
 */
int page_printed(FILE *out, page_print print, const void *context, bool is_line);

/**
 * page_begin() - write "{" and the members about the run that all pages share. The caller writes
 * further members, each after a comma, and "}".
 * @taken: samples, the n of the intervals
 * @receipt: NULL: not known
 */
void page_begin(FILE *out, const struct run_result *result, u64 taken,
		const struct receipt *receipt);

/** page_output() - write the scale of shares and the kind of interval: ',"scale":...,"ci":...'. */
void page_output(FILE *out, const struct output_options *output, const struct run_result *result);

/** page_columns() - write titles and help of columns: ',"NAME":{KEY:[TITLE,HELP],...}'. */
void page_columns(FILE *out, const char *name, const struct column_list *list);

#endif
