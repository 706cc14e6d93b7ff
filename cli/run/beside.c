// SPDX-License-Identifier: GPL-2.0-only
/* A second session beside that of a run: see beside.h. */
#include "run/beside.h"

static int start_on(struct beside *beside, const struct cpus *cpus, struct text_error *error_ret)
{
	int error = device_open(&beside->device, error_ret);

	if (!error)
		error = device_start(&beside->device, &beside->start, cpus->number, cpus->nr, error_ret);
	beside->is_running = !error;
	return error;
}

int beside_start(struct beside *beside, const struct sampling_options *options, struct text_error *error_ret)
{
	struct cpus cpus = { 0 }, quiet = { 0 };
	int error;

	beside->start.period_ns = options->period_ns;
	beside->start.jitter = options->jitter;
	beside->start.seed = options->seed ? (options->seed + 1 ?: 1) : 0;
	beside->start.deferred_ns = options->deferred_ns;
	beside->start.exe_fd = beside->start.cgroup_fd = -1;
	if (options->cpus.nr)
		return start_on(beside, &options->cpus, error_ret);
	error = cpus_default(&cpus, &quiet, error_ret);
	if (!error)
		error = start_on(beside, &cpus, error_ret);
	cpus_deinit(&cpus);
	cpus_deinit(&quiet);
	return error;
}

int beside_harvest(struct beside *beside, struct text_error *error_ret)
{
	return beside->is_running ? device_harvest(&beside->device, false, beside->sink, beside->context,
						   error_ret) : 0;
}

int beside_stop(struct beside *beside, struct text_error *error_ret)
{
	int error;

	if (!beside->is_running)
		return 0;
	error = device_stop(&beside->device, error_ret) ?: beside_harvest(beside, error_ret);
	beside->is_running = false;
	return error;
}

void beside_close(struct beside *beside)
{
	beside->is_running = false;
	device_close(&beside->device);
}
