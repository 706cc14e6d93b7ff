/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which files are mapped as code where, in every process: recorded while some session follows user
 * frames by tables. Hooks (kprobes) at perf_event_mmap(), perf_event_fork() and exit_mmap() keep the
 * record; processes that run already are read once, when the first session starts.
 *
 * One lock, a raw spinlock that is taken with interrupts off, protects the record: the hooks run with
 * preemption off and may not sleep. A sample reads under RCU, without the lock, in hard irq. A
 * map never changes: a process whose mappings change gets a new one. All memory comes from one pool
 * of fixed size, made when the first session starts, since hooks cannot allocate. A map that finds no
 * room in it is counted, and its process is unknown until it maps code again.
 */
#ifndef CPUPROBE_ADDRESS_SPACES_H
#define CPUPROBE_ADDRESS_SPACES_H

#include <linux/fs.h>
#include <linux/mm_types.h>

#include "cpuprobe.h"

#define SPACES_OBJECTS	4096	/* files that are mapped at one time */

/** A mapping of code: pages of a file, or the vdso. */
struct mapping {
	unsigned long start;
	unsigned long end;	/* exclusive */
	u32 object;		/* number of the file, below SPACES_OBJECTS */
	u32 first_page;		/* page of the file at @start, in PAGE_SIZE; 0 for the vdso */
};

/** The mappings of a process, ascending. Immutable. */
struct space_map {
	u32 nr;
	u32 serial;	/* no other map since the module's load has it; over 0 */
	struct mapping at[];
};

#ifdef CONFIG_KPROBES

/**
 * spaces_get() - begin to record, or use the record that is kept already. May sleep. Every success needs
 * one spaces_put().
 * -EOPNOTSUPP: this kernel has no kprobes, or not these functions. -EBUSY: hooks of earlier sessions are
 * still being removed after 5 s. -ENOMEM. -EINTR: killed while waiting.
 */
int spaces_get(void);

/** spaces_put() - the last one ends the record. Does not wait: a worker removes the hooks. May sleep. */
void spaces_put(void);

/**
 * spaces_scan() - read the mappings of processes that are not known yet. May sleep. Does not wait for a
 * process that holds its own mmap_lock: it stays unknown. A session calls it when a sample met an unknown
 * process.
 */
void spaces_scan(void);

/** spaces_find() - the mappings of a process; NULL: unknown. RCU reader, or hard irq. */
const struct space_map *spaces_find(const struct mm_struct *mm);

/* The numbers of spaces_seq(), which samples read. They go on from one record to the next. */
extern u32 spaces_seqs[SPACES_OBJECTS];

/**
 * spaces_seq() - a number that changes when @object becomes the number of another file. Any context. It does
 * not change while a map that spaces_find() returned has the object.
 */
static inline u32 spaces_seq(u32 object)
{
	return READ_ONCE(spaces_seqs[object]);
}

/**
 * spaces_open() - open the file of an object for the caller. May sleep. Sets @need's fd and flags.
 * -ESTALE: @need->seq is not the object's: no process has it mapped any more. -ERESTARTSYS: interrupted.
 */
int spaces_open(struct cpuprobe_need *need);

/** spaces_unrecorded() - mappings that found no room since the module was loaded. */
u32 spaces_unrecorded(void);

/** spaces_setup(), spaces_teardown() - at module load and unload; the latter waits for the hooks. */
int spaces_setup(void);
void spaces_teardown(void);

#else

static inline int spaces_get(void)
{
	return -EOPNOTSUPP;
}

static inline void spaces_put(void)
{
}

static inline void spaces_scan(void)
{
}

static inline const struct space_map *spaces_find(const struct mm_struct *mm)
{
	return NULL;
}

static inline u32 spaces_seq(u32 object)
{
	return 0;
}

static inline int spaces_open(struct cpuprobe_need *need)
{
	return -ESTALE;
}

static inline u32 spaces_unrecorded(void)
{
	return 0;
}

static inline int spaces_setup(void)
{
	return 0;
}

static inline void spaces_teardown(void)
{
}

#endif

#endif
