// SPDX-License-Identifier: GPL-2.0-only
/* Options of the command line: see options.h. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/options.h"
#include "cpuprobe.h"

#define YEAR_SECONDS	(366 * 86400.0)
#define MAX_OPTIONS	64

#define WORD_MAX 31	/* letters of a word that is compared with others */

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to insert, drop, replace, or swap with the next; longer words are infinitely far. */
static size_t distance(const char *a, const char *b)
{
	size_t d[WORD_MAX + 1][WORD_MAX + 1], i, j, len_a = strlen(a), len_b = strlen(b);

	if (len_a > WORD_MAX || len_b > WORD_MAX)
		return SIZE_MAX;
	for (i = 0; i <= len_a; i++)
		d[i][0] = i;
	for (j = 0; j <= len_b; j++)
		d[0][j] = j;
	for (i = 1; i <= len_a; i++)
		for (j = 1; j <= len_b; j++) {
			d[i][j] = least_of(d[i - 1][j], d[i][j - 1]) + 1;
			d[i][j] = least_of(d[i][j], d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least_of(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[len_a][len_b];
}

const char *options_suggest(const char *word, const char *const *candidates, size_t nr)
{
	const char *best = NULL;
	size_t i, best_distance = 3;

	for (i = 0; i < nr; i++) {
		size_t d = distance(word, candidates[i]);

		if (*word && !strncasecmp(word, candidates[i], strlen(word)))
			d = 0;	/* an abbreviation */
		if (d < best_distance && d < strlen(candidates[i])) {
			best_distance = d;
			best = candidates[i];
		}
	}
	return best;
}

static const struct option_spec *find_option(const struct option_spec *const lists[],
					     const char *name)
{
	const struct option_spec *spec;

	for (; *lists; lists++)
		for (spec = *lists; spec->name; spec++)
			if (!strcmp(spec->name, name))
				return spec;
	return NULL;
}

static int unknown_option(const struct option_spec *const lists[], const char *name,
			  struct text_error *error_ret)
{
	const char *names[MAX_OPTIONS + 1], *near;
	const struct option_spec *spec;
	size_t nr = 0;

	names[nr++] = "help";
	for (; *lists; lists++)
		for (spec = *lists; spec->name && nr <= MAX_OPTIONS; spec++)
			names[nr++] = spec->name;
	near = options_suggest(name, names, nr);
	text_fail(error_ret, 0, "unknown option '-%s'", name);
	if (near)
		text_hint(error_ret, "did you mean -%s?", near);
	else
		text_hint(error_ret, "-help lists the options");
	return -EINVAL;
}

/* One option at *argv; leaves *argv at the last word it used. */
static int parse_option(char ***argv, const struct option_spec *const lists[], options_set set,
			void *context, struct text_error *error_ret)
{
	const char *word = **argv + 1 + ((**argv)[1] == '-');
	const char *value = strchr(word, '=');
	struct text_error reason = { "", "" };
	const struct option_spec *spec;
	char name[64];
	int error;

	snprintf(name, sizeof(name), "%.*s", (int)(value ? (size_t)(value - word) : strlen(word)),
		 word);
	spec = find_option(lists, name);
	if (!spec)
		return unknown_option(lists, name, error_ret);
	if (!spec->value && value)
		return text_fail(error_ret, -EINVAL, "option -%s takes no value", name);
	if (value)
		value++;
	else if (spec->value)
		value = *++*argv;
	if (spec->value && (!value || !strcmp(value, "--"))) {
		text_fail(error_ret, 0, "option -%s needs a value", name);
		text_hint(error_ret, "-%s %s: %s", name, spec->value, spec->help);
		return -EINVAL;
	}
	error = set(context, spec->name, value, &reason);
	if (error) {
		text_fail(error_ret, 0, "option -%s: %s", name, reason.what);
		if (reason.hint[0])
			text_hint(error_ret, "%s", reason.hint);
	}
	return error;
}

int options_parse(char **argv, const struct option_spec *const lists[], options_set set,
		  void *context, struct options_rest *rest_ret, struct text_error *error_ret)
{
	struct options_rest rest = { .args = argv };
	int error;

	for (argv++; *argv; argv++) {
		if (!strcmp(*argv, "--")) {
			rest.command = argv + 1;
			break;
		}
		if ((*argv)[0] != '-' || !(*argv)[1]) {
			rest.args[rest.nr_args++] = *argv;
			continue;
		}
		error = parse_option(&argv, lists, set, context, error_ret);
		if (error)
			return error;
	}
	if (rest.command && !rest.command[0])
		return text_fail(error_ret, -EINVAL, "no COMMAND after '--'");
	*rest_ret = rest;
	return 0;
}

int options_check_arguments(const struct options_rest *rest, int most,
			    struct text_error *error_ret)
{
	if (rest->nr_args <= most)
		return 0;
	text_fail(error_ret, 0, "unexpected argument '%s'", rest->args[most]);
	text_hint(error_ret, "a command to measure goes after '--'");
	return -EINVAL;
}

int parse_u64(const char *text, uint64_t *value_ret, struct text_error *error_ret)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (!isdigit((unsigned char)text[0]) || *end)
		return text_fail(error_ret, -EINVAL, "'%s' is not a number", text);
	if (errno)
		return text_fail(error_ret, -EINVAL, "'%s' is too large", text);
	*value_ret = value;
	return 0;
}

static int parse_decimal(const char *text, double *value_ret, char **end)
{
	errno = 0;
	*value_ret = strtod(text, end);
	/* strtod knows "inf", "nan" and "0x1p3" too; people who type numbers do not. */
	return *end == text || errno || !isfinite(*value_ret) ||
	       strspn(text, "+-.0123456789eE") < (size_t)(*end - text) ? -EINVAL : 0;
}

int parse_seconds(const char *text, double *seconds_ret, struct text_error *error_ret)
{
	double seconds, unit = 1;
	char *end;

	if (parse_decimal(text, &seconds, &end))
		goto garbage;
	if (*end == 'm')
		unit = 60;
	else if (*end == 'h')
		unit = 3600;
	else if (*end && *end != 's')
		goto garbage;
	if (*end && end[1])
		goto garbage;
	seconds *= unit;
	if (seconds <= 0)
		return text_fail(error_ret, -EINVAL, "'%s' is not above zero", text);
	if (seconds > YEAR_SECONDS)
		return text_fail(error_ret, -EINVAL, "'%s' is more than a year", text);
	*seconds_ret = seconds;
	return 0;

garbage:
	text_fail(error_ret, 0, "'%s' is not a duration", text);
	text_hint(error_ret, "a number, with s, m or h after it or nothing for seconds");
	return -EINVAL;
}

int parse_rate(const char *text, uint64_t *period_ns_ret, struct text_error *error_ret)
{
	double rate;
	char *end;

	if (parse_decimal(text, &rate, &end) || *end)
		return text_fail(error_ret, -EINVAL, "'%s' is not a number", text);
	if (rate < 1 || rate > 20000)
		return text_fail(error_ret, -EINVAL,
				 "'%s' is outside 1 to 20000 samples per second", text);
	*period_ns_ret = llround(1e9 / rate);
	return 0;
}

int parse_count(const char *text, uint64_t *count_ret, struct text_error *error_ret)
{
	int error = parse_u64(text, count_ret, error_ret);

	if (text[0] == '-' || (!error && !*count_ret))
		return text_fail(error_ret, -EINVAL, "'%s' is not above zero", text);
	return error;
}

int parse_percent(const char *text, double *percent_ret, struct text_error *error_ret)
{
	char *end;

	*percent_ret = strtod(text, &end);
	if (end == text || *end || !(*percent_ret >= 0 && *percent_ret <= 100))
		return text_fail(error_ret, -EINVAL, "'%s' is not from 0 to 100", text);
	return 0;
}

int parse_points(const char *text, double *points_ret, struct text_error *error_ret)
{
	double points;
	char *end;

	if (parse_decimal(text, &points, &end) || *end)
		return text_fail(error_ret, -EINVAL, "'%s' is not a number", text);
	if (!(points > 0 && points <= 50))
		return text_fail(error_ret, -EINVAL, "'%s' is not above 0 and at most 50 points",
				 text);
	*points_ret = points;
	return 0;
}

int parse_choice(const char *text, const char *const *choices, unsigned int *index_ret,
		 struct text_error *error_ret)
{
	char list[128] = "";
	unsigned int i;

	for (i = 0; choices[i]; i++) {
		if (!strcmp(text, choices[i])) {
			*index_ret = i;
			return 0;
		}
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i ? ", " : "",
			 choices[i]);
	}
	return text_fail(error_ret, -EINVAL, "'%s' is none of %s", text, list);
}
