/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instants at which one CPU is sampled. Pure arithmetic; the caller has the
 * clock and the timer. Written by its CPU only, with interrupts off.
 *
 * A grid of periods starts at a random origin. In each period lies one instant,
 * drawn uniformly and independently (CPUPROBE_JITTER_GRID), or the period's
 * very start (_NONE). With _POISSON there is no grid: gaps are exponential.
 *
 * A sample that comes so late that one or more further periods have begun is
 * the sample of the period in which it starts; the periods before are missed. One
 * that comes up to GRID_EARLY_NS before its period is that period's all the same.
 * So at most one sample is pending at any time, no backlog is ever worked off,
 * and taken + missed + pending = expected, where expected is computed from
 * the clock and the origin alone.
 *
 * Invariants of a grid of periods, from grid_begin() to grid_end():
 *	end_ns = origin_ns + (index + 1) * period_ns
 *	end_ns - period_ns - GRID_EARLY_NS <= expiry_ns < end_ns
 * the second but for what grid_advance() moves by GRID_FLOOR_NS.
 */
#ifndef CPUPROBE_GRID_H
#define CPUPROBE_GRID_H

#include "cpuprobe.h"
#include "pure.h"

/*
 * No instant is set closer than this to the time at which the handler looked at the clock: at its
 * beginning, or for handlers that take long at their end (grid_postpone()). The kernel's timer
 * interrupt tries again when the next expiry has passed already, and after three times
 * stalls its timers and complains. Shorter than the shortest period.
 */
#define GRID_FLOOR_NS	10000ULL
/*
 * A sample may be taken this much before its instant when the CPU is interrupted anyway, by
 * another session's timer or the tick: one interrupt then does for both.
 */
#define GRID_EARLY_NS	2000
/* Longest exponential gap, in periods: reached once in 9 million gaps. */
#define GRID_GAP_CAP	16

struct grid {
	u64 expiry_ns;	/* the pending sample's instant */
	u64 end_ns;	/* end of the period it belongs to (grid); 0 (Poisson) */
	u64 period_ns;
	/* the part of a period that instants are drawn from: all of it or nothing */
	u64 spread_ns;
	u64 origin_ns;	/* start of period 0 (grid) */
	/* the pending sample's period (grid), or gaps drawn before its own (Poisson) */
	u64 index;
	u64 past;	/* periods due before the origin was last set */
	u64 random;	/* state of the generator */
	u32 jitter;	/* enum cpuprobe_jitter */
};

/**
 * grid_init() - set the fixed properties and the seed; no instant is set yet.
 * @period_ns: mean time between samples, CPUPROBE_PERIOD_MIN_NS..MAX_NS
 * @jitter: enum cpuprobe_jitter
 * @seed: the session's seed, any value
 * @stream: number of this grid among those of the same seed (the CPU)
 */
void grid_init(struct grid *grid, u64 period_ns, u32 jitter, u64 seed, u32 stream);

/** grid_begin() - draw a fresh origin and the first instant after @now_ns. */
void grid_begin(struct grid *grid, u64 now_ns);

/*
 * The next number of the generator: the upper half of a 64-bit linear congruential one
 * with the multiplier of Steele and Vigna ("Computationally easy, spectrally good
 * multipliers", 2021). The cheapest there is, and good enough to place instants.
 */
static inline u32 grid_random(struct grid *grid)
{
	grid->random = grid->random * 0xd1342543de82ef95ULL + 1;
	return grid->random >> 32;
}

/* Uniform in [0, limit); limit below 2^32. */
static inline u64 grid_random_below(struct grid *grid, u64 limit)
{
	return (grid_random(grid) * limit) >> 32;
}

/* A sample that starts within its own period: grid_advance() for nearly all samples. */
static inline void grid_advance_in_time(struct grid *grid, u64 now_ns)
{
	u64 expiry_ns = grid->end_ns + grid_random_below(grid, grid->spread_ns);

	/* now lies before the next period and the floor is shorter than one: never past its end. */
	if (unlikely(expiry_ns < now_ns + GRID_FLOOR_NS))
		expiry_ns = now_ns + GRID_FLOOR_NS;
	grid->expiry_ns = expiry_ns;
	grid->end_ns += grid->period_ns;
	grid->index++;
}

/* grid_advance() for all others. */
u64 grid_advance_late(struct grid *grid, u64 now_ns);

/**
 * grid_advance() - account the sample starting at @now_ns, set the next instant.
 * Hard irq. Constant time. Returns the periods missed before this sample.
 */
static inline u64 grid_advance(struct grid *grid, u64 now_ns)
{
	if (unlikely(now_ns >= grid->end_ns))
		return grid_advance_late(grid, now_ns);
	grid_advance_in_time(grid, now_ns);
	return 0;
}

/**
 * grid_postpone() - move the pending instant away from @now_ns, which it would have passed before
 * the timer is armed: for handlers that take long, when they are done. Never out of its period:
 * a handler that leaves no room there has its next sample at once. Hard irq. Constant time.
 */
static inline void grid_postpone(struct grid *grid, u64 now_ns)
{
	u64 soonest_ns = now_ns + GRID_FLOOR_NS;

	if (likely(grid->expiry_ns >= soonest_ns))
		return;
	if (grid->jitter != CPUPROBE_JITTER_POISSON && soonest_ns >= grid->end_ns)
		soonest_ns = grid->end_ns - 1;
	if (grid->expiry_ns < soonest_ns)
		grid->expiry_ns = soonest_ns;
}

/**
 * grid_skip() - account the instants up to @now_ns, the pending one first, at none of which the
 * CPU was interrupted, and set the next. The instants of the periods that lie between need not
 * be drawn, that of the period in which @now_ns lies is. Not with _POISSON.
 * Constant time. Returns how many have passed.
 */
u64 grid_skip(struct grid *grid, u64 now_ns);

/**
 * grid_waited_ns() - after grid_advance() returned @missed: for how long samples may be said to
 * have been kept waiting until @now_ns. Each period's instant is uniform in it, so one that is
 * known to lie in that time stands for a period of it; that of the period in which it ended
 * has been replaced by the late sample, and stands for the part that had passed.
 */
static inline u64 grid_waited_ns(const struct grid *grid, u64 missed, u64 now_ns)
{
	/* the pending sample's is the next one */
	u64 begun_ns = grid->end_ns - 2 * grid->period_ns;

	if (!missed)
		return grid->period_ns;
	if (grid->jitter == CPUPROBE_JITTER_POISSON)
		return (missed + 1) * grid->period_ns;
	return missed * grid->period_ns + (now_ns - begun_ns);
}

/** grid_expected() - samples that came due until @now_ns, since grid_init(). */
u64 grid_expected(const struct grid *grid, u64 now_ns);

/** grid_pending() - those of grid_expected() that no grid_advance() has accounted yet. */
u64 grid_pending(const struct grid *grid, u64 now_ns);

/**
 * grid_end() - close the run of instants at @now_ns; none is pending afterwards.
 * Returns the samples that were pending: they are missed. grid_begin() may follow.
 */
u64 grid_end(struct grid *grid, u64 now_ns);

/**
 * grid_slow() - double the period from the pending sample's on. The pending instant stays, so
 * no timer need be touched.
 *
 * False, and nothing changes: the period would exceed CPUPROBE_PERIOD_MAX_NS; or more than one
 * period is pending at @now_ns: the others, which have been expected, would not have been.
 */
bool grid_slow(struct grid *grid, u64 now_ns);

#endif
