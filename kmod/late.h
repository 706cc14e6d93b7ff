/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How late samples come: a histogram by powers of two, and a table of the places where late samples
 * landed, which is where interrupts were re-enabled. Measures, by cause, what Rogier Meurs called
 * the "interrupt delay effect" (MINIX 3 profiling, 2006). One writer, its CPU's sampler; readers
 * wait until it is retired (see session.h).
 */
#ifndef CPUPROBE_LATE_H
#define CPUPROBE_LATE_H

#include "cpuprobe.h"
#include "pure.h"

/** A longer handler counts as one of this length in the mean and its variance: a second. */
#define LATE_HANDLER_MAX_NS	1000000000ULL

struct late {
	struct cpuprobe_lateness counts;
	u64 lost;		/* late samples that found no place */
	u32 nr_places;		/* other CPUs read it, in poll() */
};

/** late_bin() - the bin of a time: 0 for on time or early, i for 2^(i-1) to 2^i - 1 ns. */
static inline u32 late_bin(s64 late_ns)
{
	u32 bin = late_ns > 0 ? fls64(late_ns) : 0;

	return bin < CPUPROBE_LATE_BINS ? bin : CPUPROBE_LATE_BINS - 1;
}

/** late_add() - count one sample. @handler_ns: time in its handler. Hard irq. */
void late_add(struct late *late, bool is_idle, s64 late_ns, u64 handler_ns);

/**
 * late_place() - find or create the counts of a place. Hard irq. Searches CPUPROBE_SEARCH entries
 * at most. NULL: no free entry, the sample is lost. The caller must add a hit to the place.
 */
struct cpuprobe_place *late_place(struct late *late, u64 pc, u64 caller);

/** late_hits() - number of samples in the histograms. */
u64 late_hits(const struct late *late);

/** late_deferred() - number of samples in the places. */
u64 late_deferred(const struct late *late);

#endif
