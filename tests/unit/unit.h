/* SPDX-License-Identifier: GPL-2.0-only */
/* Headers of every unit test, in the order that cmocka requires. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* As cmocka's, which loses the message if the texts are long: prints the first lines that differ. */
#undef assert_string_equal
#define assert_string_equal(got, wanted) unit_compare_texts(got, wanted, __FILE__, __LINE__)

static inline void unit_compare_texts(const char *got, const char *wanted, const char *file, int line)
{
	size_t i, begin = 0;

	assert_true(got && wanted);
	if (!strcmp(got, wanted))
		return;
	for (i = 0; got[i] == wanted[i]; i++)
		if (got[i] == '\n')
			begin = i + 1;
	print_error("\"%.*s\" instead of \"%.*s\"\n", (int)strcspn(got + begin, "\n"), got + begin,
		    (int)strcspn(wanted + begin, "\n"), wanted + begin);
	_fail(file, line);
}

/* The text that @statement writes to a stream called @out; free it. */
#define WRITTEN(out, statement) ({						\
	char *written_ = NULL;							\
	size_t written_len_;							\
	FILE *out = open_memstream(&written_, &written_len_);			\
										\
	statement;								\
	fclose(out);								\
	written_;								\
})

#endif
