/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampling instants of one CPU. Pure arithmetic; the caller has the clock and
 * the timer. Written by its CPU only, with interrupts off.
 *
 * A grid of periods starts at a random origin. Each period has one instant, drawn
 * uniformly and independently (CPUPROBE_JITTER_GRID), or at the period's start
 * (_NONE). With _POISSON there is no grid: gaps are exponential.
 *
 * A sample belongs to the period in which it starts. If further periods have begun
 * before a late sample starts, the periods in between are missed. A sample that starts
 * up to GRID_EARLY_NS before its period still belongs to that period. So at most one
 * sample is pending at any time, there is never a backlog, and
 * taken + missed + pending = expected, where expected is computed from the clock and
 * the origin alone.
 *
 * Invariants of a grid of periods, from grid_begin() to grid_end():
 *	end_ns = origin_ns + (index + 1) * period_ns
 *	end_ns - period_ns - GRID_EARLY_NS <= expiry_ns < end_ns
 * The second holds except where grid_advance() enforces GRID_FLOOR_NS.
 */
#ifndef CPUPROBE_GRID_H
#define CPUPROBE_GRID_H

#include "cpuprobe.h"
#include "pure.h"

/*
 * Minimum distance of the next instant from the handler's reading of the clock. Handlers read the
 * clock when they begin; long ones read it again at their end (grid_postpone()). If the next
 * expiry has passed already, the kernel's timer interrupt retries, and after three retries it
 * delays all timers and logs a warning. Shorter than the shortest period.
 */
#define GRID_FLOOR_NS	10000ULL
/*
 * A sample may be taken this long before its instant if another session's timer or the tick
 * interrupts the CPU anyway: one interrupt then serves both.
 */
#define GRID_EARLY_NS	2000
/* Upper bound of an exponential gap, in periods: reached once in 9 million gaps. */
#define GRID_GAP_CAP	16

struct grid {
	u64 expiry_ns;	/* instant of the pending sample; 0: none */
	u64 end_ns;	/* end of the pending sample's period (grid); 0 (Poisson) */
	u64 period_ns;
	u64 spread_ns;	/* instants are drawn from this part of a period: all of it, or 0 */
	u64 origin_ns;	/* start of period 0 (grid) */
	/* period of the pending sample (grid), or number of gaps drawn before its gap (Poisson) */
	u64 index;
	u64 past;	/* periods expected before the origin was last set */
	u64 random;	/* state of the generator */
	u32 jitter;	/* enum cpuprobe_jitter */
};

/**
 * grid_init() - set the fixed properties and the seed, but no instant.
 * @period_ns: mean time between samples, CPUPROBE_PERIOD_MIN_NS..MAX_NS
 * @jitter: enum cpuprobe_jitter
 * @seed: the session's seed, any value
 * @stream: number of this grid among the grids of one seed (the CPU)
 */
void grid_init(struct grid *grid, u64 period_ns, u32 jitter, u64 seed, u32 stream);

/** grid_seed() - state of the generator that a seed gives a stream; see grid_init(). */
u64 grid_seed(u64 seed, u32 stream);

/** grid_begin() - draw a fresh origin and the first instant after @now_ns. */
void grid_begin(struct grid *grid, u64 now_ns);

/*
 * The next number of a 64-bit linear congruential generator, of which the upper half is used.
 * The multiplier is from Steele and Vigna ("Computationally easy, spectrally good multipliers",
 * 2021). The cheapest generator that is good enough to place instants.
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

/* grid_advance() for a sample that starts within its own period, as nearly all samples do. */
static inline void grid_advance_in_time(struct grid *grid, u64 now_ns)
{
	u64 expiry_ns = grid->end_ns + grid_random_below(grid, grid->spread_ns);

	/* Stays within the next period: now_ns is before it, and the floor is shorter than it. */
	if (unlikely(expiry_ns < now_ns + GRID_FLOOR_NS))
		expiry_ns = now_ns + GRID_FLOOR_NS;
	grid->expiry_ns = expiry_ns;
	grid->end_ns += grid->period_ns;
	grid->index++;
}

/* grid_advance() for all other samples. */
u64 grid_advance_late(struct grid *grid, u64 now_ns);

/**
 * grid_advance() - account for the sample that starts at @now_ns, and set the next instant.
 * Hard irq. Constant time. Returns how many periods were missed before this sample.
 */
static inline u64 grid_advance(struct grid *grid, u64 now_ns)
{
	if (unlikely(now_ns >= grid->end_ns))
		return grid_advance_late(grid, now_ns);
	grid_advance_in_time(grid, now_ns);
	return 0;
}

/**
 * grid_postpone() - move the pending instant to at least GRID_FLOOR_NS after @now_ns. For the end
 * of a long handler, which otherwise could arm the timer in the past. The instant stays in its
 * period: if the handler leaves no room there, the next sample follows at once. Hard irq. Constant
 * time.
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
 * grid_skip() - account for the instants up to @now_ns, from the pending one on, that passed
 * without an interrupt, and set the next instant. The periods in between need no draw; the period
 * that contains @now_ns does. Not with _POISSON. Constant time. Returns how many instants passed.
 */
u64 grid_skip(struct grid *grid, u64 now_ns);

/**
 * grid_waited_ns() - unbiased estimate of the time, until @now_ns, in which samples were kept
 * waiting; after grid_advance() returned @missed. The instant of each period is uniform in it. So
 * an instant that is known to lie in the waiting time stands for one period of that time. The late
 * sample replaces the instant of the last period, and stands for the elapsed part of that period.
 */
static inline u64 grid_waited_ns(const struct grid *grid, u64 missed, u64 now_ns)
{
	/* The pending sample's period is the next one already. */
	u64 begun_ns = grid->end_ns - 2 * grid->period_ns;

	if (!missed)
		return grid->period_ns;
	if (grid->jitter == CPUPROBE_JITTER_POISSON)
		return (missed + 1) * grid->period_ns;
	return missed * grid->period_ns + (now_ns - begun_ns);
}

/** grid_expected() - number of samples that came due from grid_init() until @now_ns. */
u64 grid_expected(const struct grid *grid, u64 now_ns);

/** grid_pending() - the part of grid_expected() that grid_advance() has not accounted for yet. */
u64 grid_pending(const struct grid *grid, u64 now_ns);

/**
 * grid_end() - end the run of instants at @now_ns; no sample is pending afterwards.
 * Returns how many samples were pending: these are missed. grid_begin() may follow.
 */
u64 grid_end(struct grid *grid, u64 now_ns);

/**
 * grid_slow() - double the period, beginning with the pending sample's. The pending instant does
 * not change, so the timer need not be reprogrammed.
 *
 * False, without any change: the period would exceed CPUPROBE_PERIOD_MAX_NS; or more than one
 * period is pending at @now_ns, and expected samples would disappear from the sum.
 */
bool grid_slow(struct grid *grid, u64 now_ns);

#endif
