/* SPDX-License-Identifier: GPL-2.0-only */
/* The code that the kernel maps into every process. */
#ifndef VDSO_H
#define VDSO_H

#include <stddef.h>

/** vdso_image() - the vdso in this process's memory, an ELF file; it stays there. NULL: none. */
const void *vdso_image(size_t *len_ret);

#endif
