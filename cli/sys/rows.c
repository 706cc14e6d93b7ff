// SPDX-License-Identifier: GPL-2.0-only
/* Rows of the system table: see rows.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sys/rows_parts.h"

/** Factors that convert nanoseconds of one CPU's samples into shares. */
struct cpu_weight {
	double share;		/* to a share of the machine */
	double charged;		/* to a share of the machine, with missed periods charged */
	double own;		/* to a share of the CPU itself */
	double excess;		/* of its samples */
};

static u64 sum_hits(const struct fold_cell *cell, u64 *time_ns_ret)
{
	u64 hits = 0;
	int mode;

	for (mode = *time_ns_ret = 0; mode < CPUPROBE_MODES; mode++) {
		hits += cell->hits[mode];
		*time_ns_ret += cell->time_ns[mode];
	}
	return hits;
}

/* Time of a cell's missed periods, with the mean length of its samples' periods. */
static double get_missed_ns(const struct fold_cell *cell)
{
	u64 time_ns, hits = sum_hits(cell, &time_ns);

	return hits ? (double)cell->missed * time_ns / hits : 0;
}

static void find_weights(const struct fold *fold, struct cpu_weight *weights)
{
	size_t i, nr_cpus, nr_cells;
	const struct fold_cpu *cpus = fold_cpus(fold, &nr_cpus);
	const struct fold_cell *cells = fold_cells(fold, &nr_cells);
	double sampled_ns = 0;

	for (i = 0; i < nr_cells; i++)
		weights[cells[i].cpu].charged += get_missed_ns(&cells[i]);
	for (i = 0; i < nr_cpus; i++)
		if (cpus[i].taken_ns)
			sampled_ns += cpus[i].sampled_ns;
	for (i = 0; i < nr_cpus; i++) {
		if (!cpus[i].taken_ns || !(sampled_ns > 0)) {
			weights[i] = (struct cpu_weight){ 0, 0, 0, 0 };
			continue;
		}
		weights[i].share = cpus[i].sampled_ns / sampled_ns / cpus[i].taken_ns;
		weights[i].charged = cpus[i].sampled_ns / sampled_ns /
			(cpus[i].taken_ns + weights[i].charged);
		weights[i].own = 1.0 / cpus[i].taken_ns;
	}
}

/* The samples of a cell as those of a clock. Without hits: no samples. */
static struct stat_clock get_clock(const struct fold_cell *cell, const struct cpu_weight *weight)
{
	u64 time_ns, hits = sum_hits(cell, &time_ns);

	return (struct stat_clock){
		.nr = hits, .excess = weight->excess,
		.weight = hits ? time_ns * weight->share / hits : 0,
	};
}

/* Adds up the weights of the samples of a merged run. */
static void add_weights(struct rows *rows, const struct fold *fold, struct cpu_weight *weights)
{
	const double *excess = fold_excess(fold);
	size_t i, nr;
	const struct fold_cell *cells = fold_cells(fold, &nr);
	struct stat_clock clock;

	for (i = 0; excess && i < rows->nr_cpus; i++)
		weights[i].excess = excess[i];
	for (i = 0; excess && i < nr; i++) {
		clock = get_clock(&cells[i], &weights[cells[i].cpu]);
		if (clock.weight > 0)
			stat_weights_add(&rows->weights, &clock);
	}
}

static void init_row(struct row *row, const struct fold_process *process)
{
	bool has_pid = process->kind == CPUPROBE_KIND_PROCESS ||
		process->kind == CPUPROBE_KIND_THREAD;
	const char *name = process->long_name ? process->long_name : process->name;

	row->id[0] = process->id[0];
	row->id[1] = process->id[1];
	row->kind = process->kind;
	row->pid = has_pid ? process->id[0] >> 32 : 0;
	row->first_part = row->last_part = ROW_NO_PART;
	row->block_sum = process->sum;
	row->block_sum2 = process->sum2;
	snprintf(row->name, sizeof(row->name), "%s", name[0] ? name : "(no name)");
	text_clean(row->name);
	row->plain_len = strlen(row->name);
}

static void add_cell(struct rows *rows, struct row *row, size_t nr, const struct fold_cell *cell,
		     const struct cpu_weight *weight)
{
	const struct stat_clock clock = get_clock(cell, weight);
	struct row_part *part = &rows->part[nr];
	int mode;

	*part = (struct row_part){ .cpu = cell->cpu, .next = ROW_NO_PART };

	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		row->hits[mode] += cell->hits[mode];
		row->share[mode] += cell->time_ns[mode] * weight->share;
		row->total += cell->time_ns[mode] * weight->share;
		row->charged += cell->time_ns[mode] * weight->charged;
		part->share += cell->time_ns[mode] * weight->own;
	}
	row_append_parts(rows, row, nr, nr);
	row->charged += get_missed_ns(cell) * weight->charged;
	row->squares += stat_square(&clock) * clock.nr;
	row->missed += cell->missed;
	row->deferred += cell->deferred;
}

static bool has_samples(const struct row *row)
{
	int i;

	for (i = 0; i < ROWS_OTHERS; i++)
		if (row->other[i].hits)
			return true;
	return row_hits(row) > 0;
}

/* Drop rows without samples, such as dying processes merged into others. */
static void drop_empty(struct rows *rows)
{
	size_t i, nr = 0;

	for (i = 0; i < rows->nr; i++)
		if (has_samples(&rows->row[i]))
			rows->row[nr++] = rows->row[i];
	rows->nr = nr;
}

/* Adds the samples of another event to the rows of its processes. -ENOMEM. */
static int add_other(struct rows *rows, const struct fold *fold, const struct fold *from, size_t other)
{
	struct cpu_weight *weights = calloc(fold_nr_cpus(from) + 1, sizeof(*weights));
	size_t i, nr, nr_processes, at;
	const struct fold_cell *cells = fold_cells(from, &nr);
	const struct fold_process *processes = fold_processes(from, &nr_processes);

	if (!weights)
		return -ENOMEM;
	find_weights(from, weights);
	for (i = 0; i < nr; i++) {
		u64 time_ns, hits = sum_hits(&cells[i], &time_ns);

		at = fold_find(fold, &processes[fold_process_of(from, i)]);
		if (at == FOLD_NONE)
			continue;
		rows->row[at].other[other].hits += hits;
		rows->row[at].other[other].share += time_ns * weights[cells[i].cpu].share;
	}
	free(weights);
	return 0;
}

int rows_init(struct rows *rows, const struct fold *fold, double excess)
{
	return rows_init_beside(rows, fold, excess, NULL, 0);
}

int rows_init_beside(struct rows *rows, const struct fold *fold, double excess,
		     const struct fold *const *others, size_t nr_others)
{
	size_t i, nr_cells, nr_cpus = fold_nr_cpus(fold);
	const struct fold_cell *cells = fold_cells(fold, &nr_cells);
	const struct fold_process *processes = fold_processes(fold, &rows->nr);
	struct cpu_weight *weights = calloc(nr_cpus + 1, sizeof(*weights));

	rows->nr_cpus = nr_cpus;
	rows->taken = fold_taken(fold);
	rows->excess = excess;
	rows->weights = (struct stat_weights){ 0 };
	rows->nr_blocks = fold_nr_blocks(fold);
	rows->row = calloc(rows->nr + 1, sizeof(*rows->row));
	rows->part = calloc(nr_cells + 1, sizeof(*rows->part));
	if (!weights || !rows->row || !rows->part)
		goto no_memory;
	find_weights(fold, weights);
	add_weights(rows, fold, weights);
	for (i = 0; i < rows->nr; i++)
		init_row(&rows->row[i], &processes[i]);
	for (i = 0; i < nr_cells; i++)
		add_cell(rows, &rows->row[fold_process_of(fold, i)], i, &cells[i],
			 &weights[cells[i].cpu]);
	for (i = 0; i < nr_others; i++)
		if (add_other(rows, fold, others[i], i))
			goto no_memory;
	if (rows_merge_ended(rows))
		goto no_memory;
	for (i = 0; i < rows->nr; i++)
		rows->row[i].interval = row_interval(rows, &rows->row[i]);
	if (rows_name(rows, fold))
		goto no_memory;
	free(weights);
	drop_empty(rows);
	return 0;

no_memory:
	free(weights);
	rows_deinit(rows);
	return -ENOMEM;
}

void rows_deinit(struct rows *rows)
{
	free(rows->row);
	free(rows->part);
	rows->row = NULL;
	rows->part = NULL;
	rows->nr = 0;
}
