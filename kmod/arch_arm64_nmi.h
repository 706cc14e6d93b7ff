/* SPDX-License-Identifier: GPL-2.0-only */
/* NMIs that one CPU sends to another: arm64 does not let modules register for any. See neighbour.c. */
#ifndef CPUPROBE_ARCH_ARM64_NMI_H
#define CPUPROBE_ARCH_ARM64_NMI_H

static inline bool arch_can_send_nmi(void)
{
	return false;
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
