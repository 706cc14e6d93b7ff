// SPDX-License-Identifier: GPL-2.0-only
/* Options of the command line: see options.h. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/options.h"

#define WORD_MAX 31	/* longest word to compare with others */

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to insert, drop, replace or swap with the next; SIZE_MAX for longer words. */
static size_t compute_edit_distance(const char *a, const char *b)
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
			d[i][j] = min_size(d[i - 1][j], d[i][j - 1]) + 1;
			d[i][j] = min_size(d[i][j], d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = min_size(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[len_a][len_b];
}

const char *options_suggest(const char *word, const char *const *candidates, size_t nr)
{
	const char *best = NULL;
	size_t i, best_distance = 3;

	for (i = 0; i < nr; i++) {
		size_t d = compute_edit_distance(word, candidates[i]);

		if (*word && !strncasecmp(word, candidates[i], strlen(word)))
			d = 0;	/* an abbreviation */
		if (d < best_distance && d < strlen(candidates[i])) {
			best_distance = d;
			best = candidates[i];
		}
	}
	return best;
}

static const struct option_spec *find_option(const struct option_list *lists, const char *name,
					     size_t *offset_ret)
{
	const struct option_spec *spec;

	for (; lists->specs; lists++) {
		for (spec = lists->specs; spec->name; spec++) {
			if (strcmp(spec->name, name))
				continue;
			*offset_ret = lists->offset + spec->offset;
			return spec;
		}
	}
	return NULL;
}

static int report_unknown_option(const struct option_list *lists, const char *name,
				 struct text_error *error_ret)
{
	const char *names[OPTIONS_MAX + 1], *near;
	const struct option_spec *spec;
	size_t nr = 0;

	names[nr++] = "help";
	for (; lists->specs; lists++)
		for (spec = lists->specs; spec->name && nr <= OPTIONS_MAX; spec++)
			names[nr++] = spec->name;
	near = options_suggest(name, names, nr);
	text_fail(error_ret, 0, "unknown option '-%s'", name);
	if (near)
		text_hint(error_ret, "did you mean -%s?", near);
	return -EINVAL;
}

static int set_option(const struct option_spec *spec, const char *value, void *at,
		      struct text_error *error_ret)
{
	struct text_error reason = { "", "" };
	int error;

	if (spec->value && (!value || !strcmp(value, "--"))) {
		text_fail(error_ret, 0, "option -%s needs a value", spec->name);
		text_hint(error_ret, "-%s %s: %s", spec->name, spec->value, spec->help);
		return -EINVAL;
	}
	error = at ? spec->parse(spec, value, at, &reason) : 0;
	if (error) {
		text_fail(error_ret, 0, "option -%s: %s", spec->name, reason.what);
		if (reason.hint[0])
			text_hint(error_ret, "%s", reason.hint);
	}
	return error;
}

static void note_given(struct options_rest *rest, const struct option_spec *spec)
{
	if (!options_given(rest, spec->name) && rest->nr_given < OPTIONS_MAX)
		rest->given[rest->nr_given++] = spec;
}

/* Parses the option at *argv; leaves *argv at its last word. */
static int parse_option(char ***argv, const struct option_list *lists, void *self,
			struct options_rest *rest, struct text_error *error_ret)
{
	const char *word = **argv + 1 + ((**argv)[1] == '-');
	const char *value = strchr(word, '=');
	const struct option_spec *spec;
	size_t offset;
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)(value ? (size_t)(value - word) : strlen(word)),
		 word);
	spec = find_option(lists, name, &offset);
	if (!spec)
		return report_unknown_option(lists, name, error_ret);
	if (!spec->value && value)
		return text_fail(error_ret, -EINVAL, "option -%s takes no value", name);
	if (value)
		value++;
	else if (spec->value)
		value = *++*argv;
	note_given(rest, spec);
	return set_option(spec, value, self ? (char *)self + offset : NULL, error_ret);
}

int options_parse(char **argv, const struct option_list *lists, void *self,
		  struct options_rest *rest_ret, struct text_error *error_ret)
{
	struct options_rest rest = { .argv = argv };
	int error;

	for (argv++; *argv; argv++) {
		if (!strcmp(*argv, "--")) {
			rest.command = argv + 1;
			break;
		}
		if ((*argv)[0] != '-' || !(*argv)[1]) {
			if (rest.nr_args < OPTIONS_ARGS)
				rest.args[rest.nr_args] = *argv;
			rest.nr_args++;
			continue;
		}
		error = parse_option(&argv, lists, self, &rest, error_ret);
		if (error)
			return error;
	}
	if (rest.command && !rest.command[0])
		return text_fail(error_ret, -EINVAL, "no COMMAND after '--'");
	*rest_ret = rest;
	return 0;
}

struct options_arg *options_args(const struct options_rest *rest, const struct option_list *lists,
				 const char *const *groups)
{
	struct options_arg *args = calloc(rest->nr_args + 1, sizeof(*args));
	const char *group = NULL;
	const char *const *name;
	const struct option_spec *spec;
	char **argv = rest->argv;
	size_t offset;
	int nr = 0;

	/* The command line was parsed before: every option is known, and has its value. */
	while (args && *++argv && nr < rest->nr_args) {
		if ((*argv)[0] != '-' || !(*argv)[1]) {
			args[nr++] = (struct options_arg){ *argv, group };
			continue;
		}
		spec = find_option(lists, *argv + 1 + ((*argv)[1] == '-'), &offset);
		if (!spec)
			continue;
		if (spec->value)
			argv++;
		for (name = groups; *name; name++)
			group = strcmp(spec->name, *name) ? group : *name;
	}
	return args;
}

bool options_given(const struct options_rest *rest, const char *name)
{
	int i;

	for (i = 0; i < rest->nr_given; i++)
		if (!strcmp(rest->given[i]->name, name))
			return true;
	return false;
}

const char *options_first(const struct options_rest *rest, const struct option_spec *specs)
{
	const struct option_spec *spec;
	int i;

	for (i = 0; i < rest->nr_given; i++)
		for (spec = specs; spec->name; spec++)
			if (rest->given[i] == spec)
				return spec->name;
	return NULL;
}

const char *options_lack(const struct options_rest *rest, const struct option_list *lists)
{
	size_t offset;
	int i;

	for (i = 0; i < rest->nr_given; i++)
		if (!find_option(lists, rest->given[i]->name, &offset))
			return rest->given[i]->name;
	return NULL;
}
