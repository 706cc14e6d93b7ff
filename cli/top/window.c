// SPDX-License-Identifier: GPL-2.0-only
/* Counts over time: see window.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proc/target_counts.h"
#include "top/window.h"

/* False: out of memory for another fold; the bucket is unchanged. */
static bool empty_bucket(const struct window *window, struct bucket *bucket)
{
	struct fold *fold = window->create ? window->create() : NULL;

	if (window->create && !fold)
		return false;
	fold_destroy(bucket->fold);
	memset(bucket, 0, sizeof(*bucket));
	bucket->fold = fold;
	return true;
}

int window_init(struct window *window, struct fold *(*create)(void), double seconds)
{
	size_t i;

	memset(window, 0, sizeof(*window));
	window->create = create;
	window->seconds = seconds;
	if (!empty_bucket(window, &window->all))
		return -ENOMEM;
	for (i = 0; i <= WINDOW_PARTS; i++)
		if (!empty_bucket(window, &window->part[i]))
			return -ENOMEM;
	return 0;
}

void window_deinit(struct window *window)
{
	size_t i;

	fold_destroy(window->all.fold);
	fold_destroy(window->sum.fold);
	for (i = 0; i <= WINDOW_PARTS; i++)
		fold_destroy(window->part[i].fold);
	memset(window, 0, sizeof(*window));
}

void window_set(struct window *window, double seconds)
{
	size_t i;

	window->seconds = seconds;
	window->at = 0;
	for (i = 0; i <= WINDOW_PARTS; i++)
		empty_bucket(window, &window->part[i]);
}

void window_clear(struct window *window)
{
	empty_bucket(window, &window->all);
	window_set(window, window->seconds);
}

static void add_to_bucket(struct bucket *bucket, u32 cpu, const struct cpuprobe_account *account,
			  const void *entries)
{
	struct tally *tally = &bucket->tally;
	const struct target_counts counts = {
		tally->objects, tally->slots, &tally->elsewhere, &tally->missed,
	};

	if (bucket->fold)
		fold_add(bucket->fold, cpu, account, entries);
	else
		target_counts_add(&counts, account, entries);
}

void window_add(struct window *window, u32 cpu, const struct cpuprobe_account *account,
		const void *entries)
{
	add_to_bucket(&window->all, cpu, account, entries);
	if (window->seconds > 0)
		add_to_bucket(&window->part[window->at], cpu, account, entries);
}

static void add_run_account(struct bucket *bucket, const struct run_account *account,
			    double seconds)
{
	bucket->account.taken += account->taken;
	bucket->account.missed += account->missed;
	bucket->account.expected += account->expected;
	bucket->account.lost += account->lost;
	bucket->account.deferred += account->deferred;
	bucket->account.excluded += account->excluded;
	/* One view has one engine. */
	bucket->account.excess = account->excess;
	bucket->seconds += seconds;
}

void window_end(struct window *window, const struct run_account *account, double seconds)
{
	struct bucket *part = &window->part[window->at];

	add_run_account(&window->all, account, seconds);
	if (!(window->seconds > 0))
		return;
	add_run_account(part, account, seconds);
	if (part->seconds < window->seconds / WINDOW_PARTS)
		return;
	window->at = (window->at + 1) % (WINDOW_PARTS + 1);
	empty_bucket(window, &window->part[window->at]);
}

static void add_tally(struct tally *to, const struct tally *from)
{
	size_t i;

	for (i = 0; i < CPUPROBE_OBJECTS; i++)
		to->objects[i] += from->objects[i];
	for (i = 0; i < CPUPROBE_SLOTS; i++)
		to->slots[i] += from->slots[i];
	to->elsewhere.outside += from->elsewhere.outside;
	to->elsewhere.other_mode += from->elsewhere.other_mode;
	to->elsewhere.other_exe += from->elsewhere.other_exe;
	to->elsewhere.other_task += from->elsewhere.other_task;
	to->missed += from->missed;
}

/* Concatenates the cells of all parts; the fold adds up the cells of a process on a CPU. */
static struct fold *join_folds(const struct window *window)
{
	size_t nr_cells = 0, nr_cpus = 0, nr, i, k, used = 0;
	struct fold_cell *cells;
	struct fold_cpu *cpus;
	struct fold *fold = NULL;
	u64 taken = 0;

	for (i = 0; i <= WINDOW_PARTS; i++) {
		fold_cells(window->part[i].fold, &nr);
		nr_cells += nr;
		nr = fold_nr_cpus(window->part[i].fold);
		nr_cpus = nr > nr_cpus ? nr : nr_cpus;
		taken += fold_taken(window->part[i].fold);
	}
	cells = calloc(nr_cells + 1, sizeof(*cells));
	cpus = calloc(nr_cpus + 1, sizeof(*cpus));
	for (i = 0; cells && cpus && i <= WINDOW_PARTS; i++) {
		const struct fold_cell *from = fold_cells(window->part[i].fold, &nr);
		const struct fold_cpu *cpu;

		if (nr)
			memcpy(cells + used, from, nr * sizeof(*cells));
		used += nr;
		cpu = fold_cpus(window->part[i].fold, &nr);
		for (k = 0; k < nr; k++) {
			cpus[k].taken_ns += cpu[k].taken_ns;
			cpus[k].sampled_ns += cpu[k].sampled_ns;
		}
	}
	if (cells && cpus)
		fold = fold_create_kept(cells, used, cpus, nr_cpus, taken);
	free(cells);
	free(cpus);
	return fold;
}

static void join_names(const struct window *window, struct fold *fold)
{
	size_t nr, i, k;

	for (i = 0; i <= WINDOW_PARTS; i++) {
		const struct fold_process *process = fold_processes(window->part[i].fold, &nr);

		for (k = 0; k < nr; k++)
			if (process[k].long_name)
				fold_keep_process(fold, process[k].id, process[k].kind, 0, 0,
						  process[k].long_name);
	}
}

const struct bucket *window_sum(struct window *window)
{
	struct bucket *sum = &window->sum;
	struct fold *fold = NULL;
	size_t i;

	if (!(window->seconds > 0))
		return &window->all;
	if (window->create) {
		fold = join_folds(window);
		if (!fold)
			return sum->fold ? sum : &window->all;
		join_names(window, fold);
	}
	fold_destroy(sum->fold);
	memset(sum, 0, sizeof(*sum));
	sum->fold = fold;
	for (i = 0; i <= WINDOW_PARTS; i++) {
		add_run_account(sum, &window->part[i].account, window->part[i].seconds);
		add_tally(&sum->tally, &window->part[i].tally);
	}
	return sum;
}

u64 tally_hits(const struct tally *tally)
{
	u64 hits = 0;
	size_t i;

	for (i = 0; i < CPUPROBE_OBJECTS; i++)
		hits += tally->objects[i];
	return hits;
}
