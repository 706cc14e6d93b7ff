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

/** arch_set_frame() - have the registers of a 64-bit program point to a frame of its, at @addr. */
static inline void arch_set_frame(struct pt_regs *regs, unsigned long addr)
{
	regs->sp = addr;
	regs->bp = addr;
	regs->cs = __USER_CS;
}

/* Initializer of registers that tell of kernel mode and of nothing else. */
#define ARCH_KERNEL_REGS	{ .cs = __KERNEL_CS }

#endif
