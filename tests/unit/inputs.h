/* SPDX-License-Identifier: GPL-2.0-only */
/* Inputs made by tests: files in memory, and symbols from text as nm and kallsyms write it. */
#ifndef INPUTS_H
#define INPUTS_H

#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "symbolizer.h"

/* A file in memory with these bytes, its offset at their end; the caller closes the descriptor. */
static inline int memfd_of(const void *bytes, size_t len)
{
	int fd = memfd_create("input", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	return fd;
}

/* The symbols of a text; free with sym_index_destroy(). */
static inline struct sym_index *symbols_of(const char *text)
{
	int fd = memfd_of(text, strlen(text));
	struct sym_index *symbols = NULL;

	assert_int_equal(sym_index_create_text(fd, &symbols, NULL), 0);
	close(fd);
	return symbols;
}

#endif
