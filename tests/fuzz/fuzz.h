/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers of the fuzzing targets. Each target passes the bytes of a file to the readers unchanged
 * and then uses the result as the commands do.
 *
 * The memory that the tool may hold at any moment for one file is limited to FUZZ_MEMORY_TIMES the
 * file's size plus FUZZ_MEMORY_BASE bytes: exceeding the limit aborts the process, as a memory
 * error does. So does an input that takes more than FUZZ_SECONDS_MAX of processor time: wall-clock
 * time says nothing on a busy machine. libFuzzer's own limit, in wall-clock time, catches inputs
 * that block.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>

#include "symbolizer.h"
#include "types.h"

#define FUZZ_MEMORY_TIMES	64
#define FUZZ_MEMORY_BASE	(512u << 10)	/* zlib takes 270 KB of it to deflate */
#define FUZZ_SECONDS_MAX	5

/** fuzz_begin() - start counting memory and time, for an input of @len bytes. */
void fuzz_begin(size_t len);

/** fuzz_end() - stop counting. libFuzzer checks that all memory taken since is free again. */
void fuzz_end(void);

/** fuzz_require() - an invariant for every input; the process aborts if it does not hold. */
void fuzz_require(bool is_true, const char *what);

/** fuzz_file() - a file in memory with these bytes. The caller closes the descriptor. */
int fuzz_file(const u8 *bytes, size_t len);

/** fuzz_path() - the path of an open file. */
void fuzz_path(int fd, char path[64]);

/** fuzz_use_index() - everything the tool asks of symbols: by address, by name, of a module. */
void fuzz_use_index(struct sym_index *index);

#endif
