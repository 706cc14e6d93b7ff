/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How late samples come: a histogram by powers of two, and a table of the places where the
 * late ones landed, which is where interrupts were let in again. The statistics of Rogier
 * Meurs's "interrupt delay effect" (MINIX 3 profiling, 2006), by cause. One writer, its
 * CPU's sampler; read only after it has been retired (see session.h).
 */
#ifndef CPUPROBE_LATE_H
#define CPUPROBE_LATE_H

#include "cpuprobe.h"
#include "pure.h"

struct late {
	struct cpuprobe_lateness counts;
	u64 lost;		/* late samples that found no place */
	u32 nr_places;		/* read from afar by poll() */
};

/** late_bin() - the bin of a lateness: 0 for none, i for 2^(i-1) to 2^i - 1 ns. */
static inline u32 late_bin(s64 late_ns)
{
	u32 bin = late_ns > 0 ? fls64(late_ns) : 0;

	return bin < CPUPROBE_LATE_BINS ? bin : CPUPROBE_LATE_BINS - 1;
}

/** late_add() - count one sample. @handler_ns: what it took. Hard irq. */
void late_add(struct late *late, bool is_idle, s64 late_ns, u64 handler_ns);

/**
 * late_place() - the counts of a place, made if need be. Hard irq. Looks at
 * CPUPROBE_SEARCH of them at most; NULL when none is to be had: the sample is lost.
 */
struct cpuprobe_place *late_place(struct late *late, u64 pc, u64 caller);

/** late_hits(), late_deferred() - samples in the histograms; in the places. */
u64 late_hits(const struct late *late);
u64 late_deferred(const struct late *late);

#endif
