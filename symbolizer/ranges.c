// SPDX-License-Identifier: GPL-2.0-only
/* Ranges of functions from call frame information: see sym_ranges.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "call_frames.h"
#include "internal.h"
#include "spans.h"
#include "sym_ranges.h"

#define LINKAGE_MAX	8	/* linkers make four; a limit keeps the search short */

struct range {
	u64 start;
	u64 end;
};

struct sym_ranges {
	struct spans spans;
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
	int error;

	if (!nr)
		return sym_fail(error_ret, -ENODATA, "no call frame information for any function");
	ranges = calloc(1, sizeof(*ranges));
	error = ranges ? spans_init(&ranges->spans, nr) : -ENOMEM;
	for (i = 0; !error && i < nr; i++)
		error = spans_add(&ranges->spans, entries->functions[i].start,
				  entries->functions[i].start + entries->functions[i].len);
	if (error) {
		sym_ranges_destroy(ranges);
		return sym_fail(error_ret, error, "out of memory");
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
	size_t at;

	return spans_find(&ranges->spans, addr, &at, start_ret, end_ret);
}

size_t sym_ranges_size(const struct sym_ranges *ranges)
{
	return ranges->spans.nr;
}

size_t sym_ranges_bytes(const struct sym_ranges *ranges)
{
	return spans_bytes(&ranges->spans);
}

void sym_ranges_destroy(struct sym_ranges *ranges)
{
	if (!ranges)
		return;
	spans_deinit(&ranges->spans);
	free(ranges);
}
