// SPDX-License-Identifier: GPL-2.0-only
/*
 * An executable or library: its code, its symbols and the separate file that it points to. Most
 * bytes of such a file do not matter to the symbolizer: the mutator prefers headers and small
 * sections.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "internal.h"
#include "sym_compact.h"

#define COMPARED_MAX	200
#define PART_MAX	4096	/* longer sections are text and tables */

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);
size_t LLVMFuzzerCustomMutator(u8 *bytes, size_t len, size_t max_len, unsigned int seed);
size_t LLVMFuzzerMutate(u8 *bytes, size_t len, size_t max_len);

static void use_image(const struct sym_image *image)
{
	u64 addr;
	size_t i;

	fuzz_require(image->build_id_len <= sizeof(image->build_id) &&
		     image->nr_segments <= SYM_SEGMENTS_MAX &&
		     memchr(image->interpreter, '\0', sizeof(image->interpreter)),
		     "an impossible image");
	sym_image_is_same(image, image);
	for (i = 0; i < image->nr_segments; i++)
		sym_image_addr(image, image->segment[i].offset, &addr);
	sym_image_addr(image, UINT64_MAX, &addr);
}

/* Like the unpacked .gnu_debugdata: read in place from memory. */
static void use_in_memory(const u8 *bytes, size_t len)
{
	struct builder builder = { 0 };
	struct sym_index *index = NULL;
	struct elf_file file;
	char *copy = malloc(len + !len);

	memcpy(copy, bytes, len);
	if (!elf_open_memory(copy, len, &file, NULL)) {
		if (!elf_add_symbols(&file, SHT_SYMTAB, &builder))
			builder_finish(&builder, &index, NULL);
		elf_close(&file);
	}
	free(copy);
	if (index)
		fuzz_use_index(index);
	sym_index_destroy(index);
	builder_deinit(&builder);
}

/* A compact index answers like the index, wherever it is asked. */
static void compare_compact(int fd, const struct sym_index *index)
{
	size_t nr = index ? sym_index_size(index) : 0, step = nr / COMPARED_MAX + 1, i;
	struct sym_compact *compact = NULL;
	char name[SYM_COMPACT_NAME], shown[256], expected[256];
	struct sym found;

	fuzz_require(!sym_compact_create_object(fd, "/nonexistent/fuzz", "/nonexistent/root", &compact, NULL) ==
		     (index != NULL), "only one of two indexes can be made");
	for (i = 0; i < nr; i += step) {
		const struct sym *sym = sym_index_at(index, i);

		/* Code of more than 4 GiB is cut. */
		fuzz_require(sym_compact_find(compact, sym->start, &found, name) && found.start == sym->start &&
			     (found.end == sym->end || sym->end - sym->start >= UINT32_MAX) &&
			     (found.entry == sym->entry || sym->start - sym->entry >= UINT32_MAX),
			     "a compact index has other addresses");
		sym_name(sym, expected, sizeof(expected));
		sym_name(&found, shown, sizeof(shown));
		fuzz_require(!strcmp(shown, expected), "a compact index has another name");
	}
	sym_compact_destroy(compact);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct sym_index *index = NULL;
	struct sym_image image;
	struct sym_origin origin;
	struct sym_error reason;
	int fd;

	fd = fuzz_file(bytes, len);
	fuzz_begin(len);
	if (!sym_image_read(fd, &image, &reason))
		use_image(&image);
	if (!sym_index_create_object(fd, "/nonexistent/fuzz", "/nonexistent/root", &index, &origin,
				     &reason))
		fuzz_use_index(index);
	sym_index_destroy(index);
	index = NULL;
	sym_index_create_object(fd, "/nonexistent/fuzz", "/nonexistent/root", &index, NULL, NULL);
	compare_compact(fd, index);
	sym_index_destroy(index);
	use_in_memory(bytes, len);
	fuzz_end();
	close(fd);
	return 0;
}

/* Change some bytes of a part of the file; bytes beyond PART_MAX stay as they were. */
static void mutate_part(u8 *bytes, size_t len, u64 at, u64 part_len)
{
	u8 part[PART_MAX];

	part_len = part_len < sizeof(part) ? part_len : sizeof(part);
	if (!part_len || at >= len || part_len > len - at)
		return;
	memcpy(part, bytes + at, part_len);
	LLVMFuzzerMutate(part, part_len, part_len);
	memcpy(bytes + at, part, part_len);
}

/* Change a section header, or the section it describes. */
static void mutate_section(u8 *bytes, size_t len, const Elf64_Ehdr *header, unsigned int seed)
{
	u64 at = header->e_shoff + seed % (header->e_shnum + 1u) * sizeof(Elf64_Shdr);
	Elf64_Shdr section;

	if (at > len || len - at < sizeof(section))
		return;
	memcpy(&section, bytes + at, sizeof(section));
	if (seed >> 16 & 1)
		mutate_part(bytes, len, at, sizeof(section));
	else if (section.sh_type != SHT_NOBITS)
		mutate_part(bytes, len, section.sh_offset, section.sh_size);
}

size_t LLVMFuzzerCustomMutator(u8 *bytes, size_t len, size_t max_len, unsigned int seed)
{
	unsigned int kind = seed % 8, place = seed / 8;
	Elf64_Ehdr header;

	if (len < sizeof(header) || !kind)
		return LLVMFuzzerMutate(bytes, len, max_len);
	memcpy(&header, bytes, sizeof(header));
	if (kind == 1)
		mutate_part(bytes, len, 0, sizeof(header));
	else if (kind == 2)
		mutate_part(bytes, len, header.e_phoff + place % (header.e_phnum + 1u) *
			    sizeof(Elf64_Phdr), sizeof(Elf64_Phdr));
	else
		mutate_section(bytes, len, &header, place);
	return len;
}
