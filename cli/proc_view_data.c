// SPDX-License-Identifier: GPL-2.0-only
/* The report of one task for machines, as tab-separated values and JSON: see proc_view.h. */
#include <math.h>

#include "proc_view_parts.h"
#include "stat.h"
#include "text.h"

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

void proc_view_tsv(FILE *out, const struct view *view)
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
	uint64_t total = proc_view_task_hits(report);
	uint32_t i;

	fputs("  \"objects\": [", out);
	for (i = 0; i < report->nr_objects; i++) {
		const struct proc_object *object = &report->objects[i];

		fprintf(out, "%s\n    {\"name\": ", i ? "," : "");
		text_json(out, object->name);
		fprintf(out, ", \"hits\": %llu, \"share\": %.4f, \"error\": %.4f, \"lo\": %.4f, "
			"\"hi\": %.4f}", (unsigned long long)object->hits, 100.0 * object->hits / total,
			proc_view_error_percent(object->hits, total, view->options->output.ci),
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

void proc_view_json(FILE *out, const struct view *view)
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
	fprintf(out, ",\n  \"mode\": \"%s\",\n  \"seconds\": %.3f,\n", proc_view_modes[report->mode],
		report->result.elapsed_seconds);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		fprintf(out, "  \"%s\": %llu,\n", numbers[i].key,
			(unsigned long long)numbers[i].value);
	if (report->executions) {
		struct execution one = proc_view_execution(view);

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
