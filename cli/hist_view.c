// SPDX-License-Identifier: GPL-2.0-only
/* The report of one task: see hist_view.h. */
#include <math.h>

#include "hist_view.h"
#include "stat.h"
#include "text.h"

static uint64_t hits_in_range(const struct hist_view *view)
{
	uint64_t hits = 0;
	uint32_t i;

	for (i = 0; i < view->hist.layout->nr_slots; i++)
		hits += view->hist.hits[i];
	return hits;
}

static void render_text(FILE *out, const struct hist_view *view)
{
	const struct hist_elsewhere *elsewhere = &view->elsewhere;
	const struct slots_layout *layout = view->hist.layout;
	uint64_t hits = hits_in_range(view), taken = view->hist.taken;
	double percent = (double)hits / taken * view->scale;

	fprintf(out, "Task %s was active in %s mode for %llu of %llu samples (%s%.0f%%).\n",
		view->task, view->mode, (unsigned long long)hits, (unsigned long long)taken,
		hits && percent < 0.5 ? "<" : "", hits && percent < 0.5 ? 1 : percent);
	fprintf(out, "(elsewhere: %llu out of range, %llu other modes, %llu other processes",
		(unsigned long long)elsewhere->outside, (unsigned long long)elsewhere->other_mode,
		(unsigned long long)elsewhere->other_task);
	if (elsewhere->other_exe)
		fprintf(out, ",\n %llu while it ran another executable",
			(unsigned long long)elsewhere->other_exe);
	fputs(")\n", out);
	if (view->run->account.missed)
		fprintf(out, "(%llu missed)\n", (unsigned long long)view->run->account.missed);
	fprintf(out, "Statistics starting at address 0x%06llx, slot size 0x%llx\n\n",
		(unsigned long long)layout->base, 1ULL << layout->shift);
	hist_render(out, &view->hist);
}

/** One column of the machine formats. */
struct column {
	const char *key;
	double (*value)(const struct hist_view *view, uint32_t slot);
	int digits;
};

static double slot_hits(const struct hist_view *view, uint32_t slot)
{
	return view->hist.hits[slot];
}

static double share(const struct hist_view *view, uint32_t slot)
{
	return (double)view->hist.hits[slot] / view->hist.taken * view->scale;
}

static double paper_halfwidth(const struct hist_view *view, uint32_t slot)
{
	return stat_paper_halfwidth(view->hist.hits[slot], view->hist.taken) * view->scale;
}

static double low_bound(const struct hist_view *view, uint32_t slot)
{
	if (view->ci == CI_PAPER)
		return share(view, slot) - paper_halfwidth(view, slot);
	return stat_wilson(view->hist.hits[slot], view->hist.taken).lo * view->scale;
}

static double high_bound(const struct hist_view *view, uint32_t slot)
{
	if (view->ci == CI_PAPER)
		return share(view, slot) + paper_halfwidth(view, slot);
	return stat_wilson(view->hist.hits[slot], view->hist.taken).hi * view->scale;
}

static double error_of(const struct hist_view *view, uint32_t slot)
{
	return fmax(high_bound(view, slot) - share(view, slot),
		    share(view, slot) - low_bound(view, slot));
}

static const struct column columns[] = {
	{ "hits", slot_hits, 0 }, { "share", share, 4 }, { "error", error_of, 4 },
	{ "lo", low_bound, 4 }, { "hi", high_bound, 4 },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool is_shown(const struct hist_view *view, uint32_t slot)
{
	return view->hist.shows_all || view->hist.hits[slot];
}

static void render_tsv(FILE *out, const struct hist_view *view)
{
	char name[256];
	uint32_t slot;
	size_t c;

	fputs("address\tend", out);
	for (c = 0; c < NR_COLUMNS; c++)
		fprintf(out, "\t%s", columns[c].key);
	fputs("\tname\n", out);
	for (slot = 0; slot < view->hist.layout->nr_slots; slot++) {
		if (!is_shown(view, slot))
			continue;
		fprintf(out, "0x%llx\t0x%llx",
			(unsigned long long)hist_slot_low(&view->hist, slot),
			(unsigned long long)hist_slot_high(&view->hist, slot));
		for (c = 0; c < NR_COLUMNS; c++)
			fprintf(out, "\t%.*f", columns[c].digits, columns[c].value(view, slot));
		hist_name(&view->hist, slot, name, sizeof(name));
		fprintf(out, "\t%s\n", name);
	}
}

static void render_json_slot(FILE *out, const struct hist_view *view, uint32_t slot)
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

static void render_json(FILE *out, const struct hist_view *view)
{
	const struct run *run = view->run;
	const struct { const char *key; uint64_t value; } numbers[] = {
		{ "period_ns", run->start.period_ns }, { "seed", run->start.seed },
		{ "expected", run->account.expected }, { "samples", run->account.taken },
		{ "missed", run->account.missed }, { "deferred", run->account.deferred },
		{ "hits", hits_in_range(view) }, { "out_of_range", view->elsewhere.outside },
		{ "other_modes", view->elsewhere.other_mode },
		{ "other_executables", view->elsewhere.other_exe },
		{ "other_processes", view->elsewhere.other_task },
		{ "slot_bytes", 1ULL << view->hist.layout->shift },
	};
	bool is_first = true;
	uint32_t slot;
	size_t i;

	fputs("{\n  \"report\": \"proc\",\n  \"task\": ", out);
	text_json(out, view->task);
	fprintf(out, ",\n  \"mode\": \"%s\",\n  \"seconds\": %.3f,\n", view->mode,
		run->elapsed_seconds);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		fprintf(out, "  \"%s\": %llu,\n", numbers[i].key,
			(unsigned long long)numbers[i].value);
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

void hist_view_render(FILE *out, const struct hist_view *view, enum sampling_format format)
{
	if (format == FORMAT_JSON)
		render_json(out, view);
	else if (format == FORMAT_TSV)
		render_tsv(out, view);
	else
		render_text(out, view);
}
