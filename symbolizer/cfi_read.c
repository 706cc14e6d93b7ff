// SPDX-License-Identifier: GPL-2.0-only
/*
 * Entries of .eh_frame and .debug_frame: DWARF 5 section 6.4.1, and for .eh_frame the Linux Standard
 * Base, section 10.6. The entries are read once, in their order; a common entry's program runs once,
 * however many functions share the entry.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "call_frames.h"

/* A number in the format of an encoding, its lower four bits. */
static u64 read_format(struct byte_reader *reader, u8 encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return read_word(reader, 8);
	case DW_EH_PE_uleb128:
		return read_uleb(reader);
	case DW_EH_PE_sleb128:
		return read_sleb(reader);
	case DW_EH_PE_udata2:
		return read_word(reader, 2);
	case DW_EH_PE_udata4:
		return read_word(reader, 4);
	case DW_EH_PE_sdata2:
		return read_signed(reader, 2);
	case DW_EH_PE_sdata4:
		return read_signed(reader, 4);
	}
	reader->is_bad = true;
	return 0;
}

/*
 * Nobody can say what text- and data-relative addresses of a 64-bit object are relative to: libgcc and
 * libdw add 0. An address in a word of memory (indirect) is unknown until the object runs.
 */
u64 read_address(const struct cfi_section *section, struct byte_reader *reader, u8 encoding)
{
	u64 base = 0;

	switch (encoding & 0xf0) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_textrel:
	case DW_EH_PE_datarel:
		break;
	case DW_EH_PE_pcrel:
		base = section->addr + (reader->at - section->bytes);
		break;
	default:
		reader->is_bad = true;
	}
	return base + read_format(reader, encoding);
}

/*
 * Augmentation of a common entry: letters, and data for some of them. Only with a "z" first is the
 * length of the data known, so that unknown letters can be skipped. "S" has no data.
 */
static void read_augmentation(const struct cfi_section *section, struct byte_reader *reader,
			      const char *letters, struct cfi_common *common)
{
	struct byte_reader data = *reader;
	u64 len;

	if (letters[0] != 'z') {
		common->is_signal = !strcmp(letters, "S");
		reader->is_bad |= letters[0] && !common->is_signal;
		return;
	}
	common->has_data = true;
	len = read_uleb(reader);
	data.at = reader->at;
	if (!read_bytes(reader, len))
		return;
	data.end = reader->at;
	while (*++letters) {
		if (*letters == 'R') {
			common->encoding = read_byte(&data);
		} else if (*letters == 'P') {
			u8 encoding = read_byte(&data);

			read_address(section, &data, encoding & 0x7f);
		} else if (*letters == 'L') {
			read_byte(&data);
		} else if (*letters == 'S') {
			common->is_signal = true;
		} else if (*letters != 'B') {	/* B: addresses are signed by the other key */
			break;
		}
	}
	/* Without the encoding no range of its functions can be read. */
	if (data.is_bad || strchr(letters, 'R'))
		reader->is_bad = true;
}

static bool read_common(const struct cfi_section *section, struct byte_reader *reader,
			struct cfi_common *common)
{
	u8 version = read_byte(reader);
	const char *letters = (const char *)reader->at;
	const u8 *nul = memchr(reader->at, 0, reader->end - reader->at);
	u64 ra;

	if (!nul || (version != 1 && version != 3 && !(version == 4 && section->is_debug_frame)))
		return false;
	reader->at = nul + 1;
	/* Bytes of an address, and of a segment selector. */
	if (version == 4 && (read_byte(reader) != 8 || read_byte(reader)))
		return false;
	common->code_factor = read_uleb(reader);
	common->data_factor = read_sleb(reader);
	ra = version == 1 ? read_byte(reader) : read_uleb(reader);
	read_augmentation(section, reader, letters, common);
	if (reader->is_bad)
		return false;
	common->is_bad = ra != section->arch->dwarf_ra || !cfi_run_common(section, common, *reader);
	return true;
}

/* The common entry at @position, which comes before its functions. */
static const struct cfi_common *find_common(const struct cfi_entries *entries, u64 position)
{
	size_t low = 0, high = entries->nr_commons;

	/* Most functions belong to the last one read. */
	if (high && entries->commons[high - 1].position <= position)
		low = high - 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (entries->commons[middle].position == position)
			return &entries->commons[middle];
		if (entries->commons[middle].position < position)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static bool read_function(const struct cfi_section *section, const struct cfi_entries *entries,
			  u64 position, struct byte_reader *reader, struct cfi_function *function)
{
	const struct cfi_common *common = find_common(entries, position);

	if (!common)
		return false;
	function->common = common - entries->commons;
	function->start = read_address(section, reader, common->encoding);
	function->len = read_format(reader, common->encoding);
	if (common->has_data)
		read_bytes(reader, read_uleb(reader));
	function->program = reader->at - section->bytes;
	function->program_len = reader->end - reader->at;
	return !reader->is_bad;
}

/* Make room for one more element of an array. Returns the array; NULL: out of memory. */
static void *reserve(void *array, size_t nr, size_t *max, size_t element_bytes)
{
	size_t more = *max ? 2 * *max : 64;
	void *grown;

	if (nr < *max)
		return array;
	grown = realloc(array, more * element_bytes);
	if (grown)
		*max = more;
	return grown;
}

static int add_common(const struct cfi_section *section, struct cfi_entries *entries, u32 position,
		      struct byte_reader *reader)
{
	struct cfi_common *more, common = { .position = position };

	if (!read_common(section, reader, &common)) {
		entries->nr_malformed++;
		return 0;
	}
	more = reserve(entries->commons, entries->nr_commons, &entries->max_commons, sizeof(common));
	if (!more)
		return -ENOMEM;
	entries->commons = more;
	entries->commons[entries->nr_commons++] = common;
	return 0;
}

static int add_function(const struct cfi_section *section, struct cfi_entries *entries,
			u64 common_position, struct byte_reader *reader)
{
	struct cfi_function *more, function = { 0 };

	if (!read_function(section, entries, common_position, reader, &function)) {
		entries->nr_malformed++;
		return 0;
	}
	if (!function.len)
		return 0;
	more = reserve(entries->functions, entries->nr_functions, &entries->max_functions, sizeof(function));
	if (!more)
		return -ENOMEM;
	entries->functions = more;
	entries->functions[entries->nr_functions++] = function;
	return 0;
}

/* The next entry, whose length has been read into @reader: common if its identifier says so. */
static int add_entry(const struct cfi_section *section, struct cfi_entries *entries, u32 position,
		     struct byte_reader *reader, size_t word_bytes)
{
	u64 here = reader->at - section->bytes, id = read_word(reader, word_bytes);
	u64 common_id = !section->is_debug_frame ? 0 : word_bytes == 8 ? ~0ULL : 0xffffffff;

	if (reader->is_bad) {
		entries->nr_malformed++;
		return 0;
	}
	if (id == common_id)
		return add_common(section, entries, position, reader);
	/* In .eh_frame, the distance to the common entry. */
	return add_function(section, entries, section->is_debug_frame ? id : here - id, reader);
}

int cfi_read(const struct cfi_section *section, struct cfi_entries *entries_ret)
{
	struct byte_reader reader = { section->bytes, section->bytes + section->len, false };
	struct cfi_entries entries = { 0 };
	int error = 0;

	while (!error && reader.at < reader.end) {
		u32 position = reader.at - section->bytes;
		size_t word_bytes = 4;
		u64 len = read_word(&reader, 4);
		struct byte_reader entry;

		if (len == 0xffffffff) {
			word_bytes = 8;
			len = read_word(&reader, 8);
		}
		if (!len)	/* the end of an object file's part */
			continue;
		entry.at = read_bytes(&reader, len);
		if (!entry.at) {
			entries.nr_malformed++;
			break;
		}
		entry.end = reader.at;
		entry.is_bad = false;
		error = add_entry(section, &entries, position, &entry, word_bytes);
	}
	if (error)
		cfi_entries_deinit(&entries);
	else
		*entries_ret = entries;
	return error;
}

void cfi_entries_deinit(struct cfi_entries *entries)
{
	free(entries->commons);
	free(entries->functions);
	memset(entries, 0, sizeof(*entries));
}
