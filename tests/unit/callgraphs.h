/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers for tests of call graphs: a graph made of a profile as text, and random numbers. */
#ifndef CALLGRAPHS_H
#define CALLGRAPHS_H

#include "unit.h"
#include "profiles.h"
#include "report/callgraph.h"

/** A call graph and everything it points to. */
struct made {
	struct profile *profile;
	struct labels labels;
	struct paths paths;
	struct callgraph graph;
};

static inline struct made make_of(struct profile *profile, const struct paths_options *options)
{
	struct made made = { .profile = profile };
	struct text_error error;

	assert_int_equal(labels_init(&made.labels, profile), 0);
	assert_int_equal(paths_init(&made.paths, profile, &made.labels, options, &error), 0);
	return made;
}

static inline void make(struct made *made, const char *text, const struct paths_options *options)
{
	*made = make_of(profiles_of(text), options);
	assert_int_equal(callgraph_init(&made->graph, &made->paths, NULL, NULL, NULL), 0);
}

static inline void drop(struct made *made)
{
	callgraph_deinit(&made->graph);
	paths_deinit(&made->paths);
	labels_deinit(&made->labels);
	profile_destroy(made->profile);
}

static const struct paths_options all = { .base = PATHS_TARGET };

static inline u32 find(const struct made *made, const char *name)
{
	u32 i;

	if (!name)
		return CALLGRAPH_NONE;
	for (i = 0; i < made->profile->nr_functions; i++)
		if (!strcmp(made->profile->functions[i].name, name))
			return i;
	fail_msg("no function %s", name);
	return 0;
}

static inline void assert_weight(const struct weight *weight, u64 hits, u64 self_hits)
{
	assert_int_equal(weight->hits, hits);
	assert_int_equal(weight->self_hits, self_hits);
	assert_true(weight->ns == hits * 1e6 && weight->self_ns == self_hits * 1e6);
}

static u64 random_state = 1;

static inline u32 below(u32 n)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (random_state >> 33) % n;
}

#endif
