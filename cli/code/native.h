/* SPDX-License-Identifier: GPL-2.0-only */
/* The processor that the tool is built for. Its arch_*.c has all of this. */
#ifndef NATIVE_H
#define NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const char native_machine[];	/* of a kernel that the module is for, as in uname(2) */
extern const char native_name[];	/* for people */

/** native_is_emulated() - whether QEMU emulates it: docs/instructions.md says what differs then. */
bool native_is_emulated(void);

#define CALLS_BYTES	7	/* no call is longer, without prefixes, which do not matter */

/** Kind of the call before an address. */
enum calls_kind {
	CALLS_NONE,
	CALLS_DIRECT,	/* its target is known */
	CALLS_INDIRECT,	/* by a register or from memory */
};

/**
 * calls_before() - the call that ends where @bytes end.
 * @bytes: code before the return address
 * @len: of them; more than CALLS_BYTES make no difference
 * @offset_ret: _DIRECT: from the return address to the function called
 *
 * _INDIRECT if the bytes can be read as both: it is the weaker statement.
 */
enum calls_kind calls_before(const uint8_t *bytes, size_t len, int32_t *offset_ret);

#endif
