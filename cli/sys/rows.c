// SPDX-License-Identifier: GPL-2.0-only
/* Rows of the system table: see rows.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sys/rows.h"

#define NAMESAKES_MAX 64	/* rows of one name; with more, directories are not compared */

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

static struct stat_interval find_interval(const struct rows *rows, const struct row *row)
{
	return rows->weights.most > 0 ?
		stat_weighted_share(&rows->weights, row->total, row->squares) :
		stat_wilson_share(row->total, rows->taken, rows->excess);
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
}

/* Append a chain of parts to the parts of a row. */
static void append_parts(struct rows *rows, struct row *row, u32 first, u32 last)
{
	if (first == ROW_NO_PART)
		return;
	if (row->first_part == ROW_NO_PART)
		row->first_part = first;
	else
		rows->part[row->last_part].next = first;
	row->last_part = last;
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
	append_parts(rows, row, nr, nr);
	row->charged += get_missed_ns(cell) * weight->charged;
	row->squares += stat_square(&clock) * clock.nr;
	row->missed += cell->missed;
	row->deferred += cell->deferred;
}

void rows_cpu_shares(const struct rows *rows, const struct row *row, double *shares_ret)
{
	u32 at;

	memset(shares_ret, 0, rows->nr_cpus * sizeof(*shares_ret));
	for (at = row->first_part; at != ROW_NO_PART; at = rows->part[at].next)
		shares_ret[rows->part[at].cpu] += rows->part[at].share;
}

u64 row_hits(const struct row *row)
{
	u64 hits = 0;
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		hits += row->hits[mode];
	return hits;
}

static int compare_names_only(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;

	return strcmp(x->name, y->name);
}

static unsigned long long get_inode(const struct row *row)
{
	return (row->id[0] ^ (u32)row->id[1]) * CPUPROBE_INODE_INVERSE;
}

/*
 * Append the directory to the names of executables of one name; also the inode, if the directories
 * are equal.
 */
static void add_directories(struct row **rows, size_t nr, const char *const *directories,
			    const struct row *first)
{
	char addition[64];
	size_t i, j;

	for (i = 0; i < nr; i++) {
		const char *directory = directories[rows[i] - first];
		bool is_alone = directory[0] && nr <= NAMESAKES_MAX;

		for (j = 0; j < nr && is_alone; j++)
			is_alone = i == j || strcmp(directory, directories[rows[j] - first]);
		if (is_alone)
			snprintf(addition, sizeof(addition), " (%s)", directory);
		else
			snprintf(addition, sizeof(addition), " (%s%sinode %llu)", directory,
				 directory[0] ? ", " : "", get_inode(rows[i]));
		strncat(rows[i]->name, addition, sizeof(rows[i]->name) - strlen(rows[i]->name) - 1);
		text_clean(rows[i]->name);
	}
}

/* The module puts the directory's name after the executable's NUL, if there is room. */
static const char *get_directory(const struct fold_process *process)
{
	size_t len = strlen(process->name) + 1;

	return process->kind == CPUPROBE_KIND_EXE && len < sizeof(process->name) ?
		process->name + len : "";
}

static int name_rows(struct rows *rows, const struct fold *fold)
{
	size_t nr, i, from, nr_exe = 0;
	const struct fold_process *processes = fold_processes(fold, &nr);
	const char **directories = calloc(nr + 1, sizeof(*directories));
	struct row **exe = calloc(nr + 1, sizeof(struct row *));

	if (directories && exe) {
		for (i = 0; i < nr; i++) {
			directories[i] = get_directory(&processes[i]);
			if (processes[i].kind == CPUPROBE_KIND_EXE)
				exe[nr_exe++] = &rows->row[i];
		}
		qsort(exe, nr_exe, sizeof(struct row *), compare_names_only);
		for (from = 0, i = 1; i <= nr_exe; i++) {
			if (i < nr_exe && !strcmp(exe[i]->name, exe[from]->name))
				continue;
			if (i - from > 1)
				add_directories(&exe[from], i - from, directories, rows->row);
			from = i;
		}
	}
	free(directories);
	free(exe);
	return directories && exe ? 0 : -ENOMEM;
}

static u64 get_start_time(const struct row *row)
{
	return row->id[1] & ~0ULL >> 8;
}

/* By number, start time and name; if all are equal, the dying process is last. */
static int compare_identities(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
	bool dx = !(u32)x->id[0], dy = !(u32)y->id[0];

	if (x->pid != y->pid)
		return (x->pid > y->pid) - (x->pid < y->pid);
	if (get_start_time(x) != get_start_time(y))
		return (get_start_time(x) > get_start_time(y)) -
		       (get_start_time(x) < get_start_time(y));
	return strcmp(x->name, y->name) ?: dx - dy;
}

static void merge_row(struct rows *rows, struct row *row, struct row *dying)
{
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		row->hits[mode] += dying->hits[mode];
		row->share[mode] += dying->share[mode];
		dying->hits[mode] = 0;
	}
	row->total += dying->total;
	row->charged += dying->charged;
	row->squares += dying->squares;
	row->missed += dying->missed;
	row->deferred += dying->deferred;
	append_parts(rows, row, dying->first_part, dying->last_part);
}

/*
 * A dying process has released its memory, so its executable is unknown: its identity has 0
 * there. Its samples go to the row with an equal number, start time and name.
 */
static int merge_dying(struct rows *rows)
{
	struct row **order = calloc(rows->nr + 1, sizeof(struct row *));
	size_t i, nr = 0;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < rows->nr; i++)
		if (rows->row[i].kind == CPUPROBE_KIND_PROCESS)
			order[nr++] = &rows->row[i];
	qsort(order, nr, sizeof(struct row *), compare_identities);
	for (i = 1; i < nr; i++)
		if (!(u32)order[i]->id[0] && (u32)order[i - 1]->id[0] &&
		    order[i]->pid == order[i - 1]->pid &&
		    get_start_time(order[i]) == get_start_time(order[i - 1]) &&
		    !strcmp(order[i]->name, order[i - 1]->name))
			merge_row(rows, order[i - 1], order[i]);
	free(order);
	return 0;
}

/* Whether a command has the name of an executable, which the kernel cuts to 15 bytes. */
static bool is_command_of(const char *command, const char *name)
{
	size_t len = strlen(command);

	return !strncmp(command, name, len) && (!name[len] || len == 15);
}

/* With BPF, a process that ended before it could be looked up in /proc has a row by its command name. */
static bool has_only_name(const struct row *row)
{
	return row->kind == CPUPROBE_KIND_EXITING && row->id[0];
}

/*
 * A process that ended before it could be looked up in /proc goes by its command name.
 * Its samples go to the row of the only executable of that name, if there is one.
 */
static void merge_gone(struct rows *rows)
{
	size_t i, j;

	for (i = 0; i < rows->nr; i++) {
		struct row *gone = &rows->row[i], *found = NULL;
		size_t nr = 0;

		if (!has_only_name(gone))
			continue;
		for (j = 0; j < rows->nr; j++)
			if (rows->row[j].kind == CPUPROBE_KIND_EXE &&
			    is_command_of(gone->name, rows->row[j].name)) {
				found = &rows->row[j];
				nr++;
			}
		if (nr == 1)
			merge_row(rows, found, gone);
	}
}

/* Drop rows without samples, such as dying processes merged into others. */
static void drop_empty(struct rows *rows)
{
	size_t i, nr = 0;

	for (i = 0; i < rows->nr; i++)
		if (row_hits(&rows->row[i]))
			rows->row[nr++] = rows->row[i];
	rows->nr = nr;
}

int rows_init(struct rows *rows, const struct fold *fold, double excess)
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
	if (merge_dying(rows))
		goto no_memory;
	merge_gone(rows);
	for (i = 0; i < rows->nr; i++)
		rows->row[i].interval = find_interval(rows, &rows->row[i]);
	if (name_rows(rows, fold))
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

/* Order of pseudo-rows: "(N others)" first, "(lost)" last; 0: a real row. */
static int get_pseudo_rank(const struct row *row)
{
	switch (row->kind) {
	case ROW_KIND_OTHERS:
		return 1;
	case CPUPROBE_KIND_SOFTIRQ:
		return 2;
	case CPUPROBE_KIND_EXITING:
		return has_only_name(row) ? 0 : 3;
	case FOLD_KIND_LOST:
		return 4;
	default:
		return 0;
	}
}

static double get_sort_key(const struct row *row, enum rows_sort sort)
{
	return sort == ROWS_SORT_USER ? row->share[CPUPROBE_MODE_USER] :
	       sort == ROWS_SORT_KERNEL ? row->share[CPUPROBE_MODE_KERNEL] : row->total;
}

static int compare_rows(const struct row *a, const struct row *b, enum rows_sort sort)
{
	int rank = get_pseudo_rank(a) - get_pseudo_rank(b);
	double x = get_sort_key(a, sort), y = get_sort_key(b, sort);

	if (rank)
		return rank;
	if (sort != ROWS_SORT_NAME && x != y)
		return (x < y) - (x > y);
	return strcmp(a->name, b->name) ?: memcmp(a->id, b->id, sizeof(a->id));
}

static int compare_by_total(const void *a, const void *b)
{
	return compare_rows(a, b, ROWS_SORT_TOTAL);
}

static int compare_by_name(const void *a, const void *b)
{
	return compare_rows(a, b, ROWS_SORT_NAME);
}

static int compare_by_user(const void *a, const void *b)
{
	return compare_rows(a, b, ROWS_SORT_USER);
}

static int compare_by_kernel(const void *a, const void *b)
{
	return compare_rows(a, b, ROWS_SORT_KERNEL);
}

/* Merge rows [from, to) into one. Its block sums stay 0: they cannot be computed from the rows'. */
static void fold_others(struct rows *rows, size_t from, size_t to)
{
	struct row others = { .kind = ROW_KIND_OTHERS, .first_part = ROW_NO_PART,
			      .last_part = ROW_NO_PART };
	size_t i;
	int mode;

	for (i = from; i < to; i++) {
		const struct row *row = &rows->row[i];

		for (mode = 0; mode < CPUPROBE_MODES; mode++) {
			others.hits[mode] += row->hits[mode];
			others.share[mode] += row->share[mode];
		}
		others.total += row->total;
		others.charged += row->charged;
		others.squares += row->squares;
		append_parts(rows, &others, row->first_part, row->last_part);
		others.missed += row->missed;
		others.deferred += row->deferred;
	}
	others.interval = find_interval(rows, &others);
	snprintf(others.name, sizeof(others.name), "(%zu others)", to - from);
	rows->row[from] = others;
}

void rows_limit(struct rows *rows, enum rows_sort sort, size_t nr_keep)
{
	static int (*const compare[])(const void *, const void *) = {
		[ROWS_SORT_TOTAL] = compare_by_total, [ROWS_SORT_NAME] = compare_by_name,
		[ROWS_SORT_USER] = compare_by_user, [ROWS_SORT_KERNEL] = compare_by_kernel,
	};
	size_t nr_real = 0;

	if (!rows->nr)
		return;
	qsort(rows->row, rows->nr, sizeof(*rows->row),
	      compare[sort == ROWS_SORT_NAME ? ROWS_SORT_TOTAL : sort]);
	while (nr_real < rows->nr && !get_pseudo_rank(&rows->row[nr_real]))
		nr_real++;
	/* A single row is not folded: folding would only remove its name. */
	if (nr_keep && nr_real > nr_keep + 1) {
		fold_others(rows, nr_keep, nr_real);
		memmove(&rows->row[nr_keep + 1], &rows->row[nr_real],
			(rows->nr - nr_real) * sizeof(*rows->row));
		rows->nr -= nr_real - nr_keep - 1;
	}
	qsort(rows->row, rows->nr, sizeof(*rows->row), compare[sort]);
}
