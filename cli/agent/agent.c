// SPDX-License-Identifier: GPL-2.0-only
/* An agent: see agent.h. */
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/agent_serve.h"
#include "agent/agent_status.h"
#include "agent/notify.h"
#include "base/clock.h"
#include "run/device.h"

#define HARVEST_SECONDS		5.0	/* a sample in 50 ms: nothing fills up */
#define STACKS_MAX		65536	/* distinct stacks in a window */
#define NAMES_MAX		(8 << 20)	/* bytes of symbols of files: half a million */
#define RENEW_WINDOWS		5	/* windows of a session at least */
#define RENEW_GROWTH		1.25	/* only what grows is worth a renewal */
#define MMAP_BYTES		(64 << 10)	/* larger blocks go back to the kernel when they are freed */
#define PART_SECONDS		0.5	/* less without a sample is no window */

static double read_clock(void)
{
	return clock_read(CLOCK_BOOTTIME);
}

static void add_stack(void *context, u32 stack, u64 hits, double ns)
{
	struct agent *agent = context;

	agent->table.names_ended = agent->measurement.run.receipt.flags & RECEIPT_BPF;
	agent_table_add(&agent->table, agent->measurement.profile, stack, hits);
	agent_serve_between(agent);
}

static void end_account(void *context, u32 cpu, const struct cpuprobe_account *account)
{
	struct agent *agent = context;

	agent_table_end_account(&agent->table, cpu, account);
}

/* Whether the memory has grown beyond its limit, so that the session is to begin anew. */
static bool is_too_large(struct agent *agent)
{
	u64 rss;

	rss = agent_status_rss();
	if (!agent->first_rss)
		agent->first_rss = rss;
	return ++agent->nr_windows >= RENEW_WINDOWS && rss > agent->config.memory_mib << 20 &&
	       rss > RENEW_GROWTH * agent->first_rss;
}

/* A window of stacks has ended. False: the session ends. */
static bool end_stacks(struct agent *agent, const struct window_now *now)
{
	struct measurement *measurement = &agent->measurement;

	windows_end_stacks(&agent->windows, &measurement->run, measurement->profile, NULL, now);
	if (measurement_is_large(measurement))
		measurement_renew(measurement);
	else
		measurement_reset(measurement);
	if (!is_too_large(agent))
		return true;
	agent->next = AGENT_RENEWS;
	agent->nr_renewals++;
	return false;
}

/* A table has ended, and perhaps a window of stacks with it. False: the session ends. */
static bool end_table(void *context, const struct run_result *result)
{
	struct measurement *measurement = context;
	struct agent *agent = measurement->context;
	struct window_now now;
	bool goes_on = true;

	malloc_trim(0);
	window_now(&now);
	notify_service("WATCHDOG=1");
	agent_serve_reap(agent);
	agent->is_counted = windows_end_table(&agent->windows, agent->table.fold, result, &measurement->run.receipt, &now);
	agent_table_renew(&agent->table);
	if (agent->is_counted)
		goes_on = end_stacks(agent, &now);
	agent->is_counted = false;
	return goes_on;
}

/* SIGHUP: a new configuration, if it has no errors, ends the session. */
static bool reload(void *context)
{
	struct agent *agent = ((struct measurement *)context)->context;
	struct agent_config wanted;
	struct text_error error;

	if (agent->next != AGENT_ENDS)
		return true;
	if (agent->load(agent->context, &wanted, &error)) {
		journal_fault(&agent->windows.journal, JOURNAL_CONFIG, read_clock(),
			      "%.180s; the old configuration stays in force", error.what);
		return false;
	}
	agent->wanted = wanted;
	agent->next = AGENT_RELOADS;
	return true;
}

/* Sampling has begun. */
static void note_begin(void *context)
{
	struct agent *agent = context;
	const struct run *run = &agent->measurement.run;

	malloc_trim(0);
	agent->is_measuring = true;
	if (agent->is_tried)
		agent_config_deinit(&agent->wanted);
	agent->is_tried = false;
	if (!agent->has_begun)
		journal_note("sampling at %.4g Hz, ring in %s", 1e9 / run->start.period_ns,
			     agent->windows.ring.directory);
	agent->has_begun = true;
	notify_service("READY=1\nSTATUS=sampling");
}

static void set_options(struct agent *agent, bool lets_sleep)
{
	const struct agent_config *config = &agent->config;
	struct stacks_options *options = &agent->options;

	stacks_options_init(options);
	options->sampling.period_ns = config->period_ns;
	options->sampling.engine = agent->settled ?: config->engine;
	options->sampling.lets_sleep = lets_sleep;
	options->sampling.repeat_seconds = config->table_seconds;
	options->is_whole = true;
	options->names_max = NAMES_MAX;
	options->is_compact = true;
	/* Reading them costs a little for each new process. */
	options->by_cgroup = config->push_url || agent->metrics.containers;
	agent->windows.per_stacks = lround(config->stacks_seconds / config->table_seconds);
}

static int prepare(struct agent *agent, struct text_error *error_ret)
{
	struct measurement *measurement = &agent->measurement;
	int error = measurement_init(measurement, &agent->options, NULL, error_ret);

	if (error)
		return error;
	if (agent_table_init(&agent->table, agent->metrics.containers)) {
		measurement_deinit(measurement);
		return text_fail(error_ret, -ENOMEM, "measure: out of memory");
	}
	measurement->profile->stacks_max = STACKS_MAX;
	measurement->context = agent;
	measurement->counted = end_account;
	measurement->counted_stack = add_stack;
	measurement->run.interval = end_table;
	measurement->run.hung_up = reload;
	measurement->run.watches_only = true;
	measurement->run.harvest_seconds = fmin(HARVEST_SECONDS, agent->config.table_seconds);
	measurement->run.receipt_intervals = agent->windows.per_stacks;
	measurement->run.control = &agent->orders;
	agent->is_measuring = false;
	agent->first_rss = 0;
	agent->nr_windows = 0;
	return 0;
}

/* Keeps what was measured since the last window. */
static void end_part(struct agent *agent)
{
	const struct measurement *measurement = &agent->measurement;
	const struct run_result *part = &measurement->run.result;
	struct window_now now;

	if (!measurement->profile->taken && agent->windows.result.elapsed_seconds + part->elapsed_seconds <
	    PART_SECONDS)
		return;
	window_now(&now);
	windows_end_stacks(&agent->windows, &measurement->run, measurement->profile, part, &now);
}

/* One session, from its start to its last window. -errno with a reason: it could not begin. */
static int measure_session(struct agent *agent, bool lets_sleep, struct text_error *error_ret)
{
	int error;

	set_options(agent, lets_sleep);
	error = prepare(agent, error_ret);
	if (error)
		return error;
	error = measurement_run(&agent->measurement, error_ret);
	if (agent->is_measuring) {
		agent->settled = agent->measurement.run.receipt.flags & RECEIPT_BPF ? DEVICE_BPF : DEVICE_MODULE;
		end_part(agent);
	}
	agent->is_measuring = false;
	if (error == -EBADMSG)
		journal_fault(&agent->windows.journal, JOURNAL_SAMPLING, read_clock(),
			      "some counts could not be fetched");
	if (error == -EBADMSG && agent->next == AGENT_ENDS)
		text_fail(error_ret, 0, "measure: some counts could not be fetched");
	else if (error == -EBADMSG)
		error = 0;
	measurement_deinit(&agent->measurement);
	agent_table_deinit(&agent->table);
	stacks_options_deinit(&agent->options);
	malloc_trim(0);
	return error;
}

/*
 * The module lets idle CPUs sleep; where it cannot be had, the other engines sample them. Whether it can is
 * tried once.
 */
static int measure(struct agent *agent, struct text_error *error_ret)
{
	const unsigned int idle = agent->config.idle, engine = agent->config.engine;
	struct text_error unused;

	if (idle == AGENT_IDLE_SLEEP)
		return measure_session(agent, true, error_ret);
	if (idle == AGENT_IDLE_SAMPLE || agent->cannot_sleep || engine == DEVICE_BPF || engine == DEVICE_PERF ||
	    measure_session(agent, true, &unused)) {
		agent->cannot_sleep = true;
		return measure_session(agent, false, error_ret);
	}
	return 0;
}

/* Opens the ring of a configuration. */
static int open_ring(const struct agent_config *config, struct window_ring *ring, struct text_error *error_ret)
{
	char directory[WINDOW_RING_PATH];
	struct window_now now;
	int error = agent_config_ring_dir(config, directory, sizeof(directory), error_ret);

	window_now(&now);
	return error ?: window_ring_open(ring, directory, config->ring_mib << 20, config->ring_seconds, &now,
					 error_ret);
}

/* Moves to another directory, or changes the limits. */
static int change_ring(const struct agent_config *config, struct window_ring *ring,
		       struct text_error *error_ret)
{
	char directory[WINDOW_RING_PATH];
	struct window_ring other;
	struct window_now now;
	int error = agent_config_ring_dir(config, directory, sizeof(directory), error_ret);

	if (error)
		return error;
	if (!strcmp(directory, ring->directory)) {
		window_now(&now);
		window_ring_limit(ring, config->ring_mib << 20, config->ring_seconds, &now);
		return 0;
	}
	error = open_ring(config, &other, error_ret);
	if (error)
		return error;
	window_ring_close(ring);
	*ring = other;
	return 0;
}

static void close_sinks(struct agent *agent)
{
	agent->windows.nr_sinks = 0;
	sink_metrics_close(&agent->metrics);
	sink_push_close(&agent->push);
}

static int open_sinks(struct agent *agent, const struct agent_config *config, struct text_error *error_ret)
{
	struct windows *windows = &agent->windows;
	int wanted = sink_metrics_open(&agent->metrics, &config->prom, &config->listening,
				       config->prom_by == AGENT_BY_CONTAINER,
				       &windows->sinks[windows->nr_sinks], error_ret);

	if (wanted >= 0) {
		windows->nr_sinks += wanted;
		wanted = sink_push_open(&agent->push, &config->push, config->push_url,
					&windows->sinks[windows->nr_sinks], error_ret);
	}
	if (wanted < 0) {
		close_sinks(agent);
		return wanted;
	}
	windows->nr_sinks += wanted;
	return 0;
}

/* Closes all sinks and opens those of another configuration; if that fails, those of before. */
static int change_sinks(struct agent *agent, const struct agent_config *config, struct text_error *error_ret)
{
	struct text_error unused;
	int error;

	close_sinks(agent);
	error = open_sinks(agent, config, error_ret);
	if (error && open_sinks(agent, &agent->config, &unused))
		journal_fault(&agent->windows.journal, JOURNAL_SINK, read_clock(), "%.200s", unused.what);
	return error;
}

/* Puts the wanted configuration in force, and keeps the old one in its place. */
static void swap_config(struct agent *agent)
{
	struct agent_config old = agent->config;

	agent->config = agent->wanted;
	agent->wanted = old;
	agent->cannot_sleep = false;
	agent->settled = DEVICE_AUTO;
}

/* Tries the wanted configuration; if its ring cannot be used, the old one stays. */
static void take_config(struct agent *agent)
{
	struct text_error error;

	if (change_sinks(agent, &agent->wanted, &error) ||
	    change_ring(&agent->wanted, &agent->windows.ring, &error)) {
		journal_fault(&agent->windows.journal, JOURNAL_CONFIG, read_clock(),
			      "%.180s; the old configuration stays in force", error.what);
		change_sinks(agent, &agent->config, &error);
		agent_config_deinit(&agent->wanted);
	} else {
		swap_config(agent);
		agent->is_tried = true;
		journal_note("configuration read");
	}
}

/* A configuration with which no session can begin gives way to the one before it. */
static int go_back(struct agent *agent, const struct text_error *why, struct text_error *error_ret)
{
	int error;

	journal_fault(&agent->windows.journal, JOURNAL_CONFIG, read_clock(),
		      "%.180s; back to the old configuration", why->what);
	swap_config(agent);
	agent->is_tried = false;
	error = change_sinks(agent, &agent->config, error_ret) ?:
		change_ring(&agent->config, &agent->windows.ring, error_ret);
	agent_config_deinit(&agent->wanted);
	return error;
}

/* Sessions until one ends for good. */
static int measure_sessions(struct agent *agent, struct text_error *error_ret)
{
	struct text_error why;
	int error;

	do {
		agent->next = AGENT_ENDS;
		error = measure(agent, error_ret);
		if (error && agent->is_tried) {
			why = *error_ret;
			error = go_back(agent, &why, error_ret);
			agent->next = AGENT_RENEWS;
		} else if (!error && agent->next == AGENT_RELOADS) {
			take_config(agent);
		}
	} while (!error && agent->next != AGENT_ENDS);
	return error;
}

static int begin_agent(struct agent *agent, struct text_error *error_ret)
{
	int error = agent->load(agent->context, &agent->config, error_ret);

	if (error)
		return error;
	error = control_take(AGENT_NAME, &agent->control, error_ret);
	if (error)
		goto free_config;
	error = open_ring(&agent->config, &agent->windows.ring, error_ret);
	if (error)
		goto release_control;
	error = open_sinks(agent, &agent->config, error_ret);
	if (error)
		goto close_ring;
	agent->orders = (struct run_control){
		.fd = agent->control.listen_fd, .context = agent, .began = note_begin, .answer = agent_serve_now,
		.serve = agent_serve,
	};
	agent->windows.between = agent_serve_between;
	agent->windows.context = agent;
	agent->began = clock_unix();
	agent->began_clock = clock_seconds();
	agent->client = agent->waiting = -1;
	return 0;

close_ring:
	window_ring_close(&agent->windows.ring);
release_control:
	control_release(&agent->control);
free_config:
	agent_config_deinit(&agent->config);
	return error;
}

int agent_run(struct agent *agent, struct text_error *error_ret)
{
	int error = begin_agent(agent, error_ret);

	mallopt(M_MMAP_THRESHOLD, MMAP_BYTES);
	mallopt(M_TRIM_THRESHOLD, MMAP_BYTES);
	if (error)
		return error;
	error = measure_sessions(agent, error_ret);
	notify_service("STOPPING=1");
	agent_serve_end(agent);
	if (!error)
		journal_note("ended after %.0f s: %llu windows written, %llu faults",
			     clock_seconds() - agent->began_clock, agent->windows.nr_written,
			     journal_sum(&agent->windows.journal));
	close_sinks(agent);
	control_release(&agent->control);
	window_ring_close(&agent->windows.ring);
	agent_config_deinit(&agent->config);
	return error;
}
