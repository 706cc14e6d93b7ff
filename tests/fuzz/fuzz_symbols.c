// SPDX-License-Identifier: GPL-2.0-only
/* Symbols as printed by nm, given to the tool as a file. */
#include <unistd.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct sym_index *index = NULL;
	struct sym_error reason;
	int fd;

	fd = fuzz_file(bytes, len);
	fuzz_begin(len);
	if (!sym_index_create(fd, &index, &reason))
		fuzz_use_index(index);
	sym_index_destroy(index);
	fuzz_end();
	close(fd);
	return 0;
}
