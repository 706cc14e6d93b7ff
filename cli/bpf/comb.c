// SPDX-License-Identifier: GPL-2.0-only
/* The arithmetic of the comb: see comb.h. */
#include "bpf/comb.h"

#define LN_3	1.0986122886681098

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

void comb_init(struct comb *comb, u64 seed, u64 period_ns)
{
	comb->random = seed;
	comb->gap_ns = period_ns * COMB_GAP_PERIODS;
	if (comb->gap_ns < COMB_GAP_NS)
		comb->gap_ns = COMB_GAP_NS;
	comb->tooth_ns = COMB_TEETH * LN_3 /
		(1.0 / period_ns + (double)COMB_TEETH / comb->gap_ns);
}

u64 comb_draw_period(struct comb *comb, unsigned int tooth)
{
	return comb->tooth_ns * (0.5 + (tooth + draw_fraction(comb)) / COMB_TEETH);
}

u64 comb_draw_gap(struct comb *comb)
{
	return comb->gap_ns * draw_fraction(comb);
}

u64 comb_draw_first(struct comb *comb, u64 period_ns)
{
	return 1 + (period_ns - 1) * draw_fraction(comb);
}

u64 comb_whole(const struct comb_stretch *stretch, u64 now_ns)
{
	return now_ns > stretch->began_ns ?
		(now_ns - stretch->began_ns) / stretch->period_ns : 0;
}
