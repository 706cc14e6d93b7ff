/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often the counter of one CPU may interrupt. A bucket holds PACE_BURST overflows and drains at the claimed rate. Each
 * overflow that reads the clock fills it by one: a sample, and one that is refused since the bucket is full. An empty bucket
 * takes in the samples of the fast path, which do not read the clock, until it is full.
 *
 * Each refusal doubles the distance to the next overflow, and each sample halves it again. So a storm of events causes no more
 * interrupts than were claimed. Pure arithmetic. Written by its CPU only.
 */
#ifndef CPUPROBE_PACE_H
#define CPUPROBE_PACE_H

#include "cpuprobe.h"
#include "pure.h"

/** So many samples may come at once before samples are left out: events come in bursts. */
#define PACE_BURST	128
/** The distance to the next overflow doubles up to 2^this periods. */
#define PACE_SKIP_MAX	30

struct pace {
	u32 prepaid;	/* samples that the bucket has taken in already: no look at the clock */
	u32 skip;	/* the next overflow is 2^this periods away, if this one is refused */
	u64 claimed_ns;	/* shortest mean time between overflows */
	u64 full_ns;	/* when the bucket is empty */
};

/**
 * pace_admits() - whether to take a sample of an overflow. Hard irq or NMI. Constant time.
 * @has_fast_path: samples that have been paid do not come here
 * False: the next overflow is @pace->skip doublings of the period away.
 */
bool pace_admits(struct pace *pace, u64 now_ns, bool has_fast_path);

/** pace_slow() - halve the claimed rate. Same context. False: it is as low as can be. */
bool pace_slow(struct pace *pace);

#endif
