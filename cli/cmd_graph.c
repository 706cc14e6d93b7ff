// SPDX-License-Identifier: GPL-2.0-only
/* probe graph: callers, callees and their time; gprof's call graph, but from whole stacks. */
#include <errno.h>
#include <string.h>

#include "base/option_values.h"
#include "calls/call_save.h"
#include "calls/call_targets.h"
#include "command.h"
#include "report/debug_names.h"
#include "report/graph_view.h"
#include "stacks_command.h"

#define MIN_PERCENT	0.5

static const char *const base_words[] = { "target", "machine", "kernel", NULL };

struct graph_command {
	struct stacks_command stacks;
	struct graph_options view;
	bool is_fetched;
	const char *path;	/* saved run; NULL: a measurement */
};

#define GRAPH(field)	offsetof(struct graph_command, view.field)

static const struct option_spec graph_specs[] = {
	{ "tree", NULL, "print a tree, from the outermost functions down", option_flag,
	  GRAPH(is_tree) },
	{ "calls", NULL, "numbers of calls and the time of a call, for a run of 'probe calls'",
	  option_flag, GRAPH(has_calls) },
	{ "focus", "FN", "only FN and everything it calls", option_text,
	  GRAPH(paths.focus) },
	{ "callers", "FN", "print a tree from FN up through its callers", option_text,
	  GRAPH(paths.callers) },
	{ "omit", "FROM:TO", "leave this call out of the search for cycles; may be repeated",
	  graph_omit_parse, GRAPH(omits) },
	{ "by-process", NULL, "in a tree, put programs above their outermost functions",
	  option_flag,
	  GRAPH(paths.by_process) },
	{ "base", "WHAT", "what is 100%: target, machine or kernel (default target)",
	  option_choice, GRAPH(paths.base), base_words },
	{ "min", "PCT", "omit functions below PCT percent (default 0.5)", option_percent,
	  GRAPH(min_percent) },
	{ "depth", "N", "omit levels deeper than N", option_count, GRAPH(depth) },
	{ "n", "N", "list the N largest functions; in a tree, the N largest below each",
	  option_count,
	  GRAPH(nr_rows) },
	{ NULL }
};

/* Checks options for conflicts; -callers implies -tree. */
static int check_view(struct graph_options *options, struct text_error *error_ret)
{
	if (options->paths.focus && options->paths.callers)
		return text_fail(error_ret, -EINVAL, "-focus cannot be combined with -callers");
	options->is_tree = options->is_tree || options->paths.callers;
	if (options->is_tree && options->omits.nr)
		return text_fail(error_ret, -EINVAL, "-omit cannot be combined with -%s",
				 options->paths.callers ? "callers" : "tree");
	if (options->has_calls && (options->is_tree || options->paths.focus))
		return text_fail(error_ret, -EINVAL, "-calls cannot be combined with -%s",
				 options->paths.callers ? "callers" : options->is_tree ? "tree" :
				 "focus");
	if (!options->paths.by_process || options->is_tree)
		return columns_check(options->is_tree ? &tree_column_list : &graph_column_list,
				     options->output.columns, error_ret);
	text_fail(error_ret, 0, "-by-process needs a tree");
	text_hint(error_ret, "add -tree or -callers FN");
	return -EINVAL;
}

static void warn_of_unknown_calls(const struct graph_omits *omits)
{
	char text[512];
	u32 i;

	for (i = 0; i < omits->nr; i++) {
		if (omits->omit[i].is_found)
			continue;
		snprintf(text, sizeof(text), "%s", omits->omit[i].text);
		text_clean(text);
		fprintf(stderr, "probe: warning: -omit %s: no stack has this call\n"
			"hint: the entry of a function lists its calls\n", text);
	}
}

static int show_paths(const struct profile *profile, struct graph_view *view,
		      struct text_error *error_ret)
{
	const struct graph_options *options = view->options;
	struct graph_omits omits = options->omits;
	struct paths paths;
	int error = paths_init(&paths, profile, view->labels, &options->paths, error_ret);

	if (error)
		return error;
	view->paths = &paths;
	view->omits = &omits;
	error = options->is_tree ? tree_view_show(stdout, view) : graph_view_show(stdout, view);
	paths_deinit(&paths);
	if (!error)
		warn_of_unknown_calls(&omits);
	return error ? text_fail(error_ret, error, "out of memory") : 0;
}

static int show_labelled(const struct profile *profile, struct graph_view *view,
			 struct text_error *error_ret)
{
	struct labels labels;
	int error = labels_init(&labels, profile);

	if (error)
		return text_fail(error_ret, error, "out of memory");
	view->labels = &labels;
	error = show_paths(profile, view, error_ret);
	labels_deinit(&labels);
	return error;
}

static int show_counted(const struct stack_run *stacks, const struct call_counts *counts,
			struct graph_view *view, struct text_error *error_ret)
{
	struct call_targets targets;
	struct text_error why;
	struct call_graph calls;
	int error;

	if (call_targets_read(&targets, counts, stacks->profile, &why))
		view->no_code = why.what;
	error = call_graph_init(&calls, counts, stacks->profile, stacks->result.elapsed_seconds * 1e9,
				view->no_code ? NULL : &targets);
	if (!view->no_code)
		call_targets_deinit(&targets);
	if (error)
		return text_fail(error_ret, error, "out of memory");
	view->calls = &calls;
	view->totals = &counts->totals;
	error = show_labelled(calls.profile, view, error_ret);
	call_graph_deinit(&calls);
	return error;
}

static int show_graph(const struct graph_command *graph, const struct stack_run *stacks,
		      struct text_error *error_ret)
{
	struct graph_view view = {
		.options = &graph->view,
		.receipt = stacks->has_receipt ? &stacks->receipt : NULL,
		.event = &stacks->result.event,
		.executions = stacks->executions,
	};
	struct call_counts *counts;
	int error;

	if (!graph->view.has_calls)
		return show_labelled(stacks->profile, &view, error_ret);
	counts = call_load_file(graph->path, "graph", error_ret);
	error = counts ? show_counted(stacks, counts, &view, error_ret) : -EBADMSG;
	call_counts_destroy(counts);
	return error;
}

/* Fetches debug information for the functions of the listing, without regard to -focus. */
static int fetch_graph_names(const struct stack_run *stacks, const struct graph_options *options,
			     struct text_error *error_ret)
{
	static const enum flat_base bases[] = { FLAT_BASE_TARGET, FLAT_BASE_MACHINE,
						FLAT_BASE_KERNEL };
	const struct debug_names_rows rows = {
		{ .base = bases[options->paths.base] }, FLAT_BY_CUMULATIVE,
		options->min_percent / 100, options->is_tree ? 0 : options->nr_rows
	};

	return debug_names_fetch(stacks, &rows, error_ret);
}

static int show_call_graph(void *self, const struct stack_run *stacks, struct text_error *error_ret)
{
	const struct graph_command *graph = self;
	int error = graph->is_fetched ? fetch_graph_names(stacks, &graph->view, error_ret) : 0;

	return error ? error : show_graph(graph, stacks, error_ret);
}

static void graph_init(void *self)
{
	struct graph_command *graph = self;

	graph->view.min_percent = MIN_PERCENT;
	stacks_command_init(self, &graph->view.output);
	graph->stacks.stacks.inline_default = true;
}

static int graph_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	struct graph_command *graph = self;

	graph->path = rest->nr_args ? rest->args[0] : NULL;
	if (graph->view.has_calls && !graph->path) {
		text_fail(error_ret, 0, "-calls needs a FILE");
		text_hint(error_ret, "'probe calls -fn GLOBS -save FILE' counts calls");
		return -EINVAL;
	}
	return check_view(&graph->view, error_ret) ?: stacks_command_check(self, rest, error_ret);
}

static int graph_run(void *self, const struct options_rest *rest)
{
	return stacks_command_run(self, rest, show_call_graph);
}

static const struct option_list graph_options[] = {
	STACKS_COMMAND_OPTIONS,
	{ graph_specs, 0 },
	{ debug_names_specs, offsetof(struct graph_command, is_fetched) },
	STACKS_COMMAND_EXPORTS,
	{ columns_specs, GRAPH(output) },
	{ form_specs, GRAPH(output) },
	{ NULL }
};

static const struct column_list *const graph_columns[] = {
	&graph_column_list, &tree_column_list, NULL
};

const struct command command_graph = {
	.name = "graph",
	.arguments = "[FILE | -- COMMAND...]",
	.help = "call graph from whole stacks: callers, callees and their time",
	.options = graph_options,
	.columns = graph_columns,
	.self_len = sizeof(struct graph_command),
	.max_args = 1,
	.takes_command = true,
	.init = graph_init,
	.check = graph_check,
	.run = graph_run,
	.deinit = stacks_command_deinit,
};
