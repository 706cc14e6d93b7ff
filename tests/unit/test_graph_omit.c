// SPDX-License-Identifier: GPL-2.0-only
/* Calls left out of the search for cycles: cli/report/graph_omit.c, callgraph.c. */
#include <errno.h>

#include "callgraphs.h"
#include "report/graph_entry.h"

static int parse(struct graph_omits *omits, const char *text)
{
	struct text_error error;

	return graph_omit_parse(NULL, text, omits, &error);
}

/* A single colon divides; those of C++ do not, nor does one at an end. */
static void parsed(void **state)
{
	static const char *const good[] = { "a:b", "a::b:c", "a:b::c", "a::b::c:d", "a:b:c", ":a:b" };
	static const char *const bad[] = { "", ":", "a", "a:", ":a", "a::b", "a:::b", "::", "a::" };
	struct graph_omits omits = { .nr = 0 };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse(&omits, bad[i]), -EINVAL);
	assert_int_equal(omits.nr, 0);
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_int_equal(parse(&omits, good[i]), 0);
	assert_int_equal(omits.nr, i);
	for (; i < GRAPH_OMITS_MAX; i++)
		assert_int_equal(parse(&omits, "a:b"), 0);
	assert_int_equal(parse(&omits, "a:b"), -EINVAL);
	assert_int_equal(omits.nr, GRAPH_OMITS_MAX);
}

static void make_without(struct made *made, const char *text, struct graph_omits *omits)
{
	*made = make_of(profiles_of(text), &all);
	assert_int_equal(callgraph_init(&made->graph, &made->paths, NULL, omits,
						&made->labels),
			 0);
}

static const struct callgraph_edge *edge_of(const struct made *made, const char *parent,
					    const char *child)
{
	u32 i;

	for (i = 0; i < made->graph.nr_edges; i++)
		if (made->graph.edge[i].parent == find(made, parent) &&
		    made->graph.edge[i].child == find(made, child))
			return &made->graph.edge[i];
	fail_msg("no edge from %s to %s", parent, child);
	return NULL;
}

static const char three[] = "m 1 user main@m;a@m;b@m;c@m;a@m 10\n"
	"m 1 user main@m;b@m;a@m 5\n"
	"m 1 user main@m;ns::d@m;a@m 2\n";

/* Samples are those of the graph with cycles; only the cycles are gone. */
static void breaks_a_cycle(void **state)
{
	struct graph_omits omits = { .nr = 0 };
	struct made made;

	parse(&omits, "c:a");
	parse(&omits, "b:a");
	parse(&omits, "ns::d:a");
	parse(&omits, "a:main");
	make_without(&made, three, &omits);
	assert_int_equal(made.graph.nr_nodes, made.graph.nr_functions);
	assert_int_equal(made.graph.node[find(&made, "a")].cycle, CALLGRAPH_NONE);
	assert_weight(&made.graph.node[find(&made, "a")].weight, 17, 17);
	assert_weight(&edge_of(&made, "c", "a")->weight, 10, 10);
	assert_true(edge_of(&made, "c", "a")->is_omitted);
	assert_true(edge_of(&made, "ns::d", "a")->is_omitted);
	assert_false(edge_of(&made, "main", "a")->is_omitted);
	assert_true(omits.omit[0].is_found && omits.omit[0].hits == 10);
	assert_true(omits.omit[1].is_found && omits.omit[1].hits == 5);
	assert_true(omits.omit[2].is_found && omits.omit[2].hits == 2);
	assert_true(!omits.omit[3].is_found && !omits.omit[3].hits);
	drop(&made);
}

/* a and b still call each other when only c is left out. */
static void makes_a_cycle_smaller(void **state)
{
	struct graph_omits omits = { .nr = 0 };
	struct graph_entry entry = { .line = NULL };
	const struct graph_listing_options options = { 0 };
	struct graph_listing listing;
	struct made made;
	size_t i;

	parse(&omits, "c:a");
	make_without(&made, three, &omits);
	assert_int_equal(made.graph.nr_nodes, made.graph.nr_functions + 1);
	assert_int_equal(made.graph.node[find(&made, "a")].cycle, made.graph.nr_functions);
	assert_int_equal(made.graph.node[find(&made, "b")].cycle, made.graph.nr_functions);
	assert_int_equal(made.graph.node[find(&made, "c")].cycle, CALLGRAPH_NONE);
	/* The lines of the call say so, that of the function does not. */
	assert_int_equal(graph_listing_init(&listing, &made.graph, &options), 0);
	assert_int_equal(graph_entry_fill(&entry, &listing, find(&made, "c")), 0);
	for (i = 0; i < entry.nr; i++)
		assert_true(entry.line[i].is_omitted == (entry.line[i].role == GRAPH_CHILD));
	assert_int_equal(entry.line[entry.nr - 1].weight.hits, 10);
	graph_entry_deinit(&entry);
	graph_listing_deinit(&listing);
	drop(&made);
}

/* Functions of equal names have labels. A name alone means all of them. */
static void labels_are_names(void **state)
{
	static const char text[] = "m 1 user f@m;g@m 3\nm 1 user f@n;g@m 4\n";
	struct graph_omits omits = { .nr = 0 };
	struct made made;

	parse(&omits, "f (n):g");
	parse(&omits, "f:g");
	parse(&omits, "f (x):g");
	parse(&omits, "f (m):");
	assert_int_equal(omits.nr, 3);
	make_without(&made, text, &omits);
	assert_int_equal(omits.omit[0].hits, 4);
	assert_int_equal(omits.omit[1].hits, 7);
	assert_false(omits.omit[2].is_found);
	assert_true(labels_match(&made.labels, find(&made, "g"), "good", 1));
	assert_false(labels_match(&made.labels, find(&made, "g"), "good", 2));
	drop(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parsed),
		cmocka_unit_test(breaks_a_cycle),
		cmocka_unit_test(makes_a_cycle_smaller),
		cmocka_unit_test(labels_are_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
