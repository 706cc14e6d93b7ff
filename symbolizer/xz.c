// SPDX-License-Identifier: GPL-2.0-only
/* Unpacking .gnu_debugdata, through liblzma. */
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

#include "internal.h"

#define MEMORY_MAX	(128ULL << 20)	/* of the decoder */
#define GROWTH_MAX	64		/* symbol tables pack 3 to 10 times; a bomb more */

int xz_unpack(const void *packed, size_t packed_len, char **bytes_ret, size_t *len_ret)
{
	size_t max = packed_len * 8 + 65536, limit = packed_len * GROWTH_MAX + 65536;
	char *bytes = malloc(max), *more;
	lzma_ret result = LZMA_BUF_ERROR;
	size_t len = 0;

	while (bytes) {
		uint64_t memory = MEMORY_MAX;
		size_t in = 0;

		len = 0;
		result = lzma_stream_buffer_decode(&memory, 0, NULL, packed, &in, packed_len,
						   (uint8_t *)bytes, &len, max);
		if (result != LZMA_BUF_ERROR || max >= limit)
			break;
		max *= 2;
		more = realloc(bytes, max);
		if (!more)
			free(bytes);
		bytes = more;
	}
	if (!bytes)
		return -ENOMEM;
	if (result != LZMA_OK) {
		free(bytes);
		return -EINVAL;
	}
	*bytes_ret = bytes;
	*len_ret = len;
	return 0;
}
