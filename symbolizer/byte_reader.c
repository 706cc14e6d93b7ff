// SPDX-License-Identifier: GPL-2.0-only
/* Numbers of DWARF: see byte_reader.h. */
#include <string.h>

#include "byte_reader.h"

u64 read_word(struct byte_reader *reader, size_t len)
{
	const u8 *bytes = read_bytes(reader, len);
	u64 word = 0;

	if (bytes)
		memcpy(&word, bytes, len);
	return word;
}

s64 read_signed(struct byte_reader *reader, size_t len)
{
	unsigned int unused = 64 - 8 * len;

	return (s64)(read_word(reader, len) << unused) >> unused;
}

/* Bits of a number in LEB128, as far as they fit, and the number of bits, and the last byte.  */
static u64 read_leb(struct byte_reader *reader, unsigned int *nr_bits_ret, u8 *last_ret)
{
	unsigned int shift = 0;
	u64 number = 0;
	u8 byte;

	do {
		byte = read_byte(reader);
		if (shift < 64) {
			number |= (u64)(byte & 0x7f) << shift;
			shift += 7;
		}
	} while (byte & 0x80);
	*nr_bits_ret = shift;
	*last_ret = byte;
	return number;
}

u64 read_uleb(struct byte_reader *reader)
{
	unsigned int nr_bits;
	u8 last;

	return read_leb(reader, &nr_bits, &last);
}

s64 read_sleb(struct byte_reader *reader)
{
	unsigned int nr_bits;
	u8 last;
	u64 number = read_leb(reader, &nr_bits, &last);

	return nr_bits < 64 && last & 0x40 ? number | ~0ULL << nr_bits : number;
}
