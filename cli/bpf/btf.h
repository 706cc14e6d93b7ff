/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's type information, as far as it tells where a number is in a variable or structure: the format is described in
 * the kernel's Documentation/bpf/btf.rst. Files are read once, in pieces, so that their size does not matter, and
 * are not trusted.
 */
#ifndef BTF_H
#define BTF_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

/** Place of an int. */
struct btf_place {
	u32 id;			/* the type number of its variable or structure; 0: none */
	u32 offset;		/* of its lower four bytes there, in bytes */
};

/** A variable that is an int, or a variable or a structure that has one. */
struct btf_name {
	const char *name;
	const char *member;	/* also of unnamed structures and unions in it; NULL: the variable is the int */
	bool is_type;		/* the name is that of a structure, not of a variable */
};

/**
 * btf_find_int() - find an int of four or eight bytes that has one of several names.
 * @fd: a file of type information; its position does not matter
 * @names, @nr_names: the first variable or structure in the file that fits one of them is found
 *
 * -ENOENT: there is none. -EBADMSG: the file is malformed. Another -errno: it cannot be read.
 */
int btf_find_int(int fd, const struct btf_name *names, size_t nr_names, struct btf_place *place_ret);

#endif
