/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbolizer: addresses to names and back.
 *
 * A small library that reads symbols from ELF files, nm-style text and
 * /proc/kallsyms into an immutable index sorted by address. It knows nothing
 * of sampling. Every input is taken to be hostile: a damaged file gives an
 * error or fewer symbols, never a crash, a hang, or memory beyond 64 times the
 * file's size and 256 KiB (tests/fuzz holds it to that).
 *
 * All functions return 0 or a negative errno; outputs are untouched on failure.
 * Nothing here prints or exits. An index may be read from several threads.
 */
#ifndef SYMBOLIZER_H
#define SYMBOLIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Why a load failed, as one lower-case phrase without a final stop. */
struct sym_error {
	char text[160];
};

/**
 * The addresses [start, end), all owned by one symbol. Entries of an index do not
 * overlap: a symbol with others inside it has an entry for each piece in between.
 */
struct sym {
	uint64_t start;
	uint64_t end;
	uint64_t entry;		/* where the symbol itself starts: at or below start */
	const char *name;	/* as the file has it, so not for a terminal: see sym_name();
				   belongs to the index */
};

#define SYM_SEGMENTS_MAX 8

/** A piece of a file that is mapped as code. */
struct sym_segment {
	uint64_t offset;	/* in the file */
	uint64_t len;		/* bytes in the file */
	uint64_t addr;		/* link-time address of the first of them */
};

/** What an ELF executable or shared object says about its code. Link-time addresses. */
struct sym_image {
	uint64_t code_start;	/* lowest p_vaddr of the executable PT_LOAD segments */
	uint64_t code_end;	/* highest p_vaddr + p_memsz of those segments */
	uint64_t load_start;	/* lowest p_vaddr of all PT_LOAD segments: offset 0 of the object */
	size_t nr_segments;	/* executable ones; those past SYM_SEGMENTS_MAX are left out */
	struct sym_segment segment[SYM_SEGMENTS_MAX];
	size_t build_id_len;	/* bytes; 0 when the file has no build-id note */
	uint8_t build_id[32];
	char interpreter[128];	/* the program that runs this one; empty: none */
};

struct sym_index;

/**
 * sym_image_read() - read the code range and the build-id of an ELF file.
 * @fd: open for reading; its position is not used, it stays the caller's
 * @image_ret: filled on success
 * @error_ret: the reason on failure; may be NULL
 *
 * -ENOEXEC: not a 64-bit little-endian ELF executable or shared object, or no
 * executable segment.
 */
int sym_image_read(int fd, struct sym_image *image_ret, struct sym_error *error_ret);

/**
 * sym_image_addr() - the link-time address of the byte at @offset of the file.
 * False: it belongs to no executable segment. Pages mapped along with a segment
 * count as its own, as the kernel maps whole pages.
 */
bool sym_image_addr(const struct sym_image *image, uint64_t offset, uint64_t *addr_ret);

/** sym_image_is_same() - whether both have a build-id, and the same one. */
bool sym_image_is_same(const struct sym_image *a, const struct sym_image *b);

/**
 * sym_index_create_elf() - index the functions that an ELF file itself names.
 * @fd: as for sym_image_read()
 * @index_ret: a new index, to be freed with sym_index_destroy()
 *
 * Reads .symtab, or .dynsym and .gnu_debugdata where there is none (a stripped
 * file). Only functions, IFUNCs and untyped code labels inside executable sections
 * count; entries of procedure linkage tables are named "puts@plt".
 * -ENODATA: the file is sound but holds no such symbol (fully stripped).
 */
int sym_index_create_elf(int fd, struct sym_index **index_ret, struct sym_error *error_ret);

/** Where the symbols of an object came from. */
struct sym_origin {
	char path[512];		/* of the separate debug file used; empty: the object itself */
	/* a separate debug file that was found but does not match; empty: none */
	char passed[512];
};

/**
 * sym_index_create_object() - as sym_index_create_elf(), and where the file has no
 * .symtab, look for its separate debug file: /usr/lib/debug/.build-id/XX/REST.debug,
 * or the name in .gnu_debuglink beside the object, in .debug there, and in
 * /usr/lib/debug under the object's folder.
 * @path: the object's own path, for its folder
 * @root: where paths begin, such as "/proc/PID/root" for a process in a container,
 *	tried before the real root; NULL: only that
 * @origin_ret: may be NULL
 *
 * A debug file is believed when its build-id is the object's, or, where either has
 * none, its checksum is that of the link. Links in debug files are not followed.
 */
int sym_index_create_object(int fd, const char *path, const char *root,
			    struct sym_index **index_ret, struct sym_origin *origin_ret,
			    struct sym_error *error_ret);

/**
 * sym_debug_open() - the separate debug file of an object, found as above, whatever it holds.
 * Returns a descriptor, to be closed; -ENOENT: there is none that belongs to it.
 */
int sym_debug_open(int fd, const char *path, const char *root);

/**
 * sym_index_create_text() - index nm-style text: lines "ADDRESS TYPE NAME" or
 * "ADDRESS SIZE TYPE NAME" (nm -S), addresses in hexadecimal, other lines skipped.
 * Text symbols (types t T w W i) count. A symbol without a size reaches to the
 * next one, the last to the end of its 4 KiB page. -ENODATA when no line fits,
 * -EINVAL when the text is binary (holds NUL bytes).
 */
int sym_index_create_text(int fd, struct sym_index **index_ret, struct sym_error *error_ret);

/**
 * sym_index_create_kallsyms() - index the running kernel's text from /proc/kallsyms.
 * @path: "/proc/kallsyms", or another file in its format for tests
 *
 * -EACCES when all addresses read as zero (kptr_restrict or missing CAP_SYSLOG).
 * Symbols of modules are named "name [module]".
 */
int sym_index_create_kallsyms(const char *path, struct sym_index **index_ret,
			      struct sym_error *error_ret);

/* Of a longer perf map only the beginning is read. */
#define SYM_PERFMAP_BYTES_MAX	(32 << 20)
#define SYM_PERFMAP_SYMS_MAX	(1 << 19)

/** What a perf map was found to hold. */
struct sym_perfmap {
	size_t nr_lines;
	size_t nr_odd;		/* lines of another form */
	size_t nr_overwritten;	/* functions that share addresses with a later line */
	bool is_cut;		/* longer than SYM_PERFMAP_BYTES_MAX, or with more functions than
				   SYM_PERFMAP_SYMS_MAX */
};

/**
 * sym_index_create_perfmap() - index what a JIT says of its code: lines "START SIZE NAME",
 * numbers in hexadecimal, addresses of run time.
 * @fd: /tmp/perf-PID.map, open for reading
 *
 * Of lines that share an address the last one holds: code is made where other code was. A last
 * line without its end is not read, as it may be still written. -ENODATA: no line fits.
 */
int sym_index_create_perfmap(int fd, struct sym_index **index_ret, struct sym_perfmap *perfmap_ret,
			     struct sym_error *error_ret);

/** sym_index_create() - by content: ELF if the file starts with its magic, else text. */
int sym_index_create(int fd, struct sym_index **index_ret, struct sym_error *error_ret);

/**
 * sym_index_module_range() - the text of a kernel module, by the symbols of kallsyms:
 * from its first symbol to the end of its last. False: the index knows none of it.
 */
bool sym_index_module_range(const struct sym_index *index, const char *module, uint64_t *low_ret,
			    uint64_t *high_ret);

/** sym_index_move() - add @delta to all addresses, before anybody else reads the index. */
void sym_index_move(struct sym_index *index, uint64_t delta);

/** sym_index_destroy() - free an index; NULL is allowed. */
void sym_index_destroy(struct sym_index *index);

/** sym_crc32() - go on with a CRC-32 of IEEE 802.3, as .gnu_debuglink has it, that began as 0. */
uint32_t sym_crc32(uint32_t crc, const void *bytes, size_t len);

/**
 * sym_name() - the readable form of a symbol's name: demangled where it was mangled
 * (C++, Rust; parameters left out), as utf8_clean() leaves it, cut to @len bytes, the NUL
 * included, after a whole character.
 */
void sym_name(const struct sym *sym, char *name_ret, size_t len);

/** sym_index_size() - number of entries. */
size_t sym_index_size(const struct sym_index *index);

/** sym_index_at() - the i-th entry by address, 0 <= i < size. Valid while the index lives. */
const struct sym *sym_index_at(const struct sym_index *index, size_t i);

/** sym_index_find() - the innermost symbol that owns @addr, or NULL. O(log n). */
const struct sym *sym_index_find(const struct sym_index *index, uint64_t addr);

/**
 * sym_index_lower_bound() - position of the first symbol that ends above @addr
 * (it owns @addr or lies wholly above it); the size when there is none. All
 * symbols that overlap [low, high) are found by stepping from
 * sym_index_lower_bound(low) while start < high.
 */
size_t sym_index_lower_bound(const struct sym_index *index, uint64_t addr);

/**
 * sym_index_by_name() - the address of a symbol, by its exact name, mangled or not,
 * aliases included; the lowest of several. False when there is none. O(n).
 */
bool sym_index_by_name(const struct sym_index *index, const char *name, uint64_t *addr_ret);

/**
 * sym_index_agreement() - how well @index describes the program of @truth: of the
 * names that both know, the fraction (0..1) that stand at the same address in both.
 * 0 when they share no name, 1 when @truth has none; -1: out of memory.
 */
double sym_index_agreement(const struct sym_index *index, const struct sym_index *truth);

/** sym_index_coverage() - the fraction (0..1) of the addresses [low, high) that have names. */
double sym_index_coverage(const struct sym_index *index, uint64_t low, uint64_t high);

/*
 * Source lines, through libdw. They are as safe with hostile files as that library is, which is
 * why nobody reads them without having been asked to.
 */
struct sym_lines;

/**
 * sym_lines_create() - make ready to find source lines in a file with debug information.
 * @fd: an object or a separate debug file; may be closed afterwards
 *
 * -ENODATA: it has none. -EFBIG: unpacked, it has more than 1 GiB. Holds the information in
 * memory, and the lines of at most 1,024 compilation units.
 */
int sym_lines_create(int fd, struct sym_lines **lines_ret, struct sym_error *error_ret);

/**
 * sym_lines_find() - the source line of a link-time address.
 * @file_ret: path; valid until the next call; as the file has it, so not for a terminal
 * @line_ret: from 1 on
 * False: not known. Not from several threads.
 */
bool sym_lines_find(struct sym_lines *lines, uint64_t addr, const char **file_ret,
		    uint32_t *line_ret);

/** sym_lines_destroy() - NULL is allowed. */
void sym_lines_destroy(struct sym_lines *lines);

/** A piece of a process's memory that is mapped as code, or a kernel module's text. */
struct sym_map {
	uint64_t start;
	uint64_t end;
	uint64_t offset;	/* in the file */
	uint64_t inode;		/* 0: no file */
	uint32_t dev_major;
	uint32_t dev_minor;
	bool is_deleted;	/* the file has been removed or replaced meanwhile */
	char *path;	/* of the file; "[vdso]" and the like; "" for anonymous memory; cleaned */
};

/** What is mapped, by ascending address. */
struct sym_maps {
	struct sym_map *maps;
	size_t nr;
};

/** sym_maps_read() - the executable mappings of a process. -EACCES, -ESRCH as the kernel says. */
int sym_maps_read(int pid, struct sym_maps *maps_ret);

/** sym_maps_parse() - the same from text in the form of /proc/PID/maps; odd lines are skipped. */
int sym_maps_parse(char *text, struct sym_maps *maps_ret);

/**
 * sym_modules_read() - the kernel's modules, @path being the name, from /proc/modules.
 * @path: that file, or another of its form for tests
 *
 * [start, end) holds a module's text, but perhaps more: sizes include data. Clipped
 * where the next module begins. -EACCES when the addresses are hidden.
 */
int sym_modules_read(const char *path, struct sym_maps *maps_ret);

/** sym_maps_deinit() - free what it holds. */
void sym_maps_deinit(struct sym_maps *maps);

#endif
