/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the fuzzing targets share. Each feeds the bytes of a file to the readers as they are
 * and then uses what they made of it, as the commands do.
 *
 * The memory that one file may make the tool hold at any moment is limited to
 * FUZZ_MEMORY_TIMES its size and FUZZ_MEMORY_BASE bytes: more ends the process, as a wrong
 * use of memory does. So does an input that takes FUZZ_SECONDS_MAX of processor time: on a
 * busy machine the clock says nothing. libFuzzer's own limit, by the clock, is for what waits.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "symbolizer.h"

#define FUZZ_MEMORY_TIMES	64
#define FUZZ_MEMORY_BASE	(512u << 10)	/* of which zlib takes 270 KB to deflate */
#define FUZZ_SECONDS_MAX	5

/** fuzz_begin() - from here on memory and time count, for an input of @len bytes. */
void fuzz_begin(size_t len);

/** fuzz_end() - to here. What was allocated meanwhile must be free again: libFuzzer looks. */
void fuzz_end(void);

/** fuzz_require() - what must be true of every input; otherwise the process ends. */
void fuzz_require(bool is_true, const char *what);

/** fuzz_file() - a file in memory that holds these bytes. Its descriptor is to be closed. */
int fuzz_file(const uint8_t *bytes, size_t len);

/** fuzz_path() - the path of an open file. */
void fuzz_path(int fd, char path[64]);

/** fuzz_use_index() - all that the tool asks of symbols: by address, by name, of a module. */
void fuzz_use_index(struct sym_index *index);

#endif
