/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ascending ranges of addresses, in 8 bytes each: distances from a base. A new base begins wherever a
 * distance needs more than 32 bits; code has one base, or two.
 */
#ifndef SYMBOLIZER_SPANS_H
#define SYMBOLIZER_SPANS_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

struct span {
	u32 start;		/* distance from the base */
	u32 len;
};

struct span_base {
	u64 addr;
	size_t first;		/* the first of its spans */
};

struct spans {
	struct span *list;
	size_t nr;
	struct span_base *bases;
	size_t nr_bases;
};

/** spans_init() - make room for @nr_max spans. -ENOMEM. Free with spans_deinit() in any case. */
int spans_init(struct spans *spans, size_t nr_max);

/**
 * spans_add() - add a range [start, end), not empty, that begins at or above the end of the last one. A range of
 * more than 4 GiB is cut. -ENOMEM.
 */
int spans_add(struct spans *spans, u64 start, u64 end);

/** spans_find() - find the span that contains @addr. False: none. */
bool spans_find(const struct spans *spans, u64 addr, size_t *at_ret, u64 *start_ret, u64 *end_ret);

/** spans_bytes() - bytes of memory. */
size_t spans_bytes(const struct spans *spans);

/** spans_deinit() - free all memory. All zero is allowed. */
void spans_deinit(struct spans *spans);

#endif
