/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of system calls. */
#ifndef CPUPROBE_SYSCALLS_H
#define CPUPROBE_SYSCALLS_H

#include <linux/compat.h>

#include "cpuprobe.h"

/** number_of_syscall() - the number that the interface gives a call. Programs may ask for any @id. */
static inline u32 number_of_syscall(long id)
{
	u32 number = id >= 0 && id < CPUPROBE_SYSCALL_UNKNOWN ? id : CPUPROBE_SYSCALL_UNKNOWN;

	return in_compat_syscall() ? number | CPUPROBE_SYSCALL_COMPAT : number;
}

#endif
