// SPDX-License-Identifier: GPL-2.0-only
/* Columns of the call graph's listing and of the call tree: see graph_columns.h. */
#include <math.h>

#include "base/stat.h"
#include "report/graph_columns.h"

#define FEW_HITS	5	/* with fewer hits, a share is shown as an upper bound */

static const struct graph_table *table_of(const struct column_cell *cell)
{
	return cell->view;
}

static const struct graph_line *line_of(const struct column_cell *cell)
{
	return cell->row;
}

static const struct tree_row *row_of(const struct column_cell *cell)
{
	return cell->row;
}

static const struct weight *weight_of(const struct column_cell *cell)
{
	return table_of(cell)->listing ? &line_of(cell)->weight : &row_of(cell)->weight;
}

static const struct weight *base_of(const struct column_cell *cell)
{
	return &table_of(cell)->view->paths->base;
}

static const char *object(const struct column_cell *cell, char *text, size_t len)
{
	uint32_t node;

	return graph_node(cell, &node) ? labels_object(table_of(cell)->view->labels, node) : "";
}

static const char *address(const struct column_cell *cell, char *text, size_t len)
{
	uint32_t node;

	snprintf(text, len, "0x%llx", graph_node(cell, &node) ?
		 (unsigned long long)labels_addr(table_of(cell)->view->labels, node) : 0);
	return text;
}

static double percent(const struct column_cell *cell)
{
	return weight_share(weight_of(cell), base_of(cell)) * 100;
}

static double self_percent(const struct column_cell *cell)
{
	return weight_self_share(weight_of(cell), base_of(cell)) * 100;
}

/* Wilson's 95% interval with the base's samples. The column's tag is 1 for self. */
static struct stat_interval interval(const struct column_cell *cell)
{
	double share = cell->column->tag ? weight_self_share(weight_of(cell), base_of(cell)) :
		weight_share(weight_of(cell), base_of(cell));

	return stat_wilson_share(share, base_of(cell)->hits);
}

static double lo(const struct column_cell *cell)
{
	return interval(cell).lo * 100;
}

static double hi(const struct column_cell *cell)
{
	return interval(cell).hi * 100;
}

static bool is_bounded(const struct column_cell *cell)
{
	return weight_of(cell)->hits < FEW_HITS;
}

static const char *percent_text(const struct column_cell *cell, char *text, size_t len)
{
	if (!is_bounded(cell))
		return NULL;
	snprintf(text, len, "<%.1f", ceil(interval(cell).hi * 1000) / 10);
	return text;
}

static double error(const struct column_cell *cell)
{
	return fmax(hi(cell) - percent(cell), percent(cell) - lo(cell));
}

static const char *error_text(const struct column_cell *cell, char *text, size_t len)
{
	return is_bounded(cell) ? "" : NULL;
}

static double self_s(const struct column_cell *cell)
{
	return weight_of(cell)->self_ns / 1e9;
}

static double descendants_s(const struct column_cell *cell)
{
	return (weight_of(cell)->ns - weight_of(cell)->self_ns) / 1e9;
}

static double samples(const struct column_cell *cell)
{
	return weight_of(cell)->hits;
}

/* As gprof shows calls: "hits/hits of the called function", or "other+recursive hits". */
static const char *samples_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct graph_line *line = table_of(cell)->listing ? line_of(cell) : NULL;
	uint64_t hits = weight_of(cell)->hits;

	if (line && line->role != GRAPH_SELF)
		snprintf(text, len, "%llu/%llu", (unsigned long long)hits,
			 (unsigned long long)line->of_hits);
	else if (line && line->recursive_hits)
		snprintf(text, len, "%llu+%llu",
			 (unsigned long long)(hits - line->recursive_hits),
			 (unsigned long long)line->recursive_hits);
	else
		return NULL;
	return text;
}

static double self_samples(const struct column_cell *cell)
{
	return weight_of(cell)->self_hits;
}

/* These numbers count from 1; 0 is shown as empty. */
static const char *number_text(const struct column_cell *cell, char *text, size_t len)
{
	return cell->column->value(cell) > 0 ? NULL : "";
}

static double level(const struct column_cell *cell)
{
	return row_of(cell)->level;
}

static const char *kind(const struct column_cell *cell, char *text, size_t len)
{
	uint32_t node = row_of(cell)->node;

	return node == TREE_OTHERS ? "others" :
		node < table_of(cell)->view->paths->profile->nr_functions ? "function" : "program";
}

static double others(const struct column_cell *cell)
{
	return row_of(cell)->nr_others;
}

/* Returns a node's entry in an array of numbers. */
static double number_of(const struct column_cell *cell, const uint32_t *numbers)
{
	uint32_t node = line_of(cell)->node;

	return node == CALLGRAPH_NONE ? 0 : numbers[node];
}

static double number_of_index(const struct column_cell *cell)
{
	return number_of(cell, table_of(cell)->listing->index);
}

static double number_of_cycle(const struct column_cell *cell)
{
	return number_of(cell, table_of(cell)->listing->cycle_number);
}

/* Other lines have the index after their name. */
static const char *index_text(const struct column_cell *cell, char *text, size_t len)
{
	if (line_of(cell)->role != GRAPH_SELF)
		return "";
	snprintf(text, len, "[%.0f]", number_of_index(cell));
	return text;
}

static double entry(const struct column_cell *cell)
{
	return table_of(cell)->entry;
}

static const char *role(const struct column_cell *cell, char *text, size_t len)
{
	static const char *const roles[] = {
		[GRAPH_PARENT] = "parent", [GRAPH_SELF] = "function", [GRAPH_CHILD] = "child",
		[GRAPH_MEMBER] = "member",
	};

	return roles[line_of(cell)->role];
}

static double of_samples(const struct column_cell *cell)
{
	return line_of(cell)->of_hits;
}

static double recursive_samples(const struct column_cell *cell)
{
	return line_of(cell)->recursive_hits;
}

#define PERCENT	.unit = COLUMN_PERCENT
#define SECONDS	.unit = COLUMN_SECONDS, .cols = 8, .digits = 3
#define COUNT	.unit = COLUMN_COUNT
#define SELF	.tag = 1

/* Columns of the tree, of both, and of the listing: each list is a part of this array. */
static const struct column columns[] = {
	{ .key = "level", .title = "Level", .help = "levels below the root", COUNT,
	  .value = level },
	{ .key = "kind", .title = "Kind",
	  .help = "function, program (with -by-process), or the others that are too small",
	  .text = kind },
	{ .key = "others", .title = "Others", .help = "number of small rows summed up in this one",
	  COUNT, .value = others, .text = number_text },

#define FIRST_OF_BOTH	3
	{ .key = "name", .title = "Name", .help = "function", .cols = 14, .text = graph_name,
	  .tail = graph_tail, .fills = true },
	{ .key = "object", .title = "Object", .help = "program, library or module that contains it",
	  .text = object },
	{ .key = "address", .title = "Address",
	  .help = "start address of the function; 0x0: unknown",
	  .unit = COLUMN_ADDRESS, .text = address },
	{ .key = "percent", .title = "% time",
	  .help = "share of the stacks that contain it; `<X` is an upper bound (below 5 samples)",
	  PERCENT, .digits = 1, .rank = 2, .value = percent, .text = percent_text },
	{ .key = "error", .title = "+-", .help = "margin of error of that share, at 95%", PERCENT,
	  .cols = 5, .digits = 2, .value = error, .text = error_text },
	{ .key = "lo", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of the 95% interval", PERCENT, .cols = 6, .digits = 2, .value = lo },
	{ .key = "hi", .title = "High", .help = "upper end of the 95% interval", PERCENT, .cols = 6,
	  .digits = 2, .value = hi },
	{ .key = "self_percent", .title = "% self",
	  .help = "share of the time in the function itself", PERCENT, .digits = 1,
	  .rank = 1, SELF, .value = self_percent },
	{ .key = "self_lo", .title = "S.low", .pair_title = "95% interval",
	  .help = "lower end of its 95% interval", PERCENT, .cols = 6, .digits = 2, SELF,
	  .value = lo },
	{ .key = "self_hi", .title = "S.high", .help = "upper end of its 95% interval", PERCENT,
	  .digits = 2, SELF, .value = hi },
	{ .key = "self_s", .title = "Self", .help = "time in the function itself",
	  SECONDS, .value = self_s },
	{ .key = "descendants_s", .title = "Descend.",
	  .help = "time in the functions that it called", SECONDS, .value = descendants_s },
	{ .key = "samples", .title = "Samples", .help = "samples of the stacks that contain it",
	  COUNT,
	  .rank = 1, .value = samples, .text = samples_text },
	{ .key = "self_samples", .title = "S.smpls",
	  .help = "samples in the function itself", COUNT, .value = self_samples },
#define END_OF_BOTH	17

	{ .key = "entry", .title = "Entry", .help = "number of the entry that the line belongs to",
	  COUNT, .value = entry },
	{ .key = "role", .title = "Role",
	  .help = "role of the line: the function, a parent (caller), child or member of a cycle",
	  .text = role },
	{ .key = "index", .title = "Index", .help = "number of the function's own entry", COUNT,
	  .is_left = true, .rank = 2, .value = number_of_index, .text = index_text },
	{ .key = "cycle", .title = "Cycle", .help = "number of its cycle", COUNT,
	  .value = number_of_cycle, .text = number_text },
	{ .key = "of_samples", .title = "Of",
	  .help = "samples of the called function in all its stacks",
	  COUNT, .value = of_samples },
	{ .key = "recursive_samples", .title = "Recursive",
	  .help = "samples in which the function calls itself", COUNT,
	  .value = recursive_samples, .text = number_text },
};

#define NUMBERS	"percent,lo,hi,self_percent,self_lo,self_hi,self_s,descendants_s,samples," \
	"self_samples"
#define OF_LINE	"name,object,address,index,cycle," NUMBERS ",of_samples,recursive_samples"
#define OF_ROW	"level,kind,name,object,address,others," NUMBERS

const struct column_list graph_column_list = {
	.name = "the listing", .column = columns + FIRST_OF_BOTH,
	.nr = sizeof(columns) / sizeof(columns[0]) - FIRST_OF_BOTH,
	.shown = {
		[FORMAT_TEXT] = "index,percent,error,self_s,descendants_s,samples,name",
		[FORMAT_TSV] = "entry,role," OF_LINE, [FORMAT_JSON] = OF_LINE,
	},
};

const struct column_list tree_column_list = {
	.name = "a tree", .column = columns, .nr = END_OF_BOTH,
	.shown = {
		[FORMAT_TEXT] = "percent,error,self_percent,samples,level,name",
		[FORMAT_TSV] = OF_ROW, [FORMAT_JSON] = OF_ROW,
	},
};
