// SPDX-License-Identifier: GPL-2.0-only
/* Folding records into rows: see fold.h. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "text.h"

struct fold {
	struct fold_cell *cells;	/* open hash table; a free cell has kind CPUPROBE_KIND_FREE */
	size_t nr_cells;
	size_t nr_buckets;	/* power of two, at least twice nr_cells */
	struct fold_cpu *cpus;
	size_t nr_cpus;		/* highest CPU seen plus one */
	uint64_t taken;
	struct fold_row *rows;
	double *cpu_totals;	/* of all rows */
};

struct fold *fold_create(void)
{
	return calloc(1, sizeof(struct fold));
}

void fold_destroy(struct fold *fold)
{
	if (!fold)
		return;
	free(fold->cells);
	free(fold->cpus);
	free(fold->rows);
	free(fold->cpu_totals);
	free(fold);
}

static size_t hash(const __u64 id[2], uint32_t kind, uint32_t cpu)
{
	uint64_t x = (id[0] ^ id[1] * 0x9e3779b97f4a7c15ULL) + kind + ((uint64_t)cpu << 32);

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	return x ^ (x >> 31);
}

/* The cell of this key, or the free one where it belongs. */
static struct fold_cell *probe_cell(struct fold_cell *cells, size_t nr_buckets, const __u64 id[2],
			       uint32_t kind, uint32_t cpu)
{
	size_t i = hash(id, kind, cpu) & (nr_buckets - 1);

	while (cells[i].kind != CPUPROBE_KIND_FREE &&
	       !(cells[i].id[0] == id[0] && cells[i].id[1] == id[1] && cells[i].kind == kind &&
		 cells[i].cpu == cpu))
		i = (i + 1) & (nr_buckets - 1);
	return &cells[i];
}

static bool grow_cells(struct fold *fold)
{
	size_t i, nr_buckets = fold->nr_buckets ? fold->nr_buckets * 2 : 256;
	struct fold_cell *cells = calloc(nr_buckets, sizeof(*cells));

	if (!cells)
		return false;
	for (i = 0; i < fold->nr_buckets; i++) {
		const struct fold_cell *cell = &fold->cells[i];

		if (cell->kind != CPUPROBE_KIND_FREE)
			*probe_cell(cells, nr_buckets, cell->id, cell->kind, cell->cpu) = *cell;
	}
	free(fold->cells);
	fold->cells = cells;
	fold->nr_buckets = nr_buckets;
	return true;
}

static struct fold_cell *get_cell(struct fold *fold, const __u64 id[2], uint32_t kind, uint32_t cpu,
			     const char *name)
{
	struct fold_cell *cell;

	if (fold->nr_cells * 2 >= fold->nr_buckets && !grow_cells(fold))
		return NULL;
	cell = probe_cell(fold->cells, fold->nr_buckets, id, kind, cpu);
	if (cell->kind == CPUPROBE_KIND_FREE) {
		cell->id[0] = id[0];
		cell->id[1] = id[1];
		cell->kind = kind;
		cell->cpu = cpu;
		snprintf(cell->name, sizeof(cell->name), "%.*s", CPUPROBE_NAME_LEN - 1, name);
		fold->nr_cells++;
	}
	return cell;
}

static void add_hits(struct fold_cell *cell, const __u64 hits[CPUPROBE_MODES], uint64_t period_ns)
{
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		cell->hits[mode] += hits[mode];
		cell->time_ns[mode] += hits[mode] * period_ns;
	}
}

static void add_lost(struct fold *fold, uint32_t cpu, const __u64 hits[CPUPROBE_MODES],
		     uint64_t period_ns)
{
	static const __u64 no_id[2];
	struct fold_cell *cell = get_cell(fold, no_id, FOLD_KIND_LOST, cpu, "(lost)");

	if (cell)
		add_hits(cell, hits, period_ns);
}

static bool add_time(struct fold *fold, uint32_t cpu, const struct cpuprobe_account *account)
{
	if (cpu >= fold->nr_cpus) {
		struct fold_cpu *cpus = realloc(fold->cpus, (cpu + 1) * sizeof(*cpus));

		if (!cpus)
			return false;
		memset(&cpus[fold->nr_cpus], 0, (cpu + 1 - fold->nr_cpus) * sizeof(*cpus));
		fold->cpus = cpus;
		fold->nr_cpus = cpu + 1;
	}
	fold->cpus[cpu].taken_ns += account->taken * account->period_ns;
	fold->cpus[cpu].sampled_ns += account->expected * account->period_ns;
	return true;
}

void fold_add(void *context, uint32_t cpu, const struct cpuprobe_account *account,
	      const void *records)
{
	const struct cpuprobe_record *record = records;
	struct fold *fold = context;
	uint64_t nr_lost = 0;
	uint32_t i, mode;

	if (!add_time(fold, cpu, account))
		return;
	fold->taken += account->taken;
	for (i = 0; i < account->entries; i++, record++) {
		struct fold_cell *cell = get_cell(fold, record->id, record->kind, cpu, record->name);

		if (!cell) {
			add_lost(fold, cpu, record->hits, account->period_ns);
			continue;
		}
		add_hits(cell, record->hits, account->period_ns);
		cell->missed += record->missed;
		cell->deferred += record->deferred;
	}
	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		nr_lost += account->lost[mode];
	if (nr_lost)
		add_lost(fold, cpu, account->lost, account->period_ns);
}

uint64_t fold_taken(const struct fold *fold)
{
	return fold->taken;
}

size_t fold_nr_cpus(const struct fold *fold)
{
	return fold->nr_cpus;
}

bool fold_has_cpu(const struct fold *fold, uint32_t cpu)
{
	return cpu < fold->nr_cpus && fold->cpus[cpu].taken_ns > 0;
}

/* The part of the machine's sampled time that one nanosecond of samples on a CPU stands for. */
static double cpu_weight(const struct fold *fold, uint32_t cpu)
{
	double sampled_ns = 0;
	size_t i;

	for (i = 0; i < fold->nr_cpus; i++)
		if (fold->cpus[i].taken_ns)
			sampled_ns += fold->cpus[i].sampled_ns;
	if (!fold_has_cpu(fold, cpu) || !(sampled_ns > 0))
		return 0;
	return fold->cpus[cpu].sampled_ns / sampled_ns / fold->cpus[cpu].taken_ns;
}

static int compare_cells(const void *a, const void *b)
{
	const struct fold_cell *x = a, *y = b;
	int i;

	if (x->kind != y->kind)
		return (x->kind > y->kind) - (x->kind < y->kind);
	for (i = 0; i < 2; i++)
		if (x->id[i] != y->id[i])
			return (x->id[i] > y->id[i]) - (x->id[i] < y->id[i]);
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static bool is_same_process(const struct fold_cell *a, const struct fold_cell *b)
{
	return a->kind == b->kind && a->id[0] == b->id[0] && a->id[1] == b->id[1];
}

/* Sort the cells and leave the used ones at the front; the hash table is no more. */
static void pack_cells(struct fold *fold)
{
	size_t i, nr = 0;

	for (i = 0; i < fold->nr_buckets; i++)
		if (fold->cells[i].kind != CPUPROBE_KIND_FREE)
			fold->cells[nr++] = fold->cells[i];
	fold->nr_buckets = nr;
	if (nr)
		qsort(fold->cells, nr, sizeof(*fold->cells), compare_cells);
}

static void row_init(struct fold_row *row, const struct fold_cell *cell)
{
	memset(row, 0, sizeof(*row));
	row->id[0] = cell->id[0];
	row->id[1] = cell->id[1];
	row->kind = cell->kind;
	snprintf(row->name, sizeof(row->name), "%s", cell->name[0] ? cell->name : "(no name)");
	text_clean(row->name);
}

static void row_add(const struct fold *fold, struct fold_row *row, const struct fold_cell *cell)
{
	double weight = cpu_weight(fold, cell->cpu);
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		row->hits[mode] += cell->hits[mode];
		row->share[mode] += cell->time_ns[mode] * weight;
		row->total += cell->time_ns[mode] * weight;
		if (fold_has_cpu(fold, cell->cpu))
			row->cpu_total[cell->cpu] += (double)cell->time_ns[mode] /
				fold->cpus[cell->cpu].taken_ns;
	}
	row->missed += cell->missed;
	row->deferred += cell->deferred;
}

struct fold_row *fold_finish(struct fold *fold, size_t *nr_ret)
{
	struct fold_row *row = NULL;
	size_t i, nr = 0;

	pack_cells(fold);
	/* One more row than cells: fold_limit() may add "(N others)". */
	fold->rows = calloc(fold->nr_buckets + 1, sizeof(*fold->rows));
	fold->cpu_totals = calloc((fold->nr_buckets + 1) * (fold->nr_cpus + 1), sizeof(double));
	if (!fold->rows || !fold->cpu_totals)
		return NULL;
	for (i = 0; i < fold->nr_buckets; i++) {
		const struct fold_cell *cell = &fold->cells[i];

		if (!i || !is_same_process(cell, cell - 1)) {
			row = &fold->rows[nr++];
			row_init(row, cell);
			row->cpu_total = &fold->cpu_totals[nr * fold->nr_cpus];
		}
		row_add(fold, row, cell);
	}
	for (i = 0; i < nr; i++)
		fold->rows[i].interval = stat_wilson_share(fold->rows[i].total, fold->taken);
	*nr_ret = nr;
	return fold->rows;
}

static bool is_pseudo(const struct fold_row *row)
{
	return row->kind == CPUPROBE_KIND_SOFTIRQ || row->kind == CPUPROBE_KIND_EXITING ||
	       row->kind == FOLD_KIND_LOST || row->kind == FOLD_KIND_OTHERS;
}

/* "(N others)" first, "(lost)" last. */
static int pseudo_rank(const struct fold_row *row)
{
	return !is_pseudo(row) ? 0 : row->kind == FOLD_KIND_OTHERS ? 1 :
		row->kind == FOLD_KIND_LOST ? 4 : row->kind == CPUPROBE_KIND_SOFTIRQ ? 2 : 3;
}

static double sort_key(const struct fold_row *row, enum fold_sort sort)
{
	return sort == FOLD_SORT_USER ? row->share[CPUPROBE_MODE_USER] :
	       sort == FOLD_SORT_KERNEL ? row->share[CPUPROBE_MODE_KERNEL] : row->total;
}

static int compare_rows(const struct fold_row *a, const struct fold_row *b, enum fold_sort sort)
{
	int rank = pseudo_rank(a) - pseudo_rank(b);
	double x = sort_key(a, sort), y = sort_key(b, sort);

	if (rank)
		return rank;
	if (sort != FOLD_SORT_NAME && x != y)
		return (x < y) - (x > y);
	return strcmp(a->name, b->name) ?: memcmp(a->id, b->id, sizeof(a->id));
}

static int by_total(const void *a, const void *b)
{
	return compare_rows(a, b, FOLD_SORT_TOTAL);
}

static int by_name(const void *a, const void *b)
{
	return compare_rows(a, b, FOLD_SORT_NAME);
}

static int by_user(const void *a, const void *b)
{
	return compare_rows(a, b, FOLD_SORT_USER);
}

static int by_kernel(const void *a, const void *b)
{
	return compare_rows(a, b, FOLD_SORT_KERNEL);
}

/* Merge rows [from, to) into the first of them. */
static void fold_others(const struct fold *fold, struct fold_row *rows, size_t from, size_t to)
{
	struct fold_row others = { .kind = FOLD_KIND_OTHERS, .cpu_total = fold->cpu_totals };
	size_t i, cpu;
	int mode;

	/* cpu_totals begins with the place kept free for this row. */
	for (i = from; i < to; i++) {
		for (mode = 0; mode < CPUPROBE_MODES; mode++) {
			others.hits[mode] += rows[i].hits[mode];
			others.share[mode] += rows[i].share[mode];
		}
		others.total += rows[i].total;
		for (cpu = 0; cpu < fold->nr_cpus; cpu++)
			others.cpu_total[cpu] += rows[i].cpu_total[cpu];
		others.missed += rows[i].missed;
		others.deferred += rows[i].deferred;
	}
	others.interval = stat_wilson_share(others.total, fold->taken);
	snprintf(others.name, sizeof(others.name), "(%zu others)", to - from);
	rows[from] = others;
}

size_t fold_limit(const struct fold *fold, struct fold_row *rows, size_t nr, enum fold_sort sort,
		  size_t nr_keep)
{
	static int (*const compare[])(const void *, const void *) = {
		[FOLD_SORT_TOTAL] = by_total, [FOLD_SORT_NAME] = by_name,
		[FOLD_SORT_USER] = by_user, [FOLD_SORT_KERNEL] = by_kernel,
	};
	size_t nr_real = 0;

	if (!nr)
		return 0;
	qsort(rows, nr, sizeof(*rows), compare[sort == FOLD_SORT_NAME ? FOLD_SORT_TOTAL : sort]);
	while (nr_real < nr && !is_pseudo(&rows[nr_real]))
		nr_real++;
	/* Folding a single row would only take its name away. */
	if (nr_keep && nr_real > nr_keep + 1) {
		fold_others(fold, rows, nr_keep, nr_real);
		memmove(&rows[nr_keep + 1], &rows[nr_real], (nr - nr_real) * sizeof(*rows));
		nr -= nr_real - nr_keep - 1;
	}
	qsort(rows, nr, sizeof(*rows), compare[sort]);
	return nr;
}

const struct fold_cell *fold_cells(const struct fold *fold, size_t *nr_ret)
{
	*nr_ret = fold->nr_cells;
	return fold->cells;
}

const struct fold_cpu *fold_cpus(const struct fold *fold, size_t *nr_ret)
{
	*nr_ret = fold->nr_cpus;
	return fold->cpus;
}

struct fold *fold_create_kept(const struct fold_cell *cells, size_t nr_cells,
			      const struct fold_cpu *cpus, size_t nr_cpus, uint64_t taken)
{
	struct fold *fold = fold_create();

	if (!fold)
		return NULL;
	fold->cells = calloc(nr_cells + 1, sizeof(*cells));
	fold->cpus = calloc(nr_cpus + 1, sizeof(*cpus));
	if (!fold->cells || !fold->cpus) {
		fold_destroy(fold);
		return NULL;
	}
	if (nr_cells)
		memcpy(fold->cells, cells, nr_cells * sizeof(*cells));
	if (nr_cpus)
		memcpy(fold->cpus, cpus, nr_cpus * sizeof(*cpus));
	fold->nr_cells = fold->nr_buckets = nr_cells;
	fold->nr_cpus = nr_cpus;
	fold->taken = taken;
	return fold;
}
