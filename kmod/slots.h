/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slots: counters over an address range, each as wide as the smallest power of
 * two that lets 512 of them cover the range (Crowe 1992, "single process CPU
 * usage monitoring"). Used by the module to count and by the tool to show.
 */
#ifndef CPUPROBE_SLOTS_H
#define CPUPROBE_SLOTS_H

#include "cpuprobe.h"
#include "pure.h"

/** Which addresses fall into which slot. Fixed once made. */
struct slots_layout {
	u64 low;	/* first address that counts */
	u64 high;	/* first address above low that does not */
	u64 base;	/* low rounded down to a multiple of the slot size */
	u32 shift;	/* log2 of the slot size in bytes */
	u32 nr_slots;	/* slots that overlap [low, high): 1..CPUPROBE_SLOTS */
};

/** Counts of one CPU. One writer, its CPU's sampler. */
struct slots {
	u64 hits[CPUPROBE_SLOTS];
	u64 objects[CPUPROBE_OBJECTS];	/* all of the target's samples, by object */
	u64 outside;	/* the target's samples in another object or outside [low, high) */
	u64 other_mode;	/* the target's samples in another mode */
	u64 other_exe;	/* the process asked for, running another executable */
	u64 other_task;	/* everybody else's samples */
	u64 missed;	/* periods missed before samples of the target (not in any of the others) */
	u32 unplaced_pid;	/* a process with a sample in no area; 0: none */
};

/**
 * slots_layout_init() - the layout for a range of addresses.
 * Slot size and base depend on each other and are settled together.
 * Returns -EINVAL, the layout untouched, unless low < high.
 */
int slots_layout_init(struct slots_layout *layout, u64 low, u64 high);

/** slots_add() - count one sample of the target at @addr. Hard irq. */
static inline void slots_add(struct slots *slots, const struct slots_layout *layout, u64 addr)
{
	/* One compare for both ends: an address below low wraps to a large number. */
	if (addr - layout->low < layout->high - layout->low)
		slots->hits[(addr - layout->base) >> layout->shift]++;
	else
		slots->outside++;
}

/** slots_low() - first address of a slot that counts: the first may begin below the range. */
static inline u64 slots_low(const struct slots_layout *layout, u32 slot)
{
	u64 addr = layout->base + ((u64)slot << layout->shift);

	return addr < layout->low ? layout->low : addr;
}

/** slots_high() - first address above a slot, or above the range if that ends in it. */
static inline u64 slots_high(const struct slots_layout *layout, u32 slot)
{
	u64 addr = layout->base + ((u64)slot << layout->shift);
	u64 size = 1ULL << layout->shift;

	/* The sum could be beyond the last address there is. */
	return layout->high - addr < size ? layout->high : addr + size;
}

/** slots_hits() - samples counted in slots. */
u64 slots_hits(const struct slots *slots);

/** slots_objects() - samples counted by object: all of the target's. */
u64 slots_objects(const struct slots *slots);

#endif
