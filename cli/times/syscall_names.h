/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of this processor's system calls, as in the kernel's table. */
#ifndef SYSCALL_NAMES_H
#define SYSCALL_NAMES_H

#include "calls/call_counts.h"

/** Names by number; NULL: no system call has that number. */
extern const char *const syscall_names[];
extern const u32 nr_syscall_names;

/**
 * syscall_names_function() - find or add the pseudo function of a system call, which has the name of the
 * call. The names of 32-bit programs' calls are not known here. CALLS_NONE: out of memory.
 * @number: as in struct cpuprobe_time
 */
u32 syscall_names_function(struct call_counts *calls, u32 number);

#endif
