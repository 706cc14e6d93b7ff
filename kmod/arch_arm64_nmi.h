/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NMIs on arm64. An interrupt controller of version 3 can have interrupts of a priority that code which keeps
 * interrupts off does not mask ("pseudo-NMI"). The kernel lets drivers that are built into it request such interrupts,
 * and its driver of the counters does. It exports to modules neither request_percpu_nmi() nor a way to send one. See
 * neighbour.c and counter_nmi.h.
 */
#ifndef CPUPROBE_ARCH_ARM64_NMI_H
#define CPUPROBE_ARCH_ARM64_NMI_H

#include <asm/cpufeature.h>

static inline bool arch_can_send_nmi(void)
{
	return false;
}

/** arch_may_count_by_nmi() - whether overflows of the processor's counters may be NMIs. */
static inline bool arch_may_count_by_nmi(void)
{
	return system_uses_irq_prio_masking();
}

static inline void arch_send_nmi(unsigned int cpu)
{
}

#define ARCH_NMI_DONE		0
#define ARCH_NMI_HANDLED	1

#define arch_register_nmi(own, unknown) ((void)(own), (void)(unknown), -EOPNOTSUPP)

static inline void arch_unregister_nmi(void)
{
}

#endif
