/* SPDX-License-Identifier: GPL-2.0-only */
/* How a CPU sends an NMI to another one, by processor: each arch_*_nmi.h defines the same names. */
#ifndef CPUPROBE_ARCH_NMI_H
#define CPUPROBE_ARCH_NMI_H

#ifdef CONFIG_X86_64
#include "arch_x86_nmi.h"
#elif defined(CONFIG_ARM64)
#include "arch_arm64_nmi.h"
#else
#error "cpuprobe knows x86-64 and arm64 only so far: see kmod/arch_nmi.h"
#endif

#endif
