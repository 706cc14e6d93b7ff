// SPDX-License-Identifier: GPL-2.0-only
/* The report of one task as tab-separated values and JSON: see proc_view.h. */
#include "base/execution.h"
#include "base/text.h"
#include "proc/proc_view_parts.h"
#include "run/receipt.h"

void proc_view_tsv(FILE *out, const struct view *view)
{
	static bool has_titles;	/* titles of a stream of reports were printed */
	u32 slot;

	if (view->options->listing) {
		listing_tsv(out, &view->instructions);
		return;
	}
	if (!view->time || !has_titles)
		columns_print_keys(out, &view->columns);
	has_titles = true;
	for (slot = 0; slot < view->hist.layout->nr_slots; slot++)
		if (proc_view_shows(view, slot))
			columns_print_tsv(out, &view->columns, &slot);
}

static void render_json_objects(FILE *out, const struct view *view)
{
	const struct proc_report *report = view->report;
	u32 i;

	fputs("  \"objects\": [", out);
	for (i = 0; i < report->nr_objects; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		columns_print_json(out, &view->objects, &report->objects[i]);
	}
	fputs(report->nr_objects ? "\n  ],\n" : "],\n", out);
}

static void render_json_steps(FILE *out, const struct proc_report *report)
{
	u32 i;

	if (!report->nr_steps)
		return;
	fputs("  \"steps\": [", out);
	for (i = 0; i < report->nr_steps; i++) {
		const struct proc_step *step = &report->steps[i];

		fprintf(out, "%s\n    {\"low\": \"0x%llx\", \"high\": \"0x%llx\", \"slot_bytes\": "
			"%llu, \"hits\": %llu, \"outside\": %llu, \"seconds\": %.3f, \"why\": ",
			i ? "," : "", step->low, step->high, step->slot_bytes, step->hits,
			step->outside, step->seconds);
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
	const bool lacks_missed = report->result.flags & RECEIPT_NO_MODULE;
	const bool lacks_deferred = lacks_missed || event_is_sampled(&report->result.event);
	const struct { const char *key; u64 value; bool is_unknown; } numbers[] = {
		{ event_is_sampled(&report->result.event) ? "period" : "period_ns", report->result.period_ns }, { "seed", report->result.seed },
		{ "expected", account->expected }, { "samples", account->taken },
		{ "missed", account->missed }, { "missed_of_task", report->missed, lacks_missed },
		{ "deferred", account->deferred, lacks_deferred }, { "excluded", account->excluded, lacks_deferred },
		{ "hits", view->hits }, { "out_of_range", report->elsewhere.outside },
		{ "other_modes", report->elsewhere.other_mode },
		{ "other_executables", report->elsewhere.other_exe },
		{ "other_processes", report->elsewhere.other_task },
		{ "slot_bytes", 1ULL << report->layout.shift },
	};
	bool is_first = true;
	u32 slot;
	size_t i;

	fputs("{\n  \"report\": \"proc\",\n  \"task\": ", out);
	text_json(out, report->task);
	fputs(",\n  \"object\": ", out);
	text_json(out, report->object);
	if (view->time)
		fprintf(out, ",\n  \"time\": \"%s\"", view->time);
	fprintf(out, ",\n  \"mode\": \"%s\",\n  \"seconds\": %.3f,\n",
		proc_report_mode_name(report), report->result.elapsed_seconds);
	event_json(out, &report->result.event);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		fprintf(out, numbers[i].is_unknown ? "  \"%s\": null,\n" : "  \"%s\": %llu,\n", numbers[i].key,
			numbers[i].value);
	if (report->executions) {
		struct share time = proc_report_execution(report);

		execution_json(out, &time, event_is_sampled(&report->result.event), report->executions);
	}
	render_json_objects(out, view);
	render_json_steps(out, report);
	if (view->options->listing)
		listing_json(out, &view->instructions);
	fputs("  \"rows\": [", out);
	for (slot = 0; slot < view->hist.layout->nr_slots; slot++) {
		if (!proc_view_shows(view, slot))
			continue;
		fputs(is_first ? "\n    " : ",\n    ", out);
		columns_print_json(out, &view->columns, &slot);
		is_first = false;
	}
	fputs(view->receipt ? "\n  ],\n" : "\n  ]", out);
	if (view->receipt)
		receipt_json(out, view->receipt);
	fputs("\n}\n", out);
}
