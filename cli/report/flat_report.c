// SPDX-License-Identifier: GPL-2.0-only
/* The report of probe flat and its options: see flat_report.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/option_values.h"
#include "report/debug_names.h"
#include "report/flat_report.h"
#include "report/flat_symbols.h"

#define LEAST		0.005	/* for a table as text */
#define BARS_LEAST	0.008	/* as in the MINIX 3 profiler */

static const char *const bys[] = {
	"function", "object", "program", "process", "program-object", "line", NULL
};
static const char *const bases[] = { "machine", "kernel", "target", NULL };
static const char *const sorts[] = { "self", "cumulative", "name", "object", NULL };

#define FLAT(field)	offsetof(struct flat_report, field)

static int parse_least_share(const struct option_spec *spec, const char *value, void *at,
			     struct text_error *error_ret)
{
	double *least = at;
	int error = option_percent(spec, value, least, error_ret);

	if (!error)
		*least /= 100;
	return error;
}

const struct option_spec flat_report_specs[] = {
	{ "by", "WHAT", "a row per function, object, program, process, program-object or line",
	  option_choice, FLAT(view.flat.by), bys },
	{ "group", "FILE", "a row per group of functions; FILE has the name patterns of each",
	  option_text, FLAT(group_path) },
	{ "base", "WHAT",
	  "what is 100%: machine, kernel (when busy) or target (all stacks that are not idle)",
	  option_choice, FLAT(view.flat.base), bases },
	{ "sort", "KEY", "column to sort by: self, cumulative, name or object (default self)",
	  option_choice, FLAT(view.sort), sorts },
	{ "min", "PCT", "sum up rows below PCT percent in one (default 0.5; -tsv, -json: 0)",
	  parse_least_share, FLAT(view.least) },
	{ "n", "ROWS", "show the ROWS largest and sum up the others in one row", option_count,
	  FLAT(view.nr_rows) },
	{ "bars", NULL, "draw bars, for all programs and for each (default -base target -min 0.8)",
	  option_flag, FLAT(has_bars) },
	{ "unsampled", NULL, "list functions without samples, and the upper bound of their share",
	  option_flag, FLAT(has_unsampled) },
	{ NULL }
};

/* Checks combinations of options, and sets defaults that depend on others. */
static int settle_options(struct flat_report *flat, const struct options_rest *rest,
			  struct text_error *error_ret)
{
	struct flat_view *view = &flat->view;
	enum flat_by by = view->flat.by;

	if (flat->group_path && options_given(rest, "by"))
		return text_fail(error_ret, -EINVAL, "-group cannot be combined with -by");
	if (flat->has_bars && flat->output.format != FORMAT_TEXT)
		return text_fail(error_ret, -EINVAL, "-bars cannot be combined with -%s",
				 flat->output.format == FORMAT_JSON ? "json" : "tsv");
	if (flat->has_bars &&
	    (by == FLAT_PROGRAM || by == FLAT_PROCESS || by == FLAT_PROGRAM_OBJECT))
		return text_fail(error_ret, -EINVAL,
				 "-bars cannot be combined with -by %s", bys[by]);
	if (flat->has_bars && view->sort != FLAT_BY_SELF)
		return text_fail(error_ret, -EINVAL, "-bars cannot be combined with -sort");
	if (flat->has_bars && flat->output.columns)
		return text_fail(error_ret, -EINVAL, "-bars cannot be combined with -o");
	if (flat->has_bars && !options_given(rest, "base"))
		view->flat.base = FLAT_BASE_TARGET;
	if (flat->output.format == FORMAT_TEXT && !options_given(rest, "min") && !view->nr_rows)
		view->least = flat->has_bars ? BARS_LEAST : LEAST;
	view->format = flat->output.format;
	view->columns = flat->output.columns;
	view->cols = output_cols(&flat->output);
	return 0;
}

/* A run has pids only if it was measured so. */
static void hint_at_pids(const struct flat_view *view, const struct profile *profile)
{
	u32 i;

	if (view->flat.by != FLAT_PROCESS)
		return;
	for (i = 0; i < profile->nr_processes; i++)
		if (profile->processes[i].pid)
			return;
	fprintf(stderr, "probe: this run counts the processes of a program together\n"
		"hint: measure with -pids to keep them apart\n");
}

static int print_flat_report(struct flat_report *flat, const struct stack_run *stacks,
			     struct text_error *error_ret)
{
	struct flat_view *view = &flat->view;
	struct flat_symbols symbols = { stacks->profile, stacks->resolver, NULL };
	struct unsampled *unsampled = NULL;
	int error = 0;

	view->receipt = stacks->has_receipt ? &stacks->receipt : NULL;
	view->event = &stacks->result.event;
	view->executions = stacks->executions;
	if (flat->has_unsampled) {
		unsampled = unsampled_create(stacks->profile, view->flat.base, flat_symbols,
					     &symbols);
		flat_symbols_deinit(&symbols);
		if (!unsampled)
			error = text_fail(error_ret, -ENOMEM, "out of memory");
	}
	view->unsampled = unsampled;
	hint_at_pids(view, stacks->profile);
	if (!error)
		error = flat->has_bars ?
			flat_bars_show(stdout, stacks->profile, view, error_ret) :
			flat_view_show(stdout, stacks->profile, view, error_ret);
	if (!error && view->receipt && view->format == FORMAT_TSV)
		receipt_finish(view->receipt, &flat->output);
	unsampled_destroy(unsampled);
	return error;
}

int flat_report_check(struct flat_report *flat, const struct options_rest *rest,
		      struct text_error *error_ret)
{
	int error = columns_check(&flat_column_list, flat->output.columns, error_ret) ?:
		settle_options(flat, rest, error_ret);

	if (error || !flat->group_path)
		return error;
	if (groups_read_file(flat->group_path, &flat->groups, error_ret))
		return OPTIONS_UNREAD;
	flat->view.flat.by = FLAT_GROUP;
	flat->view.flat.groups = flat->groups;
	return 0;
}

/* Whether rows depend on names of functions. */
static bool shows_functions(const struct flat_view *view)
{
	enum flat_by by = view->flat.by;

	return by == FLAT_FUNCTION || by == FLAT_LINE || by == FLAT_GROUP;
}

int flat_report_show(struct flat_report *flat, const struct stack_run *stacks,
		     struct text_error *error_ret)
{
	const struct flat_view *view = &flat->view;
	const struct debug_names_rows rows = {
		view->flat, view->sort == FLAT_BY_CUMULATIVE ? FLAT_BY_CUMULATIVE : FLAT_BY_SELF,
		view->least, view->nr_rows
	};
	int error = flat->is_fetched ? debug_names_fetch(stacks, &rows, error_ret) : 0;

	if (!error)
		error = print_flat_report(flat, stacks, error_ret);
	if (!error && !flat->is_fetched && shows_functions(view))
		debug_names_hint(stderr, stacks->profile, view->flat.base);
	return error;
}

void flat_report_deinit(struct flat_report *flat)
{
	groups_destroy(flat->groups);
}
