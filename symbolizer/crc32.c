// SPDX-License-Identifier: GPL-2.0-only
/* CRC-32 of IEEE 802.3, half a byte at a time: a table that fits a cache line. */
#include "internal.h"

uint32_t sym_crc32_update(uint32_t crc, const unsigned char *bytes, size_t len)
{
	/* The remainders of the 16 half bytes by the reversed polynomial 0xedb88320. */
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	size_t i;

	for (i = 0; i < len; i++) {
		crc = table[(crc ^ bytes[i]) & 15] ^ crc >> 4;
		crc = table[(crc ^ bytes[i] >> 4) & 15] ^ crc >> 4;
	}
	return crc;
}

uint32_t sym_crc32(const void *bytes, size_t len)
{
	return ~sym_crc32_update(~0u, bytes, len);
}
