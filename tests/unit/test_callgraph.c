// SPDX-License-Identifier: GPL-2.0-only
/* The call graph of whole stacks: cli/report/callgraph.c. */
#include "callgraphs.h"

static void assert_node(const struct made *made, const char *name, u64 hits,
			u64 self_hits)
{
	assert_weight(&made->graph.node[find(made, name)].weight, hits, self_hits);
}

/* @parent NULL: the child is the root. No hits: there is no such edge. */
static void assert_nodes_edge(const struct made *made, u32 parent, u32 child,
			      u64 hits, u64 self_hits)
{
	u32 i;

	for (i = 0; i < made->graph.nr_edges; i++) {
		const struct callgraph_edge *edge = &made->graph.edge[i];

		if (edge->parent == parent && edge->child == child) {
			assert_weight(&edge->weight, hits, self_hits);
			return;
		}
	}
	assert_int_equal(hits, 0);
}

static void assert_edge(const struct made *made, const char *parent, const char *child,
			u64 hits, u64 self_hits)
{
	assert_nodes_edge(made, find(made, parent), find(made, child), hits, self_hits);
}

static void diamond(void **state)
{
	struct made made;

	make(&made, "d 1 user main@d;left@d;low@d 30\n"
		    "d 1 user main@d;right@d;low@d 50\n"
		    "d 1 user main@d;right@d 15\n"
		    "d 1 user main@d 5\n", &all);
	assert_node(&made, "main", 100, 5);
	assert_node(&made, "left", 30, 0);
	assert_node(&made, "right", 65, 15);
	assert_node(&made, "low", 80, 80);
	assert_edge(&made, NULL, "main", 100, 5);
	assert_edge(&made, "main", "left", 30, 0);
	assert_edge(&made, "main", "right", 65, 15);
	assert_edge(&made, "left", "low", 30, 30);
	assert_edge(&made, "right", "low", 50, 50);
	assert_edge(&made, "main", "low", 0, 0);
	assert_int_equal(made.graph.nr_edges, 5);
	assert_int_equal(made.graph.nr_nodes, made.graph.nr_functions);
	assert_int_equal(made.graph.nr_order, 4);
	assert_int_equal(made.graph.order[0], find(&made, "main"));
	assert_int_equal(made.graph.order[1], find(&made, "low"));
	assert_int_equal(made.graph.node[find(&made, "low")].depth, 2);
	drop(&made);
}

/* A cycle is listed before a member of equal weight and equal distance from the root. */
static void cycles_come_first(void **state)
{
	struct made made;
	u32 f;

	make(&made, "r 1 user main@r;f@r;g@r;f@r 10\nr 1 user main@r;f@r 5\n", &all);
	f = find(&made, "f");
	assert_int_equal(made.graph.nr_order, 4);
	assert_int_equal(made.graph.order[0], find(&made, "main"));
	assert_int_equal(made.graph.order[1], made.graph.node[f].cycle);
	assert_true(callgraph_is_cycle(&made.graph, made.graph.order[1]));
	assert_int_equal(made.graph.order[2], f);
	assert_int_equal(made.graph.order[3], find(&made, "g"));
	drop(&made);
}

/* Each stack counts once, however often a function or a call occurs in it. */
static void recursion(void **state)
{
	struct made made;

	make(&made, "r 1 user main@r;f@r 10\n"
		    "r 1 user main@r;f@r;f@r;f@r 20\n"
		    "r 1 user main@r;f@r;f@r;leaf@r 30\n"
		    "r 1 user f@r;f@r 40\n", &all);
	assert_node(&made, "f", 100, 70);
	assert_edge(&made, "main", "f", 60, 30);
	assert_edge(&made, "f", "f", 90, 60);
	assert_edge(&made, "f", "leaf", 30, 30);
	assert_edge(&made, NULL, "f", 40, 40);
	assert_weight(&callgraph_recursion(&made.graph, find(&made, "f"))->weight, 90, 60);
	assert_null(callgraph_recursion(&made.graph, find(&made, "main")));
	/* A function that calls only itself is not a cycle. */
	assert_int_equal(made.graph.nr_nodes, made.graph.nr_functions);
	drop(&made);
}

/* even and odd call each other; main and other reach the cycle, each from a root of its own. */
static void mutual_recursion(void **state)
{
	u32 cycle;
	struct made made;

	make(&made, "m 1 user main@m;even@m 1\n"
		    "m 1 user main@m;even@m;odd@m;even@m;odd@m 10\n"
		    "m 1 user main@m;other@m;odd@m;even@m;leaf@m 20\n"
		    "m 1 user main@m;other@m;odd@m;odd@m 4\n"
		    "m 1 user main@m;other@m 3\n", &all);
	assert_int_equal(made.graph.nr_nodes, made.graph.nr_functions + 1);
	cycle = made.graph.nr_functions;
	assert_int_equal(made.graph.node[find(&made, "even")].cycle, cycle);
	assert_int_equal(made.graph.node[find(&made, "odd")].cycle, cycle);
	assert_int_equal(made.graph.node[find(&made, "main")].cycle, CALLGRAPH_NONE);
	assert_int_equal(made.graph.node[find(&made, "leaf")].cycle, CALLGRAPH_NONE);
	assert_weight(&made.graph.node[cycle].weight, 35, 15);
	assert_nodes_edge(&made, find(&made, "main"), cycle, 11, 11);
	assert_nodes_edge(&made, find(&made, "other"), cycle, 24, 4);
	assert_nodes_edge(&made, cycle, cycle, 34, 14);
	assert_nodes_edge(&made, find(&made, "even"), cycle, 0, 0);
	assert_int_equal(made.graph.members.first[cycle + 1] - made.graph.members.first[cycle], 2);
	assert_node(&made, "even", 31, 1);
	assert_node(&made, "odd", 34, 14);
	assert_edge(&made, "even", "odd", 10, 10);
	assert_edge(&made, "odd", "even", 30, 0);
	assert_edge(&made, "other", "odd", 24, 4);
	assert_int_equal(made.graph.node[cycle].depth, 1);
	drop(&made);
}

/* Two cycles, one of which calls into the other, and a stack that begins in one. */
static void cycles_of_cycles(void **state)
{
	struct made made;
	u32 ab, cd;

	make(&made, "m 1 user a@m;b@m;a@m;c@m;d@m;c@m 8\n"
		    "m 1 user b@m;d@m 2\n", &all);
	assert_int_equal(made.graph.nr_nodes, made.graph.nr_functions + 2);
	ab = made.graph.node[find(&made, "a")].cycle;
	cd = made.graph.node[find(&made, "d")].cycle;
	assert_int_equal(ab, made.graph.node[find(&made, "b")].cycle);
	assert_int_not_equal(ab, cd);
	assert_nodes_edge(&made, CALLGRAPH_NONE, ab, 10, 0);
	assert_nodes_edge(&made, ab, ab, 8, 0);
	assert_nodes_edge(&made, find(&made, "a"), cd, 8, 8);
	assert_nodes_edge(&made, find(&made, "b"), cd, 2, 2);
	assert_nodes_edge(&made, ab, cd, 0, 0);
	assert_weight(&made.graph.node[cd].weight, 10, 10);
	drop(&made);
}

/*
 * A case in which an average per call is wrong: both functions call work equally often, but one of
 * them causes nineteen times as much time in it.
 */
static void average_per_call_is_wrong(void **state)
{
	struct made made;

	make(&made, "p 1 user main@p;cheap@p;work@p 50\n"
		    "p 1 user main@p;dear@p;work@p 950\n", &all);
	assert_node(&made, "cheap", 50, 0);
	assert_node(&made, "dear", 950, 0);
	assert_edge(&made, "cheap", "work", 50, 50);
	assert_edge(&made, "dear", "work", 950, 950);
	drop(&made);
}

static void deep_stack(void **state)
{
	char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);
	struct made made;
	int i;

	fprintf(file, "d 1 user f0@d");
	for (i = 1; i < 128; i++)
		fprintf(file, ";f%d@d", i);
	fprintf(file, " 7\n");
	fclose(file);
	make(&made, text, &all);
	free(text);
	assert_int_equal(made.graph.nr_order, 128);
	assert_int_equal(made.graph.nr_edges, 128);
	assert_node(&made, "f0", 7, 0);
	assert_node(&made, "f127", 7, 7);
	assert_int_equal(made.graph.node[find(&made, "f127")].depth, 127);
	/* Functions with equal time are listed from the root on. */
	assert_int_equal(made.graph.order[100], find(&made, "f100"));
	drop(&made);
}

/* Random stacks of a few functions; upper functions call lower ones, some call back. */
static struct profile *random_profile(u32 nr_functions, u32 nr_stacks, u32 back)
{
	struct profile *profile = profile_create();
	u32 frames[16], at, nr, function;
	char name[16];

	while (nr_stacks--) {
		nr = 1 + below(15);
		function = below(nr_functions);
		for (at = nr; at--; ) {
			snprintf(name, sizeof(name), "f%u@o", function);
			frames[at] = profiles_frame(profile, name);
			if (!below(back))
				function = below(nr_functions);
			else if (function + 1 < nr_functions)
				function += below(nr_functions - function);
		}
		assert_int_equal(profile_add_stack(profile, 0, CPUPROBE_MODE_USER, frames, nr,
						   1 + below(9), 0), 0);
	}
	for (at = 0; at < profile->nr_stacks; at++)
		profile->stacks[at].ns = profile->stacks[at].hits * 1e6;
	return profile;
}

/* Sum of the stacks in which @parent calls @child; CALLGRAPH_NONE: any function, or the root. */
static struct weight slow_weight(const struct profile *profile, bool is_node, u32 parent,
				 u32 child)
{
	struct weight weight = { 0 };
	u32 s, at;

	for (s = 0; s < profile->nr_stacks; s++) {
		const struct profile_stack *stack = &profile->stacks[s];
		const u32 *frames = profile_frames_of(profile, stack);
		bool has = false;

		for (at = 0; at < stack->nr_frames; at++) {
			u32 above = at + 1 < stack->nr_frames ?
				profile->frames[frames[at + 1]].function : CALLGRAPH_NONE;

			has = has || (profile->frames[frames[at]].function == child &&
				      (is_node || above == parent));
		}
		if (has)
			weight_add(&weight, stack, profile->frames[frames[0]].function == child);
	}
	return weight;
}

static void assert_same(const struct weight *a, const struct weight *b)
{
	assert_weight(a, b->hits, b->self_hits);
}

static u64 sum_of_edges(const struct callgraph *graph, const struct callgraph_lists *lists,
			     u32 node)
{
	u64 sum = 0;
	u32 i;

	for (i = lists->first[node]; i < lists->first[node + 1]; i++)
		if (graph->edge[lists->list[i]].parent != graph->edge[lists->list[i]].child)
			sum += graph->edge[lists->list[i]].weight.hits;
	return sum;
}

/*
 * All numbers against those of a slow reference. A stack enters a function outside of cycles once
 * and leaves it once: the parents add up to the function, and the children to its time without self
 * time. A stack enters a cycle once too.
 */
static void sums_hold(void **state)
{
	u32 round, i, nr_cycles = 0, nr_plain = 0;

	for (round = 0; round < 40; round++) {
		struct made made = make_of(random_profile(12 + round, 60, 10 + 10 * round), &all);
		struct callgraph *graph = &made.graph;

		assert_int_equal(callgraph_init(graph, &made.paths, NULL, NULL, NULL), 0);
		for (i = 0; i < graph->nr_edges; i++) {
			const struct callgraph_edge *edge = &graph->edge[i];
			struct weight slow = slow_weight(made.profile, false, edge->parent,
							 edge->child);

			if (!callgraph_is_cycle(graph, edge->child))
				assert_same(&edge->weight, &slow);
		}
		for (i = 0; i < graph->nr_nodes; i++) {
			const struct callgraph_node *node = &graph->node[i];
			struct weight slow = slow_weight(made.profile, true, 0, i);
			u64 parents = sum_of_edges(graph, &graph->parents, i);

			if (!callgraph_is_cycle(graph, i))
				assert_same(&node->weight, &slow);
			if (node->cycle != CALLGRAPH_NONE)
				continue;
			assert_int_equal(parents, node->weight.hits);
			nr_cycles += callgraph_is_cycle(graph, i);
			if (callgraph_is_cycle(graph, i))
				continue;
			nr_plain += node->weight.hits != 0;
			assert_int_equal(sum_of_edges(graph, &graph->children, i),
					 node->weight.hits - node->weight.self_hits);
		}
		drop(&made);
	}
	assert_true(nr_cycles > 10 && nr_plain > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(diamond),
		cmocka_unit_test(cycles_come_first),
		cmocka_unit_test(recursion),
		cmocka_unit_test(mutual_recursion),
		cmocka_unit_test(cycles_of_cycles),
		cmocka_unit_test(average_per_call_is_wrong),
		cmocka_unit_test(deep_stack),
		cmocka_unit_test(sums_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
