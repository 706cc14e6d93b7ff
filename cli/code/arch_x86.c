// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of x86-64, read backwards: see native.h. Intel 64 and IA-32 Architectures Software
 * Developer's Manual, volume 2: 2.1.5 (ModR/M and SIB), CALL.
 */
#include <string.h>

#include "code/native.h"

/* Bytes of FF /2 from its opcode on, by its ModR/M and SIB bytes; 0: it is another instruction. */
static size_t indirect_len(uint8_t modrm, uint8_t sib)
{
	static const size_t displacement[] = { 0, 1, 4 };
	uint8_t mod = modrm >> 6, rm = modrm & 7;
	size_t len = 2;

	if ((modrm >> 3 & 7) != 2)
		return 0;
	if (mod == 3)
		return len;
	if (rm == 4)
		len++;
	/* Without a base register: a displacement from the next instruction, or an address. */
	if (!mod && (rm == 5 || (rm == 4 && (sib & 7) == 5)))
		return len + 4;
	return len + displacement[mod];
}

/*
 * E8 rel32 is a direct call, FF /2 an indirect one. About 1 in 280 of the other places of a real
 * program is taken for one that follows a call.
 */
enum calls_kind calls_before(const uint8_t *bytes, size_t len, int32_t *offset_ret)
{
	size_t back;

	for (back = 2; back <= CALLS_BYTES && back <= len; back++) {
		const uint8_t *at = bytes + len - back;

		if (at[0] == 0xff && indirect_len(at[1], back > 2 ? at[2] : 0) == back)
			return CALLS_INDIRECT;
	}
	if (len < 5 || bytes[len - 5] != 0xe8)
		return CALLS_NONE;
	memcpy(offset_ret, bytes + len - 4, sizeof(*offset_ret));
	return CALLS_DIRECT;
}
