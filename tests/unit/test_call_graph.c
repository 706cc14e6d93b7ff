// SPDX-License-Identifier: GPL-2.0-only
/* Call graphs with counted calls: cli/calls/call_graph.c, call_targets.c, cli/report/callgraph_calls.c. */
#include <elf.h>

#include "callgraphs.h"
#include "report/graph_view.h"

/*
 * The entry of gprof's paper, McKusick's Figure 1: EXAMPLE is called 4 times by CALLER1, 6 times by
 * CALLER2 and 4 times by itself; it calls SUB1, of a cycle, 20 of 40 times, SUB2 1 of 5 times, and
 * never SUB3, which is called 5 times. A thousand samples, a millisecond each.
 */
static const char example_stacks[] =
	"app 1 kernel CALLER1@kernel;EXAMPLE@kernel 20\n"
	"app 1 kernel CALLER1@kernel;EXAMPLE@kernel;SUB1@kernel 120\n"
	"app 1 kernel CALLER2@kernel;EXAMPLE@kernel;EXAMPLE@kernel 30\n"
	"app 1 kernel CALLER2@kernel;EXAMPLE@kernel;SUB1@kernel;TWIN@kernel;SUB1@kernel 130\n"
	"app 1 kernel CALLER2@kernel;EXAMPLE@kernel;SUB2.cold@kernel 50\n"
	"app 1 kernel OTHER@kernel;SUB1@kernel;TWIN@kernel 250\n"
	"app 1 user main@app 400\n";

/** A graph with calls and everything it points to. */
struct counted {
	struct profile *profile;
	struct call_counts *counts;
	struct call_targets targets;
	struct call_target target[2];
	struct call_graph calls;
	struct made made;
};

static u32 counted_function(struct counted *counted, const char *name, enum call_state state)
{
	u64 addr = 0x77000 + counted->counts->nr_functions;
	u32 i;

	for (i = 0; i < counted->profile->nr_functions; i++)
		if (!strcmp(counted->profile->functions[i].name, name))
			addr = counted->profile->functions[i].addr;
	for (i = 0; i < counted->counts->nr_functions; i++)
		if (!strcmp(call_counts_name(counted->counts, i), name))
			return i;
	return call_counts_function(counted->counts, "", name, addr, state);
}

static void add(struct counted *counted, const char *caller, const char *function, u64 calls)
{
	u32 to = counted_function(counted, function, CALL_HOOKED);
	u32 from = counted_function(counted, caller, CALL_CALLER);

	assert_int_equal(call_counts_add(counted->counts, to, from, (u64[]){ calls, 0, 0 }), 0);
}

static void count_example(struct counted *counted)
{
	*counted = (struct counted){ .profile = profiles_of(example_stacks) };
	counted->counts = call_counts_create();
	add(counted, "CALLER1", "EXAMPLE", 4);
	add(counted, "CALLER2", "EXAMPLE", 6);
	add(counted, "EXAMPLE", "EXAMPLE", 4);
	add(counted, "EXAMPLE", "SUB1", 20);
	add(counted, "OTHER", "SUB1", 18);
	add(counted, "OTHER", "TWIN", 2);
	add(counted, "SUB1", "TWIN", 7);
	add(counted, "TWIN", "SUB1", 3);
	add(counted, "TWIN", "TWIN", 5);
	add(counted, "EXAMPLE", "SUB2", 1);
	add(counted, "OTHER", "SUB2", 4);
	add(counted, "SUB2.cold", "SUB3", 2);
	add(counted, "OTHER", "SUB3", 3);
	counted_function(counted, "SUB4", CALL_HOOKED);		/* never called */
	counted->counts->totals.counted_ns = 1000000000;
	counted->target[0] = (struct call_target){
		counted_function(counted, "EXAMPLE", CALL_HOOKED),
		counted_function(counted, "SUB3", CALL_HOOKED)
	};
	counted->target[1] = (struct call_target){
		counted_function(counted, "EXAMPLE", CALL_HOOKED),
		counted_function(counted, "SUB2", CALL_HOOKED)
	};
	counted->targets = (struct call_targets){ .target = counted->target, .nr = 2 };
}

static void make_example(struct counted *counted)
{
	count_example(counted);
	assert_int_equal(call_graph_init(&counted->calls, counted->counts, counted->profile, 1e9,
					 &counted->targets), 0);
	counted->made = make_of(counted->calls.profile, &all);
	assert_int_equal(callgraph_init(&counted->made.graph, &counted->made.paths,
					&counted->calls, NULL, NULL), 0);
}

static void drop_example(struct counted *counted)
{
	counted->made.profile = NULL;	/* that of .calls */
	drop(&counted->made);
	call_graph_deinit(&counted->calls);
	call_counts_destroy(counted->counts);
	profile_destroy(counted->profile);
}

static const struct callgraph_edge *edge_of(const struct counted *counted, const char *parent,
					    const char *child)
{
	const struct callgraph *graph = &counted->made.graph;
	u32 from = find(&counted->made, parent), to = find(&counted->made, child), i;

	for (i = 0; i < graph->nr_edges; i++)
		if (graph->edge[i].parent == from && graph->edge[i].child == to)
			return &graph->edge[i];
	return NULL;
}

/* The copy has every counted function and the same samples; SUB2.cold is SUB2. */
static void profile_has_all_functions(void **state)
{
	struct counted counted;
	const struct profile *copy;
	u64 hits = 0;

	make_example(&counted);
	copy = counted.calls.profile;
	for (u32 i = 0; i < copy->nr_stacks; i++)
		hits += copy->stacks[i].hits;
	assert_int_equal(hits, 1000);
	assert_true(copy->taken == 1000 && copy->taken_ns == 1e9);
	assert_weight(&counted.made.graph.node[find(&counted.made, "SUB2")].weight, 50, 50);
	assert_weight(&counted.made.graph.node[find(&counted.made, "SUB2.cold")].weight, 0, 0);
	assert_int_equal(counted.made.graph.node[find(&counted.made, "SUB3")].weight.hits, 0);
	assert_int_equal(edge_of(&counted, "SUB2", "SUB3")->calls, 2);
	assert_true(counted.calls.is_counted[find(&counted.made, "SUB4")]);
	assert_false(counted.calls.is_counted[find(&counted.made, "CALLER1")]);
	/* The original has not changed. */
	assert_int_equal(counted.profile->nr_frames, copy->nr_frames - 1);
	drop_example(&counted);
}

static void calls_of_nodes_and_edges(void **state)
{
	struct counted counted;
	const struct callgraph *graph = &counted.made.graph;
	const struct callgraph_node *node;
	const struct callgraph_edge *edge;

	make_example(&counted);
	node = &graph->node[find(&counted.made, "EXAMPLE")];
	assert_true(node->calls == 10 && node->inner_calls == 4);
	node = &graph->node[find(&counted.made, "SUB1")];
	assert_true(node->calls == 41 && node->cycle_calls == 3);
	assert_true(callgraph_is_cycle(graph, node->cycle));
	node = &graph->node[node->cycle];
	assert_true(node->is_counted && node->calls == 40 && node->inner_calls == 10);
	node = &graph->node[find(&counted.made, "TWIN")];
	assert_true(node->calls == 9 && node->cycle_calls == 7 && node->inner_calls == 5);
	edge = edge_of(&counted, "EXAMPLE", "SUB3");
	assert_true(edge && !edge->calls && !edge->weight.hits);
	/* A call that was taken, with samples. */
	edge = edge_of(&counted, "EXAMPLE", "SUB2");
	assert_true(edge->calls == 1 && edge->weight.hits == 50);
	drop_example(&counted);
}

/* The calls by all parents add up to a function's; those of a cycle come from outside. */
static void parents_add_up(void **state)
{
	struct counted counted;
	const struct callgraph *graph = &counted.made.graph;
	u32 node, i, nr = 0;

	make_example(&counted);
	for (node = 0; node < graph->nr_nodes; node++) {
		u64 sum = 0;

		for (i = graph->parents.first[node]; i < graph->parents.first[node + 1]; i++)
			if (graph->edge[graph->parents.list[i]].parent != node)
				sum += graph->edge[graph->parents.list[i]].calls;
		assert_int_equal(sum, graph->node[node].calls);
		nr += !!sum;
	}
	assert_int_equal(nr, 6);
	drop_example(&counted);
}

/* A cycle whose members were not all counted has no total. */
static void cycle_partly_counted(void **state)
{
	struct counted counted;
	const struct callgraph_node *node;

	count_example(&counted);
	counted.counts->functions[counted_function(&counted, "TWIN", CALL_CALLER)].state =
		CALL_CALLER;
	assert_int_equal(call_graph_init(&counted.calls, counted.counts, counted.profile, 1e9, NULL),
			 0);
	counted.made = make_of(counted.calls.profile, &all);
	assert_int_equal(callgraph_init(&counted.made.graph, &counted.made.paths, &counted.calls, NULL, NULL), 0);
	node = &counted.made.graph.node[find(&counted.made, "SUB1")];
	assert_true(node->is_counted && !counted.made.graph.node[node->cycle].is_counted);
	drop_example(&counted);
}

/* Calls that were never taken make no cycle. */
static void untaken_calls_make_no_cycle(void **state)
{
	struct counted counted;

	count_example(&counted);
	counted.target[0] = (struct call_target){
		counted_function(&counted, "SUB2", CALL_HOOKED),
		counted_function(&counted, "EXAMPLE", CALL_HOOKED)
	};
	assert_int_equal(call_graph_init(&counted.calls, counted.counts, counted.profile, 1e9,
					 &counted.targets), 0);
	counted.made = make_of(counted.calls.profile, &all);
	assert_int_equal(callgraph_init(&counted.made.graph, &counted.made.paths, &counted.calls, NULL, NULL), 0);
	assert_int_equal(counted.made.graph.node[find(&counted.made, "EXAMPLE")].cycle,
			 CALLGRAPH_NONE);
	assert_non_null(edge_of(&counted, "SUB2", "EXAMPLE"));
	drop_example(&counted);
}

static char *listed(struct counted *counted, struct graph_options *options)
{
	const struct graph_view view = {
		.options = options, .labels = &counted->made.labels, .paths = &counted->made.paths,
		.calls = &counted->calls, .totals = &counted->counts->totals,
	};

	return WRITTEN(out, assert_int_equal(graph_view_show(out, &view), 0));
}

static void assert_has(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("not in the text: %s", wanted);
}

/* The lines of gprof's entry, with the times of a call. SUB3 is in the code, but never taken. */
static void as_gprof(void **state)
{
	struct graph_options options = { .output = { .cols = 80 } };
	struct counted counted;
	char *text;

	make_example(&counted);
	text = listed(&counted, &options);
	assert_has(text,
"Index  % time     +-  Self/call  Desc./call  Called  Name\n"
"=====  ======  =====  =========  ==========  ======  ===========================\n"
"         25.0   2.78    12.5 ms     <191 us   20/40    OTHER [6]\n"
"         25.0   2.78    12.5 ms     <191 us   20/40    EXAMPLE [5]\n"
"[1]      50.0   3.09    12.5 ms    <95.7 us   40+10  <cycle 1 as a whole> [1]\n"
"         50.0   3.09     6.1 ms      6.1 ms       3    SUB1 <cycle 1> [2]\n"
"         38.0   3.05    17.9 ms     9.29 ms       7    TWIN <cycle 1> [4]\n");
	assert_has(text,
"-------\n"
"         14.0   2.29       5 ms       30 ms    4/10    CALLER1 [8]\n"
"         21.0   2.63       5 ms       30 ms    6/10    CALLER2 [7]\n"
"[5]      35.0   3.01    3.57 ms     21.4 ms    10+4  EXAMPLE [5]\n"
"         25.0   2.78    12.5 ms     <191 us   20/40    SUB1 <cycle 1> [2]\n"
"          5.0   1.53      50 ms    <3.83 ms     1/5    SUB2 [9]\n"
"         <0.4                 -           -     0/5    SUB3 [10]\n"
"-------");
	assert_has(text, "0/N: in the code, but never taken.");
	assert_null(strstr(text, "left out"));
	free(text);
	drop_example(&counted);
}

/* Small callers are summed up, so that calls add up; calls never taken are small for the called. */
static void small_lines(void **state)
{
	struct graph_options options = { .output = { .cols = 80 }, .min_percent = 40 };
	struct counted counted;
	char *text;

	make_example(&counted);
	text = listed(&counted, &options);
	assert_has(text,
"                                                       (1 below 40%, 3 calls)\n"
"         25.0   2.78    <213 us     13.9 ms   18/40    OTHER\n"
"         25.0   2.78    12.5 ms     <191 us   20/40    EXAMPLE\n"
"[2]      50.0   3.09     6.1 ms      6.1 ms      41  SUB1 <cycle 1> [2]\n");
	assert_null(strstr(text, "EXAMPLE [5]"));
	free(text);
	/* It is not small for the caller. */
	options.min_percent = 1;
	text = listed(&counted, &options);
	assert_has(text, "         <0.4                 -           -     0/5    SUB3\n");
	free(text);
	drop_example(&counted);
}

static void as_data(void **state)
{
	struct graph_options options = { .output = { .format = FORMAT_TSV,
		.columns = "role,name,calls,inner_calls,of_calls,self_call_ns,descendants_call_ns" } };
	struct counted counted;
	char *text;

	make_example(&counted);
	text = listed(&counted, &options);
	assert_has(text, "\nfunction\tEXAMPLE\t10\t4\tnull\t3571429\t21428571\n"
			 "child\tSUB1\t20\tnull\t40\t12500000\t0\n"
			 "child\tSUB2\t1\tnull\t5\t50000000\t0\n"
			 "child\tSUB3\t0\tnull\t5\tnull\tnull\n");
	assert_has(text, "\nfunction\t<cycle 1>\t40\t10\tnull\t12500000\t0\n"
			 "member\tSUB1\t3\tnull\tnull\t");
	assert_has(text, "\nparent\tSUB1\t7\tnull\tnull\t");
	free(text);
	options.output = (struct output_options){ .format = FORMAT_JSON };
	text = listed(&counted, &options);
	assert_has(text, "\"lost_calls\": 0,\n  \"has_never_taken\": true,\n");
	free(text);
	drop_example(&counted);
}

/* Direct calls of counted functions, not jumps to them, calls of others, or indirect calls. */
static void calls_in_code(void **state)
{
	static const u8 code[] = {
		0x55,					/* 1000: push %rbp */
		0xe8, 0xfa, 0x0f, 0x00, 0x00,		/* 1001: call 2000 */
		0xe9, 0xf5, 0x0f, 0x00, 0x00,		/* 1006: jmp 2000 */
		0xff, 0xd0,				/* 100b: call *%rax */
		0xe8, 0xee, 0x0f, 0x00, 0x00,		/* 100d: call 2000 */
		0xe8, 0xe8, 0x1f, 0x00, 0x00,		/* 1012: call 2fff, in a function */
		0xe8, 0xe4, 0x1f, 0x00, 0x00,		/* 1017: call 3000 */
		0xc3,
	};
	const struct code_machine machine = { .machine = EM_X86_64, .is_64 = true };
	struct call_start start[] = { { 0x1000, 7 }, { 0x2000, 8 }, { 0x3000, 9 } };
	struct call_targets targets = { .start = start, .nr_starts = 3 };
	struct disassembler *disassembler;
	struct text_error error;

	assert_int_equal(disassembler_create(&machine, &disassembler, &error), 0);
	assert_int_equal(call_targets_add(&targets, disassembler, 7, 0x1000, code, sizeof(code)), 0);
	assert_int_equal(targets.nr, 3);
	assert_true(targets.target[0].caller == 7 && targets.target[0].function == 8);
	assert_int_equal(targets.target[1].function, 8);
	assert_int_equal(targets.target[2].function, 9);
	targets.start = NULL;
	call_targets_deinit(&targets);
	disassembler_destroy(disassembler);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profile_has_all_functions),
		cmocka_unit_test(calls_of_nodes_and_edges),
		cmocka_unit_test(parents_add_up),
		cmocka_unit_test(cycle_partly_counted),
		cmocka_unit_test(untaken_calls_make_no_cycle),
		cmocka_unit_test(as_gprof),
		cmocka_unit_test(small_lines),
		cmocka_unit_test(as_data),
		cmocka_unit_test(calls_in_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
