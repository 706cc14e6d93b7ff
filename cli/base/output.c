// SPDX-License-Identifier: GPL-2.0-only
/* Options of all reports: see output.h. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/option_values.h"
#include "base/output.h"

#define COLS_MIN 40
#define COLS_MAX 1000

static const char *const cis[] = { "wilson", "paper", NULL };
static const char *const ofs[] = { "machine", "cpu", NULL };

#define OUTPUT(field)	offsetof(struct output_options, field)

const struct option_spec output_specs[] = {
	{ "ci", "HOW", "formula of the 95% intervals: wilson or paper (default wilson)",
	  option_choice,
	  OUTPUT(ci), cis },
	{ "of", "WHAT", "what is 100%: machine or cpu (default machine)", option_choice,
	  OUTPUT(of), ofs },
	{ NULL }
};

/* The last of several formats is used. */
static int parse_format(const struct option_spec *spec, const char *value, void *at,
			struct text_error *error_ret)
{
	enum output_format *format = at;

	*format = strcmp(spec->name, "json") ? FORMAT_TSV : FORMAT_JSON;
	return 0;
}

const struct option_spec form_specs[] = {
	{ "width", "COLS", "line width (default: the terminal's, at most 80)", option_range,
	  OUTPUT(cols), .min = COLS_MIN, .max = COLS_MAX },
	{ "json", NULL, "print JSON", parse_format, OUTPUT(format) },
	{ "tsv", NULL, "print tab-separated values", parse_format, OUTPUT(format) },
	{ NULL }
};

int output_terminal_cols(FILE *out)
{
	struct winsize size;

	/* A serial line reports a width of 0. */
	if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &size) || !size.ws_col ||
	    size.ws_col > OUTPUT_COLS)
		return OUTPUT_COLS;
	return size.ws_col < COLS_MIN ? COLS_MIN : size.ws_col;
}

int output_cols(const struct output_options *options)
{
	return options->cols ? (int)options->cols : output_terminal_cols(stdout);
}

int output_flush(void)
{
	static int first_error;

	errno = 0;
	if ((fflush(stdout) || ferror(stdout)) && !first_error)
		first_error = errno ? errno : EIO;
	return first_error;
}
