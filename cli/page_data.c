// SPDX-License-Identifier: GPL-2.0-only
/* JSON that may stand inside a <script>: see page_data.h. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "page_data.h"
#include "stat.h"
#include "text.h"

/* A character that HTML or older readers of JSON would see something in, if this is one. */
static bool put_special(FILE *out, const char **text)
{
	unsigned char c = **text;

	/* U+2028 and U+2029 end a line in the eyes of the latter. */
	if (!strncmp(*text, "\u2028", 3) || !strncmp(*text, "\u2029", 3)) {
		fprintf(out, "\\u202%c", (*text)[2] == '\xa8' ? '8' : '9');
		*text += 2;
		return true;
	}
	if (c != '<' && c != '>' && c != '&')
		return false;
	fprintf(out, "\\u%04x", c);
	return true;
}

void page_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = *text;

		if (put_special(out, &text))
			continue;
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

/* Length of what printf() writes for what is no finite number, if it stands here; else 0. */
static size_t no_number(const char *json)
{
	const char *word = json + (*json == '-');

	return !strncmp(word, "nan", 3) || !strncmp(word, "inf", 3) ? word - json + 3 : 0;
}

/* What a file claims may be no number, which a report passes on. */
void page_json(FILE *out, const char *json)
{
	bool is_text = false;

	for (; *json; json++) {
		size_t len = is_text ? 0 : no_number(json);

		if (len) {
			fputs("null", out);
			json += len - 1;
		} else if (is_text && *json == '\\' && json[1]) {
			fputc(*json++, out);
			fputc(*json, out);
		} else if (!put_special(out, &json)) {
			is_text ^= *json == '"';
			fputc(*json, out);
		}
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

void page_columns(FILE *out, const struct column_list *list)
{
	size_t i;

	fputs(",\n\"columns\":{", out);
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
