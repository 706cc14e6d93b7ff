// SPDX-License-Identifier: GPL-2.0-only
/* The report of one task: see proc_view.h. */
#include <math.h>
#include <string.h>

#include "hist.h"
#include "proc_view.h"
#include "stat.h"
#include "text.h"

const struct option_spec proc_view_specs[] = {
	{ "plain", NULL, "leave symbols out" },
	{ "all", NULL, "show every slot, also those too small to draw" },
	{ NULL, NULL, NULL }
};

static const char *const modes[] = { "user", "kernel" };

int proc_view_set(struct proc_view_options *options, const char *name, const char *value,
		  struct text_error *error_ret)
{
	if (!strcmp(name, "plain"))
		options->is_plain = true;
	else if (!strcmp(name, "all"))
		options->shows_all = true;
	else
		return output_set(&options->output, name, value, error_ret);
	return 0;
}

/** What the functions below need. */
struct view {
	const struct proc_report *report;
	const struct proc_view_options *options;
	struct hist hist;
	double scale;		/* 100, or 100 x CPUs with -of cpu */
	uint64_t hits;		/* in the range */
	const char *time;	/* of a repeated report; or NULL */
};

static uint64_t hits_of_task(const struct proc_report *report)
{
	uint64_t hits = 0;
	uint32_t i;

	for (i = 0; i < report->nr_objects; i++)
		hits += report->objects[i].hits;
	return hits;
}

/* Half of an interval as shares of 100: its farther end. */
static double error_percent(uint64_t hits, uint64_t n, enum output_ci ci)
{
	struct stat_interval interval = stat_wilson(hits, n);
	double share = n ? (double)hits / n : 0;

	if (ci == CI_PAPER)
		return stat_paper_halfwidth(hits, n) * 100;
	return fmax(interval.hi - share, share - interval.lo) * 100;
}

static int digits_of(uint64_t number)
{
	return snprintf(NULL, 0, "%llu", (unsigned long long)number);
}

/* Where the samples of the task fell. */
static void render_objects(FILE *out, const struct view *view)
{
	const struct proc_report *report = view->report;
	uint64_t total = hits_of_task(report);
	int cols = 14, count_cols = digits_of(total), room, width;
	uint32_t i;
	char name[96];

	if (!total)
		return;
	if (count_cols < 7)
		count_cols = 7;
	room = view->hist.line_cols - count_cols - 17;
	for (i = 0; i < report->nr_objects; i++) {
		width = text_width(report->objects[i].name);
		cols = width > cols ? width : cols;
	}
	cols = cols > room ? room : cols;
	fprintf(out, "Where the %llu samples of %s fell%s\n\n", (unsigned long long)total,
		report->task, report->nr_steps > 1 ? " (all steps)" : "");
	fprintf(out, "%-*s  %*s   Share     +-\n", cols, "Object", count_cols, "Samples");
	for (i = 0; i < (uint32_t)cols; i++)
		fputc('=', out);
	fprintf(out, "  %.*s  ======  =====\n", count_cols, "====================");
	for (i = 0; i < report->nr_objects; i++) {
		const struct proc_object *object = &report->objects[i];

		snprintf(name, sizeof(name), "%s", object->name);
		text_cut(name, cols);
		fprintf(out, "%s%*s  %*llu  %6.1f  %5.2f\n", name, cols - text_width(name), "",
			count_cols, (unsigned long long)object->hits, 100.0 * object->hits / total,
			error_percent(object->hits, total, view->options->output.ci));
	}
	fputc('\n', out);
}

static int range_text(const struct proc_step *step, char *text, size_t len)
{
	return snprintf(text, len, "0x%06llx-0x%06llx", (unsigned long long)step->low,
			(unsigned long long)step->high);
}

void proc_view_step(FILE *out, const struct proc_report *report, uint32_t number)
{
	static const char rule[] = "=====================================";
	const struct proc_step *step = &report->steps[number];
	uint64_t all = step->hits + step->outside;
	char range[64];
	int cols = range_text(&report->steps[0], range, sizeof(range));	/* no later one is wider */

	if (!number)
		fprintf(out, "Step  %-*s  %9s  %8s  %7s  %5s\n====  %.*s  =========  ========  "
			"=======  =====\n", cols, "Addresses", "Slot", "Hits", "Outside", "+-", cols, rule);
	range_text(step, range, sizeof(range));
	fprintf(out, "%4u  %-*s  %#9llx  %8llu  %6.1f%%  %5.2f\n", number + 1, cols, range,
		(unsigned long long)step->slot_bytes, (unsigned long long)step->hits,
		all ? 100.0 * step->outside / all : 0, error_percent(step->outside, all, CI_WILSON));
	if (step->why[0])
		fprintf(out, "      %s\n", step->why);
	fflush(out);
}

static void render_headline(FILE *out, const struct view *view)
{
	const struct proc_report *report = view->report;
	const struct proc_elsewhere *elsewhere = &report->elsewhere;
	double percent = (double)view->hits / view->hist.taken * view->scale;
	char line[512];
	int len;

	snprintf(line, sizeof(line), "Task %s was active in %s mode %s%s%sfor %llu of %llu samples "
		 "(%s%.0f%%).", report->task, modes[report->mode], report->is_exe ? "" : "in ",
		 report->is_exe ? "" : report->object, report->is_exe ? "" : " ",
		 (unsigned long long)view->hits, (unsigned long long)view->hist.taken,
		 view->hits && percent < 0.5 ? "<" : "", view->hits && percent < 0.5 ? 1 : percent);
	text_wrap(out, line, view->hist.line_cols);
	len = snprintf(line, sizeof(line), "(elsewhere: %llu out of range, %llu other modes, %llu other "
		       "processes", (unsigned long long)elsewhere->outside,
		       (unsigned long long)elsewhere->other_mode,
		       (unsigned long long)elsewhere->other_task);
	if (elsewhere->other_exe)
		len += snprintf(line + len, sizeof(line) - len, ", %llu while it ran another executable",
				(unsigned long long)elsewhere->other_exe);
	snprintf(line + len, sizeof(line) - len, ")");
	text_wrap(out, line, view->hist.line_cols);
	if (report->result.account.missed)
		fprintf(out, "(%llu missed)\n", (unsigned long long)report->result.account.missed);
}

static void render_text(FILE *out, const struct view *view)
{
	const struct slots_layout *layout = &view->report->layout;

	if (view->time)
		fprintf(out, "%s, %.1f s\n", view->time, view->report->result.elapsed_seconds);
	render_objects(out, view);
	render_headline(out, view);
	if (view->hits || view->options->shows_all) {
		fprintf(out, "Statistics starting at address 0x%06llx, slot size 0x%llx\n\n",
			(unsigned long long)layout->base, 1ULL << layout->shift);
		hist_render(out, &view->hist);
	}
	if (view->report->verdict[0]) {
		fputc('\n', out);
		text_wrap(out, view->report->verdict, output_cols(&view->options->output));
	}
	if (view->time)
		fputc('\n', out);
}

/** One column of the machine formats. */
struct column {
	const char *key;
	double (*value)(const struct view *view, uint32_t slot);
	int digits;
};

static double slot_hits(const struct view *view, uint32_t slot)
{
	return view->hist.hits[slot];
}

static double share(const struct view *view, uint32_t slot)
{
	return (double)view->hist.hits[slot] / view->hist.taken * view->scale;
}

static double paper_halfwidth(const struct view *view, uint32_t slot)
{
	return stat_paper_halfwidth(view->hist.hits[slot], view->hist.taken) * view->scale;
}

static double low_bound(const struct view *view, uint32_t slot)
{
	if (view->options->output.ci == CI_PAPER)
		return share(view, slot) - paper_halfwidth(view, slot);
	return stat_wilson(view->hist.hits[slot], view->hist.taken).lo * view->scale;
}

static double high_bound(const struct view *view, uint32_t slot)
{
	if (view->options->output.ci == CI_PAPER)
		return share(view, slot) + paper_halfwidth(view, slot);
	return stat_wilson(view->hist.hits[slot], view->hist.taken).hi * view->scale;
}

static double error_of(const struct view *view, uint32_t slot)
{
	return fmax(high_bound(view, slot) - share(view, slot),
		    share(view, slot) - low_bound(view, slot));
}

static const struct column columns[] = {
	{ "hits", slot_hits, 0 }, { "share", share, 4 }, { "error", error_of, 4 },
	{ "lo", low_bound, 4 }, { "hi", high_bound, 4 },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool is_shown(const struct view *view, uint32_t slot)
{
	return view->options->shows_all || view->hist.hits[slot];
}

static void render_tsv(FILE *out, const struct view *view)
{
	static bool has_titles;	/* of a stream of reports: printed */
	char name[256];
	uint32_t slot;
	size_t c;

	if (!view->time || !has_titles) {
		fputs("address\tend", out);
		for (c = 0; c < NR_COLUMNS; c++)
			fprintf(out, "\t%s", columns[c].key);
		fprintf(out, "\tname%s\n", view->time ? "\ttime" : "");
	}
	has_titles = true;
	for (slot = 0; slot < view->hist.layout->nr_slots; slot++) {
		if (!is_shown(view, slot))
			continue;
		fprintf(out, "0x%llx\t0x%llx",
			(unsigned long long)hist_slot_low(&view->hist, slot),
			(unsigned long long)hist_slot_high(&view->hist, slot));
		for (c = 0; c < NR_COLUMNS; c++)
			fprintf(out, "\t%.*f", columns[c].digits, columns[c].value(view, slot));
		hist_name(&view->hist, slot, name, sizeof(name));
		fprintf(out, "\t%s%s%s\n", name, view->time ? "\t" : "", view->time ? view->time : "");
	}
}

static void render_json_slot(FILE *out, const struct view *view, uint32_t slot)
{
	char name[256];
	size_t c;

	fprintf(out, "    {\"address\": \"0x%llx\", \"end\": \"0x%llx\"",
		(unsigned long long)hist_slot_low(&view->hist, slot),
		(unsigned long long)hist_slot_high(&view->hist, slot));
	for (c = 0; c < NR_COLUMNS; c++)
		fprintf(out, ", \"%s\": %.*f", columns[c].key, columns[c].digits,
			columns[c].value(view, slot));
	hist_name(&view->hist, slot, name, sizeof(name));
	fputs(", \"name\": ", out);
	text_json(out, name);
	fputc('}', out);
}

static void render_json_objects(FILE *out, const struct view *view)
{
	const struct proc_report *report = view->report;
	uint64_t total = hits_of_task(report);
	uint32_t i;

	fputs("  \"objects\": [", out);
	for (i = 0; i < report->nr_objects; i++) {
		const struct proc_object *object = &report->objects[i];

		fprintf(out, "%s\n    {\"name\": ", i ? "," : "");
		text_json(out, object->name);
		fprintf(out, ", \"hits\": %llu, \"share\": %.4f, \"error\": %.4f}",
			(unsigned long long)object->hits, 100.0 * object->hits / total,
			error_percent(object->hits, total, view->options->output.ci));
	}
	fputs(report->nr_objects ? "\n  ],\n" : "],\n", out);
}

static void render_json_steps(FILE *out, const struct proc_report *report)
{
	uint32_t i;

	if (!report->nr_steps)
		return;
	fputs("  \"steps\": [", out);
	for (i = 0; i < report->nr_steps; i++) {
		const struct proc_step *step = &report->steps[i];

		fprintf(out, "%s\n    {\"low\": \"0x%llx\", \"high\": \"0x%llx\", \"slot_bytes\": %llu, "
			"\"hits\": %llu, \"outside\": %llu, \"seconds\": %.3f, \"why\": ", i ? "," : "",
			(unsigned long long)step->low, (unsigned long long)step->high,
			(unsigned long long)step->slot_bytes, (unsigned long long)step->hits,
			(unsigned long long)step->outside, step->seconds);
		text_json(out, step->why);
		fputc('}', out);
	}
	fputs("\n  ],\n  \"verdict\": ", out);
	text_json(out, report->verdict);
	fputs(",\n", out);
}

static void render_json(FILE *out, const struct view *view)
{
	const struct proc_report *report = view->report;
	const struct run_account *account = &report->result.account;
	const struct { const char *key; uint64_t value; } numbers[] = {
		{ "period_ns", report->result.period_ns }, { "seed", report->result.seed },
		{ "expected", account->expected }, { "samples", account->taken },
		{ "missed", account->missed }, { "deferred", account->deferred },
		{ "hits", view->hits }, { "out_of_range", report->elsewhere.outside },
		{ "other_modes", report->elsewhere.other_mode },
		{ "other_executables", report->elsewhere.other_exe },
		{ "other_processes", report->elsewhere.other_task },
		{ "slot_bytes", 1ULL << report->layout.shift },
	};
	bool is_first = true;
	uint32_t slot;
	size_t i;

	fputs("{\n  \"report\": \"proc\",\n  \"task\": ", out);
	text_json(out, report->task);
	fputs(",\n  \"object\": ", out);
	text_json(out, report->object);
	if (view->time)
		fprintf(out, ",\n  \"time\": \"%s\"", view->time);
	fprintf(out, ",\n  \"mode\": \"%s\",\n  \"seconds\": %.3f,\n", modes[report->mode],
		report->result.elapsed_seconds);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		fprintf(out, "  \"%s\": %llu,\n", numbers[i].key,
			(unsigned long long)numbers[i].value);
	render_json_objects(out, view);
	render_json_steps(out, report);
	fputs("  \"rows\": [", out);
	for (slot = 0; slot < view->hist.layout->nr_slots; slot++) {
		if (!is_shown(view, slot))
			continue;
		fputs(is_first ? "\n" : ",\n", out);
		render_json_slot(out, view, slot);
		is_first = false;
	}
	fputs("\n  ]\n}\n", out);
}

void proc_view_show(FILE *out, const struct proc_report *report, const struct sym_index *symbols,
		    const struct proc_view_options *options, bool is_repeated)
{
	static void (*const render[])(FILE *, const struct view *) = {
		[FORMAT_TEXT] = render_text, [FORMAT_TSV] = render_tsv, [FORMAT_JSON] = render_json,
	};
	char time_text[32];
	struct view view = {
		.report = report,
		.options = options,
		.hist = {
			.layout = &report->layout,
			.hits = report->hits,
			.taken = report->result.account.taken,
			.symbols = options->is_plain ? NULL : symbols,
			.object = report->object,
			.object_start = report->object_start,
			.line_cols = output_cols(&options->output),
			.shows_all = options->shows_all,
		},
		.hits = proc_report_hits(report),
		.scale = options->output.of == OF_CPU ? 100.0 * report->result.nr_cpus : 100,
	};

	if (is_repeated)
		view.time = text_time(report->result.began, time_text, sizeof(time_text));
	render[options->output.format](out, &view);
}
