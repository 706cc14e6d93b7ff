/* SPDX-License-Identifier: GPL-2.0-only */
/* Properties of a kernel module, read from its file without loading it. */
#ifndef MODFILE_H
#define MODFILE_H

#include <stdbool.h>
#include <stddef.h>

/** A module's file; unknown strings are empty. */
struct modfile {
	char path[512];
	char kernel[72];	/* the release of the kernel it was built for */
	char release[32];	/* version of the module */
	char interface[16];	/* its interface version, in digits */
	bool is_signed;		/* has a signature, which only the kernel can check */
};

/**
 * modfile_find() - find the file that modprobe would load, in the kernel's modules.dep.
 * @root: prefix of every path; "" except in tests
 * -ENOENT: the module is not installed for that kernel.
 */
int modfile_find(const char *root, const char *kernel, const char *name, char *path_ret,
		 size_t len);

/**
 * modfile_read() - read a module's file; its contents are not trusted.
 * -ENOTSUP: compressed. -EBADMSG: not a module. @file_ret->path is set in any case.
 */
int modfile_read(const char *path, struct modfile *file_ret);

#endif
