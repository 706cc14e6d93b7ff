// SPDX-License-Identifier: GPL-2.0-only
/* Options that all reports share: see output.h. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/output.h"

#define COLS_MIN 40
#define COLS_MAX 1000

static const char *const cis[] = { "wilson", "paper", NULL };
static const char *const ofs[] = { "machine", "cpu", NULL };

const struct option_spec output_specs[] = {
	{ "ci", "HOW", "the interval's formula: wilson or paper (default wilson)", cis },
	{ "of", "WHAT", "what is 100%: machine or cpu (default machine)", ofs },
	{ NULL, NULL, NULL }
};

const struct option_spec form_specs[] = {
	{ "width", "COLS", "width of lines (default the terminal's, at most 80)" },
	{ "json", NULL, "print JSON" },
	{ "tsv", NULL, "print tab-separated values" },
	{ NULL, NULL, NULL }
};

int output_set(struct output_options *options, const char *name, const char *value,
	       struct text_error *error_ret)
{
	int error;

	if (!strcmp(name, "ci"))
		return parse_choice(value, cis, &options->ci, error_ret);
	if (!strcmp(name, "of"))
		return parse_choice(value, ofs, &options->of, error_ret);
	if (!strcmp(name, "width")) {
		error = parse_u64(value, &options->cols, error_ret);
		if (!error && (options->cols < COLS_MIN || options->cols > COLS_MAX))
			return text_fail(error_ret, -EINVAL, "'%s' is not from %d to %d", value,
					 COLS_MIN, COLS_MAX);
		return error;
	}
	if (!strcmp(name, "o"))
		options->columns = value;
	else if (!strcmp(name, "json"))
		options->format = FORMAT_JSON;
	else if (!strcmp(name, "tsv"))
		options->format = FORMAT_TSV;
	else
		return 1;
	return 0;
}

int output_terminal_cols(FILE *out)
{
	struct winsize size;

	/* A serial line does not know its width, and says 0. */
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
