// SPDX-License-Identifier: GPL-2.0-only
/*
 * Callgrind's format: see export.h. The stacks become a graph of nodes with costs: a node's own
 * cost, or the cost of a call, at a line of the node's source.
 *
 * Some consumers sum a function's inclusive cost over the calls into the function, others over the
 * calls out of it, and some start at functions without callers. Three rules give all of them equal
 * results. A process is a node that calls the roots of its stacks. A function has one node for its
 * outermost call, and one, called name'2 as in callgrind, for calls inside the outermost one. A
 * call of a node that is already on the stack is not counted: the outermost call of that node
 * includes the cost.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "export/export.h"
#include "release.h"

/** Samples at one line of a node, in the node itself or in a node that it calls. */
struct cost {
	u64 from;		/* node */
	u64 to;			/* called node; NO_NODE: the samples are the node's own */
	u32 line;
	u64 hits;
	u64 ns;
};

#define NO_NODE	UINT64_MAX

/** Nodes are numbered: two for each function, then processes, then lost samples. */
struct callgrind {
	const struct profile *profile;
	const char **source;		/* source file of each function */
	u32 *namesake;			/* for each process, the process whose node it shares */
	struct cost *costs;
	u32 nr_costs;
	struct intern index;		/* index of the costs */
	u32 *stack_of;		/* for each function's node, the last stack it was on, plus one */
	bool *is_named;			/* by node: the name is already written */
	bool *is_file_named;		/* by file: the name is already written */
	bool *is_object_named;		/* by object: the name is already written */
};

static u64 get_process_node(const struct callgrind *graph, u32 process)
{
	return 2ULL * graph->profile->nr_functions + graph->namesake[process];
}

static u64 get_lost_node(const struct callgrind *graph)
{
	return 2ULL * graph->profile->nr_functions + graph->profile->nr_processes;
}

static bool is_cost(const void *owner, u32 position, const void *key)
{
	const struct cost *a = &((const struct callgrind *)owner)->costs[position], *b = key;

	return a->from == b->from && a->to == b->to && a->line == b->line;
}

static bool add_cost(struct callgrind *graph, const struct cost *cost)
{
	const u64 words[] = { cost->from, cost->to, cost->line };
	u64 hash = intern_hash(0, words, sizeof(words));
	u32 nr = graph->nr_costs, at = intern_find(&graph->index, hash, is_cost, graph, cost);

	if (at != INTERN_NONE) {
		graph->costs[at].hits += cost->hits;
		graph->costs[at].ns += cost->ns;
		return true;
	}
	if (!array_has_room(&graph->costs, nr, sizeof(*cost)))
		return false;
	graph->costs[nr] = *cost;
	graph->nr_costs++;
	return !intern_add(&graph->index, hash, nr);
}

/* Line of a frame in its function's file. The format has no field for a line of another file. */
static u32 get_line(const struct callgrind *graph, const struct profile_frame *frame)
{
	return frame->file == graph->source[frame->function] ? frame->line : 0;
}

static bool add_stack_costs(struct callgrind *graph, u32 at)
{
	const struct profile_stack *stack = &graph->profile->stacks[at];
	const u32 *frames = profile_frames_of(graph->profile, stack);
	struct cost cost = { .from = get_process_node(graph, stack->process), .hits = stack->hits,
			     .ns = export_whole(stack->ns) };
	u32 left = stack->nr_frames;

	while (left--) {
		const struct profile_frame *frame = &graph->profile->frames[frames[left]];

		cost.to = 2ULL * frame->function;
		cost.to += graph->stack_of[cost.to] == at + 1;
		if (graph->stack_of[cost.to] != at + 1 && !add_cost(graph, &cost))
			return false;
		graph->stack_of[cost.to] = at + 1;
		cost.from = cost.to;
		cost.line = get_line(graph, frame);
	}
	cost.to = NO_NODE;
	return add_cost(graph, &cost);
}

static bool add_all(struct callgrind *graph)
{
	const struct profile *profile = graph->profile;
	u32 i;

	for (i = 0; i < profile->nr_stacks; i++)
		if (!add_stack_costs(graph, i))
			return false;
	return !profile->lost || add_cost(graph, &(struct cost){
		.from = get_lost_node(graph), .to = NO_NODE, .hits = profile->lost,
		.ns = export_whole(profile->lost_ns) });
}

static int compare_costs(const void *a_at, const void *b_at)
{
	const struct cost *a = a_at, *b = b_at;

	/* Own costs come first: NO_NODE is the largest number, and adding one makes it 0. */
	if (a->from != b->from)
		return (a->from > b->from) - (a->from < b->from);
	if (a->to != b->to)
		return (a->to + 1 > b->to + 1) - (a->to + 1 < b->to + 1);
	return (a->line > b->line) - (a->line < b->line);
}

/* Write a name's number, and the name itself the first time. */
static void write_name(FILE *out, const char *key, u64 number, const char *name, const char *suffix,
		       bool *is_named)
{
	fprintf(out, "%s=(%llu)", key, number + 1);
	if (!*is_named)
		fprintf(out, " %s%s", export_name(name), suffix);
	fputc('\n', out);
	*is_named = true;
}

/* Write object, file and function of a node. @called: as the target of a call. */
static void write_node(FILE *out, struct callgrind *graph, u64 node, bool called)
{
	const struct profile *profile = graph->profile;
	const char *ob = called ? "cob" : "ob", *fl = called ? "cfi" : "fl",
		*fn = called ? "cfn" : "fn";
	const struct profile_function *function = &profile->functions[node / 2];
	const char *name = EXPORT_LOST, *file = "(process)";
	u64 number = profile->nr_functions;		/* number of the file */
	u32 object = 0;

	if (node < 2ULL * profile->nr_functions) {
		name = function->name;
		object = function->object;
		/* Consumers distinguish functions of one name only by their files. */
		number = node / 2;
		file = graph->source[number][0] ?
			graph->source[number] : profile->objects[object].name;
	} else if (node != get_lost_node(graph)) {
		name = profile->processes[node - 2ULL * profile->nr_functions].name;
	}
	write_name(out, ob, object, profile->objects[object].name, "",
		   &graph->is_object_named[object]);
	write_name(out, fl, number, file, "", &graph->is_file_named[number]);
	write_name(out, fn, node, name, node < 2ULL * profile->nr_functions && node % 2 ? "'2" : "",
		   &graph->is_named[node]);
}

static void write_costs(FILE *out, struct callgrind *graph)
{
	u32 i;

	if (graph->nr_costs)
		qsort(graph->costs, graph->nr_costs, sizeof(*graph->costs), compare_costs);
	for (i = 0; i < graph->nr_costs; i++) {
		const struct cost *cost = &graph->costs[i];

		if (!i || cost->from != cost[-1].from) {
			fputc('\n', out);
			write_node(out, graph, cost->from, false);
		}
		if (cost->to != NO_NODE) {
			write_node(out, graph, cost->to, true);
			fprintf(out, "calls=%llu 0\n", cost->hits);
		}
		fprintf(out, "%u %llu %llu\n", cost->line, cost->hits, cost->ns);
	}
}

static void write_head(FILE *out, const struct profile *profile)
{
	u64 hits = profile->lost, ns = export_whole(profile->lost_ns);
	u32 i;

	for (i = 0; i < profile->nr_stacks; i++) {
		hits += profile->stacks[i].hits;
		ns += export_whole(profile->stacks[i].ns);
	}
	fprintf(out, "# callgrind format\nversion: 1\ncreator: cpuprobe " CPUPROBE_RELEASE "\n"
		"positions: line\nevent: Samples : samples\nevent: %s\n"
		"events: Samples %s\nsummary: %llu %llu\n",
		profile->counts_events ? "Events : events" : "ns : CPU time in ns",
		profile->counts_events ? "Events" : "ns", hits, ns);
}

int export_callgrind(FILE *out, const struct stack_run *stacks)
{
	const struct profile *profile = stacks->profile;
	size_t nr_nodes = 2UL * profile->nr_functions + profile->nr_processes + 1;
	struct callgrind graph = {
		.profile = profile, .source = export_source(profile),
		.namesake = export_namesakes(profile),
		.stack_of = calloc(2UL * profile->nr_functions, sizeof(u32)),
		.is_named = calloc(nr_nodes, sizeof(bool)),
		.is_file_named = calloc(profile->nr_functions + 1UL, sizeof(bool)),
		.is_object_named = calloc(profile->nr_objects, sizeof(bool)),
	};
	bool has_room = graph.source && graph.namesake && graph.stack_of && graph.is_named &&
		graph.is_file_named && graph.is_object_named && add_all(&graph);

	if (has_room) {
		write_head(out, profile);
		write_costs(out, &graph);
	}
	free(graph.source);
	free(graph.namesake);
	free(graph.costs);
	intern_deinit(&graph.index);
	free(graph.stack_of);
	free(graph.is_named);
	free(graph.is_file_named);
	free(graph.is_object_named);
	return has_room ? 0 : -ENOMEM;
}
