/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that write stacks to files in the formats of other tools, several at once. A
 * command opens them before anything else is done, and writes them when it has its stacks.
 */
#ifndef EXPORT_OPTIONS_H
#define EXPORT_OPTIONS_H

#include "base/options.h"
#include "base/outfile.h"
#include "profile/stack_run.h"

enum export_format {
	EXPORT_FOLDED,
	EXPORT_PPROF,
	EXPORT_SPEEDSCOPE,
	EXPORT_CALLGRIND,
	EXPORT_HTML,
	EXPORT_FORMATS
};

/** What was asked for; all zero: nothing. */
struct export_options {
	const char *path[EXPORT_FORMATS];	/* "-": standard output; NULL: not this format */
};

/* All set a struct export_options. */
extern const struct option_spec export_specs[];
extern const struct option_spec export_page_specs[];	/* -html alone, of what has no stacks */

/**
 * export_check() - what options mean together. @save: what -save is written to, or NULL.
 * @is_repeated: there are many reports, not one
 */
int export_check(const struct export_options *options, const char *save, bool is_repeated,
		 struct text_error *error_ret);

/** export_is_asked() - whether there is anything to write. */
bool export_is_asked(const struct export_options *options);

/** Files that are being written. */
struct export {
	struct export_options options;
	struct outfile files[EXPORT_FORMATS];
};

/**
 * export_open() - all files, so that what is wrong with one shows in time.
 * @input: file that is read, which none of them may replace; or NULL
 * -EIO and the like: none is left open.
 */
int export_open(struct export *exports, const struct export_options *options, const char *input,
		struct text_error *error_ret);

/** export_write() - all of them; then they are closed. What fails leaves nothing behind. */
int export_write(struct export *exports, const struct stack_run *stacks, struct text_error *error_ret);

/** export_page_write - write a page of what @context is; 0 or -errno. See page.h. */
typedef int (*export_page_write)(FILE *out, const void *context);

/** export_write_page() - export_write() of what has no stacks and only -html. */
int export_write_page(struct export *exports, export_page_write write, const void *context,
		      struct text_error *error_ret);

/** export_abandon() - close and remove what was not written. May be called in any state. */
void export_abandon(struct export *exports);

#endif
