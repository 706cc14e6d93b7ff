// SPDX-License-Identifier: GPL-2.0-only
/*
 * ELF files through libelf: headers, code ranges, symbol tables. Files are read,
 * not mapped, because a file may shrink while it is used.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "sym_elf.h"

/* Bytes of sections read from one file, at most. */
#define READABLE_MAX	(512UL << 20)

static int find_sections(struct elf_file *file)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t nr = 0, i;

	if (elf_getshdrnum(file->elf, &nr))
		nr = 0;
	/* The count may be wrong, but libelf finds no more sections than exist. */
	file->sections = calloc(nr + 1, sizeof(*file->sections));
	if (!file->sections)
		return -ENOMEM;
	file->nr_sections = nr;
	while ((section = elf_nextscn(file->elf, section))) {
		i = elf_ndxscn(section);
		if (i >= nr || !gelf_getshdr(section, &header) ||
		    !(header.sh_flags & SHF_EXECINSTR) ||
		    header.sh_addr + header.sh_size < header.sh_addr)
			continue;
		file->sections[i].start = header.sh_addr;
		file->sections[i].end = header.sh_addr + header.sh_size;
	}
	return 0;
}

/* Takes ownership of @elf. NULL: it could not be opened, and @error_ret says why. */
static int check_elf_file(Elf *elf, int fd, size_t len, size_t filled, struct elf_file *file_ret,
			  struct sym_error *error_ret)
{
	struct elf_file file = {
		.elf = elf, .fd = fd, .len = len, .filled = filled,
		.readable = filled > READABLE_MAX / 2 ? READABLE_MAX : 2 * filled,
	};
	GElf_Ehdr *header = &file.header;

	if (!elf)
		return -ENOEXEC;
	gelf_getehdr(elf, header);
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) {
		elf_end(elf);
		return sym_fail(error_ret, -ENOEXEC, "not a 64-bit little-endian program");
	}
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN) {
		elf_end(elf);
		return sym_fail(error_ret, -ENOEXEC, "neither an executable nor a shared object");
	}
	if (find_sections(&file)) {
		elf_end(elf);
		return sym_fail(error_ret, -ENOMEM, "out of memory");
	}
	*file_ret = file;
	return 0;
}

int elf_open(int fd, struct elf_file *file_ret, struct sym_error *error_ret)
{
	struct stat info;

	if (fstat(fd, &info))
		return sym_fail(error_ret, -errno, "%s", strerror(errno));
	return check_elf_file(sym_elf_begin(fd, error_ret), fd, info.st_size, bytes_without_holes(&info), file_ret,
			      error_ret);
}

int elf_open_memory(char *bytes, size_t len, struct elf_file *file_ret,
		    struct sym_error *error_ret)
{
	return check_elf_file(sym_elf_memory(bytes, len, error_ret), -1, len, len, file_ret, error_ret);
}

void elf_close(struct elf_file *file)
{
	free(file->sections);
	elf_end(file->elf);
	memset(file, 0, sizeof(*file));
}

/* Whether @len more bytes may be read; if so, counts them as read. */
static bool may_read(struct elf_file *file, u64 len)
{
	if (len > file->readable)
		return false;
	file->readable -= len;
	return true;
}

Elf_Data *elf_data(struct elf_file *file, Elf_Scn *section, const GElf_Shdr *header)
{
	size_t i = elf_ndxscn(section);
	Elf_Data *data;

	if (i >= file->nr_sections || header->sh_type == SHT_NOBITS ||
	    header->sh_flags & SHF_COMPRESSED)
		return NULL;
	if (!file->sections[i].is_read && !may_read(file, header->sh_size))
		return NULL;
	file->sections[i].is_read = true;
	data = elf_getdata(section, NULL);
	return data && data->d_buf ? data : NULL;
}

u64 elf_unpacked_len(struct elf_file *file, Elf_Scn *section, const GElf_Shdr *header)
{
	GElf_Chdr packed;

	if (!(header->sh_flags & SHF_COMPRESSED))
		return header->sh_size;
	/* libelf reads the section to find its header. */
	return may_read(file, header->sh_size) && gelf_getchdr(section, &packed) ? packed.ch_size : UINT64_MAX;
}

Elf_Data *elf_unpacked_data(struct elf_file *file, Elf_Scn *section, const GElf_Shdr *header)
{
	GElf_Shdr unpacked = *header;

	if (!(header->sh_flags & SHF_COMPRESSED))
		return elf_data(file, section, header);
	/* libelf allocates as many bytes as the header claims. */
	if (!may_read(file, elf_unpacked_len(file, section, header)) || elf_compress(section, 0, 0) < 0)
		return NULL;
	unpacked.sh_flags &= ~(u64)SHF_COMPRESSED;
	unpacked.sh_size = 0;
	return elf_data(file, section, &unpacked);
}

struct elf_names elf_names(struct elf_file *file, size_t number)
{
	Elf_Scn *section = elf_getscn(file->elf, number);
	struct elf_names none = { "", 0 };
	GElf_Shdr header;
	Elf_Data *data = section && gelf_getshdr(section, &header) ?
		elf_data(file, section, &header) : NULL;

	if (!data || !data->d_size || ((char *)data->d_buf)[data->d_size - 1])
		return none;
	return (struct elf_names){ data->d_buf, data->d_size };
}

const char *elf_name(const struct elf_names *names, size_t at)
{
	return at < names->len ? names->text + at : "";
}

Elf_Scn *elf_section(struct elf_file *file, const char *name, u32 type, GElf_Shdr *header_ret)
{
	struct elf_names names = { "", 0 };
	Elf_Scn *section = NULL;
	size_t number = 0;

	if (name && elf_getshdrstrndx(file->elf, &number))
		return NULL;
	if (name)
		names = elf_names(file, number);
	while ((section = elf_nextscn(file->elf, section))) {
		if (!gelf_getshdr(section, header_ret))
			continue;
		if (name ? !strcmp(elf_name(&names, header_ret->sh_name), name) :
		    header_ret->sh_type == type)
			return section;
	}
	return NULL;
}

/* Read the contents of a segment. NULL: unreadable, or over the limit of elf_data(). */
static Elf_Data *segment_data(struct elf_file *file, const GElf_Phdr *segment, Elf_Type type)
{
	Elf_Data *data = may_read(file, segment->p_filesz) ?
		elf_getdata_rawchunk(file->elf, segment->p_offset, segment->p_filesz, type) : NULL;

	return data && data->d_buf ? data : NULL;
}

static void read_build_id_note(struct elf_file *file, const GElf_Phdr *segment,
			       struct sym_image *image)
{
	Elf_Data *data = segment_data(file, segment, ELF_T_NHDR);
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

static void read_interpreter(struct elf_file *file, const GElf_Phdr *segment,
			     struct sym_image *image)
{
	Elf_Data *data = segment->p_filesz <= PATH_MAX ?
		segment_data(file, segment, ELF_T_BYTE) : NULL;

	if (!data)
		return;
	snprintf(image->interpreter, sizeof(image->interpreter), "%.*s", (int)data->d_size,
		 (const char *)data->d_buf);
	name_clean(image->interpreter);
}

static void add_image_segment(const GElf_Phdr *segment, struct sym_image *image)
{
	u64 end = segment->p_vaddr + segment->p_memsz;

	if (segment->p_vaddr < image->load_start)
		image->load_start = segment->p_vaddr;
	if (!(segment->p_flags & PF_X) || end <= segment->p_vaddr)
		return;
	if (segment->p_vaddr < image->code_start)
		image->code_start = segment->p_vaddr;
	if (end > image->code_end)
		image->code_end = end;
	if (image->nr_segments < SYM_SEGMENTS_MAX)
		image->segment[image->nr_segments++] = (struct sym_segment){
			segment->p_offset, segment->p_filesz, segment->p_vaddr };
}

int elf_read_image(struct elf_file *file, struct sym_image *image_ret,
		   struct sym_error *error_ret)
{
	struct sym_image image = { .code_start = UINT64_MAX, .load_start = UINT64_MAX };
	size_t i, nr_segments = 0;
	GElf_Phdr segment;

	if (elf_getphdrnum(file->elf, &nr_segments))
		nr_segments = 0;
	for (i = 0; i < nr_segments && gelf_getphdr(file->elf, i, &segment); i++) {
		if (segment.p_type == PT_NOTE && !image.build_id_len)
			read_build_id_note(file, &segment, &image);
		else if (segment.p_type == PT_INTERP)
			read_interpreter(file, &segment, &image);
		else if (segment.p_type == PT_LOAD)
			add_image_segment(&segment, &image);
	}
	if (!image.code_end)
		return sym_fail(error_ret, -ENOEXEC, "no executable segment");
	*image_ret = image;
	return 0;
}

int sym_image_read(int fd, struct sym_image *image_ret, struct sym_error *error_ret)
{
	struct elf_file file;
	int error = elf_open(fd, &file, error_ret);

	if (error)
		return error;
	error = elf_read_image(&file, image_ret, error_ret);
	elf_close(&file);
	return error;
}

/* Whether a segment contains an offset of the file, and the pages that are mapped with it, the whole of each. */
static bool contains_offset(const struct sym_segment *segment, u64 offset, u64 page_mask)
{
	u64 start = segment->offset & ~page_mask;
	u64 len = segment->len + (segment->offset - start);

	return offset >= start && offset - start < ((len + page_mask) & ~page_mask);
}

bool sym_image_addr(const struct sym_image *image, u64 offset, u64 *addr_ret)
{
	static const u64 page_masks[] = { 0, 4095 };
	size_t i, k;

	/* Two segments may share a page of the file: first the one whose own bytes these are. */
	for (k = 0; k < sizeof(page_masks) / sizeof(page_masks[0]); k++)
		for (i = 0; i < image->nr_segments; i++) {
			const struct sym_segment *segment = &image->segment[i];

			if (!contains_offset(segment, offset, page_masks[k]))
				continue;
			*addr_ret = segment->addr - segment->offset + offset;
			return true;
		}
	return false;
}

bool sym_image_is_same(const struct sym_image *a, const struct sym_image *b)
{
	return a->build_id_len && a->build_id_len == b->build_id_len &&
	       !memcmp(a->build_id, b->build_id, a->build_id_len);
}

/* Global before weak before local symbols; functions before labels. */
static u8 symbol_rank(const GElf_Sym *sym)
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
		/* Assembly labels, except local ones (.L) and mapping symbols ($). */
		return name[0] != '$' && strncmp(name, ".L", 2);
	}
	return false;
}

static int add_symbol(const struct elf_file *file, const GElf_Sym *sym, const char *name,
		      struct builder *builder)
{
	const struct code_section *section = &file->sections[sym->st_shndx];
	u64 end = sym->st_value + sym->st_size;

	if (sym->st_value < section->start || sym->st_value >= section->end)
		return 0;
	if (end < sym->st_value || end > section->end)
		end = section->end;
	return builder_add(builder, &(struct raw_sym){
		sym->st_value, end, section->end, name, symbol_rank(sym) });
}

/* The place of a section's contents in the file. */
static u64 find_offset(struct elf_file *file, size_t number)
{
	Elf_Scn *section = elf_getscn(file->elf, number);
	GElf_Shdr header;

	return section && gelf_getshdr(section, &header) ? header.sh_offset : 0;
}

u64 elf_nr_symbols(struct elf_file *file, u32 type)
{
	GElf_Shdr table = { 0 };

	return elf_section(file, NULL, type, &table) && table.sh_entsize ? table.sh_size / table.sh_entsize : 0;
}

int elf_add_symbols(struct elf_file *file, u32 type, struct builder *builder)
{
	GElf_Shdr table = { 0 };
	Elf_Scn *section = elf_section(file, NULL, type, &table);
	Elf_Data *data = section ? elf_data(file, section, &table) : NULL;
	struct elf_names names;
	size_t i, nr;
	GElf_Sym sym;
	char *copy;
	int error;

	if (!data || !table.sh_entsize)
		return 0;
	/* The index keeps the names in one block. */
	names = elf_names(file, table.sh_link);
	copy = malloc(names.len + 1);
	if (copy)
		memcpy(copy, names.text, names.len);
	error = builder_own_copy(builder, copy, names.len, file->fd, find_offset(file, table.sh_link));
	if (error)
		return error;
	nr = data->d_size / table.sh_entsize;
	for (i = 0; !error && i < nr && gelf_getsym(data, i, &sym); i++) {
		if (!sym.st_shndx || sym.st_shndx >= file->nr_sections ||
		    sym.st_name >= names.len || !copy[sym.st_name] ||
		    !is_code(&sym, copy + sym.st_name))
			continue;
		elf_cut_version(copy + sym.st_name);
		error = add_symbol(file, &sym, copy + sym.st_name, builder);
	}
	return error;
}
