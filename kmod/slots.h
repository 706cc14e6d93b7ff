/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slots: counters over an address range. The slot size is the smallest power of
 * two with which 512 slots cover the range (Crowe 1992, "single process CPU
 * usage monitoring"). The module counts in slots, and the tool shows them.
 */
#ifndef CPUPROBE_SLOTS_H
#define CPUPROBE_SLOTS_H

#include "cpuprobe.h"
#include "pure.h"

/** Mapping of addresses to slots. Immutable after slots_layout_init(). */
struct slots_layout {
	u64 low;	/* first address that counts */
	u64 high;	/* end of the range (exclusive) */
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
	u64 other_exe;	/* samples of the target's pid while it runs another executable */
	u64 other_task;	/* samples of all other tasks */
	u64 missed;	/* periods missed before samples of the target (not in the counts above) */
	u32 unplaced_pid;	/* a process with a sample in no area; 0: none */
};

/**
 * slots_layout_init() - compute the layout for the address range [low, high).
 * Slot size and base depend on each other, so one loop finds both.
 * -EINVAL, with the layout untouched, unless low < high.
 */
int slots_layout_init(struct slots_layout *layout, u64 low, u64 high);

/** slots_add() - count one sample of the target at @addr. Hard irq. */
static inline void slots_add(struct slots *slots, const struct slots_layout *layout, u64 addr)
{
	/* One comparison for both ends: an address below low wraps to a large number. */
	if (addr - layout->low < layout->high - layout->low)
		slots->hits[(addr - layout->base) >> layout->shift]++;
	else
		slots->outside++;
}

/** slots_low() - first address of a slot inside the range: slot 0 may begin below the range. */
static inline u64 slots_low(const struct slots_layout *layout, u32 slot)
{
	u64 addr = layout->base + ((u64)slot << layout->shift);

	return addr < layout->low ? layout->low : addr;
}

/** slots_high() - end of a slot (exclusive), clipped to the end of the range. */
static inline u64 slots_high(const struct slots_layout *layout, u32 slot)
{
	u64 addr = layout->base + ((u64)slot << layout->shift);
	u64 size = 1ULL << layout->shift;

	/* addr + size could overflow. */
	return layout->high - addr < size ? layout->high : addr + size;
}

/** slots_hits() - number of samples in slots. */
u64 slots_hits(const struct slots *slots);

/** slots_objects() - number of samples by object: all samples of the target. */
u64 slots_objects(const struct slots *slots);

#endif
