// SPDX-License-Identifier: GPL-2.0-only
/* The sampling instants of one CPU: see grid.h. */
#include "grid.h"

/* SplitMix64's finalizer (Steele, Lea, Flood, OOPSLA 2014): similar seeds give unrelated states. */
static u64 mix_seed(u64 x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

u64 grid_seed(u64 seed, u32 stream)
{
	return mix_seed(mix_seed(seed) + stream);
}

/*
 * -ln(u) for u uniform in (0, 1], in units of 2^-16. Computes log2 of the 32-bit
 * draw bit by bit: squaring the mantissa doubles its logarithm, and the integer
 * part of the logarithm is the next bit.
 */
static u64 random_exponential(struct grid *grid)
{
	u64 draw = (u64)grid_random(grid) + 1;
	int exponent = fls64(draw) - 1;
	u64 mantissa = draw << (32 - exponent);	/* 1.0 = 2^32 <= mantissa < 2^33 */
	u64 log2 = (u64)exponent << 16;
	int bit;

	for (bit = 15; bit >= 0; bit--) {
		mantissa >>= 1;			/* 31 fraction bits, so that the square fits */
		mantissa = (mantissa * mantissa) >> 30;
		if (mantissa >> 33) {
			mantissa >>= 1;
			log2 |= 1ULL << bit;
		}
	}
	return (((32ULL << 16) - log2) * 45426) >> 16;	/* x ln 2 */
}

/* A floor plus an exponential rest: the mean is the period, and no gap is below the floor. */
static u64 random_gap(struct grid *grid)
{
	u64 rest = (random_exponential(grid) * (grid->period_ns - GRID_FLOOR_NS)) >> 16;
	u64 cap = GRID_GAP_CAP * grid->period_ns;

	return GRID_FLOOR_NS + (rest < cap ? rest : cap);
}

void grid_init(struct grid *grid, u64 period_ns, u32 jitter, u64 seed, u32 stream)
{
	memset(grid, 0, sizeof(*grid));
	grid->period_ns = period_ns;
	grid->spread_ns = jitter == CPUPROBE_JITTER_NONE ? 0 : period_ns;
	grid->jitter = jitter;
	grid->random = grid_seed(seed, stream);
}

void grid_begin(struct grid *grid, u64 now_ns)
{
	grid->index = 0;
	if (grid->jitter == CPUPROBE_JITTER_POISSON) {
		grid->expiry_ns = now_ns + random_gap(grid);
		return;
	}
	grid->origin_ns = now_ns + GRID_FLOOR_NS + grid_random_below(grid, grid->period_ns);
	grid->end_ns = grid->origin_ns + grid->period_ns;
	grid->expiry_ns = grid->origin_ns + grid_random_below(grid, grid->spread_ns);
}

static u64 advance_poisson(struct grid *grid, u64 now_ns)
{
	u64 late_ns = now_ns > grid->expiry_ns ? now_ns - grid->expiry_ns : 0;
	u64 missed = 0;

	/* Count the mean number of arrivals in the wait. The process is memoryless: start anew. */
	if (unlikely(late_ns >= grid->period_ns)) {
		missed = div64_u64(late_ns, grid->period_ns);
		grid->expiry_ns = now_ns;
	}
	grid->index += missed + 1;
	grid->expiry_ns += random_gap(grid);
	if (grid->expiry_ns < now_ns + GRID_FLOOR_NS)
		grid->expiry_ns = now_ns + GRID_FLOOR_NS;
	return missed;
}

u64 grid_advance_late(struct grid *grid, u64 now_ns)
{
	u64 current_index, missed;

	if (grid->jitter == CPUPROBE_JITTER_POISSON)
		return advance_poisson(grid, now_ns);
	current_index = div64_u64(now_ns - grid->origin_ns, grid->period_ns);
	missed = current_index - grid->index;
	grid->index = current_index;
	grid->end_ns = grid->origin_ns + (current_index + 1) * grid->period_ns;
	grid_advance_in_time(grid, now_ns);
	return missed;
}

u64 grid_skip(struct grid *grid, u64 now_ns)
{
	u64 current_index, skipped;

	if (now_ns < grid->expiry_ns)
		return 0;
	current_index = div64_u64(now_ns - grid->origin_ns, grid->period_ns);
	skipped = current_index - grid->index;
	grid->index = current_index;
	grid->end_ns = grid->origin_ns + (current_index + 1) * grid->period_ns;
	/*
	 * The pending instant has passed. If it belonged to an earlier period, the instant of the
	 * current period may still be ahead.
	 */
	if (skipped) {
		grid->expiry_ns = grid->end_ns - grid->period_ns +
			grid_random_below(grid, grid->spread_ns);
		if (now_ns < grid->expiry_ns)
			return skipped;
	}
	grid->expiry_ns = grid->end_ns + grid_random_below(grid, grid->spread_ns);
	grid->end_ns += grid->period_ns;
	grid->index++;
	return skipped + 1;
}

u64 grid_expected(const struct grid *grid, u64 now_ns)
{
	u64 current_index;

	if (!grid->expiry_ns)
		return grid->past;
	if (grid->jitter == CPUPROBE_JITTER_POISSON)
		return grid->past + grid->index + (now_ns >= grid->expiry_ns);
	if (now_ns < grid->origin_ns)
		return grid->past + grid->index;
	current_index = div64_u64(now_ns - grid->origin_ns, grid->period_ns);
	/* The current period counts once its own instant has passed or has been taken early. */
	if (grid->index >= current_index && now_ns < grid->expiry_ns)
		return grid->past + grid->index;
	return grid->past + current_index + 1;
}

u64 grid_pending(const struct grid *grid, u64 now_ns)
{
	if (!grid->expiry_ns || now_ns < grid->expiry_ns)
		return 0;
	if (grid->jitter == CPUPROBE_JITTER_POISSON)
		return 1;
	return div64_u64(now_ns - grid->origin_ns, grid->period_ns) + 1 - grid->index;
}

u64 grid_end(struct grid *grid, u64 now_ns)
{
	u64 pending = grid_pending(grid, now_ns);

	grid->past = grid_expected(grid, now_ns);
	grid->expiry_ns = 0;
	return pending;
}

bool grid_slow(struct grid *grid, u64 now_ns)
{
	u64 period_ns = grid->period_ns * 2;

	if (period_ns > CPUPROBE_PERIOD_MAX_NS || grid_pending(grid, now_ns) > 1)
		return false;
	if (grid->jitter != CPUPROBE_JITTER_POISSON && grid->expiry_ns) {
		grid->past += grid->index;
		grid->index = 0;
		grid->origin_ns = grid->end_ns - grid->period_ns;
		grid->end_ns = grid->origin_ns + period_ns;
	}
	grid->period_ns = period_ns;
	grid->spread_ns *= 2;
	return true;
}
