/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of the command line. Long names, matched exactly, after one dash or
 * two; "-opt VALUE" or "-opt=VALUE"; "--" ends them and begins a COMMAND.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/** One option; a list of them ends with a NULL name. */
struct option_spec {
	const char *name;	/* without dashes */
	const char *value;	/* what its value is called, or NULL: takes none */
	const char *help;	/* one line */
	const char *const *choices;	/* what its value is one of, NULL-terminated; or NULL */
};

/** What is left of the command line. Points into argv. */
struct options_rest {
	char **args;		/* arguments that are no options, in order */
	int nr_args;
	char **command;		/* after "--", NULL-terminated; NULL when there was none */
};

/**
 * options_set - called for each option found.
 * @value: NULL for an option that takes none
 * 0, or -EINVAL with a reason such as "'x' is not a number"; the caller adds the option's name.
 */
typedef int (*options_set)(void *context, const char *name, const char *value,
			   struct text_error *error_ret);

/**
 * options_parse() - go through @argv, which ends with NULL; argv[0] is skipped and
 * the pointers are reordered in place.
 * -EINVAL: unknown option, missing or unwanted value, or what @set said.
 */
int options_parse(char **argv, const struct option_spec *const lists[], options_set set,
		  void *context, struct options_rest *rest_ret, struct text_error *error_ret);

/** options_check_arguments() - -EINVAL: more than @most arguments stand before the COMMAND. */
int options_check_arguments(const struct options_rest *rest, int most,
			    struct text_error *error_ret);

/** options_suggest() - the candidate nearest to a mistyped word, or NULL. */
const char *options_suggest(const char *word, const char *const *candidates, size_t nr);

/** parse_u64() - decimal, 0x-hex or 0-octal, nothing after it. */
int parse_u64(const char *text, uint64_t *value_ret, struct text_error *error_ret);

/** parse_seconds() - a duration such as 10, 0.5, 90s, 2m or 1h; above 0, at most a year. */
int parse_seconds(const char *text, double *seconds_ret, struct text_error *error_ret);

/** parse_rate() - samples per second, 1..20000, fractions allowed, as a period in ns. */
int parse_rate(const char *text, uint64_t *period_ns_ret, struct text_error *error_ret);

/** parse_count() - a whole number above 0. */
int parse_count(const char *text, uint64_t *count_ret, struct text_error *error_ret);

/** parse_percent() - from 0 to 100. */
int parse_percent(const char *text, double *percent_ret, struct text_error *error_ret);

/** parse_points() - points of a percentage, above 0, at most 50. */
int parse_points(const char *text, double *points_ret, struct text_error *error_ret);

/** parse_choice() - index of @text in @choices, a NULL-terminated list. */
int parse_choice(const char *text, const char *const *choices, unsigned int *index_ret,
		 struct text_error *error_ret);

#endif
