/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the readers of files: a builder that collects symbols and creates the index. */
#ifndef SYMBOLIZER_INTERNAL_H
#define SYMBOLIZER_INTERNAL_H

#include <gelf.h>
#include <string.h>
#include <sys/stat.h>

#include "symbolizer.h"

/** A symbol as read. */
struct raw_sym {
	u64 start;
	u64 end;		/* equal to start: unknown */
	u64 limit;	/* upper bound of an unknown end; 0: the end of the page */
	const char *name;	/* in a block that the builder owns */
	u8 rank;		/* the symbol with the lowest rank at an address is shown */
};

#define BUILDER_BLOCKS 8

/** Memory of names, and the place in a file that it is a copy of. */
struct name_block {
	char *bytes;		/* from malloc() */
	size_t len;
	int fd;			/* the block's own; -1: no file has these bytes */
	u64 offset;
};

/** Initialise with zeros; release with builder_deinit(). */
struct builder {
	struct raw_sym *syms;
	size_t nr_syms;
	size_t max_syms;
	bool keeps_files;	/* blocks have descriptors of the files that they were read from */
	struct name_block blocks[BUILDER_BLOCKS];
	size_t nr_blocks;
};

/** A name as it was read. */
struct entry_name {
	u64 start;
	const char *name;
};

struct sym_index {
	struct sym *syms;	/* disjoint, ascending */
	size_t nr_syms;
	struct entry_name *raw;	/* all names, including aliases, by address */
	size_t nr_raw;
	struct name_block blocks[BUILDER_BLOCKS];	/* memory of the names */
	size_t nr_blocks;
};

/**
 * builder_add() - add a symbol; the name is not copied. A symbol at UINT64_MAX is left out.
 * -ENOMEM.
 */
int builder_add(struct builder *builder, const struct raw_sym *sym);

/**
 * builder_drop_known() - drop symbols from number @nr_before on at whose address an earlier one is that would be shown
 * instead of them. Sorts the earlier ones.
 */
void builder_drop_known(struct builder *builder, size_t nr_before);

/**
 * builder_own() - pass the ownership of @block, of @len bytes from malloc(), to the builder and later to
 * the index. -ENOMEM: too many blocks, and @block has been freed; or @block is NULL.
 */
int builder_own(struct builder *builder, void *block, size_t len);

/** builder_trim() - only @len bytes of the last block have names. Does not move it. */
void builder_trim(struct builder *builder, size_t len);

/**
 * builder_own_copy() - as builder_own(), for a copy of the bytes at @offset of a file, which the caller closes.
 * @fd: -1: none
 */
int builder_own_copy(struct builder *builder, void *block, size_t len, int fd, u64 offset);

/**
 * builder_finish() - create the index, which takes over blocks and symbols.
 * -ENODATA: no symbol was added; -ENOMEM.
 */
int builder_finish(struct builder *builder, struct sym_index **index_ret,
		   struct sym_error *error_ret);

/** builder_deinit() - free blocks and symbols. */
void builder_deinit(struct builder *builder);

/** sym_fail() - fill @error (may be NULL) and return @code. */
int sym_fail(struct sym_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Names in an ELF file may share their ends, so that their lengths add up to far more than the
 * file's size: only this many bytes of each name are compared.
 */
#define NAME_COMPARED 1024

/** name_is_mangled() - whether @name looks like a C++ or Rust name that name_demangle() accepts. */
bool name_is_mangled(const char *name);

/**
 * name_demangle() - demangle a C++ or Rust name, without parameters. The caller frees the
 * result. NULL: not mangled, or longer than any name that a compiler creates (a short malicious
 * name can double its length with every letter).
 */
char *name_demangle(const char *name);

/** name_clean() - replace tabs by blanks, then call utf8_clean(). */
void name_clean(char *name);

/**
 * read_all() - read a whole file from its position on, and append a NUL. The caller frees the
 * text. -EFBIG: over 4 GiB. -ENOMEM.
 */
int read_all(int fd, char **text_ret, size_t *len_ret, struct sym_error *error_ret);

/**
 * bytes_without_holes() - the most bytes of a file that are not holes, as far as its blocks on the disk tell. Holes cost
 * nothing there, but memory when they are read.
 */
u64 bytes_without_holes(const struct stat *info);

/** is_mostly_holes() - whether more than half of a file is holes. A MiB of them is no harm. */
bool is_mostly_holes(const struct stat *info);

/* elf.c: executables and shared objects, from a descriptor or from memory */

/** Addresses of a code section; empty for all other sections. */
struct code_section {
	u64 start;
	u64 end;
	bool is_read;
};

struct elf_file {
	Elf *elf;
	int fd;				/* -1: the file is in memory */
	GElf_Ehdr header;
	struct code_section *sections;	/* by section number */
	size_t nr_sections;
	size_t len;			/* bytes of the file */
	size_t filled;			/* ... without holes */
	size_t readable;		/* bytes that may still be read: see elf_data() */
};

/** A table of names. */
struct elf_names {
	const char *text;
	size_t len;
};

/** object_read() - as sym_index_create_object(), but only add the symbols to @builder. */
int object_read(int fd, const char *path, const char *root, struct builder *builder,
		struct sym_origin *origin_ret, struct sym_error *error_ret);

/**
 * elf_open() - open a 64-bit little-endian executable or shared object. @fd stays open until
 * elf_close(). -ENOEXEC: any other file, or one with more than 65,000 sections or segments; -ENOMEM.
 */
int elf_open(int fd, struct elf_file *file_ret, struct sym_error *error_ret);

/** elf_open_memory() - as elf_open(), for a file in memory, which must stay until elf_close(). */
int elf_open_memory(char *bytes, size_t len, struct elf_file *file_ret,
		    struct sym_error *error_ret);

void elf_close(struct elf_file *file);

/** elf_section() - find the first section by name or, with @name NULL, by type. NULL: none. */
Elf_Scn *elf_section(struct elf_file *file, const char *name, u32 type, GElf_Shdr *header_ret);

/**
 * elf_data() - read the contents of a section; they belong to @file. NULL: no contents, compressed
 * or unreadable; or all sections read so far exceed twice the file's size or 512 MiB. Sections of a malicious
 * file can overlap, each as large as the whole file, and the file may consist of holes: its size is at most 8 times
 * that on the disk.
 */
Elf_Data *elf_data(struct elf_file *file, Elf_Scn *section, const GElf_Shdr *header);

/**
 * elf_unpacked_len() - bytes of a section when decompressed. UINT64_MAX: unknown. To be told, a compressed
 * section is read, which counts against the limit of elf_data().
 */
u64 elf_unpacked_len(struct elf_file *file, Elf_Scn *section, const GElf_Shdr *header);

/**
 * elf_unpacked_data() - as elf_data(), but a compressed section is decompressed. Its size before counts
 * as that of what is read.
 */
Elf_Data *elf_unpacked_data(struct elf_file *file, Elf_Scn *section, const GElf_Shdr *header);

/**
 * elf_cut_version() - cut the default version off the @name of a symbol, "write@@GLIBC_2.2.5": a table of dynamic symbols
 * does not have it in its names. Others remain: "write@GLIBC_2.0" is another function.
 * Only the beginning of a name is searched, since names of a malicious file can share one end.
 */
static inline void elf_cut_version(char *name)
{
	char *version = name[0] ? memmem(name + 1, strnlen(name + 1, NAME_COMPARED), "@@", 2) : NULL;

	if (version)
		*version = '\0';
}

/** elf_names() - read the table of names in a section; empty if the table has no final NUL. */
struct elf_names elf_names(struct elf_file *file, size_t section);

/** elf_name() - the name at an offset; "" outside the table. */
const char *elf_name(const struct elf_names *names, size_t at);

/** elf_nr_symbols() - length of the table of @type, by its section's header; 0: there is none. */
u64 elf_nr_symbols(struct elf_file *file, u32 type);

/** elf_add_symbols() - add the code symbols of the table of @type (SHT_SYMTAB, SHT_DYNSYM). */
int elf_add_symbols(struct elf_file *file, u32 type, struct builder *builder);

/** elf_read_image() - as sym_image_read(). */
int elf_read_image(struct elf_file *file, struct sym_image *image_ret,
		   struct sym_error *error_ret);

/** plt_add_symbols() - add a name for each entry of the procedure linkage tables. */
int plt_add_symbols(struct elf_file *file, struct builder *builder);

/**
 * xz_unpack() - decompress an .xz stream. The caller frees *bytes_ret. -EINVAL: damaged or too big;
 * -ENOMEM.
 * @limit: upper bound of the decompressed size, in bytes; memory use is at most twice the limit
 */
int xz_unpack(const void *packed, size_t packed_len, size_t limit, char **bytes_ret,
	      size_t *len_ret);

#endif
