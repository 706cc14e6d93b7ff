// SPDX-License-Identifier: GPL-2.0-only
/* Makes the rows of a level from its counts: see level.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/stat.h"
#include "top/level.h"

static void add_cpu_share(struct model_cpu *to, const struct fold_cell *cell,
			  const struct fold_cpu *cpu)
{
	int mode;

	if (cell->kind == CPUPROBE_KIND_IDLE || !cpu->taken_ns)
		return;
	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		double share = (double)cell->time_ns[mode] / cpu->taken_ns;

		to->share[mode] += share;
		to->busy += share;
	}
}

static int make_cpus(struct level *level, const struct fold *fold, u64 period_ns, double excess)
{
	size_t nr_cells, nr_cpus, i, nr = 0;
	const struct fold_cell *cells = fold_cells(fold, &nr_cells);
	const struct fold_cpu *cpus = fold_cpus(fold, &nr_cpus);
	struct model_cpu *made = calloc(nr_cpus + 1, sizeof(*made));

	if (!made)
		return -ENOMEM;
	for (i = 0; i < nr_cells; i++)
		add_cpu_share(&made[cells[i].cpu], &cells[i], &cpus[cells[i].cpu]);
	for (i = 0; i < nr_cpus; i++) {
		if (!fold_has_cpu(fold, i))
			continue;
		made[nr] = made[i];
		made[nr].cpu = i;
		made[nr].interval = stat_wilson_share(made[nr].busy, cpus[i].taken_ns / period_ns,
						      excess);
		nr++;
	}
	free(level->cpus);
	level->cpus = made;
	level->nr_cpus = nr;
	return 0;
}

/* The columns need only the fold's list of CPUs: copy the list, as the fold keeps changing. */
static int make_columns(struct level *level, const struct fold *fold)
{
	size_t nr;
	const struct fold_cpu *cpus = fold_cpus(fold, &nr);
	struct fold *seen = fold_create_kept(NULL, 0, cpus, nr, fold_taken(fold));

	if (!seen)
		return -ENOMEM;
	table_columns_deinit(&level->columns);
	fold_destroy(level->seen_cpus);
	level->seen_cpus = seen;
	if (table_columns_init(&level->columns, &level->rows, seen, &level->options->output,
			       level->account.nr_cpus))
		return -ENOMEM;
	level->roster.scale = level->columns.scale;
	return 0;
}

int level_make_rows(struct level *level, const struct bucket *bucket)
{
	struct roster_row *row;
	struct rows rows = { 0 };
	size_t i;

	if (make_cpus(level, bucket->fold, event_is_sampled(&level->account.event) ?
		      level->account.event.period : level->account.period_ns, bucket->account.excess) ||
	    rows_init(&rows, bucket->fold, bucket->account.excess))
		return -ENOMEM;
	row = roster_make_room(&level->roster, rows.nr);
	if (!row) {
		rows_deinit(&rows);
		return -ENOMEM;
	}
	rows_deinit(&level->rows);
	level->rows = rows;
	for (i = 0; i < rows.nr; i++) {
		const struct row *each = &level->rows.row[i];

		row[i] = (struct roster_row){
			.key = { each->id[0] ^ each->kind, each->id[1] }, .name = each->name,
			.share = each->total, .interval = each->interval, .data = each,
			/* IDLE is sorted like a program. */
			.is_last = row_is_pseudo(each) && each->kind != CPUPROBE_KIND_IDLE,
			.is_open = !row_is_pseudo(each) && !row_has_only_name(each),
		};
	}
	return make_columns(level, bucket->fold);
}

static void find_objects(struct level *level, const struct tally *tally)
{
	u32 i;

	for (i = 0; i < CPUPROBE_OBJECTS; i++)
		if (tally->objects[i])
			finds_object(level->finds, i, level->target->places.objects[i].name,
				     tally->objects[i]);
}

static void find_addresses(struct level *level, const struct tally *tally)
{
	const struct finds_place place = {
		.layout = &level->layout, .hits = tally->slots, .symbols = level->target->symbols,
		.object = level->target->object, .object_start = level->target->object_start,
	};

	if (level->kind < LEVEL_FUNCTION)
		finds_functions(level->finds, &place);
	else
		finds_slots(level->finds, &place);
}

/* Whether Enter can zoom into the row. */
static bool is_open(const struct level *level, const struct find *find)
{
	enum place_kind kind;

	if (level->kind != LEVEL_TASK)
		return level->kind != LEVEL_INSTRUCTION;
	kind = level->target->places.objects[find->object].kind;
	return find->object == CPUPROBE_OBJECT_KERNEL || kind == PLACE_EXE || kind == PLACE_FILE ||
	       kind == PLACE_VDSO || kind == PLACE_ANON || kind == PLACE_MODULE;
}

static int make_addresses(struct level *level, const struct bucket *bucket)
{
	struct finds *finds = level->finds;
	struct roster_row *row;
	size_t i;

	if (level->kind == LEVEL_TASK)
		find_objects(level, &bucket->tally);
	else
		find_addresses(level, &bucket->tally);
	finds_share(finds, finds->n, bucket->account.excess);
	row = roster_make_room(&level->roster, finds->nr);
	if (!row)
		return -ENOMEM;
	level->roster.list = &finds_column_list;
	level->roster.view = finds;
	for (i = 0; i < finds->nr; i++) {
		const struct find *find = &finds->find[i];

		row[i] = (struct roster_row){
			.key = { find->low ^ find->object, find->high }, .name = find->name,
			.share = find->share, .interval = find->interval, .data = find,
			.is_open = is_open(level, find),
		};
	}
	return 0;
}

int level_make_finds(struct level *level, const struct bucket *bucket)
{
	u64 n = tally_hits(&bucket->tally), all = bucket->account.taken - bucket->account.excluded;

	memset(level->finds, 0, sizeof(*level->finds));
	level->finds->n = n;
	level->task_share = all ? (double)n / all : 0;
	level->task_interval = stat_wilson(n, all, bucket->account.excess);
	if (level->has_code && !level_make_instructions(level, bucket))
		return 0;
	return make_addresses(level, bucket);
}
