// SPDX-License-Identifier: GPL-2.0-only
/* The report of probe flat with its options: see flat_report.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "report/debug_names.h"
#include "report/flat_report.h"
#include "report/flat_symbols.h"

#define LEAST		0.005	/* of a table as text */
#define BARS_LEAST	0.008	/* as the MINIX 3 profiler has it */

static const char *const bys[] = {
	"function", "object", "program", "process", "program-object", "line", NULL
};
static const char *const bases[] = { "machine", "kernel", "target", NULL };
static const char *const sorts[] = { "self", "cumulative", "name", "object", NULL };

const struct option_spec flat_report_specs[] = {
	{ "by", "WHAT", "a row per function, object, program, process, program-object or line",
	  bys },
	{ "group", "FILE", "a row per group of functions, whose name patterns are in FILE" },
	{ "base", "WHAT", "what is 100%: machine, kernel (at work), target (stacks but idle ones)",
	  bases },
	{ "sort", "KEY", "order of the rows: self, cumulative, name or object (default self)",
	  sorts },
	{ "min", "PCT", "fold rows below PCT percent into one (default 0.5; data: 0)" },
	{ "n", "ROWS", "show the ROWS largest, fold the others into one row" },
	{ "bars", NULL, "bars, for all and each program (default -base target -min 0.8)" },
	{ "unsampled", NULL, "list functions never hit, and the bound of their shares" },
	{ NULL, NULL, NULL }
};

static int set_least(struct flat_report *flat, const char *value, struct text_error *error_ret)
{
	double percent;
	int error = parse_percent(value, &percent, error_ret);

	if (!error) {
		flat->view.least = percent / 100;
		flat->has_least = true;
	}
	return error;
}

static int set_choice(struct flat_report *flat, const char *name, const char *value,
		      struct text_error *error_ret)
{
	unsigned int choice = 0;
	int error;

	if (!strcmp(name, "sort"))
		return parse_choice(value, sorts, &flat->view.sort, error_ret);
	error = parse_choice(value, !strcmp(name, "by") ? bys : bases, &choice, error_ret);
	if (error)
		return error;
	if (!strcmp(name, "by")) {
		flat->view.flat.by = choice;
		flat->has_by = true;
	} else {
		flat->view.flat.base = choice;
		flat->has_base = true;
	}
	return 0;
}

int flat_report_set(struct flat_report *flat, const char *name, const char *value,
		    struct text_error *error_ret)
{
	if (!strcmp(name, "by") || !strcmp(name, "base") || !strcmp(name, "sort"))
		return set_choice(flat, name, value, error_ret);
	if (!strcmp(name, "o") && columns_check(&flat_column_list, value, error_ret))
		return -EINVAL;
	if (!strcmp(name, "min"))
		return set_least(flat, value, error_ret);
	if (!strcmp(name, "n"))
		return parse_count(value, &flat->view.nr_rows, error_ret);
	if (!strcmp(name, "group"))
		flat->group_path = value;
	else if (!strcmp(name, "bars"))
		flat->has_bars = true;
	else if (!strcmp(name, "unsampled"))
		flat->has_unsampled = true;
	else if (!strcmp(name, "debuginfod"))
		flat->is_fetched = true;
	else
		return output_set(&flat->output, name, value, error_ret);
	return 0;
}

/* What options mean together. */
static int settle(struct flat_report *flat, struct text_error *error_ret)
{
	struct flat_view *view = &flat->view;
	enum flat_by by = view->flat.by;

	if (flat->group_path && flat->has_by)
		return text_fail(error_ret, -EINVAL, "-group has a row per group, and no -by");
	if (flat->has_bars && flat->output.format != FORMAT_TEXT)
		return text_fail(error_ret, -EINVAL, "-bars is for text, not for -json and -tsv");
	if (flat->has_bars &&
	    (by == FLAT_PROGRAM || by == FLAT_PROCESS || by == FLAT_PROGRAM_OBJECT))
		return text_fail(error_ret, -EINVAL,
				 "-bars is by program already: not with this -by");
	if (flat->has_bars && view->sort != FLAT_BY_SELF)
		return text_fail(error_ret, -EINVAL, "-bars has the longest first: not with -sort");
	if (flat->has_bars && flat->output.columns)
		return text_fail(error_ret, -EINVAL, "-bars is no table: not with -o");
	if (flat->has_bars && !flat->has_base)
		view->flat.base = FLAT_BASE_TARGET;
	if (flat->output.format == FORMAT_TEXT && !flat->has_least && !view->nr_rows)
		view->least = flat->has_bars ? BARS_LEAST : LEAST;
	view->format = flat->output.format;
	view->columns = flat->output.columns;
	view->cols = output_cols(&flat->output);
	return 0;
}

static int read_groups(const char *path, struct groups **groups_ret, struct text_error *error_ret)
{
	FILE *in = fopen(path, "re");

	if (!in)
		return text_fail(error_ret, -errno, "open %s: %s", path, strerror(errno));
	*groups_ret = groups_read(in, path, error_ret);
	fclose(in);
	return *groups_ret ? 0 : -EINVAL;
}

static int show(struct flat_report *flat, const struct stack_run *stacks,
		struct text_error *error_ret)
{
	struct flat_view *view = &flat->view;
	struct flat_symbols symbols = { stacks->profile, stacks->resolver, NULL };
	struct unsampled *unsampled = NULL;
	int error = 0;

	view->receipt = stacks->has_receipt ? &stacks->receipt : NULL;
	if (flat->has_unsampled) {
		unsampled = unsampled_create(stacks->profile, view->flat.base, flat_symbols,
					     &symbols);
		flat_symbols_deinit(&symbols);
		if (!unsampled)
			error = text_fail(error_ret, -ENOMEM, "out of memory");
	}
	view->unsampled = unsampled;
	if (!error)
		error = flat->has_bars ?
			flat_bars_show(stdout, stacks->profile, view, error_ret) :
			flat_view_show(stdout, stacks->profile, view, error_ret);
	if (!error && view->receipt && view->format == FORMAT_TSV)
		receipt_finish(view->receipt, &flat->output);
	unsampled_destroy(unsampled);
	return error;
}

int flat_report_check(struct flat_report *flat, struct text_error *error_ret)
{
	int error = settle(flat, error_ret);

	if (error || !flat->group_path)
		return error;
	error = read_groups(flat->group_path, &flat->groups, error_ret);
	flat->view.flat.by = FLAT_GROUP;
	flat->view.flat.groups = flat->groups;
	return error;
}

/* Whether a row is a function, or what its name decides. */
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
		error = show(flat, stacks, error_ret);
	if (!error && !flat->is_fetched && shows_functions(view))
		debug_names_hint(stderr, stacks->profile, view->flat.base);
	return error;
}

void flat_report_deinit(struct flat_report *flat)
{
	groups_destroy(flat->groups);
}
