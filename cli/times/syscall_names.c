// SPDX-License-Identifier: GPL-2.0-only
/* Pseudo functions for system calls: see syscall_names.h. */
#include <stdio.h>

#include "times/syscall_names.h"
#include "times/time_counts.h"

u32 syscall_names_function(struct call_counts *calls, u32 number)
{
	u32 plain = number & ~CPUPROBE_SYSCALL_COMPAT;
	char name[32];

	if (plain == CPUPROBE_SYSCALL_UNKNOWN)
		snprintf(name, sizeof(name), "(no such number)");
	else if (number & CPUPROBE_SYSCALL_COMPAT)
		snprintf(name, sizeof(name), "sys_%u (32-bit)", plain);
	else if (plain < nr_syscall_names && syscall_names[plain])
		snprintf(name, sizeof(name), "%s", syscall_names[plain]);
	else
		snprintf(name, sizeof(name), "sys_%u", plain);
	return call_counts_function(calls, TIMES_SYSCALLS, name, 0, CALL_HOOKED);
}
