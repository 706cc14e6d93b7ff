// SPDX-License-Identifier: GPL-2.0-only
/* The rows of metrics: see metrics_rows.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "metrics/metrics_rows.h"

#define WEIGHT_KEPT	0.75	/* of the weight, from one window to the next */
#define CHANGES_DIVISOR	8	/* a window replaces at most this part of the places */

#define FIXED_LOST	3	/* place of the row "(lost)" */

/** A row of the window that has no place. */
struct newcomer {
	const struct row *row;
	u64 hash;
};

/* Fixed rows are there from the first window on, so that their first samples are an increase. */
static const struct metrics_row fixed_rows[METRICS_FIXED] = {
	{ .is_used = true, .kind = CPUPROBE_KIND_IDLE, .name = "IDLE" },
	{ .is_used = true, .kind = CPUPROBE_KIND_SOFTIRQ, .name = "(softirq)" },
	{ .is_used = true, .kind = CPUPROBE_KIND_EXITING, .name = "(exiting)" },
	[FIXED_LOST] = { .is_used = true, .kind = FOLD_KIND_LOST, .name = "(lost)" },
};

int metrics_rows_init(struct metrics_rows *rows, size_t nr_places)
{
	memset(rows, 0, sizeof(*rows));
	rows->nr_places = nr_places;
	rows->row = calloc(METRICS_FIXED + nr_places + 1, sizeof(*rows->row));
	if (!rows->row)
		return -ENOMEM;
	memcpy(rows->row, fixed_rows, sizeof(fixed_rows));
	rows->row[METRICS_FIXED + nr_places] = (struct metrics_row){
		.is_used = true, .kind = ROW_KIND_OTHERS, .name = "other"
	};
	return 0;
}

void metrics_rows_deinit(struct metrics_rows *rows)
{
	free(rows->row);
	rows->row = NULL;
}

size_t metrics_rows_nr(const struct metrics_rows *rows)
{
	return METRICS_FIXED + rows->nr_places + 1;
}

u64 metrics_rows_lost(const struct metrics_rows *rows)
{
	u64 hits = 0;
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		hits += rows->row[FIXED_LOST].sum.hits[mode];
	return hits;
}

/*
 * Executables of one name are one series. A window tells them apart only if both have samples in it, so that a series of
 * each would change its name from window to window.
 */
static u64 hash_row(const struct row *row)
{
	const u32 numbers[2] = { row->kind, row->pid };

	return intern_hash(intern_hash(0, numbers, sizeof(numbers)), row->name, row->plain_len);
}

/* The place of a row that needs none of the others, or -1. */
static int get_fixed_place(const struct row *row)
{
	switch (row->kind) {
	case CPUPROBE_KIND_IDLE:
		return 0;
	case CPUPROBE_KIND_SOFTIRQ:
		return 1;
	case CPUPROBE_KIND_EXITING:
		/* Dying processes with an id have a command name, and are rows like others. */
		return row->id[0] ? -1 : 2;
	case FOLD_KIND_LOST:
		return FIXED_LOST;
	default:
		return -1;
	}
}

static bool has_row(const struct metrics_row *place, const struct row *row, u64 hash)
{
	return place->is_used && place->hash == hash && place->kind == row->kind && place->pid == row->pid &&
	       strlen(place->name) == row->plain_len && !memcmp(place->name, row->name, row->plain_len);
}

static struct metrics_row *find_place(struct metrics_rows *rows, const struct row *row, u64 hash)
{
	int fixed = get_fixed_place(row);
	size_t i;

	if (fixed >= 0)
		return &rows->row[fixed];
	for (i = METRICS_FIXED; i < METRICS_FIXED + rows->nr_places; i++)
		if (has_row(&rows->row[i], row, hash))
			return &rows->row[i];
	return NULL;
}

static void name_place(struct metrics_row *place, const struct row *row, u64 hash,
		       const struct container_map *containers)
{
	const struct container_row *found = containers && row->kind == CPUPROBE_KIND_CGROUP ?
		container_map_find(containers, row->id) : NULL;

	*place = (struct metrics_row){ .is_used = true, .kind = row->kind, .pid = row->pid, .hash = hash };
	snprintf(place->name, sizeof(place->name), "%.*s", (int)row->plain_len, row->name);
	if (!found)
		return;
	place->runtime = found->runtime;
	snprintf(place->container_id, sizeof(place->container_id), "%s", found->container_id);
	snprintf(place->pod, sizeof(place->pod), "%s", found->pod);
	snprintf(place->container, sizeof(place->container), "%s", found->name);
}

static void add_counters(struct metrics_row *place, const struct metrics_counters *counters)
{
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		place->sum.hits[mode] += counters->hits[mode];
		place->sum.seconds[mode] += counters->seconds[mode];
		place->last.hits[mode] += counters->hits[mode];
		place->last.seconds[mode] += counters->seconds[mode];
	}
}

static void add_row(struct metrics_row *place, const struct row *row, double seconds)
{
	struct metrics_counters counters;
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		counters.hits[mode] = row->hits[mode];
		counters.seconds[mode] = row->share[mode] * seconds;
	}
	add_counters(place, &counters);
}

static int compare_newcomers(const void *a_at, const void *b_at)
{
	const struct newcomer *a = a_at, *b = b_at;

	if (a->row->total != b->row->total)
		return (a->row->total < b->row->total) - (a->row->total > b->row->total);
	return strcmp(a->row->name, b->row->name);
}

/* A free place, or else that of the least row. */
static struct metrics_row *find_least_place(struct metrics_rows *rows)
{
	struct metrics_row *least = NULL;
	size_t i;

	for (i = METRICS_FIXED; i < METRICS_FIXED + rows->nr_places; i++) {
		struct metrics_row *place = &rows->row[i];

		if (!place->is_used)
			return place;
		if (!place->is_new && (!least || place->weight < least->weight))
			least = place;
	}
	return least;
}

static struct metrics_row *get_other(struct metrics_rows *rows)
{
	return &rows->row[METRICS_FIXED + rows->nr_places];
}

/*
 * A place for a newcomer, or NULL. A row that lost its place for a moment's load would come back with counters from
 * 0, and each change is another series in the store: so a newcomer needs twice the weight of the row that goes.
 */
static struct metrics_row *choose_place(struct metrics_rows *rows, const struct row *row, size_t *nr_changes_left)
{
	struct metrics_row *place = find_least_place(rows);

	if (!place || !place->is_used)
		return place;
	if (!*nr_changes_left || row->total < 2 * place->weight)
		return NULL;
	--*nr_changes_left;
	rows->nr_replaced++;
	/* Readers have not seen the last window's counts of the row that goes. */
	add_counters(get_other(rows), &place->last);
	get_other(rows)->share += place->share;
	return place;
}

static void add_newcomer(struct metrics_rows *rows, const struct newcomer *newcomer, double seconds,
			 size_t *nr_changes_left, const struct container_map *containers)
{
	struct metrics_row *other = get_other(rows);
	const struct row *row = newcomer->row;
	/* Another row of this name may just have got a place. */
	struct metrics_row *place = find_place(rows, row, newcomer->hash);

	if (!place) {
		place = choose_place(rows, row, nr_changes_left);
		if (place) {
			name_place(place, row, newcomer->hash, containers);
			place->is_new = true;
			rows->nr_entered += rows->nr_windows > 0;
		}
	}
	if (!place)
		place = other;
	place->share += row->total;
	add_row(rows->nr_windows ? other : place, row, seconds);
}

/* The rows that have a place get their samples; the others are listed. Returns how many. */
static size_t add_known(struct metrics_rows *rows, const struct rows *window, double seconds,
			struct newcomer *newcomers)
{
	size_t i, nr = 0;

	for (i = 0; i < window->nr; i++) {
		const struct row *row = &window->row[i];
		u64 hash = hash_row(row);
		struct metrics_row *place = find_place(rows, row, hash);

		if (!place) {
			newcomers[nr++] = (struct newcomer){ row, hash };
			continue;
		}
		place->share += row->total;
		add_row(place, row, seconds);
	}
	return nr;
}

/* The weight of a row is that of the shares of about the last four windows. */
static void end_window(struct metrics_rows *rows, const struct rows *window)
{
	size_t i;

	for (i = 0; i < metrics_rows_nr(rows); i++) {
		struct metrics_row *place = &rows->row[i];

		place->interval = stat_wilson_share(place->share, window->taken, window->excess);
		place->weight = place->is_new ? place->share :
			WEIGHT_KEPT * place->weight + (1 - WEIGHT_KEPT) * place->share;
	}
	rows->nr_windows++;
}

int metrics_rows_add(struct metrics_rows *rows, const struct rows *window, double seconds,
		     const struct container_map *containers)
{
	struct newcomer *newcomers = calloc(window->nr + 1, sizeof(*newcomers));
	size_t nr_changes_left = rows->nr_places / CHANGES_DIVISOR ?: 1, nr, i;

	if (!newcomers)
		return -ENOMEM;
	for (i = 0; i < metrics_rows_nr(rows); i++) {
		rows->row[i].share = 0;
		rows->row[i].is_new = false;
		memset(&rows->row[i].last, 0, sizeof(rows->row[i].last));
	}
	nr = add_known(rows, window, seconds, newcomers);
	qsort(newcomers, nr, sizeof(*newcomers), compare_newcomers);
	for (i = 0; i < nr; i++)
		add_newcomer(rows, &newcomers[i], seconds, &nr_changes_left, containers);
	end_window(rows, window);
	free(newcomers);
	return 0;
}
