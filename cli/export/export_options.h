/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options that write stacks to files in the formats of other tools, several at once. A command
 * opens the files before it does anything else, and writes them once it has the stacks.
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
	EXPORT_PERFETTO,	/* only of traces */
	EXPORT_FORMATS
};

/** Requested files; all zero: none. */
struct export_options {
	const char *path[EXPORT_FORMATS];	/* "-": standard output; NULL: not this format */
};

/* Options of a struct export_options. */
extern const struct option_spec export_specs[];
extern const struct option_spec export_trace_path_specs[];	/* only of traces */
extern const struct option_spec export_page_specs[];	/* only -html, for reports without stacks */
extern const struct option_spec export_path_specs[];	/* for paths of calls that were timed */

/**
 * export_check() - check combinations of options.
 * @save: file of -save; NULL: none
 * @is_repeated: there are many reports, not one
 * -EINVAL.
 */
int export_check(const struct export_options *options, const char *save, bool is_repeated,
		 struct text_error *error_ret);

/** export_is_asked() - whether any file is requested. */
bool export_is_asked(const struct export_options *options);

/** export_check_other() - check that no format has the file @path of another option; NULL: none. -EINVAL. */
int export_check_other(const struct export_options *options, const char *option, const char *path,
		       struct text_error *error_ret);

/** Files that are being written. */
struct export {
	struct export_options options;
	struct outfile files[EXPORT_FORMATS];
	FILE *report;	/* standard output, while an export has its place; NULL: none has */
};

/**
 * export_open() - open all requested files, so that errors show before the run. If one is standard output, the
 * report is dropped until all are written or abandoned: it would be mixed with the export.
 * @input: file being read, which no output may replace; NULL: none
 * -errno: no file is open.
 */
int export_open(struct export *exports, const struct export_options *options, const char *input,
		struct text_error *error_ret);

/** export_write() - write and close all files. On failure no file is left unfinished. */
int export_write(struct export *exports, const struct stack_run *stacks,
		 struct text_error *error_ret);

/** export_page_write - write the page of @context; 0 or -errno. See page.h. */
typedef int (*export_page_write)(FILE *out, const void *context);

/**
 * export_write_each() - export_write() for something else than stacks.
 * @write: for each format that @exports may have
 */
int export_write_each(struct export *exports, const export_page_write write[EXPORT_FORMATS],
		      const void *context, struct text_error *error_ret);

/** export_write_page() - export_write() for a report without stacks, which has only -html. */
int export_write_page(struct export *exports, export_page_write write, const void *context,
		      struct text_error *error_ret);

/** export_abandon() - close and remove unfinished files. May be called in any state. */
void export_abandon(struct export *exports);

#endif
