// SPDX-License-Identifier: GPL-2.0-only
/* Perf maps, which any program may write about itself. */
#include <unistd.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct sym_index *index = NULL;
	struct sym_perfmap found;
	struct sym_error reason;
	size_t i;
	int fd;

	fd = fuzz_file(bytes, len);
	fuzz_begin(len);
	if (!sym_index_create_perfmap(fd, &index, &found, &reason)) {
		fuzz_require(sym_index_size(index) + found.nr_odd + found.nr_overwritten ==
			     found.nr_lines, "lines that became nothing");
		for (i = 0; i < sym_index_size(index); i++)
			fuzz_require(sym_index_at(index, i)->start == sym_index_at(index, i)->entry,
				     "a piece of a function");
		fuzz_use_index(index);
	}
	sym_index_destroy(index);
	fuzz_end();
	close(fd);
	return 0;
}
