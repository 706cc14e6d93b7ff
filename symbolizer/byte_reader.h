/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading numbers of DWARF from untrusted bytes. */
#ifndef BYTE_READER_H
#define BYTE_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

/** A cursor over bytes. Reads beyond the end return 0 and set @is_bad, which stays set. */
struct byte_reader {
	const u8 *at;
	const u8 *end;
	bool is_bad;
};

static inline const u8 *read_bytes(struct byte_reader *reader, u64 len)
{
	const u8 *bytes = reader->at;

	if (len > (u64)(reader->end - reader->at)) {
		reader->is_bad = true;
		reader->at = reader->end;
		return NULL;
	}
	reader->at += len;
	return bytes;
}

static inline u8 read_byte(struct byte_reader *reader)
{
	const u8 *byte = read_bytes(reader, 1);

	return byte ? *byte : 0;
}

/** read_word() - read an unsigned little-endian integer of @len bytes, at most 8. */
u64 read_word(struct byte_reader *reader, size_t len);

/** read_signed() - read a signed little-endian integer of @len bytes, at most 8. */
s64 read_signed(struct byte_reader *reader, size_t len);

/** read_uleb(), read_sleb() - read a number in LEB128; bits beyond 64 are dropped. */
u64 read_uleb(struct byte_reader *reader);
s64 read_sleb(struct byte_reader *reader);

#endif
