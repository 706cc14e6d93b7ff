/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of system calls. */
#ifndef CPUPROBE_SYSCALLS_H
#define CPUPROBE_SYSCALLS_H

#include <linux/compat.h>

#include "arch.h"
#include "cpuprobe.h"

/** number_of_syscall() - the number that the interface gives a call. Programs may ask for any @id. */
static inline u32 number_of_syscall(long id)
{
	u32 number = id >= 0 && id < CPUPROBE_SYSCALL_UNKNOWN ? id : CPUPROBE_SYSCALL_UNKNOWN;

	return in_compat_syscall() ? number | CPUPROBE_SYSCALL_COMPAT : number;
}

/**
 * is_uprobe_syscall() - whether a program that returns from a hooked call makes this system call: it is the
 * kernel's own, and not counted. Its end has the number of rt_sigreturn().
 */
static inline bool is_uprobe_syscall(long id)
{
	return arch_is_uprobe_call(id) && !in_compat_syscall();
}

#endif
