/* SPDX-License-Identifier: GPL-2.0-only */
/* Debug information of the running kernel, from a vmlinux that the user has. */
#ifndef KERNEL_LINES_H
#define KERNEL_LINES_H

#include "base/text.h"
#include "symbolizer.h"

/** All zero: none. */
struct kernel_lines {
	struct sym_lines *lines;	/* NULL: none */
	u64 text_start;		/* link-time address of _stext; the kernel may have been moved */
};

/**
 * kernel_lines_open() - read a vmlinux, or its separate debug file.
 * @notes: file with the running kernel's notes; NULL: KERNEL_NOTES
 *
 * -ESTALE: its build-id is not that of the running kernel. -errno: unreadable, or without debug
 * information. The reason is in @error_ret.
 */
int kernel_lines_open(struct kernel_lines *lines, const char *path, const char *notes,
		      struct text_error *error_ret);

void kernel_lines_close(struct kernel_lines *lines);

#endif
