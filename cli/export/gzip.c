// SPDX-License-Identifier: GPL-2.0-only
/* Files in the format of gzip(1): see gzip.h. */
#include <errno.h>
#include <zlib.h>

#include "export/gzip.h"
#include "types.h"

#define GZIP_FORMAT	16		/* added to the window bits: gzip's format, not zlib's */
#define PIECE_MAX	(1UL << 20)	/* bytes per call: zlib counts in 32 bits */
#define LEVEL		5		/* of profiles: two thirds of the time of zlib's default, and 1% longer */

int gzip_write(FILE *out, const void *bytes, size_t len)
{
	z_stream stream = { .next_in = (void *)bytes };
	size_t left = len;
	u8 packed[65536];
	int result = Z_OK;

	if (deflateInit2(&stream, LEVEL, Z_DEFLATED, MAX_WBITS + GZIP_FORMAT,
			 MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	while (result == Z_OK) {
		if (!stream.avail_in) {
			stream.avail_in = left < PIECE_MAX ? left : PIECE_MAX;
			left -= stream.avail_in;
		}
		stream.next_out = packed;
		stream.avail_out = sizeof(packed);
		result = deflate(&stream, left ? Z_NO_FLUSH : Z_FINISH);
		fwrite(packed, 1, sizeof(packed) - stream.avail_out, out);
	}
	deflateEnd(&stream);
	return 0;
}
