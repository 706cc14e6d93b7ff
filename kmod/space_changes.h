/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes of maps: how a process maps code. Changes to the map of one process exclude each other, because
 * their callers have its mmap_lock. The exception: a stack that may be executed grows with the lock shared.
 * Preemption may be off; nothing sleeps.
 */
#ifndef CPUPROBE_SPACE_CHANGES_H
#define CPUPROBE_SPACE_CHANGES_H

#include <linux/mm_types.h>

/** changes_walk() - make a process known by reading all its mappings. Returns whether this succeeded. */
bool changes_walk(struct mm_struct *mm);

/** changes_note() - note that a known process has mapped memory that it may execute. */
void changes_note(struct vm_area_struct *vma);

#endif
