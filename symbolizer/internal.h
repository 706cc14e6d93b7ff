/* SPDX-License-Identifier: GPL-2.0-only */
/* What the readers of files share: a builder that collects symbols and makes the index. */
#ifndef SYMBOLIZER_INTERNAL_H
#define SYMBOLIZER_INTERNAL_H

#include <gelf.h>

#include "symbolizer.h"

/** A symbol as read. */
struct raw_sym {
	uint64_t start;
	uint64_t end;		/* start: unknown */
	uint64_t limit;	/* a symbol of unknown end reaches no further than this; 0: its page */
	const char *name;	/* in a block that the builder owns */
	uint8_t rank;		/* of several at one address the lowest is shown */
};

#define BUILDER_BLOCKS 8

/** Zero-initialised by its owner, who calls builder_deinit(). */
struct builder {
	struct raw_sym *syms;
	size_t nr_syms;
	size_t max_syms;
	void *blocks[BUILDER_BLOCKS];	/* memory that holds names, from malloc() */
	size_t nr_blocks;
};

/** builder_add() - one symbol; @name is not copied. One at the very last address is left out. */
int builder_add(struct builder *builder, const struct raw_sym *sym);

/**
 * builder_own() - let the builder, and then the index, free @block. -ENOMEM: too many,
 * and @block is freed at once. A NULL @block is -ENOMEM too.
 */
int builder_own(struct builder *builder, void *block);

/**
 * builder_finish() - make the index, which takes the blocks and symbols over.
 * -ENODATA when nothing was added.
 */
int builder_finish(struct builder *builder, struct sym_index **index_ret,
		   struct sym_error *error_ret);

/** builder_deinit() - free what it holds. */
void builder_deinit(struct builder *builder);

/** sym_fail() - fill @error (may be NULL) and return @code. */
int sym_fail(struct sym_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Symbols of an ELF file may share a name's end, so that their lengths add up to far more
 * than the file's size: only so many bytes of each are looked at.
 */
#define NAME_COMPARED 1024

/** name_is_mangled() - whether it looks like a C++ or Rust name that name_demangle() takes. */
bool name_is_mangled(const char *name);

/**
 * name_demangle() - the readable form of a C++ or Rust name, without parameters, to be
 * freed; NULL when the name is not mangled, or so that it would become longer than any
 * that a compiler makes: a short one can double with every letter.
 */
char *name_demangle(const char *name);

/** name_clean() - a tab becomes a blank, then utf8_clean(). */
void name_clean(char *name);

/** read_all() - a file's whole content, ended by a NUL, to be freed. -EFBIG: over 4 GiB. */
int read_all(int fd, char **text_ret, size_t *len_ret, struct sym_error *error_ret);

/* elf.c: files opened with libelf, which may lie in memory */

/** Where a section of code lies; others are empty. */
struct code_section {
	uint64_t start;
	uint64_t end;
	bool is_read;
};

struct elf_file {
	Elf *elf;
	GElf_Ehdr header;
	struct code_section *sections;	/* by section number */
	size_t nr_sections;
	size_t len;			/* bytes of the file */
	size_t readable;		/* bytes that may still be read of it: see elf_data() */
};

/** A table of names. */
struct elf_names {
	const char *text;
	size_t len;
};

/** elf_open() - accept only what this machine can execute: 64-bit little-endian. */
int elf_open(int fd, struct elf_file *file_ret, struct sym_error *error_ret);

/** elf_open_memory() - the same of a file in memory, which must stay until elf_close(). */
int elf_open_memory(char *bytes, size_t len, struct elf_file *file_ret,
		    struct sym_error *error_ret);

void elf_close(struct elf_file *file);

/** elf_section() - the first section of a name, or the first of a type (@name NULL). */
Elf_Scn *elf_section(struct elf_file *file, const char *name, uint32_t type,
		     GElf_Shdr *header_ret);

/**
 * elf_data() - what a section holds; it belongs to the file. NULL: nothing, or it is packed,
 * or cannot be read, or all that is read comes to more than twice the file: the sections of
 * a hostile one overlap, each as large as the whole.
 */
Elf_Data *elf_data(struct elf_file *file, Elf_Scn *section, const GElf_Shdr *header);

/** elf_names() - the table of names in a section; empty where no NUL ends it. */
struct elf_names elf_names(struct elf_file *file, size_t section);

/** elf_name() - the name at an offset, "" outside of the table. */
const char *elf_name(const struct elf_names *names, size_t at);

/** elf_add_symbols() - add what the table of @type (SHT_SYMTAB, SHT_DYNSYM) names. */
int elf_add_symbols(struct elf_file *file, uint32_t type, struct builder *builder);

/** elf_read_image() - as sym_image_read(). */
int elf_read_image(struct elf_file *file, struct sym_image *image_ret,
		   struct sym_error *error_ret);

/** plt_add_symbols() - add a name for each entry of the procedure linkage tables. */
int plt_add_symbols(struct elf_file *file, struct builder *builder);

/**
 * xz_unpack() - unpack an .xz stream; *bytes_ret is to be freed. -EINVAL: damaged, too big.
 * @limit: of what it unpacks to, in bytes; memory is at most twice that
 */
int xz_unpack(const void *packed, size_t packed_len, size_t limit, char **bytes_ret,
	      size_t *len_ret);

#endif
