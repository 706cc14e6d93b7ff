// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decompresses .gnu_debugdata with liblzma, block by block. The library's decoder for whole files
 * would allocate a dictionary of any size that the file asks for; here the limit bounds it.
 */
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

#include "internal.h"

#define BLOCKS_MAX	256	/* xz itself makes one of 24 MB or more */

/** A stream being decompressed. */
struct unpacking {
	const u8 *packed;
	size_t packed_len;
	size_t at;		/* in packed */
	u8 *bytes;
	size_t len;
	size_t limit;
	lzma_check check;
};

/* No match refers back further than the length of the output: a larger dictionary is useless. */
static void limit_dictionary(const lzma_filter *filters, size_t limit)
{
	lzma_options_lzma *options;

	for (; filters->id != LZMA_VLI_UNKNOWN; filters++) {
		options = filters->options;
		if (filters->id == LZMA_FILTER_LZMA2 && options->dict_size > limit)
			options->dict_size = limit;
	}
}

static lzma_ret unpack_block(struct unpacking *unpacking)
{
	lzma_filter filters[LZMA_FILTERS_MAX + 1];
	lzma_block block = { .check = unpacking->check, .filters = filters };
	const u8 *header = unpacking->packed + unpacking->at;
	lzma_ret result;
	size_t i;

	block.header_size = lzma_block_header_size_decode(header[0]);
	if (block.header_size > unpacking->packed_len - unpacking->at)
		return LZMA_DATA_ERROR;
	result = lzma_block_header_decode(&block, NULL, header);
	if (result != LZMA_OK)
		return result;
	limit_dictionary(filters, unpacking->limit);
	unpacking->at += block.header_size;
	result = lzma_block_buffer_decode(&block, NULL, unpacking->packed, &unpacking->at,
					  unpacking->packed_len, unpacking->bytes, &unpacking->len,
					  unpacking->limit);
	for (i = 0; filters[i].id != LZMA_VLI_UNKNOWN; i++)
		free(filters[i].options);
	return result;
}

/* Skips the index after the blocks: it only has their positions, and each block has a checksum. */
static lzma_ret unpack_all(struct unpacking *unpacking)
{
	lzma_stream_flags flags;
	lzma_ret result;
	int nr;

	if (unpacking->packed_len < LZMA_STREAM_HEADER_SIZE)
		return LZMA_FORMAT_ERROR;
	result = lzma_stream_header_decode(&flags, unpacking->packed);
	unpacking->at = LZMA_STREAM_HEADER_SIZE;
	unpacking->check = flags.check;
	for (nr = 0; result == LZMA_OK; nr++) {
		if (unpacking->at >= unpacking->packed_len || nr == BLOCKS_MAX)
			return LZMA_DATA_ERROR;
		if (!unpacking->packed[unpacking->at])
			return LZMA_OK;
		result = unpack_block(unpacking);
	}
	return result;
}

int xz_unpack(const void *packed, size_t packed_len, size_t limit, char **bytes_ret,
	      size_t *len_ret)
{
	struct unpacking unpacking = { .packed = packed, .packed_len = packed_len, .limit = limit };
	lzma_ret result;
	char *smaller;

	if (limit < LZMA_DICT_SIZE_MIN)
		return -EINVAL;
	/* Unused pages of this memory are never touched. */
	unpacking.bytes = malloc(limit);
	if (!unpacking.bytes)
		return -ENOMEM;
	result = unpack_all(&unpacking);
	if (result != LZMA_OK) {
		free(unpacking.bytes);
		return result == LZMA_MEM_ERROR ? -ENOMEM : -EINVAL;
	}
	smaller = realloc(unpacking.bytes, unpacking.len ? unpacking.len : 1);
	*bytes_ret = smaller ? smaller : (char *)unpacking.bytes;
	*len_ret = unpacking.len;
	return 0;
}
