/* SPDX-License-Identifier: GPL-2.0-only */
/* What the readers of files share: a builder that collects symbols and makes the index. */
#ifndef SYMBOLIZER_INTERNAL_H
#define SYMBOLIZER_INTERNAL_H

#include "symbolizer.h"

/** A symbol as read. */
struct raw_sym {
	uint64_t start;
	uint64_t end;		/* start: unknown */
	uint64_t limit;		/* a symbol of unknown end reaches no further than this */
	const char *shown;	/* set by builder_finish() */
	uint32_t name;		/* offset in the builder's names */
	uint8_t rank;		/* of several at one address the lowest is shown */
};

/** Zero-initialised by its owner, who calls builder_deinit(). */
struct builder {
	struct raw_sym *syms;
	size_t nr_syms;
	size_t max_syms;
	char *names;
	size_t names_len;
	size_t names_max;
};

/** builder_add() - one symbol; the name is copied and cleaned. 0 or -ENOMEM. */
int builder_add(struct builder *builder, uint64_t start, uint64_t end, uint64_t limit,
		const char *name, size_t name_len, uint8_t rank);

/** builder_finish() - make the index; -ENODATA when nothing was added. The builder stays. */
int builder_finish(struct builder *builder, struct sym_index **index_ret,
		   struct sym_error *error_ret);

/** builder_deinit() - free what it holds. */
void builder_deinit(struct builder *builder);

/** sym_fail() - fill @error (may be NULL) and return @code. */
int sym_fail(struct sym_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * name_demangle() - the readable form of a C++ or Rust name, without parameters, to be
 * freed; NULL when the name is not mangled.
 */
char *name_demangle(const char *name);

/** name_clean() - replace control characters and, unless all of it is valid UTF-8, high bytes. */
void name_clean(char *name, size_t len);

#endif
