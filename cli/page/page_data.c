// SPDX-License-Identifier: GPL-2.0-only
/* Data that all pages share: see page_data.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stat.h"
#include "base/text.h"
#include "page/page_data.h"

/* JSON has no infinity, but sums of a crafted file's numbers may reach infinity. */
void page_number(FILE *out, double value)
{
	fprintf(out, "%.10g", isfinite(value) ? value : 0);
}

static void join_lines(char *text, size_t len)
{
	char *end;

	if (len && text[len - 1] == '\n')
		text[len - 1] = '\0';
	while ((end = strchr(text, '\n')))
		*end = ' ';
}

int page_printed(FILE *out, page_print print, const void *context, bool is_line)
{
	char *text = NULL;
	size_t len;
	FILE *memory = open_memstream(&text, &len);

	if (memory) {
		print(memory, context);
		fclose(memory);
	}
	if (text && is_line)
		join_lines(text, len);
	text_json(out, text ?: "");
	free(text);
	return text ? 0 : -ENOMEM;
}

static void print_receipt(FILE *out, const void *receipt)
{
	if (receipt)
		receipt_print(out, receipt, INT16_MAX);
}

void page_begin(FILE *out, const struct run_result *result, u64 taken,
		const struct receipt *receipt)
{
	char when[32], heading[EVENT_NAME_LEN + 64];

	fputs("{\"began\":", out);
	text_json(out, text_time(result->began, when, sizeof(when)));
	fputs(",\"seconds\":", out);
	page_number(out, result->elapsed_seconds);
	fprintf(out, ",\"cpus\":%zu,\"rate\":", result->nr_cpus);
	page_number(out, result->period_ns ? 1e9 / result->period_ns : 0);
	if (event_is_sampled(&result->event)) {
		fputs(",\"event\":", out);
		text_json(out, event_heading(&result->event, heading, sizeof(heading)));
	}
	fprintf(out, ",\"expected\":%llu,\"missed\":%llu,\"least\":", result->account.expected,
		result->account.missed);
	page_number(out, stat_least_share(taken, result->account.excess));
	fputs(",\"excess\":", out);
	page_number(out, result->account.excess);
	fputs(",\n\"receipt\":", out);
	page_printed(out, print_receipt, receipt, true);
}

void page_output(FILE *out, const struct output_options *output, const struct run_result *result)
{
	fprintf(out, ",\n\"scale\":%zu,\"ci\":\"%s\"", output->of == OF_CPU ? result->nr_cpus : 1,
		output->ci == CI_PAPER ? "paper" : "wilson");
}

void page_columns(FILE *out, const char *name, const struct column_list *list)
{
	size_t i;

	fprintf(out, ",\n\"%s\":{", name);
	for (i = 0; i < list->nr; i++) {
		fputs(i ? ",\n" : "", out);
		text_json(out, list->column[i].key);
		fputs(":[", out);
		text_json(out, list->column[i].title);
		fputc(',', out);
		text_json(out, list->column[i].help);
		fputc(']', out);
	}
	fputc('}', out);
}
