// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call frame information: an executable or library or, if the input is no ELF file, the bytes of its
 * .eh_frame, put into a file whose segment of code is all of the file. The module must accept every
 * table, and finds each row at its place. The ranges of functions must not overlap.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cfi.h"
#include "fuzz.h"
#include "sym_ranges.h"
#include "sym_unwind.h"

#define FRAMES_ADDR	0x10000

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

struct object {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	Elf64_Shdr sections[3];
	char names[16];
	u8 frames[];
};

static struct object *make_object(const u8 *bytes, size_t len)
{
	struct object *object = calloc(1, sizeof(*object) + len);

	fuzz_require(object, "no memory for the object");
	object->header = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(object->header), .e_phnum = 1, .e_shnum = 3, .e_shstrndx = 2,
		.e_phoff = offsetof(struct object, segment), .e_phentsize = sizeof(object->segment),
		.e_shoff = offsetof(struct object, sections), .e_shentsize = sizeof(object->sections[0]),
	};
	object->segment = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = sizeof(*object) + len,
		.p_memsz = sizeof(*object) + len,
	};
	object->sections[1] = (Elf64_Shdr){
		.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_addr = FRAMES_ADDR,
		.sh_offset = sizeof(*object), .sh_size = len,
	};
	object->sections[2] = (Elf64_Shdr){
		.sh_type = SHT_STRTAB, .sh_offset = offsetof(struct object, names),
		.sh_size = sizeof(object->names),
	};
	/* An even length hides the section from all but debuggers. */
	strcpy(object->names + 1, len % 2 ? ".eh_frame" : ".debug_frame");
	memcpy(object->frames, bytes, len);
	return object;
}

static void use_table(const struct sym_unwind *unwind)
{
	struct cfi cfi = { unwind->first_page, unwind->nr_pages, unwind->nr_rows, unwind->nr_rules,
			   unwind->pages, unwind->rows, unwind->rules };
	u32 page, i, last_rule = UINT32_MAX;

	fuzz_require(!cfi_check(&cfi), "a table that the module refuses");
	for (page = 0; page < unwind->nr_pages; page++)
		for (i = unwind->pages[page]; i < unwind->pages[page + 1]; i++) {
			u64 place = (u64)(unwind->first_page + page) << 16 | (u16)unwind->rows[i];
			u32 rule = unwind->rows[i] >> 16;

			fuzz_require(cfi_find(&cfi, place) == &unwind->rules[rule], "a row is not found");
			fuzz_require(rule != last_rule, "a row without a new rule");
			last_rule = rule;
		}
	fuzz_require(unwind->nr_functions && unwind->code_len >= unwind->nr_functions &&
		     unwind->unsupported_len <= unwind->code_len &&
		     unwind->nr_unsupported <= unwind->unsupported_len, "an impossible account");
}

/* Ask for an address and for those around its range. */
static void use_ranges(const struct sym_ranges *ranges, u64 addr)
{
	u64 start, end, other_start = 0, other_end = 0;

	if (!sym_ranges_find(ranges, addr, &start, &end))
		return;
	fuzz_require(start <= addr && addr < end, "an address outside its range");
	fuzz_require(sym_ranges_find(ranges, start, &other_start, &other_end) &&
		     other_start == start && other_end == end, "a range is not found at its start");
	fuzz_require(sym_ranges_find(ranges, end - 1, &other_start, &other_end) &&
		     other_start == start && other_end == end, "a range is not found at its end");
	fuzz_require(!sym_ranges_find(ranges, end, &other_start, &other_end) || other_start == end,
		     "ranges overlap");
	fuzz_require(!sym_ranges_find(ranges, start - 1, &other_start, &other_end) ||
		     other_end == start, "ranges overlap");
}

/* Read the ranges, and ask for the functions of the table. */
static void read_ranges(int fd, const struct sym_unwind *unwind)
{
	struct sym_ranges *ranges = NULL;
	struct sym_image image;
	u32 page, i;
	u64 addr;

	if (sym_ranges_create(fd, &ranges, NULL))
		return;
	fuzz_require(unwind, "ranges without a table");
	fuzz_require(sym_ranges_size(ranges) > 0, "no range");
	fuzz_require(!sym_image_read(fd, &image, NULL), "ranges without an image");
	for (page = 0; page < unwind->nr_pages; page++)
		for (i = unwind->pages[page]; i < unwind->pages[page + 1]; i++)
			if (sym_image_addr(&image, (u64)(unwind->first_page + page) << 16 |
					   (u16)unwind->rows[i], &addr))
				use_ranges(ranges, addr);
	sym_ranges_destroy(ranges);
}

static void compile(const void *image, size_t len)
{
	struct sym_unwind *unwind = NULL, *again = NULL;
	struct sym_error reason;
	int fd = fuzz_file(image, len), error;

	fuzz_begin(len);
	error = sym_unwind_create(fd, &unwind, &reason);
	if (!error)
		use_table(unwind);
	read_ranges(fd, unwind);
	fuzz_end();
	fuzz_require(sym_unwind_create_memory(image, len, &again, &reason) == error,
		     "a file is unlike its copy in memory");
	fuzz_require(error || (unwind->nr_rows == again->nr_rows &&
			       !memcmp(unwind->rows, again->rows, 4UL * unwind->nr_rows)),
		     "the table of a file changes");
	sym_unwind_destroy(unwind);
	sym_unwind_destroy(again);
	close(fd);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	struct object *object;

	if (len >= SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG)) {
		compile(bytes, len);
		return 0;
	}
	object = make_object(bytes, len);
	compile(object, sizeof(*object) + len);
	free(object);
	return 0;
}
