// SPDX-License-Identifier: GPL-2.0-only
/* Call frame information of a file: its section, and the functions that are in the file's code. */
#include <errno.h>
#include <stdlib.h>

#include "call_frames.h"
#include "internal.h"

/* Bytes of call frame information: more make tables that the module has no memory for. */
#define CFI_BYTES_MAX	(64U << 20)

/* Set the place of a function in the file, and clip its range to the segment. False: nowhere. */
static bool find_place(const struct sym_image *image, u64 file_len, struct cfi_function *function)
{
	u64 places = file_len < CFI_PLACES ? file_len : CFI_PLACES;
	size_t i;

	for (i = 0; i < image->nr_segments; i++) {
		const struct sym_segment *segment = &image->segment[i];
		u64 from = function->start - segment->addr, left = segment->len - from;

		if (function->start < segment->addr || from >= segment->len ||
		    segment->offset >= places || from >= places - segment->offset)
			continue;
		function->place = segment->offset + from;
		if (left > places - function->place)
			left = places - function->place;
		if (function->len > left)
			function->len = left;
		return true;
	}
	return false;
}

static void keep_code(struct cfi_entries *entries, const struct sym_image *image, u64 file_len)
{
	size_t i, nr = 0;

	for (i = 0; i < entries->nr_functions; i++)
		if (find_place(image, file_len, &entries->functions[i]))
			entries->functions[nr++] = entries->functions[i];
	entries->nr_functions = nr;
}

static bool read_section(struct elf_file *file, const char *name, struct cfi_section *section)
{
	GElf_Shdr header;
	Elf_Scn *found = elf_section(file, name, 0, &header);
	Elf_Data *data = found && header.sh_size <= CFI_BYTES_MAX ?
		elf_unpacked_data(file, found, &header) : NULL;

	if (!data || data->d_size > CFI_BYTES_MAX)
		return false;
	section->bytes = data->d_buf;
	section->len = data->d_size;
	section->addr = header.sh_addr;
	return true;
}

int cfi_read_file(struct elf_file *file, struct cfi_section *section_ret,
		  struct cfi_entries *entries_ret, struct sym_error *error_ret)
{
	struct cfi_section section = { .arch = sym_arch_of(file->header.e_machine) };
	struct cfi_entries entries;
	struct sym_image image;
	int error = elf_read_image(file, &image, error_ret);

	if (error)
		return error;
	if (!section.arch)
		return sym_fail(error_ret, -ENOEXEC, "for a processor that is not known here");
	if (!read_section(file, ".eh_frame", &section)) {
		section.is_debug_frame = true;
		if (!read_section(file, ".debug_frame", &section))
			return sym_fail(error_ret, -ENODATA, "no call frame information");
	}
	error = cfi_read(&section, &entries);
	if (error)
		return sym_fail(error_ret, error, "out of memory");
	keep_code(&entries, &image, file->len);
	if (!entries.nr_functions) {
		cfi_entries_deinit(&entries);
		return sym_fail(error_ret, -ENODATA, "no call frame information for any code");
	}
	*section_ret = section;
	*entries_ret = entries;
	return 0;
}

static int compare_functions(const void *a, const void *b)
{
	const struct cfi_function *x = a, *y = b;

	if (x->place != y->place)
		return (x->place > y->place) - (x->place < y->place);
	return (x->program > y->program) - (x->program < y->program);
}

void cfi_sort(struct cfi_entries *entries)
{
	struct cfi_function *functions = entries->functions;
	size_t i, nr_kept = 0;
	bool is_sorted = true;

	for (i = 1; i < entries->nr_functions; i++)
		is_sorted = is_sorted && functions[i - 1].place < functions[i].place;
	if (!is_sorted)
		qsort(functions, entries->nr_functions, sizeof(*functions), compare_functions);
	for (i = 0; i < entries->nr_functions; i++) {
		struct cfi_function *last = nr_kept ? &functions[nr_kept - 1] : NULL;

		if (last && last->place == functions[i].place)
			continue;
		if (last && last->len > functions[i].place - last->place)
			last->len = functions[i].place - last->place;
		functions[nr_kept++] = functions[i];
	}
	entries->nr_functions = nr_kept;
}
