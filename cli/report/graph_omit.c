// SPDX-License-Identifier: GPL-2.0-only
/* Calls left out of the search for cycles: see graph_omit.h. */
#include <errno.h>
#include <string.h>

#include "report/graph_omit.h"

/* Finds the next single ':' with text on both sides, from @at on. NULL: none. */
static const char *find_colon(const char *text, const char *at)
{
	while ((at = strchr(at, ':'))) {
		size_t nr = strspn(at, ":");

		if (nr == 1 && at > text && at[1])
			return at;
		at += nr;
	}
	return NULL;
}

int graph_omit_parse(const struct option_spec *spec, const char *value, void *at,
		     struct text_error *error_ret)
{
	struct graph_omits *omits = at;

	if (!find_colon(value, value)) {
		text_fail(error_ret, 0, "'%s' is not a call", value);
		text_hint(error_ret, "write FROM:TO, the names of two functions");
		return -EINVAL;
	}
	if (omits->nr == GRAPH_OMITS_MAX)
		return text_fail(error_ret, -EINVAL, "more than %d calls", GRAPH_OMITS_MAX);
	omits->omit[omits->nr++] = (struct graph_omit){ .text = value };
	return 0;
}

static bool matches_call(const char *text, const struct labels *labels, u32 parent, u32 child)
{
	const char *colon = text;

	while ((colon = find_colon(text, colon))) {
		if (labels_match(labels, parent, text, colon - text) &&
		    labels_match(labels, child, colon + 1, strlen(colon + 1)))
			return true;
		colon++;
	}
	return false;
}

bool graph_omits_find(struct graph_omits *omits, const struct labels *labels, u32 parent,
		      u32 child, u64 hits)
{
	bool is_omitted = false;
	u32 i;

	for (i = 0; i < omits->nr; i++) {
		struct graph_omit *omit = &omits->omit[i];

		if (!matches_call(omit->text, labels, parent, child))
			continue;
		is_omitted = omit->is_found = true;
		omit->hits += hits;
	}
	return is_omitted;
}
