/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's type information, as far as it tells where a per-CPU variable is: the format is described in
 * the kernel's Documentation/bpf/btf.rst. Files are read in pieces, so that their size does not matter, and
 * are not trusted.
 */
#ifndef BTF_H
#define BTF_H

#include "types.h"

/** Place of an int. */
struct btf_place {
	u32 variable;		/* the type number of its variable; 0: none */
	u32 offset;		/* in the variable, in bytes */
};

/**
 * btf_find_int() - find a variable that is an int of four bytes, or a structure that has one.
 * @fd: a file of type information; its position does not matter
 * @member: name of a member, also of unnamed structures and unions in it; NULL: the variable is the int
 *
 * -ENOENT: there is none. -EBADMSG: the file is malformed. Another -errno: it cannot be read.
 */
int btf_find_int(int fd, const char *variable, const char *member, struct btf_place *place_ret);

#endif
