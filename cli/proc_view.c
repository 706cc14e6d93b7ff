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

#define FEW_HITS 5	/* below this a share is known by its upper bound only */

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
	const struct receipt *receipt;	/* of the run; or NULL */
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

/* Share and error; of a few hits the upper bound, which is what can be said. */
static void share_text(uint64_t hits, uint64_t n, enum output_ci ci, char *text, size_t len)
{
	char bound[16];

	if (hits >= FEW_HITS || ci == CI_PAPER) {
		snprintf(text, len, "%6.1f  %5.2f", 100.0 * hits / n, error_percent(hits, n, ci));
		return;
	}
	snprintf(bound, sizeof(bound), "<%.1f", ceil(stat_wilson(hits, n).hi * 1000) / 10);
	snprintf(text, len, "%6s", bound);
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
	char name[96], share[32];

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
		share_text(object->hits, total, view->options->output.ci, share, sizeof(share));
		fprintf(out, "%s%*s  %*llu  %s\n", name, cols - text_width(name), "", count_cols,
			(unsigned long long)object->hits, share);
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

/* The share of the task with the periods that its late samples skipped, if it prints otherwise. */
static void render_charged(FILE *out, const struct view *view)
{
	const struct run_account *account = &view->report->result.account;
	uint64_t hits = hits_of_task(view->report);
	double without = (double)hits / view->hist.taken * view->scale, with;
	char texts[2][32];

	with = (double)(hits + view->report->missed) / (view->hist.taken + account->missed) *
		view->scale;
	snprintf(texts[0], sizeof(texts[0]), "%.0f%%", without);
	snprintf(texts[1], sizeof(texts[1]), "%.0f%%", with);
	if (view->report->nr_steps <= 1 && strcmp(texts[0], texts[1]))
		fprintf(out, "(all of the task: %s of samples taken, %s with missed periods charged)\n",
			texts[0], texts[1]);
}

/** Time of one execution, in nanoseconds. */
struct execution {
	double ns;
	struct stat_interval interval;
};

/*
 * hits / (rate x executions), the paper's "Accurate time measurement": here as the share of
 * the time sampled, so that it is right also where samples were missed.
 */
static struct execution time_of_execution(const struct view *view)
{
	const struct run_result *result = &view->report->result;
	struct stat_interval share = stat_wilson(view->hits, view->hist.taken);
	double each = (double)result->account.expected * result->period_ns /
		view->report->executions;

	return (struct execution){
		.ns = (double)view->hits / view->hist.taken * each,
		.interval = { share.lo * each, share.hi * each },
	};
}

static void render_execution(FILE *out, const struct view *view)
{
	static const struct { const char *name; double ns; } units[] = {
		{ "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 },
	};
	struct execution one;
	char line[160];
	size_t u = 0;

	if (!view->report->executions)
		return;
	one = time_of_execution(view);
	while (u < 3 && one.ns < units[u].ns)
		u++;
	snprintf(line, sizeof(line), "One execution: %.4g %s, 95%% interval %.4g to %.4g %s "
		 "(%llu executions)", one.ns / units[u].ns, units[u].name, one.interval.lo / units[u].ns,
		 one.interval.hi / units[u].ns, units[u].name,
		 (unsigned long long)view->report->executions);
	text_wrap(out, line, view->hist.line_cols);
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
	render_charged(out, view);
	render_execution(out, view);
}

/* What can be said of slots without a hit: of each by itself, and of all at once. */
static void render_empty(FILE *out, const struct view *view)
{
	uint32_t slot, nr = 0;
	char line[160];

	for (slot = 0; slot < view->hist.layout->nr_slots; slot++)
		nr += !view->hist.hits[slot];
	if (!nr)
		return;
	snprintf(line, sizeof(line), "%u empty slots: each has less than %.2g%% with 95%% confidence, all "
		 "of them at once less than %.2g%% each.", nr,
		 stat_wilson(0, view->hist.taken).hi * view->scale,
		 stat_wilson_at(0, view->hist.taken, stat_z(nr)).hi * view->scale);
	text_wrap(out, line, view->hist.line_cols);
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
	if (view->options->shows_all)
		render_empty(out, view);
	if (view->time)
		fputc('\n', out);
	if (!view->receipt)
		return;
	if (!view->time)
		fputc('\n', out);
	receipt_print(out, view->receipt, output_cols(&view->options->output));
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
		fprintf(out, ", \"hits\": %llu, \"share\": %.4f, \"error\": %.4f, \"lo\": %.4f, "
			"\"hi\": %.4f}", (unsigned long long)object->hits, 100.0 * object->hits / total,
			error_percent(object->hits, total, view->options->output.ci),
			stat_wilson(object->hits, total).lo * 100,
			stat_wilson(object->hits, total).hi * 100);
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
		{ "missed", account->missed }, { "missed_of_task", report->missed },
		{ "deferred", account->deferred }, { "excluded", account->excluded },
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
	if (report->executions) {
		struct execution one = time_of_execution(view);

		fprintf(out, "  \"executions\": %llu,\n  \"execution_ns\": %.3f,\n"
			"  \"execution_lo_ns\": %.3f,\n  \"execution_hi_ns\": %.3f,\n",
			(unsigned long long)report->executions, one.ns, one.interval.lo,
			one.interval.hi);
	}
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
	fputs(view->receipt ? "\n  ],\n" : "\n  ]", out);
	if (view->receipt)
		receipt_json(out, view->receipt);
	fputs("\n}\n", out);
}

void proc_view_show(FILE *out, const struct proc_report *report, const struct receipt *receipt,
		    const struct sym_index *symbols, const struct proc_view_options *options,
		    bool is_repeated)
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
			.taken = proc_report_taken(report),
			.symbols = options->is_plain ? NULL : symbols,
			.object = report->object,
			.object_start = report->object_start,
			.line_cols = output_cols(&options->output),
			.shows_all = options->shows_all,
		},
		.hits = proc_report_hits(report),
		.receipt = receipt,
		.scale = options->output.of == OF_CPU ? 100.0 * report->result.nr_cpus : 100,
	};

	if (is_repeated)
		view.time = text_time(report->result.began, time_text, sizeof(time_text));
	render[options->output.format](out, &view);
}
