/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the data of all pages are made of. It is JSON inside a <script>: whatever a text says,
 * nothing in it ends the element or begins a comment there.
 */
#ifndef PAGE_DATA_H
#define PAGE_DATA_H

#include <stdint.h>
#include <stdio.h>

#include "base/columns.h"
#include "run/receipt.h"
#include "run/run_result.h"

/** page_text() - write a string literal. */
void page_text(FILE *out, const char *text);

/** page_json() - write what is JSON already, such as a report of -json. */
void page_json(FILE *out, const char *json);

/** page_number() - write a number; what is none, or has no end, is 0. */
void page_number(FILE *out, double value);

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
