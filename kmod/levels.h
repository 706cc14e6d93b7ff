/* SPDX-License-Identifier: GPL-2.0-only */
/* The kind of code that runs: a task's, or an interrupt's. */
#ifndef CPUPROBE_LEVELS_H
#define CPUPROBE_LEVELS_H

#include <linux/preempt.h>

/* Kinds of interrupt. LEVELS, their number, stands for a task. */
enum timing_level { LEVEL_SOFTIRQ, LEVEL_IRQ, LEVEL_NMI, LEVELS };

/** current_level() - the kind of interrupt that runs, or LEVELS. On RT softirqs belong to tasks. */
static __always_inline u32 current_level(void)
{
	u32 count = preempt_count();

	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return LEVELS;
	if (count & NMI_MASK)
		return LEVEL_NMI;
	if (count & HARDIRQ_MASK)
		return LEVEL_IRQ;
	return IS_ENABLED(CONFIG_PREEMPT_RT) ? LEVELS : LEVEL_SOFTIRQ;
}

#endif
