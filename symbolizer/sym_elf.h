/* SPDX-License-Identifier: GPL-2.0-only */
/* ELF files through libelf: how every one of them is opened, since none can be trusted. */
#ifndef SYM_ELF_H
#define SYM_ELF_H

#include <libelf.h>

#include "symbolizer.h"

/**
 * sym_elf_begin() - open an ELF file of any type, class and byte order.
 * @fd: need not be at its start; stays open until elf_end()
 *
 * Returns a handle to be freed with elf_end(); gelf_getehdr() succeeds. NULL: not an ELF file, or one with more than
 * 65,000 sections or segments; @error_ret says which.
 */
Elf *sym_elf_begin(int fd, struct sym_error *error_ret);

/** sym_elf_memory() - as sym_elf_begin(), for a file in memory, which must stay until elf_end(). */
Elf *sym_elf_memory(char *bytes, size_t len, struct sym_error *error_ret);

#endif
