// SPDX-License-Identifier: GPL-2.0-only
/* Names from debug files on servers: see debug_names.h. */
#include <errno.h>
#include <string.h>

#include "base/option_values.h"
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
	const struct profile_function *function;
	u32 at;

	if (row->kind != FLAT_ROW)
		return PROFILE_MARKS;
	function = &profile->functions[row->key.function];
	/* Functions that are inlined everywhere have a name and no address. */
	if (function->addr || strcmp(function->name, RESOLVER_NO_SYMBOL))
		return PROFILE_MARKS;
	at = function->object;
	return profile->objects[at].kind == PROFILE_FILE ? at : PROFILE_MARKS;
}

/* Fetches the debug file of each file with a nameless row. On failure, the rows stay nameless. */
static void fetch_shown(struct resolver *resolver, const struct flat *flat)
{
	const struct profile *profile = flat->profile;
	struct text_error error;
	bool is_hinted = false;
	u32 i;

	for (i = 0; i < flat->nr_shown; i++) {
		u32 at = find_nameless_file(profile, flat_row_at(flat, i));
		const struct profile_object *object = &profile->objects[at];

		if (at == PROFILE_MARKS || !object->build_id_len)
			continue;
		fprintf(stderr, "probe: fetching names of %s\n", object->name);
		if (!resolver_fetch(resolver, at, &error))
			continue;
		/* The hint is the same for all files: print it once. */
		if (is_hinted)
			error.hint[0] = '\0';
		is_hinted = true;
		text_report(&error);
	}
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
	if (!error)
		fetch_shown(own ? own : stacks->resolver, flat);
	resolver_destroy(own);
	flat_destroy(flat);
	return error;
}

void debug_names_hint(FILE *out, const struct profile *profile, enum flat_base base)
{
	const struct flat_options options = { .by = FLAT_FUNCTION, .base = base };
	struct flat *flat = flat_create(profile, &options, NULL);
	const struct profile_object *object;
	u32 i, at = PROFILE_MARKS;
	double most = DEBUG_NAMES_LEAST;

	/* A failed report has printed its message already. */
	if (!flat)
		return;
	for (i = 0; i < flat->nr_rows; i++) {
		const struct flat_row *row = &flat->rows[i];

		if (row->share <= most || find_nameless_file(profile, row) == PROFILE_MARKS)
			continue;
		most = row->share;
		at = find_nameless_file(profile, row);
	}
	flat_destroy(flat);
	if (at == PROFILE_MARKS)
		return;
	object = &profile->objects[at];
	fprintf(out, "probe: %.0f%% of the time is in code of %s without names: (no symbol)\n"
		"hint: %smeasure with its debug symbols package installed\n", most * 100,
		object->name, object->build_id_len ? "use -debuginfod to fetch them, or " : "");
}
