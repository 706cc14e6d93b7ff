// SPDX-License-Identifier: GPL-2.0-only
/* Unwinding by tables in a run: asks the module for it and feeds it. See run_parts.h. */
#include <errno.h>
#include <string.h>

#include "run/run_parts.h"

static bool wants_tables(const struct run *run)
{
	return run->unwind && run->unwind->how == UNWIND_TABLES;
}

/* Adds the request for tables to a START request. */
static void request_tables(const struct run *run, const struct device *device,
			   struct cpuprobe_start *start)
{
	bool may_disturb = run->unwind->is_given || run->unwind->may_disturb;

	start->flags |= CPUPROBE_START_UNWIND;
	/* Only full access may choose to interrupt isolated CPUs. */
	if (may_disturb && device->info.access >= 2)
		start->flags |= CPUPROBE_START_DISTURB;
	start->unwind_kib = run->unwind->kib;
}

u32 run_unwind_needs(const struct run *run)
{
	return wants_tables(run) && (run->unwind->is_given || run->unwind->kib) ? CPUPROBE_START_UNWIND : 0;
}

static void withdraw_tables(struct cpuprobe_start *start)
{
	start->flags &= ~(CPUPROBE_START_UNWIND | CPUPROBE_START_DISTURB);
	start->unwind_kib = 0;
}

/* Why the module refused tables, and the remedy; NULL: it refused something else. */
static const char *why_no_tables(u32 reason)
{
	switch (reason) {
	case CPUPROBE_REASON_QUIET:
		return "hooks would interrupt isolated CPUs; -unwind tables insists";
	case CPUPROBE_REASON_NO_HOOKS:
		return "this kernel cannot hook functions; 'probe doctor' says why";
	case CPUPROBE_REASON_UNHOOKING:
		return "hooks of an earlier run are still being removed; try again later";
	default:
		return NULL;
	}
}

static int begin_feeding(struct meter *meter, struct text_error *error_ret)
{
	int error;

	if (!meter->run->feeder)
		meter->run->feeder = feeder_create();
	error = meter->run->feeder ? feeder_begin(meter->run->feeder, &meter->device) : -ENOMEM;
	return error ? text_fail(error_ret, error, "start a thread for unwinding tables: %s",
				 strerror(-error)) : 0;
}

int meter_start_unwinding(struct meter *meter, const struct cpus *cpus,
			  struct text_error *error_ret)
{
	struct run *run = meter->run;
	const char *why;
	int error;

	run->start.reason = CPUPROBE_REASON_NONE;
	if (wants_tables(run) && device_has_module(&meter->device))
		request_tables(run, &meter->device, &run->start);
	error = device_start(&meter->device, &run->start, cpus->number, cpus->nr, error_ret);
	why = error && wants_tables(run) && !run->unwind->is_given ?
		why_no_tables(run->start.reason) : NULL;
	if (why) {
		withdraw_tables(&run->start);
		error = device_start(&meter->device, &run->start, cpus->number, cpus->nr, error_ret);
		if (!error && !meter->has_told_pointers)
			fprintf(stderr, "probe: only frame pointers lead to callers: %s\n", why);
		meter->has_told_pointers = true;
	}
	if (!error && meter->device.has_tables)
		error = begin_feeding(meter, error_ret);
	return error;
}

unsigned int meter_unwind_how(const struct meter *meter)
{
	const struct unwind_options *options = meter->run->unwind;

	if (meter->device.has_tables)
		return UNWIND_TABLES;
	return options && options->how == UNWIND_NONE ? UNWIND_NONE : UNWIND_POINTERS;
}

void meter_feed(struct meter *meter)
{
	if (meter->device.has_tables)
		feeder_take(meter->run->feeder);
}

bool run_lacks_table(const struct run *run, const char *name)
{
	return !run->feeder || feeder_lacks_table(run->feeder, name);
}

void meter_count_tables(struct meter *meter)
{
	struct receipt_stacks *stacks = &meter->run->receipt.stacks;
	struct feeder_counts counts;

	if (!meter->run->feeder)
		return;
	feeder_count(meter->run->feeder, &counts);
	stacks->nr_tables = counts.nr_tables;
	stacks->nr_refused = counts.nr_refused;
	stacks->nr_stale = counts.nr_stale;
	stacks->nr_evicted = counts.nr_evicted;
	stacks->nr_unrecorded = counts.nr_unrecorded;
	stacks->used_kib = counts.used_kib;
	stacks->limit_kib = counts.limit_kib;
}

void meter_stop_feeding(struct meter *meter)
{
	size_t i;

	if (meter->run->feeder)
		feeder_stop(meter->run->feeder);
	for (i = 0; i < meter->nr_beside; i++)
		meter_stop_feeding(&meter->beside[i]);
}

void meter_end_feeding(struct meter *meter)
{
	size_t i;

	if (meter->run->feeder)
		feeder_end(meter->run->feeder);
	for (i = 0; i < meter->nr_beside; i++)
		meter_end_feeding(&meter->beside[i]);
}

void meter_forget_tables(struct meter *meter)
{
	size_t i;

	feeder_destroy(meter->run->feeder);
	meter->run->feeder = NULL;
	for (i = 0; i < meter->nr_beside; i++)
		meter_forget_tables(&meter->beside[i]);
}
