// SPDX-License-Identifier: GPL-2.0-only
/* Names of symbols: demangled, and made safe for a terminal. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/demangle.h>

#include "internal.h"
#include "utf8.h"

/* Longer mangled names exist but are unreadable, and the demangler's run time grows with length. */
#define MANGLED_MAX	1024
#define READABLE_MAX	SYM_NAME_WHOLE

#define ENDING_LEN	10	/* of a name that was cut: "~", 8 digits, NUL */
#define ENDING_LEAST	32	/* shorter buffers have no room for an ending */

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

/** Output of a demangler, collected piece by piece. */
struct readable {
	char text[READABLE_MAX];
	size_t len;
	bool is_rust;
	jmp_buf too_long;	/* the only way to stop a demangler that would run for hours */
};

/*
 * longjmp() leaves Rust's demangler only where it prints punctuation, because it may hold memory
 * while it prints a name. Names alone do not grow, so punctuation soon follows.
 */
static void add_demangled(const char *text, size_t len, void *context)
{
	struct readable *readable = context;

	if (!len)
		return;		/* @text may be NULL */
	if (len < sizeof(readable->text) - readable->len) {
		memcpy(readable->text + readable->len, text, len);
		readable->len += len;
	} else if (!readable->is_rust || (ispunct((unsigned char)text[0]) && text[0] != '_')) {
		longjmp(readable->too_long, 1);
	}
}

bool name_is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R') &&
	       strnlen(name, MANGLED_MAX + 1) <= MANGLED_MAX;
}

char *name_demangle(const char *name)
{
	struct readable readable;

	if (!name_is_mangled(name) || setjmp(readable.too_long))
		return NULL;
	readable.len = 0;
	readable.is_rust = true;
	if (rust_demangle_callback(name, DMGL_AUTO | DMGL_ANSI, add_demangled, &readable))
		return strndup(readable.text, readable.len);
	readable.len = 0;
	readable.is_rust = false;
	if (!cplus_demangle_v3_callback(name, DMGL_AUTO | DMGL_ANSI, add_demangled, &readable))
		return NULL;
	return strndup(readable.text, readable.len);
}

void name_clean(char *name)
{
	char *tab = name;

	while ((tab = strchr(tab, '\t')))	/* kallsyms: before a module's name */
		*tab = ' ';
	utf8_clean(name);
}

/* Long names may differ only after the cut: the ending is a hash of the whole name. */
static void add_ending(char *cut, const char *name)
{
	snprintf(cut, ENDING_LEN, "~%08x", sym_crc32(0, name, strnlen(name, SYM_NAME_WHOLE - 1)));
}

void sym_name(const struct sym *sym, char *name_ret, size_t len)
{
	char *readable = name_demangle(sym->name);
	const char *name = readable ? readable : sym->name;
	bool has_ending = false;
	size_t name_len = strnlen(name, len);

	if (name_len >= len) {
		has_ending = len >= ENDING_LEAST;
		name_len = utf8_cut(name, len - (has_ending ? ENDING_LEN : 1));
	}
	memcpy(name_ret, name, name_len);
	name_ret[name_len] = '\0';
	name_clean(name_ret);
	if (has_ending)
		add_ending(name_ret + strlen(name_ret), name);
	free(readable);
}
