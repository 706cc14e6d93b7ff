// SPDX-License-Identifier: GPL-2.0-only
/* Lines of an entry, and the choice of entries: cli/report/graph_entry.c. */
#include "callgraphs.h"
#include "report/graph_entry.h"

/* Parents in ascending order of time, then the function, then children in descending order. */
static void lines_of_an_entry(void **state)
{
	const struct graph_listing_options options = { .min_share = 0.05 };
	struct graph_entry entry = { .line = NULL };
	struct graph_listing listing;
	struct made made;
	u32 cycle;

	make(&made, "m 1 user a@m;f@m;f@m;x@m 10\n"
		    "m 1 user b@m;f@m;y@m 60\n"
		    "m 1 user f@m 10\n"
		    "m 1 user c@m;f@m;z@m 2\n"
		    "m 1 user p@m;q@m;p@m 18\n", &all);
	assert_int_equal(graph_listing_init(&listing, &made.graph, &options), 0);
	assert_int_equal(listing.nr_small, 2);	/* c, z */
	assert_int_equal(graph_entry_fill(&entry, &listing, find(&made, "f")), 0);
	assert_int_equal(entry.nr, 6);
	assert_int_equal(entry.at, 3);
	assert_true(entry.line[0].role == GRAPH_PARENT && entry.line[4].role == GRAPH_CHILD);
	assert_int_equal(entry.line[2].node, find(&made, "b"));
	assert_weight(&entry.line[2].weight, 60, 0);
	assert_int_equal(entry.line[2].of_hits, 82);
	assert_int_equal(entry.line[3].role, GRAPH_SELF);
	assert_int_equal(entry.line[3].recursive_hits, 10);
	assert_int_equal(entry.line[4].node, find(&made, "y"));
	assert_int_equal(entry.line[4].of_hits, 60);
	assert_int_equal(entry.nr_small_parents, 1);
	assert_int_equal(entry.nr_small_children, 1);
	cycle = made.graph.node[find(&made, "p")].cycle;
	assert_int_equal(graph_entry_fill(&entry, &listing, cycle), 0);
	assert_int_equal(entry.nr, 4);	/* the root, itself, p, q */
	assert_int_equal(entry.line[0].node, CALLGRAPH_NONE);
	assert_int_equal(entry.line[1].recursive_hits, 18);
	assert_int_equal(entry.line[2].role, GRAPH_MEMBER);
	assert_int_equal(entry.line[2].node, find(&made, "p"));
	assert_int_equal(entry.line[2].of_hits, 18);
	assert_int_equal(listing.cycle_number[find(&made, "q")], 1);
	/* The entry of p: its parents root and q, p itself, its child q. */
	assert_int_equal(graph_entry_fill(&entry, &listing, find(&made, "p")), 0);
	assert_int_equal(entry.nr, 4);
	graph_entry_deinit(&entry);
	graph_listing_deinit(&listing);
	drop(&made);
}

static void listing_is_limited(void **state)
{
	static const struct { struct graph_listing_options options; u32 nr, small,
			      deep; } cases[] = {
		{ { 0, 0, 0 }, 4, 0, 0 },
		{ { 0.4, 0, 0 }, 3, 1, 0 },
		{ { 0, 2, 0 }, 2, 0, 2 },
		{ { 0, 0, 1 }, 1, 3, 0 },
		{ { 1, 0, 0 }, 2, 2, 0 },
	};
	struct graph_listing listing;
	struct made made;
	size_t i;

	make(&made, "d 1 user main@d;run@d;low@d;least@d 30\n"
		    "d 1 user main@d;run@d;low@d 50\n"
		    "d 1 user main@d;run@d 20\n", &all);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(graph_listing_init(&listing, &made.graph, &cases[i].options), 0);
		assert_int_equal(listing.nr, cases[i].nr);
		assert_int_equal(listing.nr_small, cases[i].small);
		assert_int_equal(listing.nr_deep, cases[i].deep);
		assert_int_equal(listing.index[find(&made, "main")], 1);
		graph_listing_deinit(&listing);
	}
	drop(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_an_entry),
		cmocka_unit_test(listing_is_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
