/* SPDX-License-Identifier: GPL-2.0-only */
/* What the file of a kernel module says about itself, before it is loaded. */
#ifndef MODFILE_H
#define MODFILE_H

#include <stdbool.h>
#include <stddef.h>

/** A module's file; texts are empty where it says nothing. */
struct modfile {
	char path[512];
	char kernel[72];	/* the release of the kernel it was built for */
	char release[32];	/* its own */
	char interface[16];	/* the version of the interface that it speaks, in digits */
	bool is_signed;		/* by whom, only the kernel can judge */
};

/**
 * modfile_find() - where modprobe would find a module, by the kernel's modules.dep.
 * @root: before every path; "" but in tests
 * -ENOENT: it is not installed for that kernel.
 */
int modfile_find(const char *root, const char *kernel, const char *name, char *path_ret,
		 size_t len);

/**
 * modfile_read() - read a file, which may hold anything.
 * -ENOTSUP: it is compressed. -EBADMSG: it is no module. @file_ret->path is set in any case.
 */
int modfile_read(const char *path, struct modfile *file_ret);

#endif
