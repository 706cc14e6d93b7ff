// SPDX-License-Identifier: GPL-2.0-only
/* ELF files: the only file that knows libelf. Read, not mapped: a file may shrink meanwhile. */
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

/* Open and accept only what this machine can execute: 64-bit little-endian. */
static int open_elf(int fd, Elf **elf_ret, GElf_Ehdr *header, struct sym_error *error_ret)
{
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, header)) {
		elf_end(elf);
		return sym_fail(error_ret, -ENOEXEC, "not an ELF file, or a damaged one");
	}
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) {
		elf_end(elf);
		return sym_fail(error_ret, -ENOEXEC, "not a 64-bit little-endian program");
	}
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN) {
		elf_end(elf);
		return sym_fail(error_ret, -ENOEXEC, "neither an executable nor a shared object");
	}
	*elf_ret = elf;
	return 0;
}

static void read_build_id(Elf *elf, const GElf_Phdr *segment, struct sym_image *image)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, segment->p_offset, segment->p_filesz, ELF_T_NHDR);
	size_t at = 0, next, name_at, desc_at;
	GElf_Nhdr note;

	while (data && (next = gelf_getnote(data, at, &note, &name_at, &desc_at)) > 0) {
		const char *bytes = data->d_buf;

		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(bytes + name_at, "GNU", 4) &&
		    note.n_descsz <= sizeof(image->build_id)) {
			memcpy(image->build_id, bytes + desc_at, note.n_descsz);
			image->build_id_len = note.n_descsz;
			return;
		}
		at = next;
	}
}

int sym_image_read(int fd, struct sym_image *image_ret, struct sym_error *error_ret)
{
	struct sym_image image = { .code_start = UINT64_MAX, .load_start = UINT64_MAX };
	size_t i, nr_segments = 0;
	GElf_Ehdr header;
	GElf_Phdr segment;
	Elf *elf;
	int error = open_elf(fd, &elf, &header, error_ret);

	if (error)
		return error;
	if (elf_getphdrnum(elf, &nr_segments))
		nr_segments = 0;
	for (i = 0; i < nr_segments && gelf_getphdr(elf, i, &segment); i++) {
		uint64_t end = segment.p_vaddr + segment.p_memsz;

		if (segment.p_type == PT_NOTE && !image.build_id_len)
			read_build_id(elf, &segment, &image);
		if (segment.p_type == PT_LOAD && segment.p_vaddr < image.load_start)
			image.load_start = segment.p_vaddr;
		if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) ||
		    end <= segment.p_vaddr)
			continue;
		if (segment.p_vaddr < image.code_start)
			image.code_start = segment.p_vaddr;
		if (end > image.code_end)
			image.code_end = end;
	}
	elf_end(elf);
	if (!image.code_end)
		return sym_fail(error_ret, -ENOEXEC, "no code in it");
	*image_ret = image;
	return 0;
}

/* The symbol table, or the dynamic one of a stripped file. */
static Elf_Scn *find_table(Elf *elf, GElf_Shdr *table)
{
	Elf_Scn *section = NULL, *dynamic = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		if (header.sh_type == SHT_SYMTAB) {
			*table = header;
			return section;
		}
		if (header.sh_type == SHT_DYNSYM && !dynamic) {
			*table = header;
			dynamic = section;
		}
	}
	return dynamic;
}

/* Global names before weak before local ones, functions before mere labels. */
static uint8_t rank_of(const GElf_Sym *sym)
{
	int binding = GELF_ST_BIND(sym->st_info);

	return (binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2) +
	       (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE ? 4 : 0);
}

static bool is_code(const GElf_Sym *sym, const char *name)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_NOTYPE:
		/* labels of assembly, but not the assembler's own or another processor's marks */
		return name[0] != '$' && strncmp(name, ".L", 2);
	}
	return false;
}

static int add_symbol(Elf *elf, const GElf_Sym *sym, const char *name, struct builder *builder)
{
	Elf_Scn *section = sym->st_shndx ? elf_getscn(elf, sym->st_shndx) : NULL;
	GElf_Shdr header;
	uint64_t section_end, end;

	if (!section || !gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR))
		return 0;
	section_end = header.sh_addr + header.sh_size;
	if (sym->st_value < header.sh_addr || sym->st_value >= section_end)
		return 0;
	end = sym->st_value + sym->st_size;
	if (end < sym->st_value || end > section_end)
		end = section_end;
	return builder_add(builder, sym->st_value, end, section_end, name, strlen(name),
			   rank_of(sym));
}

static int add_symbols(Elf *elf, struct builder *builder)
{
	GElf_Shdr table = { 0 };
	Elf_Scn *section = find_table(elf, &table);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	size_t i, nr = data && table.sh_entsize ? data->d_size / table.sh_entsize : 0;
	GElf_Sym sym;
	int error;

	for (i = 0; i < nr && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(elf, table.sh_link, sym.st_name);

		if (!name || !name[0] || !is_code(&sym, name))
			continue;
		error = add_symbol(elf, &sym, name, builder);
		if (error)
			return error;
	}
	return 0;
}

int sym_index_create_elf(int fd, struct sym_index **index_ret, struct sym_error *error_ret)
{
	struct builder builder = { 0 };
	GElf_Ehdr header;
	Elf *elf;
	int error = open_elf(fd, &elf, &header, error_ret);

	if (error)
		return error;
	error = add_symbols(elf, &builder);
	elf_end(elf);
	if (error)
		sym_fail(error_ret, error, "out of memory");
	else
		error = builder_finish(&builder, index_ret, error_ret);
	builder_deinit(&builder);
	return error;
}

int sym_index_create(int fd, struct sym_index **index_ret, struct sym_error *error_ret)
{
	char magic[SELFMAG];

	if (pread(fd, magic, SELFMAG, 0) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG))
		return sym_index_create_elf(fd, index_ret, error_ret);
	return sym_index_create_text(fd, index_ret, error_ret);
}
