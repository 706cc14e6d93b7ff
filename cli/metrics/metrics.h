/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics of continuous sampling in Prometheus' text format: counters that grow from window to window, and the
 * shares of the last window with their 95% bounds. Memory is fixed by the number of rows. docs/fleet.md lists the
 * metrics. One thread at a time.
 *
 * The rows: IDLE, (softirq), (exiting) and (lost) have places of their own. Up to @nr_rows others have a place
 * each, and keep it until a larger row takes it; all further rows together are "other", a row of its own. A row
 * that gets a place after the first window has counters that begin at 0, and its samples of this window count for
 * "other". So no counter ever goes back, every sample is in exactly one of them, and a reader that looks only at
 * increases loses nothing.
 */
#ifndef METRICS_H
#define METRICS_H

#include <stdio.h>

#include "containers/container_map.h"
#include "run/run_result.h"
#include "sys/fold.h"

#define METRICS_ROWS		50	/* default of @nr_rows */
#define METRICS_ROWS_MAX	1000

struct metrics_options {
	size_t nr_rows;				/* rows besides the fixed ones and "other", at least 1 */
	const char *by;				/* what a row is: "exe", "pid", ...; lives as long */
	const struct container_map *containers;	/* labels of rows by container; NULL: none */
};

/** Counts since the previous window. */
struct metrics_window {
	const struct fold *fold;
	const struct run_result *result;	/* account, excess and seconds of this window; its nr_cpus */
	double ended;				/* seconds since 1970 */
	u32 cost_ns;				/* of a sample; 0: not known */
	bool knows_deferred;			/* the engine tells late samples */
	unsigned int lumped;			/* modes that it does not tell apart from the kernel, as bits */
	double tool_cpu_seconds;		/* CPU time of this process since it began; < 0: not known */
	const char *engine;			/* "module", "bpf" or "perf"; lives as long as the metrics */
};

struct metrics;

/** metrics_create() - no window yet. NULL: out of memory. */
struct metrics *metrics_create(const struct metrics_options *options);

/** metrics_destroy() - free metrics. NULL is allowed. */
void metrics_destroy(struct metrics *metrics);

/**
 * metrics_add() - add a window. -ENOMEM: nothing has changed; the caller keeps the window's counts, or they are
 * missing from the counters of rows, and metrics_skip() counts that.
 */
int metrics_add(struct metrics *metrics, const struct metrics_window *window);

/** metrics_skip() - a window could not be added, and its counts are gone. */
void metrics_skip(struct metrics *metrics);

/** metrics_write() - write all metrics, before the first window those that describe the tool. -EIO: see errno. */
int metrics_write(const struct metrics *metrics, FILE *out);

#endif
