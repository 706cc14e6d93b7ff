// SPDX-License-Identifier: GPL-2.0-only
/* Names from debug files on servers: see debug_names.h. */
#include <errno.h>
#include <stdlib.h>

#include "debug_names.h"
#include "profile/resolver.h"

const struct option_spec debug_names_specs[] = {
	{ "debuginfod", NULL, "ask $DEBUGINFOD_URLS for names of rows that have none" },
	{ NULL, NULL, NULL }
};

static bool has_lines(const struct profile *profile)
{
	uint32_t i;

	for (i = 0; i < profile->nr_frames; i++)
		if (profile->frames[i].line)
			return true;
	return false;
}

/* Of each file with such a row, once. Whatever is not to be had stays as it is. */
static void fetch_shown(struct resolver *resolver, const struct flat *flat)
{
	const struct profile *profile = flat->profile;
	struct text_error error;
	bool is_hinted = false;
	uint32_t i;

	for (i = 0; i < flat->nr_shown; i++) {
		const struct flat_row *row = flat_row_at(flat, i);
		const struct profile_object *object;
		uint32_t at;

		if (row->kind != FLAT_ROW || profile->functions[row->key.function].addr)
			continue;
		at = profile->functions[row->key.function].object;
		object = &profile->objects[at];
		if (object->kind != PROFILE_FILE || !object->build_id_len)
			continue;
		fprintf(stderr, "probe: fetching names of %s\n", object->name);
		if (!resolver_fetch(resolver, at, &error))
			continue;
		/* Said once, it is the same for all. */
		if (is_hinted)
			error.hint[0] = '\0';
		is_hinted = true;
		text_report(&error);
	}
}

int debug_names_fetch(const struct stacks *stacks, const struct debug_names_rows *rows,
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
