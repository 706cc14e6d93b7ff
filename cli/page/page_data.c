// SPDX-License-Identifier: GPL-2.0-only
/* JSON that may stand inside a <script>: see page_data.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stat.h"
#include "base/text.h"
#include "page/page_data.h"

/* Writes a character that HTML or older readers of JSON would see something in, if this is one. */
static size_t put_special(FILE *out, const char *text)
{
	/* U+2028 and U+2029 end a line in the eyes of the latter. */
	if (!strncmp(text, "\u2028", 3) || !strncmp(text, "\u2029", 3)) {
		fprintf(out, "\\u202%c", text[2] == '\xa8' ? '8' : '9');
		return 3;
	}
	if (*text != '<' && *text != '>' && *text != '&')
		return 0;
	fprintf(out, "\\u%04x", *text);
	return 1;
}

void page_text(FILE *out, const char *text)
{
	text_json_with(out, text, put_special);
}

void page_json(FILE *out, const char *json)
{
	size_t len;

	for (; *json; json += len) {
		len = put_special(out, json);
		if (len)
			continue;
		fputc(*json, out);
		len = 1;
	}
}

/* JSON knows no infinity, which sums of what a file claims may reach. */
void page_number(FILE *out, double value)
{
	fprintf(out, "%.10g", isfinite(value) ? value : 0);
}

/* The receipt as the reports have it, on one line. */
static void put_receipt(FILE *out, const struct receipt *receipt)
{
	size_t len = 0;
	char *text = NULL;
	FILE *memory = receipt ? open_memstream(&text, &len) : NULL;

	if (memory) {
		receipt_print(memory, receipt, INT16_MAX);
		fclose(memory);
	}
	if (text) {
		text[strcspn(text, "\n")] = '\0';
		text_clean(text);
	}
	fputs(",\n\"receipt\":", out);
	page_text(out, text ? text : "");
	free(text);
}

void page_begin(FILE *out, const struct run_result *result, uint64_t taken,
		const struct receipt *receipt)
{
	char when[32];

	fputs("{\"began\":", out);
	page_text(out, text_time(result->began, when, sizeof(when)));
	fputs(",\"seconds\":", out);
	page_number(out, result->elapsed_seconds);
	fprintf(out, ",\"cpus\":%zu,\"rate\":", result->nr_cpus);
	page_number(out, result->period_ns ? 1e9 / result->period_ns : 0);
	fprintf(out, ",\"expected\":%llu,\"missed\":%llu,\"least\":",
		(unsigned long long)result->account.expected,
		(unsigned long long)result->account.missed);
	page_number(out, stat_least_share(taken));
	put_receipt(out, receipt);
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
		page_text(out, list->column[i].key);
		fputs(":[", out);
		page_text(out, list->column[i].title);
		fputc(',', out);
		page_text(out, list->column[i].help);
		fputc(']', out);
	}
	fputc('}', out);
}
