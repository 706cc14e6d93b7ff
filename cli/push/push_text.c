// SPDX-License-Identifier: GPL-2.0-only
/* Encodings that requests need: see push_text.h. */
#include <ctype.h>

#include "push/push_text.h"
#include "types.h"

void push_base64(FILE *out, const void *bytes, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const u8 *from = bytes;
	size_t i;

	for (i = 0; i < len; i += 3) {
		u32 left = len - i < 3 ? len - i : 3;
		u32 group = from[i] << 16 | (left > 1 ? from[i + 1] << 8 : 0) | (left > 2 ? from[i + 2] : 0);

		putc_unlocked(digits[group >> 18], out);
		putc_unlocked(digits[group >> 12 & 63], out);
		putc_unlocked(left > 1 ? digits[group >> 6 & 63] : '=', out);
		putc_unlocked(left > 2 ? digits[group & 63] : '=', out);
	}
}

void push_percent(FILE *out, const char *text)
{
	for (; *text; text++) {
		unsigned char byte = *text;

		if ((isascii(byte) && isalnum(byte)) || byte == '-' || byte == '.' || byte == '_' ||
		    byte == '~')
			fputc(byte, out);
		else
			fprintf(out, "%%%02X", byte);
	}
}

void push_uuid(char text_ret[37], const void *bytes, size_t len)
{
	/* FNV-1a of 128 bits: its offset basis and its prime, 2^88 + 0x13b. */
	unsigned __int128 hash = (unsigned __int128)0x6c62272e07bb0142 << 64 | 0x62b821756295c58d;
	const unsigned __int128 prime = (unsigned __int128)1 << 88 | 0x13b;
	const u8 *from = bytes;
	u64 high, low;
	size_t i;

	for (i = 0; i < len; i++)
		hash = (hash ^ from[i]) * prime;
	high = ((u64)(hash >> 64) & ~0xf000ULL) | 0x8000;
	low = ((u64)hash & ~(3ULL << 62)) | 2ULL << 62;
	snprintf(text_ret, 37, "%08x-%04x-%04x-%04x-%012llx", (u32)(high >> 32), (u32)(high >> 16) & 0xffff,
		 (u32)high & 0xffff, (u32)(low >> 48), low & 0xffffffffffffULL);
}
