/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbolizer: addresses to names and back.
 *
 * A small library that reads symbols from ELF files, nm-style text and
 * /proc/kallsyms into an immutable index sorted by address. It is independent of
 * sampling. All input is untrusted: a damaged file gives an error or fewer
 * symbols, never a crash, a hang, or memory use beyond 64 times the file's size
 * plus 256 KiB (tests/fuzz enforces this). A file with holes has at most 8 times
 * its size on the disk here.
 *
 * All functions return 0 or a negative errno; outputs are untouched on failure.
 * Nothing here prints or exits. An index may be read from several threads.
 */
#ifndef SYMBOLIZER_H
#define SYMBOLIZER_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

/** Reason of a failure: one lower-case phrase without a full stop. */
struct sym_error {
	char text[160];
};

/**
 * The addresses [start, end), owned by one symbol. Entries of an index do not
 * overlap: a symbol with others nested in it has one entry for each piece between them.
 */
struct sym {
	u64 start;
	u64 end;
	u64 entry;		/* start of the symbol itself: at or below start */
	const char *name;	/* raw name from the file, unsafe for a terminal: see sym_name();
				   belongs to the index */
};

#define SYM_SEGMENTS_MAX 8

/** A piece of a file that is mapped as code. */
struct sym_segment {
	u64 offset;		/* in the file */
	u64 len;		/* bytes in the file */
	u64 addr;		/* link-time address of the first byte */
};

/** Properties of the code in an ELF executable or shared object. Link-time addresses. */
struct sym_image {
	u64 code_start;		/* lowest p_vaddr of the executable PT_LOAD segments */
	u64 code_end;		/* highest p_vaddr + p_memsz of those segments */
	u64 load_start;		/* lowest p_vaddr of all PT_LOAD segments: offset 0 of the object */
	size_t nr_segments;	/* executable segments, at most the first SYM_SEGMENTS_MAX */
	struct sym_segment segment[SYM_SEGMENTS_MAX];
	size_t build_id_len;	/* bytes; 0 if the file has no build-id note */
	u8 build_id[32];
	char interpreter[128];	/* program interpreter (PT_INTERP); empty: none */
};

struct sym_index;

/**
 * sym_image_read() - read the code range and the build-id of an ELF file.
 * @fd: open for reading, belongs to the caller; its file position is not used
 * @image_ret: filled on success
 * @error_ret: the reason on failure; may be NULL
 *
 * -ENOEXEC: not a 64-bit little-endian ELF executable or shared object, or no
 * executable segment.
 */
int sym_image_read(int fd, struct sym_image *image_ret, struct sym_error *error_ret);

/**
 * sym_image_addr() - find the link-time address of the byte at @offset of the file.
 * False: the byte belongs to no executable segment. Segments are extended to whole
 * pages, as the kernel maps them.
 */
bool sym_image_addr(const struct sym_image *image, u64 offset, u64 *addr_ret);

/** sym_image_is_same() - whether both images have a build-id, and these are equal. */
bool sym_image_is_same(const struct sym_image *a, const struct sym_image *b);

/** Code that walks the stacks of the program it is in, and fails if a return address is replaced. */
enum sym_runtime {
	SYM_RUNTIME_PLAIN,	/* none */
	SYM_RUNTIME_EXCEPTIONS,	/* of C++, Rust and the like: only while it throws */
	SYM_RUNTIME_GO,		/* at any time */
};

/**
 * sym_runtime_read() - find out from an ELF file's symbols and sections which runtime its code uses.
 * @fd: as for sym_image_read(). Errors are those of it too.
 */
int sym_runtime_read(int fd, enum sym_runtime *runtime_ret, struct sym_error *error_ret);

/**
 * sym_index_create_elf() - index the functions named in an ELF file itself.
 * @fd: as for sym_image_read()
 * @index_ret: a new index; free it with sym_index_destroy()
 *
 * Reads .symtab or, in a stripped file without it, .gnu_debugdata; and what else .dynsym has. Indexes
 * functions, IFUNCs and untyped code labels in executable sections; entries of procedure
 * linkage tables are named "puts@plt".
 * -ENODATA: the file is valid but has no such symbol (fully stripped).
 */
int sym_index_create_elf(int fd, struct sym_index **index_ret, struct sym_error *error_ret);

/** Source of an object's symbols. */
struct sym_origin {
	char path[512];		/* separate debug file used; empty: the object itself */
	/* path of a separate debug file that was found but did not match; empty: none */
	char passed[512];
};

/**
 * sym_index_create_object() - as sym_index_create_elf(); and if the file has no .symtab, use its
 * separate debug file: /usr/lib/debug/.build-id/XX/REST.debug, or the name in .gnu_debuglink, in
 * the object's directory, in its subdirectory .debug, or in that directory under /usr/lib/debug.
 * @path: the object's own path, for its directory; absolute, or the link is not followed
 * @root: root directory to try before "/", such as "/proc/PID/root" for a process in a
 *	container; NULL: only "/"
 * @origin_ret: may be NULL
 *
 * A debug file matches if its build-id equals the object's. If either has no build-id, the
 * file's checksum must equal that in the link. Links in debug files are not followed.
 */
int sym_index_create_object(int fd, const char *path, const char *root,
			    struct sym_index **index_ret, struct sym_origin *origin_ret,
			    struct sym_error *error_ret);

/**
 * sym_open_regular() - open a regular file for reading. Nothing else is opened, even for a moment, since that can
 * have effects: a program may name any device.
 * @inode: the file's; 0: any
 * Returns a descriptor, or -errno. -EINVAL: it is something else than a regular file. -ESTALE: another inode.
 */
int sym_open_regular(const char *path, u64 inode);

/**
 * sym_open_inside() - like sym_open_regular(), for a path as it is in another root directory, such as "/proc/PID/root":
 * a link in the path leads where it leads for that process, and never out of its root into ours.
 * @root: NULL or "": ours
 *
 * -ENOSYS: before Linux 5.6, or where openat2() is forbidden, no other root is looked into.
 */
int sym_open_inside(const char *root, const char *path, u64 inode);

/** sym_open_inside_nofollow() - like sym_open_inside(), but a path that ends in a link is refused with -EINVAL. */
int sym_open_inside_nofollow(const char *root, const char *path);

/**
 * sym_debug_open() - open the separate debug file of an object, found as above, whatever it
 * contains. Returns a descriptor that the caller closes. -ENOENT: no matching debug file.
 */
int sym_debug_open(int fd, const char *path, const char *root);

/**
 * sym_index_create_text() - index nm-style text: lines "ADDRESS TYPE NAME" or
 * "ADDRESS SIZE TYPE NAME" (nm -S), addresses in hexadecimal, other lines skipped.
 * Only text symbols (types t T w W i) count. A symbol without a size ends at the
 * next symbol, the last one at the end of its 4 KiB page. -ENODATA: no line has
 * this form. -EINVAL: binary data (contains NUL bytes).
 */
int sym_index_create_text(int fd, struct sym_index **index_ret, struct sym_error *error_ret);

/**
 * sym_index_create_kallsyms() - index the running kernel's text from /proc/kallsyms.
 * @path: "/proc/kallsyms", or for tests another file in its format
 *
 * -EACCES: all addresses read as zero (kptr_restrict, or missing CAP_SYSLOG).
 * Symbols of modules are named "name [module]".
 */
int sym_index_create_kallsyms(const char *path, struct sym_index **index_ret,
			      struct sym_error *error_ret);

/* Limits of a perf map: the rest is not read. */
#define SYM_PERFMAP_BYTES_MAX	(32 << 20)
#define SYM_PERFMAP_SYMS_MAX	(1 << 19)

/** Contents of a perf map. */
struct sym_perfmap {
	size_t nr_lines;
	size_t nr_odd;		/* malformed lines */
	size_t nr_overwritten;	/* functions that share addresses with a later line */
	bool is_cut;		/* longer than SYM_PERFMAP_BYTES_MAX, or with more functions than
				   SYM_PERFMAP_SYMS_MAX */
};

/**
 * sym_index_create_perfmap() - index a JIT compiler's map of its code: lines "START SIZE NAME",
 * numbers in hexadecimal, run-time addresses.
 * @fd: /tmp/perf-PID.map, open for reading
 *
 * If lines share an address, the last one counts, because a JIT reuses memory. A last line
 * without a newline is ignored: it may be incomplete. -ENODATA: no line has this form.
 */
int sym_index_create_perfmap(int fd, struct sym_index **index_ret, struct sym_perfmap *perfmap_ret,
			     struct sym_error *error_ret);

/** sym_index_create() - index a file by its content: as ELF if it has the magic, else as text. */
int sym_index_create(int fd, struct sym_index **index_ret, struct sym_error *error_ret);

/**
 * sym_index_module_range() - find the text of a kernel module in an index of kallsyms: from its
 * first symbol to the end of its last. False: the index has no symbol of the module.
 */
bool sym_index_module_range(const struct sym_index *index, const char *module, u64 *low_ret,
			    u64 *high_ret);

/** sym_index_move() - add @delta to all addresses. Only before other threads read the index. */
void sym_index_move(struct sym_index *index, u64 delta);

/** sym_index_destroy() - free an index; NULL is allowed. */
void sym_index_destroy(struct sym_index *index);

/** sym_crc32() - continue a CRC-32 (IEEE 802.3, as in .gnu_debuglink); the first @crc is 0. */
u32 sym_crc32(u32 crc, const void *bytes, size_t len);

#define SYM_NAME_WHOLE	8192	/* no demangled name is longer, with its NUL, and hardly any other */

/**
 * sym_name() - write a printable form of a symbol's name: demangled if it is a C++ or Rust name,
 * without parameters; cleaned by utf8_clean(); cut at a character boundary to @len bytes including
 * the NUL. A name that was cut to 32 bytes or more ends in "~" and a hash of its first
 * SYM_NAME_WHOLE - 1 bytes, so that it differs from names that begin alike.
 */
void sym_name(const struct sym *sym, char *name_ret, size_t len);

/** sym_index_size() - number of entries. */
size_t sym_index_size(const struct sym_index *index);

/** sym_index_at() - the i-th entry by address, 0 <= i < size. Valid while the index lives. */
const struct sym *sym_index_at(const struct sym_index *index, size_t i);

/** sym_index_find() - find the innermost symbol that owns @addr, or NULL. O(log n). */
const struct sym *sym_index_find(const struct sym_index *index, u64 addr);

/**
 * sym_index_lower_bound() - find the position of the first symbol that ends above @addr: the symbol
 * owns @addr or is wholly above it. The size of the index if there is none. To visit all symbols
 * that overlap [low, high), step from sym_index_lower_bound(low) while start < high.
 */
size_t sym_index_lower_bound(const struct sym_index *index, u64 addr);

/**
 * sym_index_by_name() - find the address of a symbol by its exact name, mangled or
 * demangled, including aliases; the lowest of several. False: none. O(n).
 */
bool sym_index_by_name(const struct sym_index *index, const char *name, u64 *addr_ret);

/**
 * sym_index_agreement() - how well @index describes the program of @truth: among the
 * names in both, the fraction (0..1) with the same address in both. 0 if they share no
 * name, 1 if @truth has no name. -1: out of memory.
 */
double sym_index_agreement(const struct sym_index *index, const struct sym_index *truth);

/** sym_index_coverage() - the fraction (0..1) of the addresses [low, high) that have names. */
double sym_index_coverage(const struct sym_index *index, u64 low, u64 high);

/*
 * Source lines, through libdw. Their robustness against malicious files is that of libdw, so the
 * tool reads source lines only on request.
 */
struct sym_lines;

/**
 * sym_lines_create() - prepare to find source lines in a file with debug information.
 * @fd: an object or a separate debug file; may be closed afterwards
 *
 * -ENODATA: no debug information, or packed as GNU tools once did (.zdebug_), or a section's name has
 * 1,024 bytes or more. -EFBIG: more than 1 GiB of it when decompressed, or the file is mostly holes. Keeps
 * the file in memory, and the lines of at most 1,024 compilation units.
 */
int sym_lines_create(int fd, struct sym_lines **lines_ret, struct sym_error *error_ret);

/**
 * sym_lines_find() - find the source line of a link-time address. Not thread-safe.
 * @file_ret: raw path from the file, unsafe for a terminal; valid until the next call
 * @line_ret: line number, from 1
 * False: unknown.
 */
bool sym_lines_find(struct sym_lines *lines, u64 addr, const char **file_ret, u32 *line_ret);

#define SYM_INLINED_MAX 32	/* the innermost calls at an address; more are left out */

/** A call that the compiler replaced by the function's code. */
struct sym_inlined {
	const char *name;	/* of the function, mangled if it has such a name; unsafe for a
				   terminal; valid until the next call */
	bool is_global;		/* the function is known outside its compilation unit */
	u64 entry;		/* of the function's own code in this unit; 0: none, or unknown */
	const char *file;	/* source of the call, as in sym_lines_find(); "": unknown */
	u32 line;		/* 0: unknown */
};

/**
 * sym_lines_inlined() - find the inlined calls that contain a link-time address, innermost first.
 * Not thread-safe. The first call for a compilation unit reads all its entries. Keeps the inlined calls of at most 1,024 units, in 64 MB.
 * @with_source: find the source of the calls too
 *
 * Returns their number. 0: the code is the function's own, or unknown.
 */
size_t sym_lines_inlined(struct sym_lines *lines, u64 addr, bool with_source,
			 struct sym_inlined list_ret[SYM_INLINED_MAX]);

/**
 * sym_debug_len() - bytes of debug information in a file, when decompressed. 0: no source lines that
 * sym_lines_create() finds. UINT64_MAX: more than sym_lines_create() reads.
 */
u64 sym_debug_len(int fd);

/** sym_lines_destroy() - free everything; NULL is allowed. */
void sym_lines_destroy(struct sym_lines *lines);

/** A piece of a process's memory that is mapped as code, or a kernel module's text. */
struct sym_map {
	u64 start;
	u64 end;
	u64 offset;		/* in the file */
	u64 inode;		/* 0: no file */
	u32 dev_major;
	u32 dev_minor;
	bool is_deleted;	/* the file has been removed or replaced */
	char *path;	/* the file's, or "[vdso]" and the like; "": anonymous memory; cleaned */
};

/** Mappings by ascending address. */
struct sym_maps {
	struct sym_map *maps;
	size_t nr;
};

/** sym_maps_read() - read the executable mappings of a process. -EACCES; -ESRCH: no process. */
int sym_maps_read(int pid, struct sym_maps *maps_ret);

/** sym_maps_parse() - parse text in the form of /proc/PID/maps; malformed lines are skipped. */
int sym_maps_parse(char *text, struct sym_maps *maps_ret);

/**
 * sym_modules_read() - read the kernel's modules; sym_map.path is the module's name.
 * @path: "/proc/modules", or for tests another file in its format
 *
 * [start, end) includes a module's text and perhaps its data, because sizes include data. Clipped
 * at the start of the next module. -EACCES: the addresses are hidden.
 */
int sym_modules_read(const char *path, struct sym_maps *maps_ret);

/** sym_maps_deinit() - free all mappings. */
void sym_maps_deinit(struct sym_maps *maps);

#endif
