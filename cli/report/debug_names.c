// SPDX-License-Identifier: GPL-2.0-only
/* Names from debug files on servers: see debug_names.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "profile/nameless.h"
#include "report/debug_names.h"
#include "resolve/resolver.h"

const struct option_spec debug_names_specs[] = {
	{ "debuginfod", NULL, "ask $DEBUGINFOD_URLS for missing names", option_flag },
	{ NULL }
};

static bool has_lines(const struct profile *profile)
{
	u32 i;

	for (i = 0; i < profile->nr_frames; i++)
		if (profile->frames[i].line)
			return true;
	return false;
}

/* Returns the file that contains a row's nameless function; PROFILE_MARKS: none. */
static u32 find_nameless_file(const struct profile *profile, const struct flat_row *row)
{
	u32 at;

	if (row->kind != FLAT_ROW || !nameless_is(profile, row->key.function))
		return PROFILE_MARKS;
	at = profile->functions[row->key.function].object;
	return profile->objects[at].kind == PROFILE_FILE ? at : PROFILE_MARKS;
}

/* Returns the share of nameless code of each file, by object. NULL: out of memory. */
static double *sum_nameless(const struct flat *flat)
{
	double *shares = calloc(flat->profile->nr_objects, sizeof(*shares));
	u32 i, at;

	for (i = 0; shares && i < flat->nr_rows; i++) {
		at = find_nameless_file(flat->profile, &flat->rows[i]);
		if (at != PROFILE_MARKS)
			shares[at] += flat->rows[i].share;
	}
	return shares;
}

/* Fetches the debug file of an object. On failure, its functions stay nameless. */
static void fetch_object(struct resolver *resolver, const struct profile *profile, u32 at,
			 bool *is_hinted)
{
	struct text_error error;

	fprintf(stderr, "probe: fetching names of %s\n", profile->objects[at].name);
	if (!resolver_fetch(resolver, at, &error))
		return;
	/* The hint is the same for all files: print it once. */
	if (*is_hinted)
		error.hint[0] = '\0';
	*is_hinted = true;
	text_report(&error);
}

/*
 * Fetches the debug file of each file with a nameless row that is shown, and of files with so many
 * small ones that the hint would tell.
 */
static int fetch_wanted(struct resolver *resolver, const struct flat *flat)
{
	const struct profile *profile = flat->profile;
	double *shares = sum_nameless(flat);
	bool is_hinted = false;
	u32 i;

	if (!shares)
		return -ENOMEM;
	for (i = 0; i < flat->nr_shown; i++)
		shares[find_nameless_file(profile, flat_row_at(flat, i))] = 1;
	for (i = PROFILE_MARKS + 1; i < profile->nr_objects; i++)
		if (shares[i] > DEBUG_NAMES_LEAST && profile->objects[i].build_id_len)
			fetch_object(resolver, profile, i, &is_hinted);
	free(shares);
	return 0;
}

int debug_names_fetch(const struct stack_run *stacks, const struct debug_names_rows *rows,
		      struct text_error *error_ret)
{
	const struct resolver_options how = { .lines = has_lines(stacks->profile) };
	struct flat_options options = rows->flat;
	struct resolver *own = NULL;
	struct flat *flat;
	int error = 0;

	options.by = FLAT_FUNCTION;
	flat = flat_create(stacks->profile, &options, error_ret);
	if (!flat)
		return -ENODATA;
	if (flat_fold(flat, rows->sort, rows->least, rows->nr_max))
		error = text_fail(error_ret, -ENOMEM, "out of memory");
	if (!error && !stacks->resolver) {
		own = resolver_create(stacks->profile, &how, error_ret);
		error = own ? 0 : -ENOMEM;
	}
	if (!error && fetch_wanted(own ? own : stacks->resolver, flat))
		error = text_fail(error_ret, -ENOMEM, "out of memory");
	resolver_destroy(own);
	flat_destroy(flat);
	return error;
}

/* Returns the file with the largest share of nameless code; PROFILE_MARKS: none has enough. */
static u32 find_largest_file(const struct profile *profile, double *shares)
{
	u32 i, at = PROFILE_MARKS;

	shares[PROFILE_MARKS] = DEBUG_NAMES_LEAST;
	for (i = 0; i < profile->nr_objects; i++)
		if (shares[i] > shares[at])
			at = i;
	return at;
}

/* Returns the name of the largest nameless row of a file. */
static const char *find_largest_row(const struct flat *flat, u32 file)
{
	const struct flat_row *largest = NULL;
	u32 i;

	for (i = 0; i < flat->nr_rows; i++) {
		const struct flat_row *row = &flat->rows[i];

		if (find_nameless_file(flat->profile, row) == file &&
		    (!largest || row->share > largest->share))
			largest = row;
	}
	return largest ? flat->profile->functions[largest->key.function].name : NAMELESS_CODE;
}

void debug_names_hint(FILE *out, const struct profile *profile, enum flat_base base)
{
	const struct flat_options options = { .by = FLAT_FUNCTION, .base = base };
	struct flat *flat = flat_create(profile, &options, NULL);
	double *shares = flat ? sum_nameless(flat) : NULL;
	u32 at = shares ? find_largest_file(profile, shares) : PROFILE_MARKS;

	/* A failed report has printed its message already. */
	if (at != PROFILE_MARKS) {
		const char *largest = find_largest_row(flat, at);
		bool is_named = strcmp(largest, NAMELESS_CODE);

		fprintf(out, "probe: %.0f%% of the time is in code of %s without names%s%s\n"
			"hint: %smeasure with its debug symbols package installed\n",
			shares[at] * 100, profile->objects[at].name, is_named ? ", such as " : "",
			is_named ? largest : "",
			profile->objects[at].build_id_len ? "use -debuginfod to fetch them, or " : "");
	}
	free(shares);
	flat_destroy(flat);
}
