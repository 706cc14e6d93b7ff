/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that the search for cycles leaves out, as gprof's -k does. One rare call can make a cycle of
 * most of a program; without this call its functions have entries with callers and callees again.
 * Samples are not affected. Pure.
 */
#ifndef GRAPH_OMIT_H
#define GRAPH_OMIT_H

#include <stdbool.h>

#include "base/options.h"
#include "profile/labels.h"

#define GRAPH_OMITS_MAX	64

/** One value of -omit. */
struct graph_omit {
	const char *text;	/* FROM:TO; the caller's */
	bool is_found;		/* some stack has the call */
	u64 hits;		/* samples of the stacks with this call */
};

struct graph_omits {
	struct graph_omit omit[GRAPH_OMITS_MAX];
	u32 nr;
};

/** graph_omit_parse() - an option_parse_fn that adds to a struct graph_omits. */
int graph_omit_parse(const struct option_spec *spec, const char *value, void *at,
		     struct text_error *error_ret);

/**
 * graph_omits_find() - whether the call between two functions is omitted; if so, count its @hits.
 * FROM and TO are names or labels. They are divided by a single ':', not by the "::" of C++; if
 * there are several, any of them may divide.
 */
bool graph_omits_find(struct graph_omits *omits, const struct labels *labels, u32 parent,
		      u32 child, u64 hits);

#endif
