/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compiling call frame information (.eh_frame, DWARF 5 section 6.4) into the table that the module
 * walks stacks by: struct cpuprobe_unwind. Rows are by the place of the code in the file, since that
 * is what a mapping tells. Input is untrusted, as in symbolizer.h: the same limits hold.
 */
#ifndef SYM_UNWIND_H
#define SYM_UNWIND_H

#include "cpuprobe.h"
#include "symbolizer.h"

/** A table: the fields and arrays of struct cpuprobe_unwind. Immutable. */
struct sym_unwind {
	u32 first_page;
	u32 nr_pages;
	u32 nr_rows;		/* over 0 */
	u32 nr_rules;
	u32 *pages;
	u32 *rows;
	struct cpuprobe_rule *rules;
	/* An account of the compiling: */
	u32 nr_functions;	/* ranges of code with information */
	u32 nr_malformed;	/* entries left out */
	u32 nr_unsupported;	/* rows of CPUPROBE_RULE_UNSUPPORTED */
	u64 code_len;		/* bytes of code with information */
	u64 unsupported_len;	/* part of it in rows of CPUPROBE_RULE_UNSUPPORTED */
};

/**
 * sym_unwind_create() - compile the call frame information of an executable or shared object:
 * .eh_frame or, without that section, .debug_frame, which may be compressed.
 * @fd: as for sym_image_read()
 * @ret: a new table; free it with sym_unwind_destroy()
 *
 * Code between two functions has rows of CPUPROBE_RULE_NONE. If two functions claim a place, the one
 * that begins later has it, and among those that begin together the first in the section. Rules that
 * cannot be expressed, or beyond CPUPROBE_UNWIND_RULES_MAX different ones, are
 * CPUPROBE_RULE_UNSUPPORTED. Code beyond 4 GiB of the file is left out.
 *
 * -ENODATA: no call frame information for any code. -ENOEXEC: as sym_image_read(), or for a processor
 * that the library does not know. -ENOMEM.
 */
int sym_unwind_create(int fd, struct sym_unwind **ret, struct sym_error *error_ret);

/**
 * sym_unwind_create_memory() - as sym_unwind_create(), for a file in memory such as the kernel's vdso.
 * The image is not changed, and not needed afterwards.
 */
int sym_unwind_create_memory(const void *image, size_t len, struct sym_unwind **ret,
			     struct sym_error *error_ret);

/** sym_unwind_destroy() - free a table; NULL is allowed. */
void sym_unwind_destroy(struct sym_unwind *unwind);

/** sym_unwind_bytes() - memory of the three arrays. */
size_t sym_unwind_bytes(const struct sym_unwind *unwind);

#endif
