/* SPDX-License-Identifier: GPL-2.0-only */
/* The arrays of functions in requests to hook them. */
#ifndef CPUPROBE_FUNCTIONS_H
#define CPUPROBE_FUNCTIONS_H

#include "cpuprobe.h"

/** Kernel functions that a request names. */
struct functions {
	struct cpuprobe_function *function;
	unsigned long *ips;	/* room for the places of their hooks: hook_choose() */
};

/**
 * functions_get() - copy the kernel functions of a request from the caller's memory. May sleep.
 * @reason_ret: set to CPUPROBE_REASON_FIELD with -EINVAL: an unused field is not zero
 * Returns 0, then functions_put() must follow; -ENOMEM, -EFAULT, -EINVAL.
 */
int functions_get(struct functions *functions, u64 address, u32 nr, u32 *reason_ret);

/** functions_put() - free the memory. */
void functions_put(struct functions *functions);

/**
 * functions_copy() - copy an array of @nr functions of any kind from the caller's memory. May sleep.
 * @bytes: of each
 * The caller frees it by kvfree(). ERR_PTR(): -ENOMEM, -EFAULT.
 */
void *functions_copy(u64 address, u32 nr, u32 bytes);

/** functions_tell() - copy it back with the states. May sleep. -EFAULT. */
int functions_tell(u64 address, const void *functions, u32 nr, u32 bytes);

#endif
