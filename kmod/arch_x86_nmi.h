/* SPDX-License-Identifier: GPL-2.0-only */
/* NMIs that one CPU sends to another, on x86-64: see neighbour.c. */
#ifndef CPUPROBE_ARCH_X86_NMI_H
#define CPUPROBE_ARCH_X86_NMI_H

#include <linux/cpumask.h>
#include <linux/nmi.h>
#include <linux/version.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/irq_vectors.h>
#include <asm/nmi.h>

/** arch_can_send_nmi() - whether a CPU can send another one an NMI: not without local APICs. */
static inline bool arch_can_send_nmi(void)
{
	return boot_cpu_has(X86_FEATURE_APIC);
}

/** arch_may_count_by_nmi() - whether overflows of the processor's counters may be NMIs. */
static inline bool arch_may_count_by_nmi(void)
{
	return true;
}

/**
 * arch_send_nmi() - send an NMI to an online CPU. Interrupts off. 6.6 made the functions of the APIC static
 * calls (commit "x86/apic: Provide static call infrastructure for APIC callbacks"), which modules may
 * use; before, modules reach them by their table.
 */
static inline void arch_send_nmi(unsigned int cpu)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
	__apic_send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
#else
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
#endif
}

/* Answers of a handler. */
#define ARCH_NMI_DONE		NMI_DONE	/* not its NMI */
#define ARCH_NMI_HANDLED	NMI_HANDLED

/**
 * arch_register_nmi() - call @own for each NMI, and @unknown for those that no handler takes. The kernel
 * calls all handlers of an NMI. Both are names of functions. May sleep. 0 or -errno.
 */
#define arch_register_nmi(own, unknown) ({ \
	int __error = register_nmi_handler(NMI_LOCAL, own, 0, "cpuprobe"); \
	if (!__error) { \
		__error = register_nmi_handler(NMI_UNKNOWN, unknown, 0, "cpuprobe_unknown"); \
		if (__error) \
			unregister_nmi_handler(NMI_LOCAL, "cpuprobe"); \
	} \
	__error; })

/** arch_unregister_nmi() - undo arch_register_nmi(). No handler runs afterwards. May sleep. */
static inline void arch_unregister_nmi(void)
{
	unregister_nmi_handler(NMI_LOCAL, "cpuprobe");
	unregister_nmi_handler(NMI_UNKNOWN, "cpuprobe_unknown");
}

#endif
