/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampling instants of one CPU in events instead of time. Pure arithmetic on the number of
 * events counted; the caller has the counter. Written by its CPU only.
 *
 * A grid of periods of @period events starts at the first event. Each period has one instant, drawn
 * uniformly and independently, or at a fixed place in it (CPUPROBE_JITTER_NONE). A fixed number of
 * events between samples would keep step with a loop that causes as many.
 *
 * A counter of the processor has set out for its next overflow before the handler of the last one runs. So
 * the handler draws the instant after that one, and meter_sample() says how far the two are apart. An overflow that
 * finds its period sampled already is ignored; periods that pass without one are missed. With
 * "expected" computed from the number of events alone, taken + missed + pending = expected.
 */
#ifndef CPUPROBE_METER_H
#define CPUPROBE_METER_H

#include "cpuprobe.h"
#include "pure.h"

struct meter {
	u64 period;	/* events */
	u64 index;	/* first period that has neither a sample nor was missed */
	/*
	 * Events at the overflow after the next one, if all goes as planned: the next one is in period @index, that one
	 * in the period after it. 0: not so.
	 */
	u64 planned;
	u64 after;	/* first instant that may be drawn in the period after that of @planned */
	u64 random;	/* state of the generator, not 0 */
	u64 spread;	/* instants that may be drawn in a period: @period, or 1 without jitter */
};

/** An overflow of the counter. */
struct meter_step {
	bool is_due;	/* its period has no sample yet: take one */
	u64 missed;	/* periods before it that passed without a sample */
	u64 gap;	/* events from @next to the overflow after it, at least 1 */
};

/* A number below @nr, at most 2^32. The generator is Marsaglia's (Xorshift RNGs, 2003): no factor to load. */
static __always_inline u64 meter_draw_below(struct meter *meter, u64 nr)
{
	u64 x = meter->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	meter->random = x;
	return ((x >> 32) * nr) >> 32;
}

/* One of the instants of a period, from 0 on. */
static __always_inline u64 meter_draw(struct meter *meter)
{
	return meter_draw_below(meter, meter->spread);
}

/**
 * meter_init() - set the properties and draw the first instant.
 * @period: events, 1 to CPUPROBE_EVENTS_MAX
 * @jitter: enum cpuprobe_jitter, not _POISSON
 * @seed, @stream: as grid_init()
 * Returns after how many events the counter first overflows, at least 1.
 */
u64 meter_init(struct meter *meter, u64 period, u32 jitter, u64 seed, u32 stream);

/**
 * meter_sample() - account for an overflow.
 * @instant: events counted when the counter overflowed
 * @next: events at which it overflows next, if it is on its way there already; else @instant
 * Hard irq or NMI. Constant time.
 */
struct meter_step meter_sample(struct meter *meter, u64 instant, u64 next);

/** meter_is_planned() - whether an overflow of a counter of the processor goes as planned, as nearly all do. */
static __always_inline bool meter_is_planned(const struct meter *meter, u64 next)
{
	return next == meter->planned;
}

/** meter_sample_planned() - meter_sample() for such an overflow: a sample is due. Returns the step's gap. */
static __always_inline u64 meter_sample_planned(struct meter *meter, u64 next)
{
	u64 target = meter->after + meter_draw(meter);

	meter->planned = target;
	meter->after += meter->period;
	meter->index++;
	return target - next;
}

/** meter_expected() - periods that came due until @events were counted. */
u64 meter_expected(const struct meter *meter, u64 events);

/** meter_pending() - the part of meter_expected() that meter_sample() has not accounted for yet. */
u64 meter_pending(const struct meter *meter, u64 events);

/** meter_end() - no overflow comes any more. Returns the periods that were pending: these are missed. */
u64 meter_end(struct meter *meter, u64 events);

/**
 * meter_go_on() - after meter_end(), another counter goes on from @events. A period that has begun gets its
 * instant in what is left of it. Returns after how many events the counter first overflows, at least 1.
 */
u64 meter_go_on(struct meter *meter, u64 events);

#endif
