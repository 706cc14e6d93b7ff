/* SPDX-License-Identifier: GPL-2.0-only */
/* Hashes that may be saved: the same in every process, unlike those of intern_hash(). */
#ifndef FNV_H
#define FNV_H

#include <stddef.h>

#include "types.h"

/**
 * fnv_hash() - hash @len bytes by FNV-1a, 64 bits.
 *
 * Anyone can make contents that collide: an index of untrusted names uses intern_hash(). No bytes: the basis,
 * 0xcbf29ce484222325. Source: http://www.isthe.com/chongo/tech/comp/fnv/
 */
u64 fnv_hash(const void *bytes, size_t len);

#endif
