/* SPDX-License-Identifier: GPL-2.0-only */
/* The arrays of functions in requests to hook them. */
#ifndef CPUPROBE_FUNCTIONS_H
#define CPUPROBE_FUNCTIONS_H

#include "cpuprobe.h"

/**
 * functions_copy() - copy an array of @nr functions from the caller's memory. May sleep.
 * @bytes: of each
 * The caller frees it by kvfree(). ERR_PTR(): -ENOMEM, -EFAULT.
 */
void *functions_copy(u64 address, u32 nr, u32 bytes);

/** functions_tell() - copy it back with the states. May sleep. -EFAULT. */
int functions_tell(u64 address, const void *functions, u32 nr, u32 bytes);

/** functions_are_valid() - whether unused fields of kernel functions are zero. */
bool functions_are_valid(const struct cpuprobe_function *function, u32 nr);

#endif
