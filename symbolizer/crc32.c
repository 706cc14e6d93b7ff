// SPDX-License-Identifier: GPL-2.0-only
/* CRC-32 of IEEE 802.3: zlib's is fast, because it handles many bytes at a time. */
#include <zlib.h>

#include "symbolizer.h"

u32 sym_crc32(u32 crc, const void *bytes, size_t len)
{
	return crc32_z(crc, bytes, len);
}
