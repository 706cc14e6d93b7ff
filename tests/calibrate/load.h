/* SPDX-License-Identifier: GPL-2.0-only */
/* The workload of a simulated CPU: when it is busy, and exactly for how long. */
#ifndef LOAD_H
#define LOAD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim.h"

/** The workload: when the CPU is busy. Queries must come in ascending order of time. */
struct load {
	bool is_random;
	/*
	 * Fixed cycles. Time is counted in cycles, as a fixed-point number with 64 fractional bits:
	 * the 64-bit product keeps just the fraction, the position inside a cycle, without a
	 * division.
	 */
	uint64_t cycles_per_ns;
	uint64_t phase;		/* at time 0 */
	uint64_t busy;		/* length of the busy part, which begins each cycle */
	/* Random busy and idle times. */
	uint64_t random;	/* state of the generator */
	double mean_ns[2];	/* mean idle time, mean busy time */
	bool is_busy;		/* between since_ns and until_ns */
	uint64_t since_ns;
	uint64_t until_ns;
	uint64_t busy_ns;	/* total before since_ns */
};

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) differs from the generator of the grid. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* Uniform in (0, 1). */
static inline double random_frac(uint64_t *state)
{
	return ((random_next(state) >> 12) + 0.5) / (1ULL << 52);
}

static inline uint64_t random_time(struct load *load)
{
	return llround(-log(random_frac(&load->random)) * load->mean_ns[load->is_busy]);
}

static inline void load_init(struct load *load, const struct sim *sim, uint64_t now_ns, uint64_t seed)
{
	double cycle_ns = sim->cycle_periods * sim->period_ns;

	*load = (struct load){ .is_random = sim->is_random, .random = seed };
	if (!sim->is_random) {
		load->cycles_per_ns = llround(0x1p64 / cycle_ns);
		load->phase = random_next(&load->random);
		load->busy = sim->busy_frac * 0x1p64;
		return;
	}
	load->mean_ns[0] = (1 - sim->busy_frac) * cycle_ns;
	load->mean_ns[1] = sim->busy_frac * cycle_ns;
	/* Exponential times have no memory: the rest of the first is like a new one. */
	load->is_busy = random_frac(&load->random) < sim->busy_frac;
	load->since_ns = now_ns;
	load->until_ns = now_ns + random_time(load);
}

/* Draw random times up to the one that contains @now_ns. */
static inline void load_follow(struct load *load, uint64_t now_ns)
{
	while (load->until_ns <= now_ns) {
		load->busy_ns += load->is_busy ? load->until_ns - load->since_ns : 0;
		load->is_busy = !load->is_busy;
		load->since_ns = load->until_ns;
		load->until_ns += random_time(load);
	}
}

static inline bool load_is_busy(struct load *load, uint64_t now_ns)
{
	if (!load->is_random)
		return load->phase + now_ns * load->cycles_per_ns < load->busy;
	load_follow(load, now_ns);
	return load->is_busy;
}

/* The exact share of busy time from @begin_ns, where random times begin, to @end_ns. */
static inline double load_busy_frac(struct load *load, uint64_t begin_ns, uint64_t end_ns)
{
	unsigned __int128 begin, end, busy;
	uint64_t busy_ns;

	if (load->is_random) {
		load_follow(load, end_ns);
		busy_ns = load->busy_ns + (load->is_busy ? end_ns - load->since_ns : 0);
		return (double)busy_ns / (end_ns - begin_ns);
	}
	/* Whole cycles, plus the busy part of the last one, minus that before the first. */
	begin = load->phase + begin_ns * load->cycles_per_ns;
	end = begin + (unsigned __int128)(end_ns - begin_ns) * load->cycles_per_ns;
	busy = (end >> 64) * load->busy;
	busy += (uint64_t)end < load->busy ? (uint64_t)end : load->busy;
	busy -= (uint64_t)begin < load->busy ? (uint64_t)begin : load->busy;
	return (double)busy / (double)(end - begin);
}

#endif
