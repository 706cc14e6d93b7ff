/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of this processor's system calls, as in the kernel's table. */
#ifndef SYSCALL_NAMES_H
#define SYSCALL_NAMES_H

#include "types.h"

/** Names by number; NULL: no system call has that number. */
extern const char *const syscall_names[];
extern const u32 nr_syscall_names;

#endif
