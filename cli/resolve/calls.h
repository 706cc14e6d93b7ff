/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether an address can be one that a call returns to: x86-64. */
#ifndef CALLS_H
#define CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALLS_BYTES	7	/* the longest call, prefixes left out, which do not matter */

/** What kind of call stands before an address. */
enum calls_kind {
	CALLS_NONE,
	CALLS_DIRECT,	/* E8 rel32: where it leads to is known */
	CALLS_INDIRECT,	/* FF /2: by a register or from memory */
};

/**
 * calls_before() - the call that ends where @bytes end.
 * @bytes: what stands before the return address
 * @len: of them; more than CALLS_BYTES make no difference
 * @offset_ret: _DIRECT: from the return address to the function called
 *
 * Where the bytes can be read as both, _INDIRECT: it is the weaker statement. Of the
 * other places of a real program about 1 in 280 is taken for one that follows a call.
 */
enum calls_kind calls_before(const uint8_t *bytes, size_t len, int32_t *offset_ret);

#endif
