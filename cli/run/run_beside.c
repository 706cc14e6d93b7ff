// SPDX-License-Identifier: GPL-2.0-only
/*
 * The beginning and the end of a step's sessions: that of the run, and those of the runs beside it, which
 * measure other events of the same time. They start and stop in the same order, so that all last
 * equally long. See run_parts.h.
 */
#include <sched.h>

#include "events/event_rate.h"
#include "events/pmu.h"
#include "run/event_cpus.h"
#include "run/run_parts.h"

/* An odd number far from small ones: the instants of no two sessions are drawn alike. */
#define SEED_STEP	0x9e3779b97f4a7c15ULL

/* A PMU of one type of cores among several counts on these alone. */
static int choose_counted(struct meter *meter, struct text_error *error_ret)
{
	const struct event *event = &meter->run->result.event;
	char list[RECEIPT_CPUS_LEN];
	struct cpus counted;
	int error = event_cpus(PMU_ROOT, event, meter_cpus(meter), &counted, error_ret);

	if (error || !counted.nr)
		return error;
	cpus_deinit(&meter->counted);
	meter->counted = counted;
	cpus_print(&counted, list, sizeof(list));
	fprintf(stderr, "probe: %s is counted on CPU%s %s only\n", event->name, counted.nr > 1 ? "s" : "", list);
	return 0;
}

/* The rate in a loop on a CPU that counts the event. */
static double measure_rate(const struct meter *meter, const struct event *event)
{
	cpu_set_t before, there;
	bool moves = meter->counted.nr && meter->counted.number[0] < CPU_SETSIZE &&
		!sched_getaffinity(0, sizeof(before), &before);
	double rate;

	CPU_ZERO(&there);
	if (moves) {
		CPU_SET(meter->counted.number[0], &there);
		sched_setaffinity(0, sizeof(there), &there);
	}
	rate = event_rate(event);
	if (moves)
		sched_setaffinity(0, sizeof(before), &before);
	return rate;
}

/* The kernel counts its own events where they occur: how often that is depends on the work. */
static int refuse_storm(const struct meter *meter, struct text_error *error_ret)
{
	const struct event *event = &meter->run->result.event;

	return !event_is_sampled(event) || event_is_software(event) ? 0 :
		event_check_rate(event, measure_rate(meter, event), 1e9 / meter->run->options->period_ns, error_ret);
}

/* NMIs are to have the rate asked for: a period for them, measured anew in each step. */
static int choose_event(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	struct event *event = &run->result.event;
	int error;

	*event = sampling_event(run->options);
	error = choose_counted(meter, error_ret);
	if (error || !run->options->uses_nmi)
		return error ?: refuse_storm(meter, error_ret);
	if (event_is_sampled(event))
		sampling_set_rate(run->options, measure_rate(meter, event), event);
	return 0;
}

static int start_one(struct meter *meter, u64 seed, struct text_error *error_ret)
{
	struct run *run = meter->run;
	int error;

	error = choose_event(meter, error_ret);
	if (error)
		return error;
	error = meter_start_session(meter, seed, error_ret);
	run->result.period_ns = event_is_sampled(&run->result.event) ? run->result.event.period :
		run->start.period_ns;
	run->result.seed = run->start.seed;
	return error;
}

static int start_beside(struct meter *meter, size_t at, struct text_error *error_ret)
{
	struct meter *beside = &meter->beside[at];
	int error;

	*beside = (struct meter){
		.run = meter->run->beside[at], .device.fd = -1, .signal_fd = -1, .task_fd = -1,
		.child = { .gate_fd = -1, .error_fd = -1, .pid_fd = -1 },
		.cpus = meter->cpus, .quiet = meter->quiet, .engine = meter->engine,
	};
	meter->nr_beside = at + 1;
	error = start_one(beside, meter->run->result.seed + (at + 1) * SEED_STEP, error_ret);
	return error ? meter_name_event(beside, error, error_ret) : 0;
}

int meter_start_sampling(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	int error = start_one(meter, run->options->seed, error_ret);
	size_t i;

	if (error)
		return run->nr_beside ? meter_name_event(meter, error, error_ret) : error;
	for (i = 0; !error && i < run->nr_beside; i++)
		error = start_beside(meter, i, error_ret);
	return error;
}

int meter_stop_sampling(struct meter *meter, struct text_error *error_ret)
{
	int error = device_stop(&meter->device, error_ret);
	size_t i;

	for (i = 0; i < meter->nr_beside; i++) {
		struct meter *beside = &meter->beside[i];
		struct text_error ignored;
		int late = device_stop(&beside->device, error ? &ignored : error_ret);

		error = error ?: late;
	}
	return error;
}

void meter_time_beside(const struct meter *meter)
{
	size_t i;

	for (i = 0; i < meter->nr_beside; i++) {
		struct run_result *result = &meter->beside[i].run->result;

		result->began = meter->run->result.began;
		result->elapsed_seconds = meter->run->result.elapsed_seconds;
	}
}
