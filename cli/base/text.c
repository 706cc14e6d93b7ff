// SPDX-License-Identifier: GPL-2.0-only
/* Error texts and untrusted names: see text.h. */
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "utf8.h"

#define UTF8_REPLACEMENT 0xfffdu	/* for a byte that is no character */

int text_fail(struct text_error *error, int code, const char *format, ...)
{
	va_list args;

	if (!error)
		return code;
	va_start(args, format);
	vsnprintf(error->what, sizeof(error->what), format, args);
	va_end(args);
	error->hint[0] = '\0';
	return code;
}

void text_hint(struct text_error *error, const char *format, ...)
{
	va_list args;

	if (!error)
		return;
	va_start(args, format);
	vsnprintf(error->hint, sizeof(error->hint), format, args);
	va_end(args);
}

/* Names in the message, typed or read from files, may contain anything. */
static void report_line(const char *label, const char *text)
{
	char line[sizeof(((struct text_error *)NULL)->what)];

	snprintf(line, sizeof(line), "%s", text);
	text_plain_as(line, text_is_utf8(stderr));
	fprintf(stderr, "%s: %s\n", label, line);
}

void text_report(const struct text_error *error)
{
	if (!error->what[0])
		return;
	report_line("probe", error->what);
	if (error->hint[0])
		report_line("hint", error->hint);
}

void text_clean(char *text)
{
	utf8_clean(text);
}

void text_json(FILE *out, const char *text)
{
	const char *begin = text;
	u32 c;

	fputc('"', out);
	for (; (c = utf8_read(&text)); begin = text) {
		if (c == UTF8_NONE)
			c = UTF8_REPLACEMENT;
		if (c == '"' || c == '\\')
			fputc('\\', out);
		if (c < ' ' || c == UTF8_REPLACEMENT)
			fprintf(out, "\\u%04x", c);
		else
			fwrite(begin, 1, text - begin, out);
	}
	fputc('"', out);
}

const char *text_time(double unix_seconds, char *text, size_t len)
{
	time_t seconds = unix_seconds;
	struct tm local;

	if (!localtime_r(&seconds, &local) || !strftime(text, len, "%Y-%m-%d %H:%M:%S", &local))
		snprintf(text, len, "%.0f", unix_seconds);
	return text;
}

const char *text_ns(double ns, char text[16])
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	int u = 0;

	while (u < 3 && ns >= 999.5) {
		ns /= 1000;
		u++;
	}
	/* Whole seconds, as far as the text has room. */
	snprintf(text, 16, ns >= 999.5 && ns < 1e13 ? "%.0f %s" : "%.3g %s", ns, units[u]);
	return text;
}

bool text_is_word(const char *text)
{
	return text[0] && text[0] != '-' &&
	       text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
			   "_-+./@%:,")] == '\0';
}

const char *text_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}
