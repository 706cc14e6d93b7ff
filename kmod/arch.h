/* SPDX-License-Identifier: GPL-2.0-only */
/* What depends on the processor. x86-64 first; another one is added here. */
#ifndef CPUPROBE_ARCH_H
#define CPUPROBE_ARCH_H

#include <linux/ptrace.h>
#include <asm/segment.h>

#ifndef CONFIG_X86_64
#error "cpuprobe knows x86-64 only so far: see kmod/arch.h"
#endif

/** arch_pc() - address of the instruction that the interrupt stopped before. */
static inline u64 arch_pc(const struct pt_regs *regs)
{
	return regs->ip;
}

/* Initializer of registers that tell of kernel mode and of nothing else. */
#define ARCH_KERNEL_REGS	{ .cs = __KERNEL_CS }

#endif
