// SPDX-License-Identifier: GPL-2.0-only
/* Labels in Prometheus' text format: see metrics_label.h. */
#include "metrics/metrics_label.h"
#include "utf8.h"

static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

/* Write any bytes as a label's value, without quotes: escaped, invalid UTF-8 as U+FFFD. */
static void put_label_value(FILE *out, const char *value)
{
	const char *from;
	u32 c;

	for (;;) {
		/* Fast path: most values are plain. */
		for (from = value; is_plain(*value); value++)
			;
		fwrite(from, 1, value - from, out);
		if (!*value)
			return;
		from = value;
		c = utf8_read(&value);
		if (c == UTF8_NONE)
			fputs("\xef\xbf\xbd", out);
		else if (c == '\n')
			fputs("\\n", out);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", (char)c);
		else
			fwrite(from, 1, value - from, out);
	}
}

void metrics_put_label(FILE *out, const char *name, const char *value, bool is_first)
{
	fprintf(out, "%s%s=\"", is_first ? "" : ",", name);
	put_label_value(out, value);
	fputc('"', out);
}
