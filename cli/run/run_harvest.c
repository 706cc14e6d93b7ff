// SPDX-License-Identifier: GPL-2.0-only
/* Harvests, and what follows each of them: see run_parts.h. */
#include <math.h>
#include <string.h>

#include "base/output.h"
#include "run/run_parts.h"

#define HARVEST_SECONDS	1.0
#define FIRST_SECONDS	0.05	/* to the first harvest of stacks */

static void show_progress(const struct meter *meter, double now)
{
	char line[256];
	size_t used;

	if (!meter->shows_progress)
		return;
	used = snprintf(line, sizeof(line), "%.0f s", now - meter->started);
	if (meter->seconds)
		used += snprintf(line + used, sizeof(line) - used, " of %g s", meter->seconds);
	used += snprintf(line + used, sizeof(line) - used, ", %llu samples",
			 meter->run->result.account.taken);
	if (meter->run->seconds_left > 0)
		snprintf(line + used, sizeof(line) - used, ", about %.0f s to go",
			 ceil(meter->run->seconds_left));
	/* A wrapped line could not be erased. */
	text_cut(line, output_terminal_cols(stderr) - 1);
	fprintf(stderr, "\r\033[K%s", line);
	fflush(stderr);
}

void meter_clear_progress(const struct meter *meter)
{
	if (meter->shows_progress)
		fprintf(stderr, "\r\033[K");
}

/* Tells the device the current mappings. */
static void update_areas(struct meter *meter)
{
	struct run *run = meter->run;
	struct text_error error;

	if (run->place && run->place(run->context, &meter->device, &error)) {
		meter_clear_progress(meter);
		text_report(&error);
	}
}

int meter_harvest(struct meter *meter, bool only_due)
{
	struct text_error error;
	struct run *run = meter->run;
	int result;
	size_t i;

	/* With BPF it is the tool that places addresses, as late as now. */
	if (!only_due && !device_has_module(&meter->device))
		update_areas(meter);
	result = device_harvest(&meter->device, only_due, meter_add_account, run, &error);
	for (i = run->result.nr_cpus = 0; i < run->nr_cpus; i++)
		run->result.nr_cpus += run->cpus[i].expected > 0;
	if (result) {
		meter_clear_progress(meter);
		text_report(&error);
	}
	for (i = 0; i < meter->nr_beside; i++)
		result = meter_harvest(&meter->beside[i], only_due) ?: result;
	return result;
}

void meter_plan_harvest(struct meter *meter, double now)
{
	const struct run *run = meter->run;
	double interval_end = meter->interval_started + run->options->repeat_seconds;
	double after = run->harvest_seconds ? run->harvest_seconds : HARVEST_SECONDS;

	/* Harvest early at first: the mappings of running programs vanish when they end. */
	if ((meter->device.kind->names_tasks || !device_has_module(&meter->device)) && now - meter->started < after)
		after = fmax(now - meter->started, FIRST_SECONDS);
	meter->last_harvest = now;
	meter->next_harvest = now + after;
	if (run->interval && meter->next_harvest > interval_end)
		meter->next_harvest = interval_end;
}

/* Restarts the results from zero; a sample already pending is one of the new ones. */
static void reset_results(struct meter *meter, double now)
{
	struct run *run = meter->run;
	size_t i;

	memset(&run->result.account, 0, sizeof(run->result.account));
	run->handler_ns = 0;
	for (i = 0; i < run->nr_cpus; i++) {
		struct receipt_cpu *cpu = &run->cpus[i];

		*cpu = (struct receipt_cpu){ .cpu = cpu->cpu, .pending = cpu->pending,
					     .expected = cpu->pending };
		run->result.account.expected += cpu->pending;
	}
	run->receipt.event.counted = run->receipt.event.enabled_ns = run->receipt.event.running_ns = 0;
	run->receipt.rates = (struct receipt_rates){ 0 };
	if (!event_is_sampled(&run->result.event))
		run->result.period_ns = run->start.period_ns;
	run->receipt.nmi = (struct receipt_nmi){ 0 };
	meter->own = run->receipt.own = (struct receipt_own){ .nr_threads = 0 };
	device_restart_coverage(&meter->device);
	run->result.began = clock_unix();
	meter->interval_started = meter->block_started = now;
	meter->nr_intervals = 0;
	meter->paused_before += meter_paused_seconds(meter);
	receipt_clock_read(&meter->clock, meter_cpus(meter));
	meter->pause_clock = meter->clock;
	for (i = 0; i < meter->nr_beside; i++)
		reset_results(&meter->beside[i], now);
}

/* The next interval begins. */
static void begin_interval(struct meter *meter, double now)
{
	struct run *run = meter->run;
	size_t i;

	memset(&run->result.account, 0, sizeof(run->result.account));
	run->result.began = clock_unix();
	meter->interval_started = now;
	for (i = 0; i < meter->nr_beside; i++)
		begin_interval(&meter->beside[i], now);
}

/* Reports an interval and begins the next. False: stop. */
static bool report_interval(struct meter *meter, double now)
{
	struct run *run = meter->run;
	bool is_wanted, is_receipt = ++meter->nr_intervals == run->receipt_intervals;

	run->result.elapsed_seconds = now - meter->interval_started;
	meter_clear_progress(meter);
	if (is_receipt)
		meter_end_receipt(meter);
	meter_time_beside(meter);
	is_wanted = run->interval(run->context, &run->result);
	if (is_receipt) {
		reset_results(meter, now);
		return is_wanted;
	}
	begin_interval(meter, now);
	return is_wanted;
}

int meter_harvest_due(struct meter *meter, double now, bool is_all)
{
	int result = meter_harvest(meter, !is_all);

	update_areas(meter);
	meter->last_harvest = now;
	return result;
}

void meter_end_block(struct meter *meter, double now, double least_seconds)
{
	struct run *run = meter->run;

	if (!run->block || now - meter->block_started < least_seconds)
		return;
	run->block(run->context);
	meter->block_started = now;
}

int meter_harvest_and_look(struct meter *meter, double now, bool *is_done)
{
	struct run *run = meter->run;
	int result = meter_harvest(meter, false);

	update_areas(meter);
	/* The margin keeps rounding from delaying a block by a whole harvest. */
	meter_end_block(meter, now, RUN_BLOCK_SECONDS - 0.01);
	if (run->interval && now >= meter->interval_started + run->options->repeat_seconds &&
	    !report_interval(meter, now)) {
		run->end = RUN_INTERRUPTED;
		*is_done = true;
		return result;
	}
	if (run->is_precise &&
	    run->is_precise(run->context, now - meter->interval_started, &run->seconds_left)) {
		run->end = RUN_PRECISE;
		*is_done = true;
	}
	show_progress(meter, now);
	meter_plan_harvest(meter, now);
	if (run->is_step_done &&
	    run->is_step_done(run->context, meter->seconds ?
			      meter->started + meter->seconds - now : 0)) {
		run->end = RUN_STEP_DONE;
		*is_done = true;
	}
	return result;
}

enum run_order meter_obey(struct meter *meter)
{
	struct run *run = meter->run;
	const struct run_control *control = run->control;
	enum run_order order;
	double now;

	if (!control->is_left && control->answer && !control->answer(control->context))
		return RUN_GO_ON;
	/* An error here also fails the next regular harvest, which returns the error. */
	if (!run->paused_at) {
		meter_harvest(meter, false);
		update_areas(meter);
	}
	now = run_clock(run);
	run->result.elapsed_seconds = now - meter->interval_started;
	meter_end_receipt(meter);
	meter_time_beside(meter);
	order = control->serve(control->context);
	if (order == RUN_RESET)
		reset_results(meter, now);
	return order;
}
