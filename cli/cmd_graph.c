// SPDX-License-Identifier: GPL-2.0-only
/* probe graph: who calls whom, and what that costs; gprof's second listing, from whole stacks. */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "report/debug_names.h"
#include "report/graph_view.h"
#include "stacks_command.h"

#define MIN_PERCENT	0.5

static const char *const base_words[] = { "target", "machine", "kernel", NULL };

static const struct option_spec graph_specs[] = {
	{ "tree", NULL, "as a tree, from the outermost functions down" },
	{ "focus", "FN", "only what FN and the functions below it do" },
	{ "callers", "FN", "as a tree, from FN up to who calls it" },
	{ "by-process", NULL, "in a tree: programs above their outermost functions" },
	{ "base", "WHAT", "what is 100%: target, machine or kernel (default target)", base_words },
	{ "min", "PCT", "leave out what is smaller (default 0.5)" },
	{ "depth", "N", "leave out what is deeper than N levels" },
	{ "n", "N", "list the N largest functions; of a tree, N below each" },
	{ NULL, NULL, NULL }
};

struct graph_command {
	struct graph_options view;
	bool is_fetched;
};

/* The command's own, and the report's form. */
static int graph_set(void *context, const char *name, const char *value,
		     struct text_error *error_ret)
{
	struct graph_command *graph = context;
	struct graph_options *options = &graph->view;

	if (!strcmp(name, "base"))
		return parse_choice(value, base_words, &options->paths.base, error_ret);
	if (!strcmp(name, "min"))
		return parse_percent(value, &options->min_percent, error_ret);
	if (!strcmp(name, "depth"))
		return parse_count(value, &options->depth, error_ret);
	if (!strcmp(name, "n"))
		return parse_count(value, &options->nr_rows, error_ret);
	if (!strcmp(name, "focus"))
		options->paths.focus = value;
	else if (!strcmp(name, "callers"))
		options->paths.callers = value;
	else if (!strcmp(name, "tree"))
		options->is_tree = true;
	else if (!strcmp(name, "by-process"))
		options->paths.by_process = true;
	else if (!strcmp(name, "debuginfod"))
		graph->is_fetched = true;
	else
		return output_set(&options->output, name, value, error_ret);
	return 0;
}

/* What cannot go together. */
static int graph_check(struct graph_options *options, struct text_error *error_ret)
{
	if (options->paths.focus && options->paths.callers)
		return text_fail(error_ret, -EINVAL, "-focus and -callers cannot go together");
	options->is_tree = options->is_tree || options->paths.callers;
	if (!options->paths.by_process || options->is_tree)
		return options->output.columns ?
			columns_check(options->is_tree ? &tree_column_list : &graph_column_list,
				      options->output.columns, error_ret) : 0;
	text_fail(error_ret, 0, "-by-process goes with a tree");
	text_hint(error_ret, "add -tree or -callers FN");
	return -EINVAL;
}

static int show_paths(const struct stack_run *stacks, const struct labels *labels,
		      const struct graph_options *options, struct text_error *error_ret)
{
	struct graph_view view = {
		.options = options, .labels = labels,
		.receipt = stacks->has_receipt ? &stacks->receipt : NULL,
	};
	struct paths paths;
	int error = paths_init(&paths, stacks->profile, labels, &options->paths, error_ret);

	if (error)
		return error;
	view.paths = &paths;
	error = options->is_tree ? tree_view_show(stdout, &view) : graph_view_show(stdout, &view);
	paths_deinit(&paths);
	return error ? text_fail(error_ret, error, "out of memory") : 0;
}

static int show(const struct stack_run *stacks, const struct graph_options *options,
		struct text_error *error_ret)
{
	struct labels labels;
	int error = labels_init(&labels, stacks->profile);

	if (error)
		return text_fail(error_ret, error, "out of memory");
	error = show_paths(stacks, &labels, options, error_ret);
	labels_deinit(&labels);
	return error;
}

/* The functions of the listing; which of them a focus leaves is not looked at. */
static int fetch(const struct stack_run *stacks, const struct graph_options *options,
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

static int graph_show(void *context, const struct stack_run *stacks, struct text_error *error_ret)
{
	const struct graph_command *graph = context;
	int error = graph->is_fetched ? fetch(stacks, &graph->view, error_ret) : 0;

	return error ? error : show(stacks, &graph->view, error_ret);
}

static int graph_checked(void *context, struct text_error *error_ret)
{
	struct graph_command *graph = context;

	return graph_check(&graph->view, error_ret);
}

static int graph_run(const struct command *command, char **argv)
{
	struct graph_command graph = { .view.min_percent = MIN_PERCENT };
	const struct stacks_command stacks = {
		.command = command, .context = &graph, .set = graph_set, .check = graph_checked,
		.show = graph_show,
	};

	return stacks_command_run(&stacks, argv);
}

static const struct option_spec *const graph_options[] = {
	sampling_specs, stacks_specs, graph_specs, debug_names_specs, export_specs,
	columns_specs, form_specs, NULL
};

static const struct column_list *const graph_columns[] = {
	&graph_column_list, &tree_column_list, NULL
};

const struct command command_graph = {
	.name = "graph",
	.arguments = "[FILE | -- COMMAND...]",
	.help = "who calls whom, and the time of each call: from whole stacks",
	.options = graph_options,
	.columns = graph_columns,
	.run = graph_run,
};
