// SPDX-License-Identifier: GPL-2.0-only
/* CRC-32 of IEEE 802.3: zlib's is fast, because it handles many bytes at a time. */
#include <zlib.h>

#include "symbolizer.h"

uint32_t sym_crc32(uint32_t crc, const void *bytes, size_t len)
{
	return crc32_z(crc, bytes, len);
}
