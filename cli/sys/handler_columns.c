// SPDX-License-Identifier: GPL-2.0-only
/* Columns of the handler's time: see late_columns.h. */
#include <math.h>

#include "base/text.h"
#include "sys/late_columns.h"

static const struct late_cpu *get_handler_row(const struct column_cell *cell)
{
	return cell->row;
}

static double get_handler_cpu(const struct column_cell *cell)
{
	const struct late_cpu *cpu = get_handler_row(cell);

	return cpu->cpu == LATE_ALL_CPUS ? NAN : cpu->cpu;
}

static double get_handler_samples(const struct column_cell *cell)
{
	return get_handler_row(cell)->taken;
}

static double get_handler_mean(const struct column_cell *cell)
{
	return late_handler_mean(get_handler_row(cell));
}

static double get_handler_sd(const struct column_cell *cell)
{
	return late_handler_sd(get_handler_row(cell));
}

static double get_handler_min(const struct column_cell *cell)
{
	return get_handler_row(cell)->handler_min_ns;
}

static double get_handler_max(const struct column_cell *cell)
{
	return get_handler_row(cell)->handler_max_ns;
}

static double get_handler_share(const struct column_cell *cell)
{
	const struct late_cpu *cpu = get_handler_row(cell);

	return cpu->sampled_ns ? 100 * cpu->handler_ns / cpu->sampled_ns : NAN;
}

static const char *get_handler_time_text(const struct column_cell *cell, char *text, size_t len)
{
	return text_ns(cell->column->value(cell), text);
}

#define TIME(key_, title_, help_, value_) \
	{ .key = key_, .title = title_, .help = help_, .unit = COLUMN_NS, .cols = 8, \
	  .value = value_, .text = get_handler_time_text }

static const struct column columns[] = {
	{ .key = "cpu", .title = "CPU", .help = "CPU; all: the last row, if there are several",
	  .unit = COLUMN_COUNT, .cols = 5, .value = get_handler_cpu, .unknown = "all" },
	{ .key = "samples", .title = "Samples", .help = "samples taken", .unit = COLUMN_COUNT,
	  .cols = 9, .value = get_handler_samples },
	TIME("mean_ns", "Mean", "mean time of the handler", get_handler_mean),
	TIME("sd_ns", "S.d.", "standard deviation of the handler's times", get_handler_sd),
	TIME("min_ns", "Min", "shortest time", get_handler_min),
	TIME("max_ns", "Max", "longest time", get_handler_max),
	{ .key = "share", .title = "Share", .help = "share of the CPU's time in the handler",
	  .unit = COLUMN_PERCENT, .cols = 7, .digits = 3, .value = get_handler_share },
};

const struct column_list handler_column_list = {
	.name = "late -handler",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
};
