// SPDX-License-Identifier: GPL-2.0-only
/* Metrics of continuous sampling, from windows to counters: see metrics.h. */
#include <errno.h>
#include <stdlib.h>

#include "metrics/metrics_parts.h"

struct metrics *metrics_create(const struct metrics_options *options)
{
	struct metrics *metrics = calloc(1, sizeof(*metrics));

	if (!metrics)
		return NULL;
	metrics->options = *options;
	metrics->last.tool_cpu_seconds = -1;
	if (metrics_rows_init(&metrics->rows, options->nr_rows)) {
		free(metrics);
		return NULL;
	}
	return metrics;
}

void metrics_destroy(struct metrics *metrics)
{
	if (!metrics)
		return;
	metrics_rows_deinit(&metrics->rows);
	free(metrics);
}

/* CPU time that the shares of a fold are of: the periods due on the CPUs with samples. */
static double get_sampled_seconds(const struct fold *fold)
{
	size_t nr, i;
	const struct fold_cpu *cpus = fold_cpus(fold, &nr);
	double ns = 0;

	for (i = 0; i < nr; i++)
		if (cpus[i].taken_ns)
			ns += cpus[i].sampled_ns;
	return ns / 1e9;
}

static void add_account(struct metrics *metrics, const struct metrics_window *window)
{
	const struct run_account *account = &window->result->account;
	struct run_account *sum = &metrics->account;

	sum->expected += account->expected;
	sum->taken += account->taken;
	sum->missed += account->missed;
	sum->deferred += account->deferred;
	sum->excluded += account->excluded;
	metrics->knows_cost |= window->cost_ns > 0;
	metrics->cost_seconds += account->taken * (window->cost_ns / 1e9);
	metrics->window_seconds = window->result->elapsed_seconds;
	metrics->nr_cpus = window->result->nr_cpus;
	metrics->last = *window;
	metrics->last.fold = NULL;
	metrics->last.result = NULL;
}

int metrics_add(struct metrics *metrics, const struct metrics_window *window)
{
	double seconds = get_sampled_seconds(window->fold);
	struct rows rows;
	int error = rows_init(&rows, window->fold, window->result->account.excess);

	if (error)
		return error;
	error = metrics_rows_add(&metrics->rows, &rows, seconds, metrics->options.containers);
	rows_deinit(&rows);
	if (error)
		return error;
	metrics->sampled_seconds += seconds;
	metrics->window_taken = fold_taken(window->fold);
	metrics->nr_windows++;
	add_account(metrics, window);
	return 0;
}

void metrics_skip(struct metrics *metrics)
{
	metrics->nr_skipped++;
}
