/* SPDX-License-Identifier: GPL-2.0-only */
/* The processor that the tool is built for. Its arch_*.c defines all symbols declared here. */
#ifndef NATIVE_H
#define NATIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

extern const char native_machine[];	/* machine of supported kernels, as in uname(2) */
extern const char native_name[];	/* name for people */

/** native_is_emulated() - whether QEMU emulates the processor: see docs/instructions.md. */
bool native_is_emulated(void);

#define CALLS_BYTES	7	/* length of the longest call; prefixes are irrelevant */

/** Kind of the call before an address. */
enum calls_kind {
	CALLS_NONE,
	CALLS_DIRECT,	/* target encoded in the instruction */
	CALLS_INDIRECT,	/* target in a register or in memory */
};

/**
 * calls_before() - kind of the call that ends at a return address.
 * @bytes: code before the return address
 * @len: number of @bytes; only the last CALLS_BYTES matter
 * @offset_ret: CALLS_DIRECT: from the return address to the called function, in bytes
 *
 * Returns CALLS_INDIRECT if the bytes match both kinds: its claim is the weaker one.
 */
enum calls_kind calls_before(const u8 *bytes, size_t len, s32 *offset_ret);

#define CALLS_SIGNAL_BYTES	9	/* length of the longest code that calls_is_signal() knows */

/**
 * calls_is_signal() - whether @bytes are the code that a signal handler returns to. The kernel makes
 * the handler's frame, so no call comes before that code.
 */
bool calls_is_signal(const u8 *bytes, size_t len);

#endif
