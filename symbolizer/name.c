// SPDX-License-Identifier: GPL-2.0-only
/* Names of symbols: made readable, and harmless to a terminal. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/demangle.h>

#include "internal.h"

/* Longer mangled names exist, but nobody reads them; the demangler's work grows with them. */
#define MANGLED_MAX 1024

int sym_fail(struct sym_error *error, int code, const char *format, ...)
{
	va_list args;

	if (!error)
		return code;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return code;
}

char *name_demangle(const char *name)
{
	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R') || strlen(name) > MANGLED_MAX)
		return NULL;
	return cplus_demangle(name, DMGL_AUTO | DMGL_ANSI);
}

static bool is_utf8(const unsigned char *s, size_t len)
{
	size_t i = 0, k, more;

	while (i < len) {
		unsigned char c = s[i];

		more = c < 0x80 ? 0 : c >= 0xc3 && c < 0xe0 ? 1 : c >= 0xe1 && c < 0xed ? 2 :
			c >= 0xee && c < 0xf0 ? 2 : c >= 0xf1 && c < 0xf4 ? 3 : SIZE_MAX;
		if (more == SIZE_MAX || more >= len - i)
			return false;
		for (k = 1; k <= more; k++)
			if ((s[i + k] & 0xc0) != 0x80)
				return false;
		i += more + 1;
	}
	return true;
}

void name_clean(char *name, size_t len)
{
	bool keeps_high = is_utf8((unsigned char *)name, len);
	size_t i;

	for (i = 0; i < len; i++) {
		unsigned char c = name[i];

		if (c == '\t')		/* kallsyms: before a module's name */
			name[i] = ' ';
		else if (c < 0x20 || c == 0x7f || (c >= 0x80 && !keeps_high))
			name[i] = '?';
	}
}

void sym_name(const struct sym *sym, char *name_ret, size_t len)
{
	char *readable = name_demangle(sym->name);
	const char *name = readable ? readable : sym->name;
	size_t name_len = strlen(name);

	if (name_len >= len) {
		name_len = len - 1;
		/* not in the middle of a character */
		while (name_len && ((unsigned char)name[name_len] & 0xc0) == 0x80)
			name_len--;
	}
	memcpy(name_ret, name, name_len);
	name_ret[name_len] = '\0';
	name_clean(name_ret, name_len);
	free(readable);
}
