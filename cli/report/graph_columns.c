// SPDX-License-Identifier: GPL-2.0-only
/* Columns of the call graph's listing and of the call tree: see graph_columns.h. */
#include <math.h>

#include "base/execution.h"
#include "calls/call_view.h"
#include "report/graph_columns.h"

static const struct weight *get_graph_weight(const struct column_cell *cell)
{
	return graph_table_of(cell)->listing ? &graph_line_of(cell)->weight :
		&graph_row_of(cell)->weight;
}

static const struct weight *get_graph_base(const struct column_cell *cell)
{
	return &graph_table_of(cell)->view->paths->base;
}

static const char *get_graph_object(const struct column_cell *cell, char *text, size_t len)
{
	u32 node;

	return graph_node(cell, &node) ?
		labels_object(graph_table_of(cell)->view->labels, node) : "";
}

static const char *get_graph_address(const struct column_cell *cell, char *text, size_t len)
{
	u32 node;

	snprintf(text, len, "0x%llx", graph_node(cell, &node) ?
		 labels_addr(graph_table_of(cell)->view->labels, node) : 0);
	return text;
}

/* The interval is Wilson's, with the base's samples. */
static struct stat_interval get_graph_interval(const struct column_cell *cell, double fraction)
{
	return stat_wilson_share(fraction, get_graph_base(cell)->hits,
				 graph_table_of(cell)->view->paths->profile->excess);
}

static struct share get_graph_share(const struct column_cell *cell)
{
	double fraction = weight_share(get_graph_weight(cell), get_graph_base(cell));
	struct share share = share_of(fraction, get_graph_interval(cell, fraction), 100);

	share.is_bound = get_graph_weight(cell)->hits < SHARE_FEW_HITS;
	return share;
}

static struct share get_graph_self_share(const struct column_cell *cell)
{
	double fraction = weight_self_share(get_graph_weight(cell), get_graph_base(cell));

	return share_of(fraction, get_graph_interval(cell, fraction), 100);
}

/* Times of one execution. The tag says whether a column is about the function itself. */
static struct share get_graph_execution(const struct column_cell *cell)
{
	const struct weight *weight = get_graph_weight(cell), *base = get_graph_base(cell);
	double fraction = cell->column->tag ? weight_self_share(weight, base) :
		weight_share(weight, base);

	return share_of(fraction, get_graph_interval(cell, fraction),
			graph_table_of(cell)->each);
}

/* Text shows the times of calls, if they were counted; else those of executions, if known; else sums. */
static bool wants_calls(const struct column *column, const void *view)
{
	return ((const struct graph_table *)view)->view->calls;
}

static bool wants_samples(const struct column *column, const void *view)
{
	return !wants_calls(column, view);
}

static bool wants_execution(const struct column *column, const void *view)
{
	return !isnan(((const struct graph_table *)view)->each) && !wants_calls(column, view);
}

static bool wants_shares(const struct column *column, const void *view)
{
	return !wants_execution(column, view);
}

static bool wants_sums(const struct column *column, const void *view)
{
	return wants_shares(column, view) && !wants_calls(column, view);
}

static double get_graph_self_s(const struct column_cell *cell)
{
	return get_graph_weight(cell)->self_ns / 1e9;
}

static double get_graph_descendants_s(const struct column_cell *cell)
{
	return (get_graph_weight(cell)->ns - get_graph_weight(cell)->self_ns) / 1e9;
}

static double get_graph_self_events(const struct column_cell *cell)
{
	return get_graph_weight(cell)->self_ns;
}

static double get_graph_descendants_events(const struct column_cell *cell)
{
	return get_graph_weight(cell)->ns - get_graph_weight(cell)->self_ns;
}

static bool has_graph_events(const struct column *column, const void *view)
{
	return ((const struct graph_table *)view)->view->paths->profile->counts_events;
}

static bool has_graph_times(const struct column *column, const void *view)
{
	return !has_graph_events(column, view);
}

static double get_graph_samples(const struct column_cell *cell)
{
	return get_graph_weight(cell)->hits;
}

/* As gprof shows calls: "hits/hits of the called function", or "other+recursive hits". */
static const char *get_graph_samples_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct graph_line *line = graph_table_of(cell)->listing ? graph_line_of(cell) : NULL;
	u64 hits = get_graph_weight(cell)->hits;

	if (line && line->role != GRAPH_SELF)
		snprintf(text, len, "%llu/%llu", hits, line->of_hits);
	else if (line && line->recursive_hits)
		snprintf(text, len, "%llu+%llu", hits - line->recursive_hits, line->recursive_hits);
	else
		return NULL;
	return text;
}

static double get_graph_self_samples(const struct column_cell *cell)
{
	return get_graph_weight(cell)->self_hits;
}

/* These numbers count from 1; 0 is shown as empty. */
static const char *get_number_text(const struct column_cell *cell, char *text, size_t len)
{
	return cell->column->value(cell) > 0 ? NULL : "";
}

static double get_tree_level(const struct column_cell *cell)
{
	return graph_row_of(cell)->level;
}

static const char *get_tree_kind(const struct column_cell *cell, char *text, size_t len)
{
	u32 node = graph_row_of(cell)->node;

	return node == TREE_OTHERS ? "others" :
		node < graph_table_of(cell)->view->paths->profile->nr_functions ?
		"function" : "program";
}

static double get_tree_others(const struct column_cell *cell)
{
	return graph_row_of(cell)->nr_others;
}

/* Returns a node's entry in an array of numbers. */
static double get_node_number(const struct column_cell *cell, const u32 *numbers)
{
	u32 node = graph_line_of(cell)->node;

	return node == CALLGRAPH_NONE ? 0 : numbers[node];
}

static double get_index_number(const struct column_cell *cell)
{
	return get_node_number(cell, graph_table_of(cell)->listing->index);
}

static double get_cycle_number(const struct column_cell *cell)
{
	return get_node_number(cell, graph_table_of(cell)->listing->cycle_number);
}

/* Other lines have the index after their name. */
static const char *get_index_text(const struct column_cell *cell, char *text, size_t len)
{
	if (graph_line_of(cell)->role != GRAPH_SELF)
		return "";
	snprintf(text, len, "[%.0f]", get_index_number(cell));
	return text;
}

static double get_entry_number(const struct column_cell *cell)
{
	return graph_table_of(cell)->entry;
}

static const char *get_line_role(const struct column_cell *cell, char *text, size_t len)
{
	static const char *const roles[] = {
		[GRAPH_PARENT] = "parent", [GRAPH_SELF] = "function", [GRAPH_CHILD] = "child",
		[GRAPH_MEMBER] = "member",
	};

	return roles[graph_line_of(cell)->role];
}

static double get_of_samples(const struct column_cell *cell)
{
	return graph_line_of(cell)->of_hits;
}

static double get_recursive_samples(const struct column_cell *cell)
{
	return graph_line_of(cell)->recursive_hits;
}

/* Numbers of counted calls; unknown unless the function called was counted. */
static double get_line_calls(const struct column_cell *cell)
{
	return graph_line_of(cell)->is_counted ? graph_line_of(cell)->calls : NAN;
}

static double get_line_inner_calls(const struct column_cell *cell)
{
	const struct graph_line *line = graph_line_of(cell);

	return line->is_counted && line->role == GRAPH_SELF ? line->inner_calls : NAN;
}

static double get_line_of_calls(const struct column_cell *cell)
{
	const struct graph_line *line = graph_line_of(cell);

	return line->is_counted && (line->role == GRAPH_PARENT || line->role == GRAPH_CHILD) &&
		!line->is_inner ? line->of_calls : NAN;
}

/* As gprof: "called/total", "called+self", and within a cycle "called". */
static const char *get_calls_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct graph_line *line = graph_line_of(cell);

	if (!isnan(get_line_of_calls(cell)))
		snprintf(text, len, "%llu/%llu", line->calls, line->of_calls);
	else if (line->role == GRAPH_SELF && line->inner_calls)
		snprintf(text, len, "%llu+%llu", line->calls, line->inner_calls);
	else
		return NULL;
	return text;
}

/* The time of a call; the tag says whether in the function itself. Calls are exact. */
static struct share get_call_time(const struct column_cell *cell)
{
	const struct graph_table *table = graph_table_of(cell);
	const struct graph_line *line = graph_line_of(cell);
	const struct weight *weight = &line->weight, *base = get_graph_base(cell);
	u64 hits = cell->column->tag ? weight->self_hits : weight->hits - weight->self_hits;
	double self = weight_self_share(weight, base);
	double fraction = cell->column->tag ? self : fmax(weight_share(weight, base) - self, 0);
	struct share share = share_of(fraction, get_graph_interval(cell, fraction),
				      table->view->calls && line->time_calls ? base->ns *
				      table->view->calls->counted_share / line->time_calls : NAN);

	share.is_bound = hits < SHARE_FEW_HITS;
	return share;
}

#define SECONDS	.unit = COLUMN_SECONDS, .cols = 8, .digits = 3
#define COUNT	.unit = COLUMN_COUNT
#define SUMS	.is_wanted = wants_sums
#define EACH	.unit = COLUMN_EACH_NS, .cols = 8, .digits = EXECUTION_DIGITS, \
	.share = get_graph_execution, .value = share_column_value, .is_wanted = wants_execution
#define CALL	.unit = COLUMN_NS, .cols = 8, .share = get_call_time, .value = share_column_value, \
	.text = call_time_text, .unknown = "-", .is_wanted = wants_calls
#define WHOLE	.tag = 0
#define SELF	.tag = 1

/* Columns of the tree, of both, and of the listing: each list is a part of this array. */
static const struct column columns[] = {
	{ .key = "level", .title = "Level", .help = "levels below the root", COUNT,
	  .value = get_tree_level },
	{ .key = "kind", .title = "Kind",
	  .help = "function, program (with -by-process), or the others that are too small",
	  .text = get_tree_kind },
	{ .key = "others", .title = "Others", .help = "number of small rows summed up in this one",
	  COUNT, .value = get_tree_others, .text = get_number_text },

#define FIRST_OF_BOTH	3
	{ .key = "name", .title = "Name", .help = "function", .cols = 14, .text = graph_name,
	  .tail = graph_tail, .fills = true },
	{ .key = "object", .title = "Object", .help = "program, library or module that contains it",
	  .text = get_graph_object },
	{ .key = "address", .title = "Address",
	  .help = "start address of the function; 0x0: unknown",
	  .unit = COLUMN_ADDRESS, .text = get_graph_address },
	{ .key = "percent", .title = "% time",
	  .help = "share of the stacks that contain it; `<X` is an upper bound (below 5 samples)",
	  .digits = 1, .rank = 2, SHARE_COLUMN(get_graph_share) },
	SHARE_ERROR_COLUMN("", "that share", get_graph_share, .cols = 5,
			   .is_wanted = wants_shares),
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the", get_graph_share, .cols = 6),
	{ .key = "self_percent", .title = "% self",
	  .help = "share of the time in the function itself", .digits = 1, .rank = 1, SUMS,
	  SHARE_COLUMN(get_graph_self_share) },
	SHARE_INTERVAL_COLUMNS("self_", "S.low", "S.high", "its", get_graph_self_share, .cols = 6),
	{ .key = "self_s", .title = "Self", .help = "time in the function itself",
	  SECONDS, SUMS, .exists = has_graph_times, .value = get_graph_self_s },
	{ .key = "descendants_s", .title = "Descend.",
	  .help = "time in the functions that it called", SECONDS, SUMS,
	  .exists = has_graph_times, .value = get_graph_descendants_s },
	{ .key = "self_events", .title = "Self", .help = "events in the function itself, with -event",
	  COUNT, .cols = 8, SUMS, .exists = has_graph_events, .value = get_graph_self_events },
	{ .key = "descendants_events", .title = "Descend.",
	  .help = "events in the functions that it called, with -event", COUNT, .cols = 8, SUMS,
	  .exists = has_graph_events, .value = get_graph_descendants_events },
	{ .key = "execution_ns", .title = "Total", .rank = 2, EACH, WHOLE,
	  .help = "time of the stacks that contain it, per execution, with -count" },
	{ .key = "execution_error_ns", .title = "+-", .end = COLUMN_ERROR, .rank = 2, EACH, WHOLE,
	  .help = "margin of error of that time, at 95%" },
	{ .key = "execution_lo_ns", .title = "E.low", .end = COLUMN_LO, EACH, WHOLE,
	  .help = "lower end of its 95% interval" },
	{ .key = "execution_hi_ns", .title = "E.high", .end = COLUMN_HI, EACH, WHOLE,
	  .help = "upper end of its 95% interval" },
	{ .key = "self_execution_ns", .title = "Self", .rank = 1, EACH, SELF,
	  .help = "time in the function itself, per execution" },
	{ .key = "self_execution_lo_ns", .title = "S.E.low", .end = COLUMN_LO, EACH, SELF,
	  .help = "lower end of its 95% interval" },
	{ .key = "self_execution_hi_ns", .title = "S.E.high", .end = COLUMN_HI, EACH, SELF,
	  .help = "upper end of its 95% interval" },
	{ .key = "samples", .title = "Samples", .help = "samples of the stacks that contain it",
	  COUNT, .is_wanted = wants_samples,
	  .rank = 1, .value = get_graph_samples, .text = get_graph_samples_text },
	{ .key = "self_samples", .title = "S.smpls",
	  .help = "samples in the function itself", COUNT, .value = get_graph_self_samples },
#define END_OF_BOTH	26

	{ .key = "entry", .title = "Entry", .help = "number of the entry that the line belongs to",
	  COUNT, .value = get_entry_number },
	{ .key = "role", .title = "Role",
	  .help = "role of the line: the function, a parent (caller), child or member of a cycle",
	  .text = get_line_role },
	{ .key = "index", .title = "Index", .help = "number of the function's own entry", COUNT,
	  .is_left = true, .rank = 2, .value = get_index_number, .text = get_index_text },
	{ .key = "cycle", .title = "Cycle", .help = "number of its cycle", COUNT,
	  .value = get_cycle_number, .text = get_number_text },
	{ .key = "of_samples", .title = "Of",
	  .help = "samples of the called function in all its stacks",
	  COUNT, .value = get_of_samples },
	{ .key = "recursive_samples", .title = "Recursive",
	  .help = "samples in which the function calls itself", COUNT,
	  .value = get_recursive_samples, .text = get_number_text },
	{ .key = "calls", .title = "Called",
	  .help = "calls, counted exactly: of a function by others, of a caller or callee in this "
	  "call", COUNT, .rank = 2, .unknown = "-", .is_wanted = wants_calls,
	  .value = get_line_calls, .text = get_calls_text },
	{ .key = "inner_calls", .title = "Inner",
	  .help = "calls of the function by itself, or of a cycle among its members", COUNT,
	  .value = get_line_inner_calls },
	{ .key = "of_calls", .title = "All calls",
	  .help = "calls of the called function by others, or of its cycle from outside", COUNT,
	  .value = get_line_of_calls },
	{ .key = "self_call_ns", .title = "Self/call", .rank = 1, CALL, SELF,
	  .help = "time of a call in the function itself" },
	{ .key = "self_call_lo_ns", .title = "S.C.low", .end = COLUMN_LO, CALL, SELF,
	  .help = "lower end of its 95% interval" },
	{ .key = "self_call_hi_ns", .title = "S.C.high", .end = COLUMN_HI, CALL, SELF,
	  .help = "upper end of its 95% interval" },
	{ .key = "descendants_call_ns", .title = "Desc./call", .rank = 1, CALL, WHOLE,
	  .help = "time of a call in the functions that it called" },
	{ .key = "descendants_call_lo_ns", .title = "D.C.low", .end = COLUMN_LO, CALL, WHOLE,
	  .help = "lower end of its 95% interval" },
	{ .key = "descendants_call_hi_ns", .title = "D.C.high", .end = COLUMN_HI, CALL, WHOLE,
	  .help = "upper end of its 95% interval" },
};

#define NUMBERS	"percent,lo,hi,self_percent,self_lo,self_hi,self_s,descendants_s,self_events,descendants_events,samples," \
	"self_samples"
#define EXECUTIONS	",execution_ns,execution_lo_ns,execution_hi_ns," \
	"self_execution_ns,self_execution_lo_ns,self_execution_hi_ns"
#define CALLS	",calls,inner_calls,of_calls,self_call_ns,self_call_lo_ns,self_call_hi_ns," \
	"descendants_call_ns,descendants_call_lo_ns,descendants_call_hi_ns"
#define OF_LINE	"name,object,address,index,cycle," NUMBERS ",of_samples,recursive_samples" \
	EXECUTIONS CALLS
#define OF_ROW	"level,kind,name,object,address,others," NUMBERS EXECUTIONS

const struct column_list graph_column_list = {
	.name = "the listing", .column = columns + FIRST_OF_BOTH,
	.nr = sizeof(columns) / sizeof(columns[0]) - FIRST_OF_BOTH,
	.shown = {
		[FORMAT_TEXT] = "index,percent,error,execution_ns,execution_error_ns,"
			"self_execution_ns,self_s,descendants_s,self_events,descendants_events,samples,self_call_ns,"
			"descendants_call_ns,calls,name",
		[FORMAT_TSV] = "entry,role," OF_LINE, [FORMAT_JSON] = OF_LINE,
	},
};

const struct column_list tree_column_list = {
	.name = "a tree", .column = columns, .nr = END_OF_BOTH,
	.shown = {
		[FORMAT_TEXT] = "percent,error,self_percent,execution_ns,execution_error_ns,"
			"self_execution_ns,samples,level,name",
		[FORMAT_TSV] = OF_ROW, [FORMAT_JSON] = OF_ROW,
	},
};
