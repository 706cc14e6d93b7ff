// SPDX-License-Identifier: GPL-2.0-only
/* HTML page of the system table: see sys_page.h. */
#include "base/text.h"
#include "page/page.h"
#include "page/page_data.h"
#include "sys/rows.h"
#include "sys/sys_page.h"
#include "sys/table_columns.h"

static void print_receipt_beside(FILE *out, const void *receipt)
{
	receipt_print_beside(out, receipt, INT16_MAX);
}

/* Headings and receipts of the other events. */
static void put_others(FILE *out, const struct table_events *others)
{
	char heading[EVENT_NAME_LEN + 64];
	unsigned int i;

	if (!others || !others->nr)
		return;
	for (i = 0; i < others->nr; i++) {
		fputs(i ? "," : ",\n\"others\":[", out);
		text_json(out, event_heading(&others->result[i]->event, heading, sizeof(heading)));
	}
	for (i = 0; i < others->nr; i++) {
		fputs(i ? "," : "],\n\"receipts_beside\":[", out);
		page_printed(out, print_receipt_beside, others->receipt[i], true);
	}
	fputs("]", out);
}

static int put_sys_data(FILE *out, const void *context)
{
	static const char *const sorts[] = {
		[ROWS_SORT_TOTAL] = "total", [ROWS_SORT_NAME] = "name",
		[ROWS_SORT_USER] = "user", [ROWS_SORT_KERNEL] = "kernel",
	};
	const struct sys_page *page = context;
	struct table_options options = *page->options;
	int error;

	page_begin(out, page->result, fold_taken(page->fold), page->receipt);
	put_others(out, page->others);
	page_output(out, &page->options->output, page->result);
	page_columns(out, "columns", &table_column_list);
	fprintf(out, ",\n\"taken\":%llu,\"sort\":\"%s\",\"nr_rows\":%llu,\n\"report\":",
		fold_taken(page->fold), sorts[page->options->sort], page->options->nr_rows);
	/* The output of -json for all rows, without the receipt, which the page has as text. */
	options.output.format = FORMAT_JSON;
	options.output.columns = NULL;
	options.nr_rows = 0;
	error = table_show(out, page->fold, page->result, NULL, &options, page->others, false);
	fputs("}\n", out);
	return error;
}

int sys_page_write(FILE *out, const void *context)
{
	return page_write(out, PAGE_SYS, put_sys_data, context);
}
