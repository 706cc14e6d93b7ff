/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ranges of functions from call frame information: they tell the functions of a stripped object apart,
 * without their names. Input is untrusted, as in symbolizer.h: the same limits hold.
 */
#ifndef SYM_RANGES_H
#define SYM_RANGES_H

#include "symbolizer.h"

struct sym_ranges;

/**
 * sym_ranges_create() - read the ranges of the functions of an executable or shared object from the
 * information that sym_unwind_create() compiles. Entries of linkage tables (.plt) are no functions:
 * sym_index_create_elf() names them.
 * @fd: as for sym_image_read()
 * @ret: new ranges, immutable; free them with sym_ranges_destroy()
 *
 * If two functions claim an address, the one that begins later has it.
 *
 * -ENODATA: no range. -ENOEXEC: as sym_unwind_create(). -ENOMEM.
 */
int sym_ranges_create(int fd, struct sym_ranges **ret, struct sym_error *error_ret);

/** sym_ranges_find() - find the range [start, end) that contains a link-time address. O(log n). */
bool sym_ranges_find(const struct sym_ranges *ranges, u64 addr, u64 *start_ret, u64 *end_ret);

/** sym_ranges_size() - number of ranges. */
size_t sym_ranges_size(const struct sym_ranges *ranges);

/** sym_ranges_bytes() - memory of the ranges, 8 bytes for each. */
size_t sym_ranges_bytes(const struct sym_ranges *ranges);

/** sym_ranges_destroy() - NULL is allowed. */
void sym_ranges_destroy(struct sym_ranges *ranges);

#endif
