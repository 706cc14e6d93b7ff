/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of metrics: which have a place, and their counters. Pure. */
#ifndef METRICS_ROWS_H
#define METRICS_ROWS_H

#include "containers/container_map.h"
#include "sys/rows.h"

#define METRICS_FIXED	4	/* rows that need none of the places: IDLE, (softirq), (exiting), (lost) */

/** Counters of a row. */
struct metrics_counters {
	u64 hits[CPUPROBE_MODES];
	double seconds[CPUPROBE_MODES];	/* of CPU time */
};

/** A row's counters since its place is its own, and its share of the last window. */
struct metrics_row {
	bool is_used;
	u32 kind;			/* as in struct row; ROW_KIND_OTHERS: "other" */
	u32 pid;			/* 0: none */
	char name[FOLD_NAME_LEN];
	enum container_runtime runtime;
	char container_id[CONTAINER_ID_LEN];
	char pod[CONTAINER_POD_LEN];
	char container[CONTAINER_NAME_LEN];
	u64 hash;			/* of name, kind and pid */
	struct metrics_counters sum;
	struct metrics_counters last;	/* part of @sum: the last window */
	double share;			/* of the last window */
	struct stat_interval interval;	/* of this share */
	double weight;			/* of its shares in the windows so far, the last ones most */
	bool is_new;			/* got its place in the last window */
};

struct metrics_rows {
	struct metrics_row *row;	/* first those with fixed places, then @nr_places, then "other" */
	size_t nr_places;
	u64 nr_windows;
	u64 nr_entered;			/* rows that got a place after the first window */
	u64 nr_replaced;		/* rows that lost theirs */
};

/** metrics_rows_init() - all places free. -ENOMEM. */
int metrics_rows_init(struct metrics_rows *rows, size_t nr_places);

void metrics_rows_deinit(struct metrics_rows *rows);

/** metrics_rows_nr() - number of entries of @rows->row. */
size_t metrics_rows_nr(const struct metrics_rows *rows);

/** metrics_rows_lost() - samples of the row "(lost)" so far. */
u64 metrics_rows_lost(const struct metrics_rows *rows);

/**
 * metrics_rows_add() - add the rows of a window.
 * @seconds: CPU time that all shares together stand for
 * @containers: tells the containers of rows; NULL: none
 * -ENOMEM: nothing has changed.
 */
int metrics_rows_add(struct metrics_rows *rows, const struct rows *window, double seconds,
		     const struct container_map *containers);

#endif
