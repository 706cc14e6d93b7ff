/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processor-dependent part: each arch_*.h defines the same names. The kernel's unwinder is
 * one of them, with the names and rules of x86's asm/unwind.h.
 */
#ifndef CPUPROBE_ARCH_H
#define CPUPROBE_ARCH_H

#ifdef CONFIG_X86_64
#include "arch_x86.h"
#elif defined(CONFIG_ARM64)
#include "arch_arm64.h"
#else
#error "cpuprobe knows x86-64 and arm64 only so far: see kmod/arch.h"
#endif

#endif
