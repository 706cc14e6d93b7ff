/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of the command line: long names, matched exactly, after one dash or two; "-opt VALUE" or
 * "-opt=VALUE". "--" ends the options and begins a COMMAND.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "types.h"

struct option_spec;

/**
 * option_parse_fn - parse an option's value and store it.
 * @value: NULL for an option that takes none; lives as long as argv
 * @at: where to store it, option_spec.offset bytes into the struct of the list
 * 0, or -EINVAL with a reason such as "'x' is not a number"; the caller adds the option's name.
 */
typedef int option_parse_fn(const struct option_spec *spec, const char *value, void *at,
			    struct text_error *error_ret);

/** One option; a list of them ends with a NULL name. */
struct option_spec {
	const char *name;	/* without dashes */
	const char *value;	/* name of its value; NULL: takes none */
	const char *help;	/* one line */
	option_parse_fn *parse;
	size_t offset;
	const char *const *choices;	/* all possible values, NULL-terminated; or NULL */
	u64 min, max;		/* bounds of a number: option_range() */
};

/** A list of options, and the offset of the struct that they set in the command's own struct. */
struct option_list {
	const struct option_spec *specs;	/* NULL: end of the lists */
	size_t offset;
	const char *title;	/* what it and the following lists are for; NULL: as before it */
};

/* Code, as an -errno, of functions that show a run: an option does not apply to the run. */
#define OPTIONS_UNFIT	(-EDOM)

/* Code, as an -errno, of command.check: the file that an option names cannot be read. The usage is right. */
#define OPTIONS_UNREAD	(-EIO)

#define OPTIONS_MAX	64	/* options of one command */
#define OPTIONS_ARGS	4	/* arguments kept; all are counted, and options_args() has all */
#define OPTIONS_ANY_ARGS	INT_MAX	/* of a command that takes any number */

/** The command line after options_parse(). Points into argv. */
struct options_rest {
	char **argv;
	const char *args[OPTIONS_ARGS];	/* arguments that are not options, in order */
	int nr_args;
	char **command;		/* after "--", NULL-terminated; NULL: none */
	const struct option_spec *given[OPTIONS_MAX];	/* each option once, in order */
	int nr_given;
};

/**
 * options_parse() - parse @argv, which ends with NULL; argv[0] is skipped.
 * @lists: all options
 * @self: the command's struct, which they set; NULL: values are not even read
 * -EINVAL with a reason: unknown option, missing, unwanted or wrong value.
 */
int options_parse(char **argv, const struct option_list *lists, void *self,
		  struct options_rest *rest_ret, struct text_error *error_ret);

/** An argument that is not an option. Points into argv. */
struct options_arg {
	const char *text;
	const char *group;	/* name of the last option of the groups before it; NULL: none */
};

/**
 * options_args() - all arguments that are not options, rest->nr_args, in order; to be freed. NULL: out
 * of memory.
 * @lists: as for options_parse()
 * @groups: names of options without a value, each of which begins a group; NULL-terminated
 */
struct options_arg *options_args(const struct options_rest *rest, const struct option_list *lists,
				 const char *const *groups);

/** options_given() - whether an option of this name was given. */
bool options_given(const struct options_rest *rest, const char *name);

/** options_first() - name of the first given option that is in @specs, or NULL. */
const char *options_first(const struct options_rest *rest, const struct option_spec *specs);

/** options_lack() - name of the first given option that is not in @lists, or NULL. */
const char *options_lack(const struct options_rest *rest, const struct option_list *lists);

/** options_suggest() - the candidate nearest to a mistyped word, or NULL. */
const char *options_suggest(const char *word, const char *const *candidates, size_t nr);

#endif
