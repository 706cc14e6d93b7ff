// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metrics in Prometheus' text exposition format, version 0.0.4:
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
#include <errno.h>
#include <string.h>

#include "metrics/metrics_label.h"
#include "metrics/metrics_parts.h"
#include "release.h"

#define PREFIX	"cpuprobe_"

static void put_head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP " PREFIX "%s %s\n# TYPE " PREFIX "%s %s\n", name, help, name, type);
}

static void put_count(FILE *out, const char *name, const char *help, u64 count)
{
	put_head(out, name, "counter", help);
	fprintf(out, PREFIX "%s %llu\n", name, count);
}

static void put_number(FILE *out, const char *name, const char *type, const char *help, double value)
{
	put_head(out, name, type, help);
	fprintf(out, PREFIX "%s %.17g\n", name, value);
}

/* Rows must differ in their labels: a process of BPF that is gone may have any name, also "(exiting)". */
static const char *get_kind(const struct metrics *metrics, const struct metrics_row *row)
{
	static const char *const kinds[] = { "", "exe", "kthread", "comm", "idle", "softirq",
					     "exiting", "process", "thread", "cgroup" };

	if (row->runtime)
		return "container";
	if (row->pod[0])
		return "pod";
	if (row->kind == CPUPROBE_KIND_COMM && !strcmp(metrics->options.by, "vm"))
		return "vm";
	if (row->kind == CPUPROBE_KIND_EXITING && row >= metrics->rows.row + METRICS_FIXED)
		return "gone";
	return row->kind == FOLD_KIND_LOST ? "lost" : row->kind == ROW_KIND_OTHERS ? "other" :
		row->kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[row->kind] : "";
}

/* The labels of a row, without the closing brace. An empty label is the same as none. */
static void put_labels(FILE *out, const struct metrics *metrics, const struct metrics_row *row)
{
	fputc('{', out);
	metrics_put_label(out, "by", metrics->options.by, true);
	metrics_put_label(out, "name", row->name, false);
	metrics_put_label(out, "kind", get_kind(metrics, row), false);
	if (row->pid)
		fprintf(out, ",pid=\"%u\"", row->pid);
	if (row->runtime)
		metrics_put_label(out, "runtime", container_runtime_name(row->runtime), false);
	if (row->container_id[0])
		metrics_put_label(out, "container_id", row->container_id, false);
	if (row->container[0])
		metrics_put_label(out, "container", row->container, false);
	if (row->pod[0])
		metrics_put_label(out, "pod_uid", row->pod, false);
}

static void put_counters(FILE *out, const struct metrics *metrics, bool is_time)
{
	static const char *const modes[CPUPROBE_MODES] = {
		[CPUPROBE_MODE_KERNEL] = "kernel", [CPUPROBE_MODE_SOFTIRQ] = "softirq",
		[CPUPROBE_MODE_USER] = "user", [CPUPROBE_MODE_GUEST] = "guest",
	};
	size_t i;
	int mode;

	for (i = 0; i < metrics_rows_nr(&metrics->rows); i++) {
		const struct metrics_row *row = &metrics->rows.row[i];

		for (mode = 0; mode < CPUPROBE_MODES && row->is_used; mode++) {
			if (metrics->last.lumped >> mode & 1)
				continue;
			fprintf(out, PREFIX "%s", is_time ? "cpu_seconds_total" : "samples_total");
			put_labels(out, metrics, row);
			fprintf(out, ",mode=\"%s\"} ", modes[mode]);
			if (is_time)
				fprintf(out, "%.17g\n", row->sum.seconds[mode]);
			else
				fprintf(out, "%llu\n", row->sum.hits[mode]);
		}
	}
}

static double get_share(const struct metrics_row *row)
{
	return row->share;
}

static double get_lower(const struct metrics_row *row)
{
	return row->interval.lo;
}

static double get_upper(const struct metrics_row *row)
{
	return row->interval.hi;
}

static void put_gauge(FILE *out, const struct metrics *metrics, const char *name, const char *help,
		      double (*get)(const struct metrics_row *row))
{
	size_t i;

	put_head(out, name, "gauge", help);
	for (i = 0; i < metrics_rows_nr(&metrics->rows); i++) {
		const struct metrics_row *row = &metrics->rows.row[i];

		if (!row->is_used)
			continue;
		fprintf(out, PREFIX "%s", name);
		put_labels(out, metrics, row);
		fprintf(out, "} %.17g\n", get(row));
	}
}

static void write_rows(FILE *out, const struct metrics *metrics)
{
	put_head(out, "samples_total", "counter", "Samples by row and CPU mode.");
	put_counters(out, metrics, false);
	put_head(out, "cpu_seconds_total", "counter", "Sampled CPU time by row and CPU mode.");
	put_counters(out, metrics, true);
	put_gauge(out, metrics, "share_ratio", "Share of the machine's CPU time in the last window.", get_share);
	put_gauge(out, metrics, "share_lower_ratio", "Lower 95% bound of the share.", get_lower);
	put_gauge(out, metrics, "share_upper_ratio", "Upper 95% bound of the share.", get_upper);
}

static void write_account(FILE *out, const struct metrics *metrics)
{
	const struct run_account *account = &metrics->account;

	put_count(out, "expected_samples_total", "Sampling periods that ended.", account->expected);
	put_count(out, "taken_samples_total", "Samples taken.", account->taken);
	put_count(out, "missed_samples_total", "Periods that passed without a sample.", account->missed);
	put_count(out, "lost_samples_total", "Samples taken whose row was lost.",
		  metrics_rows_lost(&metrics->rows));
	if (metrics->last.knows_deferred) {
		put_count(out, "deferred_samples_total", "Samples that came late.", account->deferred);
		put_count(out, "excluded_samples_total", "Late samples left out of all rows.",
			  account->excluded);
	}
	put_number(out, "sampled_cpu_seconds_total", "counter", "CPU time that all samples together stand for.",
		   metrics->sampled_seconds);
	if (metrics->knows_cost)
		put_number(out, "sampling_cost_seconds_total", "counter",
			   "CPU time that taking samples has cost.", metrics->cost_seconds);
	if (metrics->last.tool_cpu_seconds >= 0)
		put_number(out, "tool_cpu_seconds_total", "counter", "CPU time of the tool's own process.",
			   metrics->last.tool_cpu_seconds);
}

static void write_window(FILE *out, const struct metrics *metrics)
{
	put_number(out, "window_seconds", "gauge", "Length of the last window.", metrics->window_seconds);
	put_number(out, "window_samples", "gauge", "Samples of the last window, from which its bounds follow.",
		   metrics->window_taken);
	put_number(out, "window_end_timestamp_seconds", "gauge", "End of the last window.", metrics->last.ended);
	put_number(out, "cpus", "gauge", "CPUs sampled in the last window.", metrics->nr_cpus);
}

static void write_tool(FILE *out, const struct metrics *metrics)
{
	put_head(out, "info", "gauge", "Version of the tool, its engine, and what a row is.");
	fprintf(out, PREFIX "info{");
	metrics_put_label(out, "version", CPUPROBE_RELEASE, true);
	metrics_put_label(out, "engine", metrics->last.engine ? metrics->last.engine : "", false);
	metrics_put_label(out, "by", metrics->options.by, false);
	fprintf(out, "} 1\n");
	put_count(out, "windows_total", "Windows counted.", metrics->nr_windows);
	put_count(out, "skipped_windows_total", "Windows that the counters lack, for want of memory.",
		  metrics->nr_skipped);
	put_number(out, "rows_limit", "gauge", "Rows that can have a place, besides the fixed ones and other.",
		   metrics->options.nr_rows);
	put_count(out, "rows_entered_total", "Rows that got a place after the first window.",
		  metrics->rows.nr_entered);
	put_count(out, "rows_replaced_total", "Rows that lost their place to a larger one.",
		  metrics->rows.nr_replaced);
}

int metrics_write(const struct metrics *metrics, FILE *out)
{
	write_tool(out, metrics);
	if (metrics->nr_windows) {
		write_account(out, metrics);
		write_window(out, metrics);
		write_rows(out, metrics);
	}
	return fflush(out) || ferror(out) ? -EIO : 0;
}
