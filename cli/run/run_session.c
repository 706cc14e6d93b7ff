// SPDX-License-Identifier: GPL-2.0-only
/*
 * The session of a run: started, ended by a pause, and started again. Each session of a run has a
 * seed of its own, so that its sampling instants do not repeat those before the pause. See
 * run_parts.h.
 */
#include <errno.h>

#include "run/device_parts.h"
#include "run/run_parts.h"

const struct cpus *meter_cpus(const struct meter *meter)
{
	return meter->counted.nr ? &meter->counted :
		meter->run->options->cpus.nr ? &meter->run->options->cpus : &meter->cpus;
}

double run_clock(const struct run *run)
{
	return (run->paused_at ?: clock_seconds()) - run->paused_seconds;
}

double meter_paused_seconds(const struct meter *meter)
{
	const struct run *run = meter->run;
	double now = run->paused_at ? clock_seconds() - run->paused_at : 0;

	return now + run->paused_seconds - meter->paused_before;
}

/* By the events' clock: what is done between their start and @now may take long on a busy machine. */
void meter_begin_clock(struct meter *meter, double now)
{
	struct run *run = meter->run;

	if (meter->started && run->end != RUN_STEP_DONE)
		return;
	meter->interval_started = meter->device.began - run->paused_seconds;
	if (!meter->started)
		meter->started = meter->interval_started;
	run->result.began = clock_unix() - (now - meter->interval_started);
}

/* The option that needs what perf events of threads do not tell; NULL: there is none. */
static const char *find_option_of_cpus(const struct run *run)
{
	return run->options->cpus.nr ? "-cpu" : run->by_cpu;
}

/* Says which engine was chosen in place of a better one, and keeps to it. */
static int settle_engine(struct meter *meter, const struct text_error *why,
			 struct text_error *error_ret)
{
	const char *option = find_option_of_cpus(meter->run);

	meter->engine = device_engine(&meter->device);
	if (meter->engine == DEVICE_PERF && option) {
		text_fail(error_ret, 0, "%.400s%smeasure with -engine perf: %s: this needs the module or "
			  "-engine bpf", why->what, why->what[0] ? "; " : "", option);
		text_hint(error_ret, "threads are sampled on all CPUs: leave %s out", option);
		return -EOPNOTSUPP;
	}
	if (why->what[0])
		fprintf(stderr, "probe: %s; measuring %s%s\n", why->what, meter->engine == DEVICE_PERF ?
			"your own processes with perf events, in user mode only" :
			"with BPF, which cannot tell lateness",
			meter->run->unwind ? ", and finds callers by frame pointers only" : "");
	return 0;
}

/* The event of a session, which takes the place of time. */
static void set_event(struct cpuprobe_start *start, const struct event *event)
{
	start->event_type = event_is_sampled(event) ? event->type + 1 : 0;
	start->event_flags = event->flags;
	start->event_config = event->config;
	start->event_config1 = event->config1;
	start->event_period = event->period;
}

/*
 * The mean time between samples that the session claims, and is held to. A CPU whose clock gets faster takes more
 * samples than the period of cycles was chosen for: up to a quarter.
 */
static u64 claimed_period_ns(const struct run *run)
{
	const u64 asked_ns = run->wanted_ns ?: run->options->period_ns, least_ns = CPUPROBE_PERIOD_MIN_NS;

	if (!run->options->uses_nmi || !event_is_sampled(&run->result.event))
		return asked_ns;
	return asked_ns * 4 / 5 > least_ns ? asked_ns * 4 / 5 : least_ns;
}

int meter_start_session(struct meter *meter, u64 seed, struct text_error *error_ret)
{
	struct run *run = meter->run;
	const struct sampling_options *options = run->options;
	struct text_error why;
	int error;

	run->start.period_ns = claimed_period_ns(run);
	run->start.jitter = options->jitter;
	run->start.seed = seed;
	run->start.deferred_ns = options->deferred_ns;
	set_event(&run->start, &run->result.event);
	run->start.flags = (options->excludes_deferred ? CPUPROBE_START_EXCLUDE_DEFERRED : 0) |
		(options->lets_sleep ? CPUPROBE_START_IDLE_SLEEP : 0) |
		(options->uses_nmi ? CPUPROBE_START_NMI : 0) | run_unwind_needs(run);
	run->start.unwind_kib = run->start.flags & CPUPROBE_START_UNWIND ? run->unwind->kib : 0;
	if (run->not_perf && options->engine == DEVICE_PERF)
		return device_explain_lack(DEVICE_PERF, run->not_perf, true, error_ret);
	/* All sessions of a run have one engine: counts of two do not add up. */
	error = device_open_for(&meter->device, meter->engine ?: options->engine, &run->start, &why,
				error_ret);
	if (!error)
		error = settle_engine(meter, &why, error_ret);
	if (!error && run->place)
		error = run->place(run->context, &meter->device, error_ret);
	if (error)
		return error;
	return meter_start_unwinding(meter, meter_cpus(meter), error_ret);
}

int meter_name_event(const struct meter *meter, int error, struct text_error *error_ret)
{
	const struct text_error reason = *error_ret;

	text_fail(error_ret, 0, "-event %s: %.400s", meter->run->result.event.name, reason.what);
	text_hint(error_ret, "%s", reason.hint);
	return error;
}

void meter_close(struct meter *meter)
{
	size_t i;

	device_close(&meter->device);
	for (i = 0; i < meter->nr_beside; i++)
		device_close(&meter->beside[i].device);
}

void meter_pause(struct meter *meter, double now)
{
	struct run *run = meter->run;
	size_t i;

	receipt_clock_read(&meter->pause_clock, meter_cpus(meter));
	run->paused_at = now + run->paused_seconds;
	meter->own = run->receipt.own;
	meter->nr_pauses++;
	for (i = 0; i < meter->nr_beside; i++)
		meter_pause(&meter->beside[i], now);
}

/* The session may have another rate than the one before. */
static void note_rate(struct run *run)
{
	if (event_is_sampled(&run->result.event) || run->receipt.period_ns == run->start.period_ns)
		return;
	run->receipt.rates.nr_changes++;
	run->receipt.period_ns = run->start.period_ns;
}

/* Lets the run's clock go on. */
static void end_pause(struct meter *meter)
{
	struct run *run = meter->run;
	struct receipt_clock now;
	size_t i;

	receipt_clock_read(&now, meter_cpus(meter));
	meter->clock.all += now.all - meter->pause_clock.all;
	meter->clock.steal += now.steal - meter->pause_clock.steal;
	run->paused_seconds += meter->device.began - run->paused_at;
	run->paused_at = 0;
	note_rate(run);
	for (i = 0; i < meter->nr_beside; i++)
		end_pause(&meter->beside[i]);
}

/* Starts the next sessions of the run and of those beside it, with seeds of their own. */
static int start_again(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	int error = meter_start_session(meter, run->result.seed + meter->nr_pauses, error_ret);
	size_t i;

	for (i = 0; !error && i < meter->nr_beside; i++) {
		error = start_again(&meter->beside[i], error_ret);
		if (error)
			meter_name_event(&meter->beside[i], error, error_ret);
	}
	return error;
}

/* Starts the next session of a paused run. -errno with a reason: the run remains paused. */
static int begin_again(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	int error = start_again(meter, error_ret);

	if (error) {
		meter_close(meter);
		if (run->unplaced)
			run->unplaced(run->context);
		return error;
	}
	end_pause(meter);
	return 0;
}

void meter_resume(struct meter *meter)
{
	const struct run_control *control = meter->run->control;
	struct text_error error;
	int result = begin_again(meter, &error);

	control->obeyed(control->context, result ? &error : NULL);
}

void meter_change_rate(struct meter *meter)
{
	struct run *run = meter->run;
	struct text_error error, later;
	int result = begin_again(meter, &error);

	if (result) {
		run->wanted_ns = run->start.period_ns = run->receipt.period_ns;
		if (begin_again(meter, &later))
			text_hint(&error, "the run is paused now: 'probe resume' continues it");
	}
	run->control->obeyed(run->control->context, result ? &error : NULL);
}
