// SPDX-License-Identifier: GPL-2.0-only
/* The flat profile as a table: see flat_view.h. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/flat_columns.h"
#include "report/run_execution.h"

/** Noun for a row, in the report's head and as the title of the name column. */
static const struct {
	const char *what, *name;
} titles[] = {
	[FLAT_FUNCTION] = { "Function", "Function" },
	[FLAT_OBJECT] = { "Object", "Object" },
	[FLAT_PROGRAM] = { "Program", "Program" },
	[FLAT_PROCESS] = { "Process", "Process" },
	[FLAT_PROGRAM_OBJECT] = { "Program and Object", "Object" },
	[FLAT_LINE] = { "Line", "Line" },
	[FLAT_GROUP] = { "Group", "Group" },
};

void flat_view_head(FILE *out, const struct flat *flat, const struct flat_view *view)
{
	static const char *const bases[] = {
		[FLAT_BASE_MACHINE] = "all samples taken",
		[FLAT_BASE_KERNEL] = "the kernel without idle time",
		[FLAT_BASE_TARGET] = "all stacks except idle ones",
	};
	u64 left_out = flat->profile->taken - flat->hits;
	char line[256], heading[EVENT_NAME_LEN + 64];
	size_t used;

	used = snprintf(line, sizeof(line), "(%llu samples are 100%%: %s", flat->hits,
			bases[flat->options.base]);
	snprintf(line + used, sizeof(line) - used, left_out ? "; %llu others left out)" : ")",
		 left_out);
	fprintf(out, "Flat Profile by %s\n", titles[flat->options.by].what);
	if (flat_view_event(view)) {
		event_heading(flat_view_event(view), heading, sizeof(heading));
		text_wrap(out, heading, view->cols);
	}
	text_wrap(out, line, view->cols);
	run_execution_print(out, flat->profile, view->executions, view->cols);
	fputc('\n', out);
}

static void print_flat_table(FILE *out, const struct flat *flat, struct flat_columns *view,
			     struct columns *columns, int line_cols)
{
	const struct shown_column *name;
	struct flat_line line = { NULL, NULL };
	size_t c;
	u32 i;

	for (c = 0; c < columns->nr; c++)
		if (!strcmp(columns->column[c].key, "name"))
			snprintf(columns->column[c].title, sizeof(columns->column[c].title), "%s",
				 titles[flat->options.by].name);
	for (i = 0; i < flat->nr_shown; i++) {
		line.row = flat_row_at(flat, i);
		columns_measure(columns, &line);
	}
	columns_fit(columns, line_cols);
	name = columns_find(columns, "name");
	view->name_cols = name ? name->cols : 0;
	columns_print_titles(out, columns);
	for (i = 0; i < flat->nr_shown; i++) {
		line.row = flat_row_at(flat, i);
		columns_print_row(out, columns, &line);
	}
	columns_print_rule(out, columns, '-');
	columns_print_sums(out, columns, "Total");
}

void flat_view_end(FILE *out, const struct flat *flat, const struct flat_view *view)
{
	if (view->unsampled)
		unsampled_print(out, view->unsampled, flat->hits, view->cols);
	if (!view->receipt)
		return;
	fputc('\n', out);
	receipt_print(out, view->receipt, view->cols);
}

static int print_flat(FILE *out, const struct flat *flat, const struct flat_view *view,
		      struct text_error *error_ret)
{
	const double each = view->executions ? flat->ns / view->executions : NAN;
	struct flat_columns context = {
		.flat = flat,
		.whole = view->format == FORMAT_TEXT ? FLAT_TEXT_WHOLE : FLAT_DATA_WHOLE,
		.unit = flat->profile->counts_events ? execution_events() :
			execution_unit(view->format == FORMAT_TEXT ? each : 1),
	};
	struct columns columns;
	int error;

	context.each = each / context.unit->ns;
	error = columns_choose(&columns, &flat_column_list, view->format, view->columns,
				   &context, error_ret);

	if (error) {
		columns_deinit(&columns);
		return error;
	}
	execution_titles(&columns, context.unit);
	if (view->format == FORMAT_JSON) {
		flat_data_json(out, flat, view, &columns);
	} else if (view->format == FORMAT_TSV) {
		flat_data_tsv(out, flat, view, &columns);
	} else {
		flat_view_head(out, flat, view);
		print_flat_table(out, flat, &context, &columns, view->cols);
		flat_view_end(out, flat, view);
	}
	columns_deinit(&columns);
	return 0;
}

int flat_view_show(FILE *out, const struct profile *profile, const struct flat_view *view,
		   struct text_error *error_ret)
{
	struct flat *flat = flat_create(profile, &view->flat, error_ret);
	enum flat_sort by = view->sort == FLAT_BY_CUMULATIVE ? FLAT_BY_CUMULATIVE : FLAT_BY_SELF;
	int error;

	if (!flat)
		return -ENODATA;
	if (flat_fold(flat, by, view->least, view->nr_rows) ||
	    flat_round(flat, view->format == FORMAT_TEXT ? FLAT_TEXT_WHOLE : FLAT_DATA_WHOLE)) {
		flat_destroy(flat);
		return text_fail(error_ret, -ENOMEM, "out of memory");
	}
	flat_sort(flat, view->sort);
	error = print_flat(out, flat, view, error_ret);
	flat_destroy(flat);
	return error;
}
