/* SPDX-License-Identifier: GPL-2.0-only */
/* The options that all reports share: what is 100%, which interval, which form. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "base/options.h"

#define OUTPUT_COLS	80	/* of a line; the terminal may have fewer, -width says otherwise */

enum output_format { FORMAT_TEXT, FORMAT_TSV, FORMAT_JSON };
enum output_ci { CI_WILSON, CI_PAPER };
enum output_of { OF_MACHINE, OF_CPU };

struct output_options {
	unsigned int ci;	/* enum output_ci */
	unsigned int of;	/* enum output_of */
	enum output_format format;
	uint64_t cols;		/* 0: not given */
	const char *columns;	/* of -o, for columns_choose(); NULL: not given */
};

/* All set a struct output_options. */
extern const struct option_spec output_specs[];	/* of shares */
extern const struct option_spec form_specs[];	/* of every report */

/** output_flush() - write out what is buffered. The errno of the first write that failed, or 0. */
int output_flush(void);

/** output_terminal_cols() - columns of a line of text there: 80, or the terminal's, if less. */
int output_terminal_cols(FILE *out);

/** output_cols() - columns of a line of text on standard output. */
int output_cols(const struct output_options *options);

#endif
