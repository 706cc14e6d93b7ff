// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses to source lines: DWARF line tables, through libdw. A table of our own maps an address
 * to its compilation unit, because not every compiler emits .debug_aranges. See symbolizer.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lines_parts.h"
#include "sym_elf.h"

#define DEBUG_BYTES_MAX	(1ULL << 30)
#define RANGES_MAX	(1u << 22)
#define OVERLAPS_MAX	16	/* ranges searched back from an address for one that holds it */

void sym_lines_destroy(struct sym_lines *lines)
{
	if (!lines)
		return;
	inlines_destroy(lines->inlines);
	dwarf_end(lines->dwarf);
	elf_end(lines->elf);
	free(lines->bytes);
	free(lines->tables);
	free(lines->ranges);
	free(lines);
}

/* Decompressed bytes of debug information; 0: no line table, or packed in an old way; UINT64_MAX: too many. */
static u64 debug_bytes(struct elf_file *file)
{
	struct elf_names names;
	Elf_Scn *section = NULL;
	u64 total = 0;
	bool has_lines = false;
	GElf_Shdr header;
	size_t number;

	if (elf_getshdrstrndx(file->elf, &number))
		return 0;
	names = elf_names(file, number);
	while ((section = elf_nextscn(file->elf, section))) {
		const char *name;
		u64 len;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_name(&names, header.sh_name);
		/* Sections of a malicious file can share one long name, of which libdw reads all each time. */
		if (strnlen(name, NAME_COMPARED) == NAME_COMPARED)
			return 0;
		/* libdw would unpack it too. */
		if (strstr(name, ".zdebug_"))
			return 0;
		if (header.sh_type == SHT_NOBITS ||
		    (strncmp(name, ".debug_", 7) && !(header.sh_flags & SHF_COMPRESSED)))
			continue;
		has_lines |= !strcmp(name, ".debug_line");
		len = elf_unpacked_len(file, section, &header);
		if (len > DEBUG_BYTES_MAX || total + len > DEBUG_BYTES_MAX)
			return UINT64_MAX;
		total += len;
	}
	return has_lines ? total : 0;
}

static int add_range(struct sym_lines *lines, u64 start, u64 end, Dwarf_Off unit)
{
	if (start >= end)
		return 0;
	if (lines->nr == lines->max) {
		size_t max = lines->max ? 2 * lines->max : 256;
		void *more = max > RANGES_MAX ? NULL :
			realloc(lines->ranges, max * sizeof(*lines->ranges));

		if (!more)
			return -ENOMEM;
		lines->ranges = more;
		lines->max = max;
	}
	lines->ranges[lines->nr++] = (struct lines_range){ start, end, unit };
	return 0;
}

static int compare_unit_ranges(const void *a, const void *b)
{
	const struct lines_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Every range counts, an empty one too: many units can share one list. */
static int find_ranges(struct sym_lines *lines)
{
	Dwarf_Addr base = 0, start, end;
	Dwarf_Off at = 0, next;
	u32 left = RANGES_MAX;
	ptrdiff_t step;
	size_t header_len;
	Dwarf_Die unit;
	int error = 0;

	for (; !error && !dwarf_nextcu(lines->dwarf, at, &next, &header_len, NULL, NULL, NULL);
	     at = next) {
		if (!dwarf_offdie(lines->dwarf, at + header_len, &unit))
			continue;
		step = 0;
		while (!error && (step = dwarf_ranges(&unit, step, &base, &start, &end)) > 0)
			error = left-- ? add_range(lines, start, end, dwarf_dieoffset(&unit)) : -ENOMEM;
	}
	if (lines->nr)
		qsort(lines->ranges, lines->nr, sizeof(*lines->ranges), compare_unit_ranges);
	return error;
}

u64 sym_debug_len(int fd)
{
	struct elf_file file;
	struct stat info;
	u64 len;

	if (fstat(fd, &info) || elf_open(fd, &file, NULL))
		return 0;
	len = is_mostly_holes(&info) ? UINT64_MAX : debug_bytes(&file);
	elf_close(&file);
	return len;
}

/*
 * .gnu_debugaltlink names a file of debug information that several programs share (dwz -m). libdw would open any path
 * in it, a device's too, and in our root instead of the process's. Therefore libdw never sees such a section: inlined
 * functions whose names are in the shared file are left out. libdw accepts the name with some additions, too.
 */
static bool hide_shared_file(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t number;

	if (elf_getshdrstrndx(elf, &number))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, number, header.sh_name) : NULL;

		if (!name || !strstr(name, "gnu_debugaltlink"))
			continue;
		/* libdw skips sections without contents. The header that changes is the one in memory. */
		header.sh_type = SHT_NOBITS;
		if (!gelf_update_shdr(section, &header))
			return false;
	}
	return true;
}

static int open_debug_file(struct sym_lines *lines, int fd, struct sym_error *error_ret)
{
	u64 len;
	size_t bytes_len;
	int error;

	len = sym_debug_len(fd);
	if (lseek(fd, 0, SEEK_SET) < 0)
		return sym_fail(error_ret, -errno, "%s", strerror(errno));
	if (!len)
		return sym_fail(error_ret, -ENODATA, "no debug information");
	if (len == UINT64_MAX)
		return sym_fail(error_ret, -EFBIG, "more than 1 GiB of debug information, or mostly holes");
	error = read_all(fd, &lines->bytes, &bytes_len, error_ret);
	if (error)
		return error;
	lines->elf = sym_elf_memory(lines->bytes, bytes_len, error_ret);
	if (!lines->elf)
		return -ENODATA;
	lines->code_start = lines_code_start(lines->elf);
	if (lines_move_dropped(lines))
		return sym_fail(error_ret, -ENOMEM, "out of memory");
	if (hide_shared_file(lines->elf))
		lines->dwarf = dwarf_begin_elf(lines->elf, DWARF_C_READ, NULL);
	return lines->dwarf ? 0 : sym_fail(error_ret, -ENODATA, "damaged debug information");
}

int sym_lines_create(int fd, struct sym_lines **lines_ret, struct sym_error *error_ret)
{
	struct sym_lines *lines = calloc(1, sizeof(*lines));
	int error;

	if (!lines)
		return sym_fail(error_ret, -ENOMEM, "out of memory");
	lines->rows_max = ROWS_HELD_MAX;
	error = open_debug_file(lines, fd, error_ret);
	if (!error && find_ranges(lines))
		error = sym_fail(error_ret, -ENOMEM, "out of memory");
	if (error) {
		sym_lines_destroy(lines);
		return error;
	}
	*lines_ret = lines;
	return 0;
}

static const struct lines_range *find_range(const struct sym_lines *lines, u64 addr)
{
	size_t low = 0, high = lines->nr, i;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines->ranges[middle].start > addr)
			high = middle;
		else
			low = middle + 1;
	}
	for (i = 0; i < OVERLAPS_MAX && i < low; i++)
		if (addr < lines->ranges[low - 1 - i].end)
			return &lines->ranges[low - 1 - i];
	return NULL;
}

/*
 * libdw keeps decoded lines until dwarf_end(), so reopen the file after UNITS_HELD_MAX units, or many rows. A unit that
 * is held stays so: what was found in it last is still in use.
 */
static bool limit_decoded_units(struct sym_lines *lines, Dwarf_Off unit)
{
	const size_t home = unit * 0x9e3779b97f4a7c15 >> 40;
	struct lines_held *held;
	size_t at;

	for (at = home; (held = &lines->held[at % (2 * UNITS_HELD_MAX)])->unit; at++)
		if (held->unit == unit + 1) {
			lines->last_held = held;
			return lines->dwarf != NULL;
		}
	if (lines->nr_held == UNITS_HELD_MAX || lines->nr_rows >= lines->rows_max) {
		dwarf_end(lines->dwarf);
		lines->dwarf = dwarf_begin_elf(lines->elf, DWARF_C_READ, NULL);
		memset(lines->held, 0, sizeof(lines->held));
		lines->nr_held = 0;
		lines->nr_rows = 0;
		held = &lines->held[home % (2 * UNITS_HELD_MAX)];
	}
	held->unit = unit + 1;
	lines->last_held = held;
	lines->nr_held++;
	return lines->dwarf != NULL;
}

bool lines_open_unit(struct sym_lines *lines, u64 addr, Dwarf_Die *unit_ret)
{
	const struct lines_range *range = find_range(lines, addr);

	return range && limit_decoded_units(lines, range->unit) &&
	       dwarf_offdie(lines->dwarf, range->unit, unit_ret);
}

/* Counts the rows that libdw decodes for a unit, once. */
static void count_rows(struct sym_lines *lines, Dwarf_Die *unit)
{
	Dwarf_Lines *rows;
	size_t nr;

	if (!lines->last_held->is_decoded && !dwarf_getsrclines(unit, &rows, &nr))
		lines->nr_rows += nr;
	lines->last_held->is_decoded = true;
}

bool sym_lines_find(struct sym_lines *lines, u64 addr, const char **file_ret, u32 *line_ret)
{
	const char *file;
	Dwarf_Line *line;
	Dwarf_Die unit;
	int number;

	if (!lines_open_unit(lines, addr, &unit))
		return false;
	count_rows(lines, &unit);
	line = dwarf_getsrc_die(&unit, addr);
	file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	/* Compilers give line 0 to code that belongs to no source line. */
	if (!file || dwarf_lineno(line, &number) || number <= 0)
		return false;
	*file_ret = file;
	*line_ret = number;
	return true;
}
