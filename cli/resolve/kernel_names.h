/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of the kernel's addresses: its own functions, those of modules, and of what it made at
 * run time (BPF programs, trampolines). Addresses are told as distances from the beginning of
 * the kernel's or the module's text, so that runs of different boots compare, wherever the
 * kernel was put (KASLR).
 */
#ifndef KERNEL_NAMES_H
#define KERNEL_NAMES_H

#include "symbolizer.h"

#define KERNEL_NAMES_ROUNDS	16	/* harvests between readings for what is not known */

struct kernel_names {
	const char *kallsyms;	/* paths */
	const char *modules_path;
	struct sym_index *index;	/* NULL: none */
	struct sym_maps modules;
	uint64_t text_start;
	uint64_t text_end;
	uint32_t read_round;	/* of harvests; 0: not read yet */
	bool is_hidden;		/* addresses are not to be seen */
};

/** Where an address of the kernel lies. */
struct kernel_place {
	char module[64];	/* "" for the kernel proper */
	char function[160];	/* clean; "" where not known */
	uint64_t function_addr;	/* both from the beginning of the text; 0 without a name */
	uint64_t addr;
};

/**
 * kernel_names_init() - nothing is read yet.
 * @kallsyms, @modules: NULL: /proc/kallsyms and /proc/modules, or others for tests; the caller's
 */
void kernel_names_init(struct kernel_names *names, const char *kallsyms, const char *modules);

/**
 * kernel_names_find() - what lies at an address; or, if it @is_return, what called from before it.
 * @round: of harvests, from 1 on
 * False: addresses are hidden from us.
 */
bool kernel_names_find(struct kernel_names *names, uint64_t addr, bool is_return, uint32_t round,
		       struct kernel_place *place_ret);

/** kernel_names_split() - a name of kallsyms, "name [module]", in its two parts. */
void kernel_names_split(const struct sym *sym, char *name_ret, size_t name_len, char *module_ret,
			size_t module_len);

/** kernel_names_is_irq() - whether a function is where an interrupt begins, in assembly. */
bool kernel_names_is_irq(const char *function);

/** kernel_names_is_softirq() - whether a function is where softirqs are served. */
bool kernel_names_is_softirq(const char *function);

/**
 * kernel_names_build_id() - of the kernel, or of a module.
 * @module: "" for the kernel
 * Returns its length in bytes, at most 32; 0: not known.
 */
uint32_t kernel_names_build_id(const char *module, uint8_t build_id_ret[32]);

void kernel_names_deinit(struct kernel_names *names);

#endif
