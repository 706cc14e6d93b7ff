// SPDX-License-Identifier: GPL-2.0-only
/* The content of .gnu_debugdata, unpacked as if from an object four times its size. */
#include <stdlib.h>

#include "fuzz.h"
#include "internal.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	size_t unpacked_len = 0;
	char *unpacked = NULL;

	fuzz_begin(len);
	if (!xz_unpack(bytes, len, 4 * len + 65536, &unpacked, &unpacked_len))
		fuzz_require(unpacked_len <= 4 * len + 65536, "unpacked to more than it may");
	free(unpacked);
	fuzz_end();
	return 0;
}
