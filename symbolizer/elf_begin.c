// SPDX-License-Identifier: GPL-2.0-only
/* Hands ELF files to libelf: see sym_elf.h. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "sym_elf.h"

/** A file's header, as far as the file has one: its class says which of the two it is. */
union header {
	Elf32_Ehdr class_32;
	Elf64_Ehdr class_64;
};

/* Whether the tables have more entries than the header can count. The values have no byte order. */
static bool is_countless(u64 sections_at, u16 nr_sections, u16 nr_segments)
{
	return (sections_at && !nr_sections) || nr_segments == PN_XNUM;
}

/* libelf would allocate all headers at once, and programs have a hundred. */
static bool has_countless_headers(const union header *header)
{
	switch (header->class_64.e_ident[EI_CLASS]) {
	case ELFCLASS32:
		return is_countless(header->class_32.e_shoff, header->class_32.e_shnum, header->class_32.e_phnum);
	case ELFCLASS64:
		return is_countless(header->class_64.e_shoff, header->class_64.e_shnum, header->class_64.e_phnum);
	}
	return false;
}

/* Takes ownership of @elf; NULL: libelf refused it. */
static Elf *check_kind(Elf *elf, struct sym_error *error_ret)
{
	GElf_Ehdr header;

	if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header))
		return elf;
	elf_end(elf);
	sym_fail(error_ret, -ENOEXEC, "not an ELF file, or a damaged one");
	return NULL;
}

static bool check_headers(const union header *header, struct sym_error *error_ret)
{
	elf_version(EV_CURRENT);
	if (memcmp(header, ELFMAG, SELFMAG) || !has_countless_headers(header))
		return true;
	sym_fail(error_ret, -ENOEXEC, "more sections than a program has");
	return false;
}

Elf *sym_elf_begin(int fd, struct sym_error *error_ret)
{
	/* The rest of a short file is zero, and libelf refuses it. */
	union header header = { 0 };

	if (pread(fd, &header, sizeof(header), 0) < 0)
		return check_kind(NULL, error_ret);
	return check_headers(&header, error_ret) ?
		check_kind(elf_begin(fd, ELF_C_READ, NULL), error_ret) : NULL;
}

Elf *sym_elf_memory(char *bytes, size_t len, struct sym_error *error_ret)
{
	union header header = { 0 };

	memcpy(&header, bytes, len < sizeof(header) ? len : sizeof(header));
	return check_headers(&header, error_ret) ? check_kind(elf_memory(bytes, len), error_ret) : NULL;
}
