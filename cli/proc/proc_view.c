// SPDX-License-Identifier: GPL-2.0-only
/* The report of one task as text: see proc_view.h. */
#include <string.h>

#include "base/execution.h"
#include "base/option_values.h"
#include "base/stat.h"
#include "base/text.h"
#include "proc/proc_view_parts.h"

#define VIEW(field)	offsetof(struct proc_view_options, field)

const struct option_spec proc_view_specs[] = {
	{ "plain", NULL, "omit symbols", option_flag, VIEW(is_plain) },
	{ "all", NULL, "show every slot, even those too small to draw", option_flag,
	  VIEW(shows_all) },
	{ "asm", NULL, "instructions with their hits", option_flag, VIEW(is_asm) },
	{ NULL }
};

int proc_view_check(const struct proc_view_options *options, struct text_error *error_ret)
{
	return columns_check(options->is_asm ? &listing_column_list : &proc_column_list,
			     options->output.columns, error_ret);
}

/* The table of the task's samples by object. */
static void render_objects(FILE *out, struct view *view)
{
	const struct proc_report *report = view->report;
	u64 total = proc_report_task_hits(report);
	char line[sizeof(report->task) + 64];
	u32 i;

	if (!total)
		return;
	snprintf(line, sizeof(line), "%llu samples of %s by object%s", total, report->task,
		 report->nr_steps > 1 ? " (all steps)" : "");
	text_wrap(out, line, view->hist.line_cols);
	fputc('\n', out);
	for (i = 0; i < report->nr_objects; i++)
		columns_measure(&view->objects, &report->objects[i]);
	columns_fit(&view->objects, view->hist.line_cols);
	columns_print_titles(out, &view->objects);
	for (i = 0; i < report->nr_objects; i++)
		columns_print_row(out, &view->objects, &report->objects[i]);
	fputc('\n', out);
}

/* The table of slots, with the columns that -o names. */
static void render_slots(FILE *out, struct view *view)
{
	u32 slot, nr_slots = view->hist.layout->nr_slots;

	for (slot = 0; slot < nr_slots; slot++)
		if (proc_view_shows(view, slot))
			columns_measure(&view->columns, &slot);
	columns_fit(&view->columns, view->hist.line_cols);
	columns_print_titles(out, &view->columns);
	for (slot = 0; slot < nr_slots; slot++)
		if (proc_view_shows(view, slot))
			columns_print_row(out, &view->columns, &slot);
	columns_print_rule(out, &view->columns, '-');
	columns_print_sums(out, &view->columns, "Total");
}

/* @n may be 0 after a very short run, or in a malformed file. */
static double safe_share(u64 hits, u64 n)
{
	return n ? (double)hits / n : 0;
}

/* The share of the task with missed periods charged, if the printed number differs. */
static void render_charged(FILE *out, const struct view *view)
{
	const struct run_account *account = &view->report->result.account;
	u64 hits = proc_report_task_hits(view->report);
	double without = safe_share(hits, view->hist.taken);
	double with = safe_share(hits + view->report->missed, view->hist.taken + account->missed);
	char texts[2][32], line[160];

	snprintf(texts[0], sizeof(texts[0]), "%.0f%%", without * view->scale);
	snprintf(texts[1], sizeof(texts[1]), "%.0f%%", with * view->scale);
	if (view->report->nr_steps > 1 || !strcmp(texts[0], texts[1]))
		return;
	snprintf(line, sizeof(line), "(all of the task: %s of samples taken, %s with missed "
		 "periods charged)", texts[0], texts[1]);
	text_wrap(out, line, view->hist.line_cols);
}

static void render_execution(FILE *out, const struct view *view)
{
	struct share time;

	if (!view->report->executions)
		return;
	time = proc_report_execution(view->report);
	execution_print(out, &time, event_is_sampled(&view->report->result.event), view->report->executions,
			view->hist.line_cols);
}

static void render_headline(FILE *out, const struct view *view)
{
	const struct proc_report *report = view->report;
	const struct proc_elsewhere *elsewhere = &report->elsewhere;
	double percent = safe_share(view->hits, view->hist.taken) * view->scale;
	char line[512];
	int len;

	if (event_is_sampled(&report->result.event))
		text_wrap(out, event_heading(&report->result.event, line, sizeof(line)),
			  view->hist.line_cols);
	snprintf(line, sizeof(line), "Task %s %s %s mode %s%s%sfor %llu of %llu samples "
		 "(%s%.0f%%).", report->task, event_is_sampled(&report->result.event) ?
		 "caused these events in" : "was active in", proc_report_mode_name(report),
		 report->is_exe ? "" : "in ", report->is_exe ? "" : report->object,
		 report->is_exe ? "" : " ", view->hits,
		 view->hist.taken, view->hits && percent < 0.5 ? "<" : "",
		 view->hits && percent < 0.5 ? 1 : percent);
	text_wrap(out, line, view->hist.line_cols);
	len = snprintf(line, sizeof(line),
		       "(elsewhere: %llu out of range, %llu other modes, %llu "
		       "other processes",
		       elsewhere->outside, elsewhere->other_mode, elsewhere->other_task);
	if (elsewhere->other_exe)
		len += snprintf(line + len, sizeof(line) - len,
				", %llu while it ran another executable", elsewhere->other_exe);
	snprintf(line + len, sizeof(line) - len, ")");
	text_wrap(out, line, view->hist.line_cols);
	if (report->result.account.missed)
		fprintf(out, "(%llu missed)\n", report->result.account.missed);
	render_charged(out, view);
	render_execution(out, view);
}

/* Upper bounds for slots without hits: for each alone, and jointly for all of them. */
static void render_empty(FILE *out, const struct view *view)
{
	double excess = view->hist.excess;
	u32 slot, nr = 0;
	char line[160];

	for (slot = 0; slot < view->hist.layout->nr_slots; slot++)
		nr += !view->hist.hits[slot];
	if (!nr)
		return;
	snprintf(line, sizeof(line), "%u empty slots: each has less than %.2g%% with 95%% "
		 "confidence; jointly, less than %.2g%% each.", nr,
		 stat_wilson(0, view->hist.taken, excess).hi * view->scale,
		 stat_wilson_at(0, view->hist.taken, excess, stat_z(nr)).hi * view->scale);
	text_wrap(out, line, view->hist.line_cols);
}

static void render_range(FILE *out, const struct view *view)
{
	const struct slots_layout *layout = &view->report->layout;
	char line[96];

	snprintf(line, sizeof(line), "Statistics starting at address 0x%06llx, slot size 0x%llx",
		 layout->base, 1ULL << layout->shift);
	text_wrap(out, line, view->hist.line_cols);
}

/* The columns of slots that -o names; NULL with -asm, where -o names columns of instructions. */
static const char *slot_columns(const struct proc_view_options *options)
{
	return options->is_asm ? NULL : options->output.columns;
}

static void render_report_text(FILE *out, struct view *view)
{
	if (view->time)
		fprintf(out, "%s, %.1f s\n", view->time, view->report->result.elapsed_seconds);
	render_objects(out, view);
	render_headline(out, view);
	if (view->hits || view->options->shows_all) {
		render_range(out, view);
		fputc('\n', out);
		if (view->options->listing)
			listing_text(out, &view->instructions, view->report->verdict[0]);
		else if (slot_columns(view->options))
			render_slots(out, view);
		else
			hist_render(out, &view->hist);
	}
	if (view->report->verdict[0]) {
		fputc('\n', out);
		text_wrap(out, view->report->verdict, output_cols(&view->options->output));
	}
	if (view->options->shows_all && !view->options->listing)
		render_empty(out, view);
	if (view->time)
		fputc('\n', out);
	if (!view->receipt)
		return;
	if (!view->time)
		fputc('\n', out);
	receipt_print(out, view->receipt, output_cols(&view->options->output));
}

static struct view make_view(const struct proc_report *report,
			     const struct proc_view_options *options, int line_cols)
{
	return (struct view){
		.report = report,
		.options = options,
		.hist = {
			.layout = &report->layout,
			.hits = report->hits,
			.taken = proc_report_taken(report),
			.excess = report->result.account.excess,
			.object = report->object,
			.object_start = report->object_start,
			.line_cols = line_cols,
			.shows_all = options->shows_all,
		},
		.hits = proc_report_hits(report),
		.scale = options->output.of == OF_CPU ? 100.0 * report->result.nr_cpus : 100,
	};
}

void proc_view_notes(FILE *out, const struct proc_report *report,
		     const struct proc_view_options *options)
{
	struct view view = make_view(report, options, INT16_MAX);

	render_headline(out, &view);
	render_range(out, &view);
	if (options->shows_all)
		render_empty(out, &view);
}

static int choose_proc_columns(struct view *view)
{
	const struct output_options *output = &view->options->output;
	const char *wanted = slot_columns(view->options);
	int error = columns_choose(&view->columns, &proc_column_list, output->format, wanted, view,
				   NULL);

	/* In a stream of TSV reports, add the time to each row, unless -o names the columns. */
	if (!error && view->time && output->format == FORMAT_TSV && !columns_are_named(wanted))
		error = columns_add(&view->columns, &proc_column_list, "time");
	if (!error)
		error = columns_choose(&view->objects, &proc_object_list, output->format, NULL,
				       view, NULL);
	return error;
}

static void render_report(FILE *out, struct view *view)
{
	switch (view->options->output.format) {
	case FORMAT_TEXT:
		render_report_text(out, view);
		break;
	case FORMAT_TSV:
		proc_view_tsv(out, view);
		break;
	case FORMAT_JSON:
		proc_view_json(out, view);
		break;
	}
}

int proc_view_show(FILE *out, const struct proc_report *report, const struct receipt *receipt,
		   const struct sym_index *symbols, const struct proc_view_options *options,
		   bool is_repeated)
{
	char time_text[32];
	struct view view = make_view(report, options, output_cols(&options->output));
	int error;

	view.hist.symbols = options->is_plain ? NULL : symbols;
	view.receipt = receipt;
	if (options->listing)
		listing_view_init(&view.instructions, options->listing, &options->output,
				  report->object, report->result.account.excess);
	if (is_repeated)
		view.time = text_time(report->result.began, time_text, sizeof(time_text));
	error = choose_proc_columns(&view);
	if (error)
		fprintf(stderr, "probe: show the report: out of memory\n");
	else
		render_report(out, &view);
	columns_deinit(&view.columns);
	columns_deinit(&view.objects);
	return error;
}
