// SPDX-License-Identifier: GPL-2.0-only
/*
 * forge_kept FROM TO TAG OFFSET: copies a saved run, adds one to the number at OFFSET of section
 * TAG and corrects the checksum: only the sums betray the change.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t crc32(const unsigned char *bytes, size_t len)
{
	uint32_t crc = ~0u;

	while (len--) {
		crc ^= *bytes++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

int main(int argc, char **argv)
{
	static unsigned char bytes[1 << 22];
	FILE *from = argc == 5 ? fopen(argv[1], "r") : NULL, *to;
	size_t len = from ? fread(bytes, 1, sizeof(bytes), from) : 0, at, offset;

	for (at = 16; at + 16 <= len;) {
		uint64_t n, number;
		uint32_t crc;

		memcpy(&n, bytes + at + 8, sizeof(n));
		if (n > len - at - 16)
			return 1;
		offset = at + 16 + atoi(argv[4]);
		if (!memcmp(bytes + at, argv[3], strlen(argv[3])) && offset + 8 <= at + 16 + n) {
			memcpy(&number, bytes + offset, sizeof(number));
			number++;
			memcpy(bytes + offset, &number, sizeof(number));
			crc = crc32(bytes + at + 16, n);
			memcpy(bytes + at + 4, &crc, sizeof(crc));
			to = fopen(argv[2], "w");
			return !to || fwrite(bytes, 1, len, to) != len || fclose(to);
		}
		at += 16 + ((n + 7) & ~7ULL);
	}
	return 1;
}
