// SPDX-License-Identifier: GPL-2.0-only
/* The arithmetic of the comb: see comb.h. */
#include <math.h>
#include <stdbool.h>

#include "bpf/comb.h"

/* splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014). */
static u64 draw(struct comb *comb)
{
	u64 x = comb->random += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/* Uniform in [0, 1). */
static double draw_fraction(struct comb *comb)
{
	return (draw(comb) >> 11) * 0x1p-53;
}

/* The length of a tooth's next period, in its own part of all lengths. */
static double draw_length(struct comb *comb, unsigned int tooth)
{
	return comb->tooth_ns *
		(comb->low + comb->width * (tooth + draw_fraction(comb)) / comb->nr_teeth);
}

static void init_teeth(struct comb *comb, u64 seed, u64 period_ns)
{
	/* The mean of 1/P for a P that is uniform from low to low + width: ln 3 for a whole comb. */
	const double rate = log1p(comb->width / comb->low) / comb->width;

	comb->random = seed;
	comb->tooth_ns = comb->nr_teeth * rate / (1.0 / period_ns + (double)comb->nr_teeth / comb->gap_ns);
}

void comb_init(struct comb *comb, u64 seed, u64 period_ns)
{
	const u64 gap_ns = period_ns * COMB_GAP_PERIODS;

	*comb = (struct comb){
		.nr_teeth = COMB_TEETH, .low = 0.5, .width = 1,
		.gap_ns = gap_ns < COMB_GAP_NS ? COMB_GAP_NS : gap_ns,
	};
	init_teeth(comb, seed, period_ns);
}

void comb_init_single(struct comb *comb, u64 seed, u64 period_ns, u64 gap_ns)
{
	*comb = (struct comb){ .nr_teeth = 1, .low = 0.875, .width = 0.25, .gap_ns = gap_ns };
	init_teeth(comb, seed, period_ns);
}

void comb_init_events(struct comb *comb, u64 seed, u64 period, unsigned int nr_teeth)
{
	const bool is_alone = nr_teeth == 1;

	*comb = (struct comb){
		.random = seed, .nr_teeth = nr_teeth, .low = is_alone ? 0.875 : 0.5, .width = is_alone ? 0.25 : 1,
	};
	/* A draw cuts half a period off, one in COMB_STAY_PERIODS. */
	comb->tooth_ns = nr_teeth * period * log1p(comb->width / comb->low) / comb->width *
		(1 - 0.5 / COMB_STAY_PERIODS);
}

u64 comb_draw_count(struct comb *comb, unsigned int tooth)
{
	const double period = draw_length(comb, tooth);
	/* The mean of the rates is to stay, so 1/period is what is rounded at random. */
	const double low = floor(period) < 1 ? 1 : floor(period), high = low + 1;
	const double share = (1 / period - 1 / high) / (1 / low - 1 / high);

	return period <= 1 ? 1 : draw_fraction(comb) < share ? low : high;
}

u64 comb_draw_stay(struct comb *comb)
{
	return 1 + comb->tooth_ns * COMB_STAY_PERIODS * (0.5 + draw_fraction(comb));
}

u64 comb_single_gap(u64 period_ns)
{
	const u64 gap_ns = period_ns * COMB_SINGLE_GAP_PERIODS;

	return gap_ns < COMB_SINGLE_GAP_NS ? COMB_SINGLE_GAP_NS : gap_ns;
}

u64 comb_draw_period(struct comb *comb, unsigned int tooth)
{
	return draw_length(comb, tooth);
}

u64 comb_draw_gap(struct comb *comb)
{
	return comb->gap_ns * draw_fraction(comb);
}

u64 comb_draw_wait(struct comb *comb, u64 most_ns)
{
	return 1 + (most_ns - 1) * draw_fraction(comb);
}

u64 comb_whole(const struct comb_stretch *stretch, u64 now_ns)
{
	return now_ns > stretch->began_ns ?
		(now_ns - stretch->began_ns) / stretch->period_ns : 0;
}
