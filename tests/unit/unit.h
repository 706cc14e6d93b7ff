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
