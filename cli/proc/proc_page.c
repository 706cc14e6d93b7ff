// SPDX-License-Identifier: GPL-2.0-only
/* The page of one task: see proc_page.h. */
#include <errno.h>
#include <stdlib.h>

#include "code/hist.h"
#include "code/listing_page.h"
#include "page/page.h"
#include "page/page_data.h"
#include "proc/funcs.h"
#include "proc/proc_page.h"

/** The page as it is being written. */
struct data {
	const struct proc_page *page;
	struct hist hist;
	struct funcs *funcs;
	char *json, *notes;	/* the report as JSON, and its sentences, one on a line */
	char *listing;		/* JSON: what its listing as text has besides; "": none */
};

/* What -json prints, but for the receipt, which the page has as text. */
static int put_report(FILE *out, const struct proc_page *page)
{
	struct proc_view_options options = *page->options;

	options.output.format = FORMAT_JSON;
	options.output.columns = NULL;
	return proc_view_show(out, page->report, NULL, page->symbols, &options, false);
}

static int put_notes(FILE *out, const struct proc_page *page)
{
	proc_view_notes(out, page->report, page->options);
	return 0;
}

static int put_listing(FILE *out, const struct proc_page *page)
{
	const struct proc_view_options *options = page->options;

	return options->listing ? listing_page_put(out, options->listing, &options->output,
						   page->report->object) : 0;
}

/* NULL: out of memory. */
static char *text_of(int (*put)(FILE *out, const struct proc_page *page),
		     const struct proc_page *page)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int error;

	if (!out)
		return NULL;
	error = put(out, page);
	if (fclose(out) || error) {
		free(text);
		return NULL;
	}
	return text;
}

static void put_heading(FILE *out, const struct hist *hist, uint32_t slot)
{
	char *text = NULL;
	size_t len;
	FILE *memory = open_memstream(&text, &len);

	if (!memory)
		return;
	hist_heading(memory, hist, slot);
	if (!fclose(memory))
		page_text(out, text);
	free(text);
}

/* [row, heading] for each row of the report above which a histogram has one. */
static void put_headings(FILE *out, const struct data *data)
{
	const struct hist *hist = &data->hist;
	uint32_t slot, before = HIST_NO_SLOT, row = 0, nr = 0;

	fputs(",\n\"headings\":[", out);
	for (slot = 0; hist->symbols && slot < hist->layout->nr_slots; slot++) {
		if (!hist->hits[slot] && !hist->shows_all)
			continue;
		if (hist_has_heading(hist, slot, before)) {
			fprintf(out, "%s[%u,", nr++ ? ",\n" : "", row);
			put_heading(out, hist, slot);
			fputc(']', out);
		}
		before = slot;
		row++;
	}
	fputc(']', out);
}

/* Hits of slots that several functions share are no one's: an interval would claim to know. */
static void put_functions(FILE *out, const struct data *data)
{
	const struct funcs *funcs = data->funcs;
	uint64_t own[CPUPROBE_SLOTS] = { 0 };
	uint32_t i, nr = 0;

	for (i = 0; i < data->hist.layout->nr_slots; i++)
		own[funcs->of_slot[i]] += funcs->is_shared[i] ? 0 : data->hist.hits[i];
	fprintf(out, ",\n\"shared\":%llu,\n\"functions\":[",
		(unsigned long long)(data->hist.symbols ? funcs->shared_hits : 0));
	for (i = 0; data->hist.symbols && i < funcs->nr; i++) {
		if (!own[i])
			continue;
		fputs(nr++ ? ",\n[" : "[", out);
		page_text(out, funcs->func[i].name);
		fprintf(out, ",%llu]", (unsigned long long)own[i]);
	}
	fputc(']', out);
}

static void put_data(FILE *out, const void *context)
{
	const struct data *data = context;
	const struct proc_page *page = data->page;
	const struct proc_report *report = page->report;

	page_begin(out, &report->result, proc_report_taken(report), page->receipt);
	page_output(out, &page->options->output, &report->result);
	fprintf(out, ",\n\"low\":\"0x%llx\",\"high\":\"0x%llx\",\"shows_all\":%s,\n\"notes\":",
		(unsigned long long)report->layout.low, (unsigned long long)report->layout.high,
		page->options->shows_all ? "true" : "false");
	page_text(out, data->notes);
	page_columns(out, "columns", &proc_column_list);
	put_headings(out, data);
	put_functions(out, data);
	fputs(data->listing, out);
	fputs(",\n\"report\":", out);
	page_json(out, data->json);
	fputs("}\n", out);
}

int proc_page_write(FILE *out, const void *context)
{
	struct proc_page page = *(const struct proc_page *)context;
	const struct proc_report *report = page.report;
	struct data data = { .page = &page, .funcs = malloc(sizeof(*data.funcs)) };
	int error = -ENOMEM;

	if (page.options->is_plain)
		page.symbols = NULL;
	data.hist = (struct hist){
		.layout = &report->layout, .hits = report->hits, .symbols = page.symbols,
		.object = report->object, .object_start = report->object_start,
		.line_cols = INT16_MAX, .shows_all = page.options->shows_all,
	};
	data.json = text_of(put_report, &page);
	data.notes = text_of(put_notes, &page);
	data.listing = text_of(put_listing, &page);
	if (data.funcs && data.json && data.notes && data.listing) {
		funcs_init(data.funcs, &report->layout, page.symbols, report->object);
		funcs_finish(data.funcs, &report->layout, report->hits);
		error = page_write(out, PAGE_PROC, put_data, &data);
	}
	free(data.listing);
	free(data.notes);
	free(data.json);
	free(data.funcs);
	return error;
}
