/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of all reports: what is 100%, which interval, which format. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "base/options.h"

#define OUTPUT_COLS	80	/* line width, unless the terminal is narrower or -width is given */

enum output_format { FORMAT_TEXT, FORMAT_TSV, FORMAT_JSON };
enum output_ci { CI_WILSON, CI_PAPER };
enum output_of { OF_MACHINE, OF_CPU };

struct output_options {
	unsigned int ci;	/* enum output_ci */
	unsigned int of;	/* enum output_of */
	enum output_format format;
	u64 cols;		/* 0: not given */
	const char *columns;	/* value of -o, for columns_choose(); NULL: not given */
};

/* Options that set a struct output_options. */
extern const struct option_spec output_specs[];	/* for reports of shares */
extern const struct option_spec form_specs[];	/* for every report */

/** output_flush() - flush stdout. Returns the errno of the first failed write, or 0. */
int output_flush(void);

/** output_terminal_cols() - columns of a line of text on @out: 80, or the terminal's if fewer. */
int output_terminal_cols(FILE *out);

/** output_cols() - columns of a line of text on standard output. */
int output_cols(const struct output_options *options);

#endif
