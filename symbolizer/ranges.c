// SPDX-License-Identifier: GPL-2.0-only
/* Ranges of functions from call frame information: see sym_ranges.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "call_frames.h"
#include "internal.h"
#include "sym_ranges.h"

#define LINKAGE_MAX	8	/* linkers make four; a limit keeps the search short */

struct range {
	u64 start;
	u64 end;
};

struct sym_ranges {
	size_t nr;
	struct range list[];	/* ascending, without overlaps */
};

static bool is_linkage(const char *section)
{
	return !strncmp(section, ".plt", 4) || !strcmp(section, ".iplt");
}

/* Find the linkage tables. Returns their number. */
static size_t find_linkage(struct elf_file *file, struct range list[LINKAGE_MAX])
{
	struct elf_names names;
	Elf_Scn *section = NULL;
	size_t number, nr = 0;
	GElf_Shdr header;

	if (elf_getshdrstrndx(file->elf, &number))
		return 0;
	names = elf_names(file, number);
	while (nr < LINKAGE_MAX && (section = elf_nextscn(file->elf, section))) {
		size_t i = elf_ndxscn(section);

		if (i >= file->nr_sections || !gelf_getshdr(section, &header) ||
		    !is_linkage(elf_name(&names, header.sh_name)))
			continue;
		list[nr].start = file->sections[i].start;
		list[nr++].end = file->sections[i].end;
	}
	return nr;
}

static bool is_in_linkage(u64 addr, const struct range *linkage, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (addr >= linkage[i].start && addr < linkage[i].end)
			return true;
	return false;
}

/* Leave functions in linkage tables out, and let the others be sorted by address. */
static void keep_functions(struct cfi_entries *entries, const struct range *linkage,
			   size_t nr_linkage)
{
	size_t i, nr = 0;

	for (i = 0; i < entries->nr_functions; i++) {
		struct cfi_function *function = &entries->functions[i];

		/* A segment of a malicious file may end after the last address. */
		if (function->len > UINT64_MAX - function->start ||
		    is_in_linkage(function->start, linkage, nr_linkage))
			continue;
		function->place = function->start;
		entries->functions[nr++] = *function;
	}
	entries->nr_functions = nr;
}

static int create_ranges(const struct cfi_entries *entries, struct sym_ranges **ret,
			 struct sym_error *error_ret)
{
	size_t i, nr = entries->nr_functions;
	struct sym_ranges *ranges;

	if (!nr)
		return sym_fail(error_ret, -ENODATA, "no call frame information for any function");
	ranges = malloc(sizeof(*ranges) + nr * sizeof(ranges->list[0]));
	if (!ranges)
		return sym_fail(error_ret, -ENOMEM, "out of memory");
	ranges->nr = nr;
	for (i = 0; i < nr; i++) {
		const struct cfi_function *function = &entries->functions[i];

		ranges->list[i] = (struct range){ function->start, function->start + function->len };
	}
	*ret = ranges;
	return 0;
}

static int read_ranges(struct elf_file *file, struct sym_ranges **ret, struct sym_error *error_ret)
{
	struct range linkage[LINKAGE_MAX];
	struct cfi_section section;
	struct cfi_entries entries;
	int error = cfi_read_file(file, &section, &entries, error_ret);

	if (error)
		return error;
	keep_functions(&entries, linkage, find_linkage(file, linkage));
	cfi_sort(&entries);
	error = create_ranges(&entries, ret, error_ret);
	cfi_entries_deinit(&entries);
	return error;
}

int sym_ranges_create(int fd, struct sym_ranges **ret, struct sym_error *error_ret)
{
	struct elf_file file;
	int error = elf_open(fd, &file, error_ret);

	if (error)
		return error;
	error = read_ranges(&file, ret, error_ret);
	elf_close(&file);
	return error;
}

bool sym_ranges_find(const struct sym_ranges *ranges, u64 addr, u64 *start_ret, u64 *end_ret)
{
	size_t low = 0, high = ranges->nr;

	/* Find the first range that ends above the address. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->list[middle].end <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == ranges->nr || ranges->list[low].start > addr)
		return false;
	*start_ret = ranges->list[low].start;
	*end_ret = ranges->list[low].end;
	return true;
}

size_t sym_ranges_size(const struct sym_ranges *ranges)
{
	return ranges->nr;
}

void sym_ranges_destroy(struct sym_ranges *ranges)
{
	free(ranges);
}
