// SPDX-License-Identifier: GPL-2.0-only
/* The flat profile as a report with bars, like that of the MINIX 3 profiler: see flat_view.h. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/flat_columns.h"

#define NAME_LEN	4096
#define NUMBER_COLS	15	/* share and interval */
#define NUMBERS_COLS	29	/* samples of a state, share and interval */
#define STATE_COLS	17

/** A report being written. */
struct bar_report {
	FILE *out;
	const struct profile *profile;
	const struct flat_view *view;
	struct text_error *error_ret;
};

/* Makes a flat profile with rounded shares. NULL: failed, and @report->error_ret is filled. */
static struct flat *make_rounded_flat(const struct bar_report *report,
				      const struct flat_options *options, double least, u64 nr_rows)
{
	struct flat *flat = flat_create(report->profile, options, report->error_ret);

	if (flat && options->by != FLAT_STATE)
		flat_drop_unhit(flat);
	if (!flat || (!flat_fold(flat, FLAT_BY_SELF, least, nr_rows) &&
		      !flat_round(flat, FLAT_TEXT_WHOLE)))
		return flat;
	flat_destroy(flat);
	text_fail(report->error_ret, -ENOMEM, "out of memory");
	return NULL;
}

static double get_row_percent(const struct flat_row *row)
{
	return row->units * 100.0 / FLAT_TEXT_WHOLE;
}

static double get_row_margin(const struct flat_row *row)
{
	return stat_margin(row->interval, row->share) * 100;
}

/* The row of folded ones is called "<0.8%", unless a number of rows was given. */
static const char *get_bar_name(const struct bar_report *report, const struct flat *flat,
				const struct flat_row *row, char *name, size_t len)
{
	if (row->kind != FLAT_REST || report->view->nr_rows)
		return flat_name(flat, row, name, len);
	snprintf(name, len, "<%g%%", report->view->least * 100);
	return name;
}

/* Writes a text padded or cut to the width of its column. */
static void put_padded(FILE *out, const char *text, int cols)
{
	fprintf(out, "%*s", cols - text_put_cut(out, text, cols), "");
}

/* Writes samples by state. Their base is always the machine. */
static int render_states(const struct bar_report *report)
{
	const struct flat_options options = { .by = FLAT_STATE };
	struct flat *flat = make_rounded_flat(report, &options, 0, 0);
	int name_cols = report->view->cols < STATE_COLS + NUMBERS_COLS ?
		report->view->cols - NUMBERS_COLS : STATE_COLS;
	char name[64];
	u32 i;

	if (!flat)
		return -ENODATA;
	for (i = 0; i < flat->nr_rows; i++) {
		const struct flat_row *row = &flat->rows[i];

		/* Most machines run no guests. */
		if (row->kind == FLAT_ROW && row->key.group == FLAT_GUEST && !row->hits)
			continue;
		put_padded(report->out, flat_name(flat, row, name, sizeof(name)), name_cols);
		fprintf(report->out, "  %10llu  (%5.1f%%)  %5.2f\n", row->hits,
			get_row_percent(row), get_row_margin(row));
	}
	fprintf(report->out, "%-*s  %10llu  (100.0%%)\n", name_cols, "total", flat->hits);
	flat_destroy(flat);
	return 0;
}

/** Column widths of a block of bars. */
struct widths {
	int program, name, bar;
};

static struct widths find_bar_widths(const struct bar_report *report, const struct flat *flat)
{
	struct widths widths = { 0, 5, 0 };
	int least = report->view->cols / 4, cols;
	int room = report->view->cols - least - NUMBER_COLS - 2;
	char name[NAME_LEN];
	u32 i;

	for (i = 0; i < flat->nr_shown; i++) {
		const struct flat_row *row = flat_row_at(flat, i);

		cols = text_width(get_bar_name(report, flat, row, name, sizeof(name)));
		widths.name = cols > widths.name ? cols : widths.name;
		cols = flat->options.has_program ? text_width(flat_program(flat, row)) + 2 : 0;
		widths.program = cols > widths.program ? cols : widths.program;
	}
	if (widths.program > room / 3)
		widths.program = room / 3;
	if (widths.name > room - widths.program)
		widths.name = room - widths.program;
	widths.bar = room + least - widths.program - widths.name;
	return widths;
}

/* Writes a row: names, a bar as long as its share of the largest one, the share. */
static void render_bar(const struct bar_report *report, const struct flat *flat,
		       const struct flat_row *row, const struct widths *widths, double largest)
{
	int stars = llround(row->share / largest * widths->bar), i;
	char name[NAME_LEN];

	if (widths->program) {
		put_padded(report->out, flat_program(flat, row), widths->program - 2);
		fputs("  ", report->out);
	}
	put_padded(report->out, get_bar_name(report, flat, row, name, sizeof(name)),
		   widths->name);
	fputs("  ", report->out);
	for (i = 0; i < widths->bar; i++)
		fputc(i < stars ? '*' : ' ', report->out);
	fprintf(report->out, "  %5.1f%%  %5.2f\n", get_row_percent(row), get_row_margin(row));
}

static void render_total(const struct bar_report *report, const struct flat *flat, const char *name,
			 const struct widths *widths)
{
	u64 units = 0;
	u32 i;

	for (i = 0; i < flat->nr_shown; i++)
		units += flat_row_at(flat, i)->units;
	put_padded(report->out, name, widths->program + widths->name + 2 + widths->bar);
	fprintf(report->out, "  %5.1f%%\n", units * 100.0 / FLAT_TEXT_WHOLE);
}

static void render_block(const struct bar_report *report, const struct flat *flat, const char *name)
{
	struct widths widths = find_bar_widths(report, flat);
	double largest = 0;
	u32 i;

	for (i = 0; i < flat->nr_shown; i++)
		largest = fmax(largest, flat_row_at(flat, i)->share);
	for (i = 0; i < flat->nr_shown; i++)
		render_bar(report, flat, flat_row_at(flat, i), &widths, largest);
	render_total(report, flat, name, &widths);
}

static void render_heading(const struct bar_report *report, const struct flat *programs,
			   const struct flat_row *row)
{
	char name[NAME_LEN], rest[64];

	snprintf(rest, sizeof(rest), ": %.1f%% (+- %.2f) of all %llu samples", get_row_percent(row),
		 get_row_margin(row), programs->hits);
	snprintf(name, sizeof(name), "%s", flat_program(programs, row));
	text_plain(name);
	text_cut(name, report->view->cols - text_width(rest));
	fputc('\n', report->out);
	text_put(report->out, name);
	fprintf(report->out, "%s\n\n", rest);
}

/* Writes a program's share of all samples, and the rows within the program. */
static int render_program(const struct bar_report *report, const struct flat *programs,
			  const struct flat_row *row)
{
	struct flat_options options = report->view->flat;
	struct flat *flat;

	options.has_only = true;
	options.only = row->key.process;
	flat = make_rounded_flat(report, &options, report->view->least, report->view->nr_rows);
	if (!flat)
		return -ENODATA;
	render_heading(report, programs, row);
	render_block(report, flat, flat_program(programs, row));
	flat_destroy(flat);
	return 0;
}

static int render_programs(const struct bar_report *report)
{
	const struct flat_view *view = report->view;
	const struct flat_options options = { .by = FLAT_PROGRAM, .base = view->flat.base };
	struct flat *programs = make_rounded_flat(report, &options, view->least, view->nr_rows);
	int error = programs ? 0 : -ENODATA;
	u32 i;

	/* A program without time has no 100%. */
	for (i = 0; !error && i < programs->nr_shown; i++)
		if (flat_row_at(programs, i)->kind == FLAT_ROW && flat_row_at(programs, i)->ns > 0)
			error = render_program(report, programs, flat_row_at(programs, i));
	if (!error) {
		fprintf(report->out, "\nprograms: all %llu samples\n\n", programs->hits);
		render_block(report, programs, "total");
	}
	flat_destroy(programs);
	return error;
}

int flat_bars_show(FILE *out, const struct profile *profile, const struct flat_view *view,
		   struct text_error *error_ret)
{
	struct bar_report report = {
		.out = out, .profile = profile, .view = view, .error_ret = error_ret
	};
	struct flat_options options = view->flat;
	struct flat *flat;
	int error;

	/* Do first what may fail because of the profile's contents. */
	options.has_program = true;
	flat = make_rounded_flat(&report, &options, view->least, view->nr_rows);
	if (!flat)
		return -ENODATA;
	error = render_states(&report);
	if (!error) {
		fputc('\n', out);
		flat_view_head(out, flat, view);
		render_block(&report, flat, "total");
		error = render_programs(&report);
	}
	if (!error)
		flat_view_end(out, flat, view);
	flat_destroy(flat);
	return error;
}
