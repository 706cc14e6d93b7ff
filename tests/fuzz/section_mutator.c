// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer's changes to a saved run: most of them to the content of one section, and most with
 * correct checksums, since wrong ones would keep the readers from running.
 */
#include <stdbool.h>
#include <string.h>

#include "symbolizer.h"

#define HEAD_LEN	16
#define SECTION_LEN	16	/* tag, checksum, length of what follows */
#define WHOLE_ONE_IN	4	/* whole-file mutations; others: one section */
#define FOUL_ONE_IN	64	/* mutations that leave the checksums as they are */

size_t LLVMFuzzerCustomMutator(u8 *bytes, size_t len, size_t max_len, unsigned int seed);
size_t LLVMFuzzerMutate(u8 *bytes, size_t len, size_t max_len);

/* Find the content of the section at @at; false: no complete section is there. */
static bool section_at(const u8 *bytes, size_t len, size_t at, size_t *section_len)
{
	u64 found;

	if (at > len || len - at < SECTION_LEN)
		return false;
	memcpy(&found, bytes + at + 8, sizeof(found));
	*section_len = found;
	return found <= len - at - SECTION_LEN;
}

static size_t padded(size_t len)
{
	return (len + 7) & ~7ULL;
}

/* Make the checksum of every section right. */
static void sum_up(u8 *bytes, size_t len)
{
	size_t at, section_len;
	u32 crc;

	for (at = HEAD_LEN; section_at(bytes, len, at, &section_len);
	     at += SECTION_LEN + padded(section_len)) {
		crc = sym_crc32(0, bytes + at + SECTION_LEN, section_len);
		memcpy(bytes + at + 4, &crc, sizeof(crc));
	}
}

/* Change the content of one section, which may become longer or shorter. */
static size_t mutate_section(u8 *bytes, size_t len, size_t max_len, unsigned int seed)
{
	static u8 part[1 << 20];
	size_t at, section_len, nr = 0, old_len, new_len, rest;

	for (at = HEAD_LEN; section_at(bytes, len, at, &section_len); nr++)
		at += SECTION_LEN + padded(section_len);
	if (!nr)
		return LLVMFuzzerMutate(bytes, len, max_len);
	at = HEAD_LEN;
	for (seed %= nr; section_at(bytes, len, at, &section_len) && seed--;)
		at += SECTION_LEN + padded(section_len);
	at += SECTION_LEN;
	old_len = padded(section_len) < len - at ? padded(section_len) : len - at;
	/* The last section of a damaged file may lack its padding: count what is there. */
	new_len = (old_len + max_len - len) & ~7UL;
	new_len = new_len < sizeof(part) ? new_len : sizeof(part);
	if (!new_len || section_len > new_len)
		return LLVMFuzzerMutate(bytes, len, max_len);
	memcpy(part, bytes + at, section_len);
	new_len = LLVMFuzzerMutate(part, section_len, new_len);
	rest = len - at - old_len;
	memmove(bytes + at + padded(new_len), bytes + at + old_len, rest);
	memset(bytes + at, 0, padded(new_len));
	memcpy(bytes + at, part, new_len);
	memcpy(bytes + at - 8, &(u64){ new_len }, 8);
	return at + padded(new_len) + rest;
}

size_t LLVMFuzzerCustomMutator(u8 *bytes, size_t len, size_t max_len, unsigned int seed)
{
	if (seed % WHOLE_ONE_IN)
		len = mutate_section(bytes, len, max_len, seed / WHOLE_ONE_IN);
	else
		len = LLVMFuzzerMutate(bytes, len, max_len);
	if (seed % FOUL_ONE_IN)
		sum_up(bytes, len);
	return len;
}
