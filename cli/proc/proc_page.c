// SPDX-License-Identifier: GPL-2.0-only
/* The page of one task: see proc_page.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/text.h"
#include "code/hist.h"
#include "code/listing_page.h"
#include "page/page.h"
#include "page/page_data.h"
#include "proc/funcs.h"
#include "proc/proc_page.h"

/** State while writing the page. */
struct proc_page_data {
	const struct proc_page *page;
	struct hist hist;
	struct funcs *funcs;
};

static void print_notes(FILE *out, const void *context)
{
	const struct proc_page *page = context;

	proc_view_notes(out, page->report, page->options);
}

/** Position of a heading in the histogram. */
struct heading {
	const struct hist *hist;
	u32 slot;
};

static void print_heading(FILE *out, const void *context)
{
	const struct heading *heading = context;

	hist_heading(out, heading->hist, heading->slot);
}

/* Write [row, heading] for each row that follows a heading in the histogram. -ENOMEM. */
static int put_slot_headings(FILE *out, const struct hist *hist)
{
	struct heading heading = { .hist = hist };
	u32 before = HIST_NO_SLOT, row = 0, nr = 0;
	int error = 0;

	fputs(",\n\"headings\":[", out);
	for (; hist->symbols && heading.slot < hist->layout->nr_slots; heading.slot++) {
		if (!hist->hits[heading.slot] && !hist->shows_all)
			continue;
		if (hist_has_heading(hist, heading.slot, before)) {
			fprintf(out, "%s[%u,", nr++ ? ",\n" : "", row);
			error = page_printed(out, print_heading, &heading, false) ?: error;
			fputc(']', out);
		}
		before = heading.slot;
		row++;
	}
	fputc(']', out);
	return error;
}

/* Slots that several functions share count for none of them: their interval would be wrong. */
static void put_functions(FILE *out, const struct proc_page_data *data)
{
	const struct funcs *funcs = data->funcs;
	u64 own[CPUPROBE_SLOTS] = { 0 };
	u32 i, nr = 0;

	for (i = 0; i < data->hist.layout->nr_slots; i++)
		own[funcs->of_slot[i]] += funcs->is_shared[i] ? 0 : data->hist.hits[i];
	fprintf(out, ",\n\"shared\":%llu,\n\"functions\":[",
		data->hist.symbols ? funcs->shared_hits : 0);
	for (i = 0; data->hist.symbols && i < funcs->nr; i++) {
		if (!own[i])
			continue;
		fputs(nr++ ? ",\n[" : "[", out);
		text_json(out, funcs->func[i].name);
		fprintf(out, ",%llu]", own[i]);
	}
	fputc(']', out);
}

/* Write the output of -json, without the receipt, which the page has as text. */
static int put_report(FILE *out, const struct proc_page *page)
{
	struct proc_view_options options = *page->options;

	options.output.format = FORMAT_JSON;
	options.output.columns = NULL;
	fputs(",\n\"report\":", out);
	return proc_view_show(out, page->report, NULL, page->symbols, &options, false);
}

static int put_proc_data(FILE *out, const void *context)
{
	const struct proc_page_data *data = context;
	const struct proc_page *page = data->page;
	const struct proc_view_options *options = page->options;
	const struct proc_report *report = page->report;
	int error;

	page_begin(out, &report->result, proc_report_taken(report), page->receipt);
	page_output(out, &options->output, &report->result);
	fprintf(out, ",\n\"low\":\"0x%llx\",\"high\":\"0x%llx\",\"shows_all\":%s,\n\"notes\":",
		report->layout.low, report->layout.high, options->shows_all ? "true" : "false");
	error = page_printed(out, print_notes, page, false);
	page_columns(out, "columns", &proc_column_list);
	error = put_slot_headings(out, &data->hist) ?: error;
	put_functions(out, data);
	if (options->listing)
		error = listing_page_put(out, options->listing, &options->output,
					 report->object, report->result.account.excess) ?:
			error;
	error = put_report(out, page) ?: error;
	fputs("}\n", out);
	return error;
}

int proc_page_write(FILE *out, const void *context)
{
	struct proc_page page = *(const struct proc_page *)context;
	const struct proc_report *report = page.report;
	struct proc_page_data data = { .page = &page, .funcs = malloc(sizeof(*data.funcs)) };
	int error;

	if (!data.funcs)
		return -ENOMEM;
	if (page.options->is_plain)
		page.symbols = NULL;
	data.hist = (struct hist){
		.layout = &report->layout, .hits = report->hits, .symbols = page.symbols,
		.object = report->object, .object_start = report->object_start,
		.line_cols = INT16_MAX, .shows_all = page.options->shows_all,
	};
	funcs_init(data.funcs, &report->layout, page.symbols, report->object);
	funcs_finish(data.funcs, &report->layout, report->hits);
	error = page_write(out, PAGE_PROC, put_proc_data, &data);
	free(data.funcs);
	return error;
}
