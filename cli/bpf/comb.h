/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arithmetic of the comb: sampling instants of events that can only have a fixed period. Each
 * CPU has COMB_TEETH of them. The period of tooth k lies in the k-th eighth of [1/2, 3/2] * 8T, and is
 * drawn again at random instants, each tooth alone: an event that gets a new period begins anew, and
 * all at once would leave a hole that programs in step with the draws could hide in.
 *
 * Pure: no clock, no system call. All times are nanoseconds.
 */
#ifndef COMB_H
#define COMB_H

#include "types.h"

#define COMB_TEETH	8
#define COMB_GAP_NS	1000000000ULL	/* gaps between two draws of a tooth: up to this, uniform */
#define COMB_GAP_PERIODS 400		/* and up to as many periods, if that is longer */
#define COMB_SINGLE_GAP_NS 100000000ULL	/* the same for one tooth alone, in nanoseconds of its running */
#define COMB_SINGLE_GAP_PERIODS 100
#define COMB_STAY_PERIODS 100	/* for which a tooth keeps its period on average: comb_draw_stay() */

/*
 * The excess of the comb's samples (base/stat.h): docs/statistics.md derives it, and `make calibrate`
 * simulates what it does. 8/pi^2 * (3/2 / ln(3) - 1).
 */
#define COMB_EXCESS	0.296
#define COMB_SINGLE_EXCESS 2.415	/* of one tooth alone: 8/pi^2 * (1 / ln(9/7) - 1) */

struct comb {
	u64 random;		/* state of the generator */
	unsigned int nr_teeth;
	double low, width;	/* periods of all teeth together: from low to low + width, times 8T */
	double tooth_ns;	/* 8T, T so that the samples of all teeth have the wanted rate */
	u64 gap_ns;		/* the longest gap between two draws */
};

/** One tooth's time with one period. */
struct comb_stretch {
	u64 began_ns;
	u64 period_ns;
};

/**
 * comb_init() - begin the draws of one CPU.
 * @period_ns: mean time between samples of all teeth together, so that @period_ns of 1 ms gives
 *	1,000 samples a second
 *
 * The rate of tooth k is the mean of 1/P over its periods P, so that all teeth together have
 * ln(3)/T. A draw cuts a period off, half of it on average, which costs half a sample per tooth and
 * draw. T makes up for both: 1/@period_ns = ln(3)/T - COMB_TEETH / gap_ns.
 */
void comb_init(struct comb *comb, u64 seed, u64 period_ns);

/**
 * comb_init_single() - begin the draws of an event that is alone: a comb of one tooth, whose periods
 * are drawn from [7/8, 9/8] * T.
 * @gap_ns: the longest gap between two draws
 *
 * The rates of several teeth add up to nearly the same whatever they draw; that of one varies with its period. With
 * gaps of 100 T at most, this spread adds less than a third of the variance of independent samples
 * to the ratio of two events' counts; [1/2, 3/2] would add five times that variance.
 */
void comb_init_single(struct comb *comb, u64 seed, u64 period_ns, u64 gap_ns);

/**
 * comb_init_events() - begin the draws of events that count something else than time: all teeth together
 * have a sample per @period events, on average. Members in ns are numbers of events.
 * @nr_teeth: COMB_TEETH, or 1: a tooth that is alone has periods from [7/8, 9/8] * T
 */
void comb_init_events(struct comb *comb, u64 seed, u64 period, unsigned int nr_teeth);

/** comb_draw_count() - a new period for a tooth, rounded up or down at random so that the mean stays. At least 1. */
u64 comb_draw_count(struct comb *comb, unsigned int tooth);

/**
 * comb_draw_stay() - for how many events a tooth keeps its period: 50 to 150 mean periods, whichever was drawn,
 * so that its rate is the mean of 1/P.
 */
u64 comb_draw_stay(struct comb *comb);

/** comb_single_gap() - the longest gap of an event that is alone and has this mean period. */
u64 comb_single_gap(u64 period_ns);

/** comb_draw_period() - a new period for tooth 0 to nr_teeth - 1. */
u64 comb_draw_period(struct comb *comb, unsigned int tooth);

/** comb_draw_gap() - the time until this tooth is drawn again, 0 to gap_ns. */
u64 comb_draw_gap(struct comb *comb);

/** comb_draw_wait() - a uniform time, 1 ns to @most_ns, until draws that are due are made. */
u64 comb_draw_wait(struct comb *comb, u64 most_ns);

/** comb_whole() - the whole periods of a stretch until @now_ns: the samples that it should have had. */
u64 comb_whole(const struct comb_stretch *stretch, u64 now_ns);

#endif
