/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of kernel addresses: functions of the kernel and its modules, and code generated at run
 * time (BPF programs, trampolines). An address is given as its distance from the start of the
 * kernel's or module's text: runs of different boots can be compared, wherever the kernel was
 * loaded (KASLR).
 */
#ifndef KERNEL_NAMES_H
#define KERNEL_NAMES_H

#include "base/intern.h"
#include "sym_compact.h"
#include "symbolizer.h"

#define KERNEL_NOTES		"/sys/kernel/notes"
#define KERNEL_NAMES_ROUNDS	16	/* harvests before the next reading */

struct kernel_names {
	const char *kallsyms;	/* paths */
	const char *modules_path;
	bool is_compact;		/* symbols are read into .compact instead of .index */
	struct sym_index *index;	/* NULL: none */
	struct sym_compact *compact;	/* NULL: none */
	struct intern by_name;	/* names in the index, for resolver_inlines.c */
	struct sym_maps modules;
	u64 text_start;
	u64 text_end;
	u32 read_round;		/* harvest of the last reading; 0: not read yet */
	bool is_hidden;		/* the kernel hides its addresses from us */
};

/** Location of a kernel address. */
struct kernel_place {
	char module[64];	/* "": the kernel itself */
	char function[160];	/* clean; "": unknown */
	u64 function_addr;	/* from the start of the text, like addr; 0 without a name */
	u64 addr;
};

/**
 * kernel_names_init() - prepare. Nothing is read yet.
 * @kallsyms, @modules: other paths, for tests; the caller keeps them. NULL: /proc/kallsyms and
 *	/proc/modules
 */
void kernel_names_init(struct kernel_names *names, const char *kallsyms, const char *modules);

/**
 * kernel_names_find() - find the location of an address.
 * @is_return: it is a return address, so the instruction before it is looked up
 * @round: number of the harvest, from 1
 *
 * False: the kernel hides its addresses from us.
 */
bool kernel_names_find(struct kernel_names *names, u64 addr, bool is_return, u32 round,
		       struct kernel_place *place_ret);

/** kernel_names_split() - split a name of kallsyms, "name [module]", into its two parts. */
void kernel_names_split(const struct sym *sym, char *name_ret, size_t name_len, char *module_ret,
			size_t module_len);

/** kernel_names_is_irq() - whether a function is the first of an interrupt on the stack. */
bool kernel_names_is_irq(const char *function);

/** kernel_names_is_softirq() - whether a function runs softirqs. */
bool kernel_names_is_softirq(const char *function);

/**
 * kernel_names_build_id() - read the build-id of the running kernel or of a loaded module.
 * @module: "": the kernel
 *
 * Returns its length in bytes, at most 32. 0: unknown.
 */
u32 kernel_names_build_id(const char *module, u8 build_id_ret[32]);

/** kernel_names_build_id_of() - read the build-id in a file of notes, such as /sys/kernel/notes. */
u32 kernel_names_build_id_of(const char *path, u8 build_id_ret[32]);

void kernel_names_deinit(struct kernel_names *names);

#endif
