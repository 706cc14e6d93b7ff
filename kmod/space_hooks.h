/* SPDX-License-Identifier: GPL-2.0-only */
/* Hooks in the kernel's functions for mapping code, forking and exiting. */
#ifndef CPUPROBE_SPACE_HOOKS_H
#define CPUPROBE_SPACE_HOOKS_H

/**
 * space_hooks_add() - may sleep. -EOPNOTSUPP: no kprobes, not these functions, or kprobes are switched off.
 * -ENOMEM.
 */
int space_hooks_add(void);

/** space_hooks_remove() - waits for every CPU; no hook runs when it returns. May sleep. */
void space_hooks_remove(void);

#endif
