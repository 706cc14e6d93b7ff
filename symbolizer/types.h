/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Integers by the names of kernel code. u64 is the type of the module's fields, so "%llu" prints
 * both without a cast; uint64_t is another type on 64-bit machines.
 */
#ifndef TYPES_H
#define TYPES_H

#include <linux/types.h>
#include <stdint.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

#endif
