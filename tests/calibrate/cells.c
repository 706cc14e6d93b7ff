// SPDX-License-Identifier: GPL-2.0-only
/* Many runs of many simulations: see cells.h. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "cells.h"
#include "base/stat.h"

/* Runs that one thread takes at a time: at most a second of work. */
#define CHUNK_RUNS	100
#define NR_CHUNKS	(CELL_RUNS / CHUNK_RUNS)

/* The yardstick for the tool's intervals does not use the tool's own constant. */
#define Z95		1.959963984540054

/* Any number will do; a second one shows how far the figures vary by chance. */
#define MASTER_SEED	1

struct chunk {
	uint64_t nr_covered;
	uint64_t nr_samples;
	double width;
};

/** State shared by the threads. */
struct work {
	const struct cell *cells;
	struct chunk *chunks;	/* NR_CHUNKS for each cell; only one thread writes each chunk */
	size_t nr_chunks;
	atomic_size_t next;
};

static void run_chunk(const struct cell *cell, uint64_t first, struct chunk *chunk)
{
	uint64_t seed = ((uint64_t)MASTER_SEED << 56) + ((uint64_t)cell->number << 32) + first;

	for (int i = 0; i < CHUNK_RUNS; i++) {
		struct sim_result run = sim_run(&cell->sim, seed + i);
		struct stat_interval interval = stat_wilson(run.hits, run.nr_samples, cell->sim.excess);

		chunk->nr_covered += interval.lo <= run.busy_frac && run.busy_frac <= interval.hi;
		chunk->nr_samples += run.nr_samples;
		chunk->width += interval.hi - interval.lo;
	}
}

static void *run_chunks(void *arg)
{
	struct work *work = arg;
	size_t i;

	while ((i = atomic_fetch_add(&work->next, 1)) < work->nr_chunks)
		run_chunk(&work->cells[i / NR_CHUNKS], i % NR_CHUNKS * CHUNK_RUNS,
			  &work->chunks[i]);
	return NULL;
}

static void sum_chunks(struct cell *cell, const struct chunk *chunks)
{
	uint64_t nr_covered = 0, nr_samples = 0;
	double width = 0;

	for (int i = 0; i < NR_CHUNKS; i++) {
		nr_covered += chunks[i].nr_covered;
		nr_samples += chunks[i].nr_samples;
		width += chunks[i].width;
	}
	cell->covered_frac = (double)nr_covered / CELL_RUNS;
	cell->nr_samples = (double)nr_samples / CELL_RUNS;
	cell->width_frac = width / CELL_RUNS;
}

int cells_run(struct cell *cells, size_t nr)
{
	struct work work = { .cells = cells, .nr_chunks = nr * NR_CHUNKS };
	long nr_threads = sysconf(_SC_NPROCESSORS_ONLN), started = 0;
	pthread_t *threads = calloc(nr_threads, sizeof(*threads));

	work.chunks = calloc(work.nr_chunks, sizeof(*work.chunks));
	if (!threads || !work.chunks) {
		free(threads);
		free(work.chunks);
		return -ENOMEM;
	}
	/* This thread works too; if no other can be started, this thread does everything. */
	while (started < nr_threads - 1 &&
	       !pthread_create(&threads[started], NULL, run_chunks, &work))
		started++;
	run_chunks(&work);
	while (started)
		pthread_join(threads[--started], NULL);
	for (size_t i = 0; i < nr; i++)
		sum_chunks(&cells[i], &work.chunks[i * NR_CHUNKS]);
	free(threads);
	free(work.chunks);
	return 0;
}

void cell_binomial(double share, uint64_t n, double *covered_ret, double *width_ret)
{
	/* The terms outside sum to less than 1e-15. */
	double error = sqrt(share * (1 - share) / n), reach = 12 * n * error + 30;
	double covered = 0, width = 0;
	uint64_t first = fmax(n * share - reach, 0), last = fmin(n * share + reach, n);

	for (uint64_t hits = first; hits <= last; hits++) {
		double seen = (double)hits / n, z2n = Z95 * Z95 / n;
		double probability = exp(lgamma(n + 1.0) - lgamma(hits + 1.0) -
					 lgamma(n - hits + 1.0) + hits * log(share) +
					 (n - hits) * log1p(-share));

		covered += fabs(seen - share) <= Z95 * error ? probability : 0;
		width += probability * 2 * Z95 / (1 + z2n) *
			 sqrt(seen * (1 - seen) / n + z2n / 4 / n);
	}
	*covered_ret = covered;
	*width_ret = width;
}
