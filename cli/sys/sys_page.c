// SPDX-License-Identifier: GPL-2.0-only
/* The page of the system table: see sys_page.h. */
#include <errno.h>
#include <stdlib.h>

#include "page/page.h"
#include "page/page_data.h"
#include "sys/rows.h"
#include "sys/sys_page.h"
#include "sys/table_columns.h"

/** The page as it is being written. */
struct data {
	const struct sys_page *page;
	const char *json;	/* the report */
};

static void put_data(FILE *out, const void *context)
{
	static const char *const sorts[] = {
		[ROWS_SORT_TOTAL] = "total", [ROWS_SORT_NAME] = "name",
		[ROWS_SORT_USER] = "user", [ROWS_SORT_KERNEL] = "kernel",
	};
	const struct data *data = context;
	const struct sys_page *page = data->page;

	page_begin(out, page->result, fold_taken(page->fold), page->receipt);
	page_output(out, &page->options->output, page->result);
	page_columns(out, "columns", &table_column_list);
	fprintf(out, ",\n\"taken\":%llu,\"sort\":\"%s\",\"nr_rows\":%llu,\n\"report\":",
		(unsigned long long)fold_taken(page->fold), sorts[page->options->sort],
		(unsigned long long)page->options->nr_rows);
	page_json(out, data->json);
	fputs("}\n", out);
}

/* What -json prints of all rows, but for the receipt, which the page has as text. */
int sys_page_write(FILE *out, const void *context)
{
	const struct sys_page *page = context;
	struct table_options options = *page->options;
	char *json = NULL;
	size_t len;
	FILE *memory = open_memstream(&json, &len);
	int error;

	if (!memory)
		return -ENOMEM;
	options.output.format = FORMAT_JSON;
	options.output.columns = NULL;
	options.nr_rows = 0;
	error = table_show(memory, page->fold, page->result, NULL, &options, false);
	if (fclose(memory))
		error = -ENOMEM;
	if (!error)
		error = page_write(out, PAGE_SYS, put_data,
				   &(struct data){ .page = page, .json = json });
	free(json);
	return error;
}
