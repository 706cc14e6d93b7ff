// SPDX-License-Identifier: GPL-2.0-only
/* Runs of `probe trace`: see trace_run.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/cgroup.h"
#include "run/device_trace.h"
#include "run/end_signals.h"
#include "trace/trace_expect.h"
#include "trace/user_cost.h"
#include "trace_run.h"

#define DEFAULT_SECONDS	10
#define DEFAULT_PERIOD_NS	1000000u	/* of the sampler */
#define MANY_FUNCTIONS	10000	/* so many only for a limited time */

void trace_run_init(struct trace_run *run)
{
	run->target.exe_fd = run->cgroup_fd = run->signal_fd = run->session.calls.device.fd = -1;
	run->sampler.device.fd = -1;
	run->child = (struct child){ .gate_fd = -1, .error_fd = -1, .pid_fd = -1 };
}

/* Without -wrap the buffers limit the time. */
static int refuse_unlimited(const struct trace_run *run, bool has_command, struct text_error *error_ret)
{
	u32 nr = run->session.calls.functions.nr + run->session.users.nr;

	if (nr < MANY_FUNCTIONS || !run->options.wraps || !has_command || run->seconds)
		return 0;
	text_fail(error_ret, 0, "follow calls: %u functions for as long as the COMMAND runs", nr);
	text_hint(error_ret, "limit the time with -sec, or omit -wrap");
	return -EINVAL;
}

static int find_target(struct trace_run *run, char **command, struct text_error *error_ret)
{
	int error = 0;

	if (run->task)
		error = task_find(run->task, command ? command[0] : NULL, &run->target, error_ret);
	if (!error && run->cgroup)
		run->cgroup_fd = cgroup_open(run->cgroup, error_ret);
	return error ?: run->cgroup && run->cgroup_fd < 0 ? run->cgroup_fd : 0;
}

static int watch_signals(struct trace_run *run, struct text_error *error_ret)
{
	sigset_t old_mask;

	run->signal_fd = end_signals_open(&old_mask);
	return run->signal_fd >= 0 ? 0 :
		text_fail(error_ret, run->signal_fd, "watch signals: %s", strerror(-run->signal_fd));
}

int trace_run_prepare(struct trace_run *run, char **command, struct text_error *error_ret)
{
	u32 nr;
	int error;

	error = find_target(run, command, error_ret) ?:
		trace_session_choose(&run->session, &run->options, run->task ? &run->target : NULL,
				     "/proc/kallsyms", error_ret) ?:
		refuse_unlimited(run, command, error_ret) ?: watch_signals(run, error_ret);
	/* Fork before the device is opened, so that the command does not hold it open. */
	if (!error && command)
		error = child_fork(&run->child, command, error_ret);
	nr = run->session.calls.functions.nr;
	if (!error && nr)
		fprintf(stderr, "probe: %u function%s\n", nr, nr == 1 ? " matches" : "s match");
	return error;
}

/* Passes on signals sent by processes; the terminal signals the COMMAND itself. */
static void forward_signals(struct trace_run *run)
{
	struct signalfd_siginfo info;

	while (read(run->signal_fd, &info, sizeof(info)) == sizeof(info))
		if (run->child.pid && info.ssi_code <= 0)
			kill(run->child.pid, info.ssi_signo);
}

/* Milliseconds to the end or to the next look at the recording; -1: neither is known. */
static int wait_ms(double left, bool has_end, double look)
{
	if (look > 0 && (!has_end || look < left))
		left = look;
	else if (!has_end)
		return -1;
	return (int)(left * 1e3) + 1;
}

/* Waits until recording, the COMMAND or the time ends, or a signal comes. */
static void wait_for_end(struct trace_run *run, bool has_command)
{
	double seconds = run->seconds ?: has_command ? 0 : DEFAULT_SECONDS;
	double until = clock_seconds() + seconds, look_at = clock_seconds() + TRACE_EXPECT_SECONDS;
	struct text_error error;
	struct pollfd fds[] = {
		{ .fd = run->session.calls.device.fd, .events = POLLIN },
		{ .fd = run->child.pid_fd, .events = POLLIN },
		{ .fd = run->signal_fd, .events = POLLIN },
		{ .fd = run->sampler.device.fd, .events = POLLIN },
	};

	for (;;) {
		double left = until - clock_seconds(), look = look_at - clock_seconds();

		if (seconds && left <= 0)
			break;
		if (look_at && look <= 0) {
			trace_expect_tell(&run->session, seconds);
			look_at = look = 0;
		}
		if (poll(fds, 4, wait_ms(left, seconds, look)) <= 0)
			continue;
		if (fds[0].revents || fds[1].revents || fds[2].revents)
			break;
		if (trace_sampler_harvest(&run->sampler, &error))
			text_report(&error);
	}
	if (fds[2].revents)
		forward_signals(run);
}

/* The trace with its samples; NULL with a reason: they cannot be read, and the trace is destroyed. */
static struct trace *add_samples(struct trace_run *run, struct trace *trace, struct text_error *error_ret)
{
	trace->beside = trace_sampler_read(&run->sampler, error_ret);
	if (trace->beside)
		return trace;
	trace_destroy(trace);
	return NULL;
}

static struct trace *stop_and_read(struct trace_run *run, struct text_error *error_ret)
{
	struct trace *trace;

	trace_sampler_stop(&run->sampler);
	call_session_stop(&run->session.calls);
	trace = trace_session_read(&run->session, error_ret);
	if (!trace || !(trace->totals.end & CPUPROBE_EVENTS_WAITING))
		return trace && run->has_sampler ? add_samples(run, trace, error_ret) : trace;
	trace_destroy(trace);
	text_fail(error_ret, 0,
		  "follow calls: nothing was recorded, since the beginning that was asked for did not come");
	text_hint(error_ret, run->options.start_at ?
		  "-start-at waits for a call by the chosen tasks; 'probe calls -fn' counts them" :
		  "'probe mark TEXT' writes the mark that -start-mark waits for");
	return NULL;
}

static void tell_unloaded(const struct trace_run *run)
{
	const char *module = call_session_unloaded(&run->session.calls);

	if (module)
		fprintf(stderr,
			"probe: module %s was unloaded during the trace: its calls until then are recorded\n",
			module);
}

/* Begins to record, and to sample beside it if wanted. */
static int begin(struct trace_run *run, struct text_error *error_ret)
{
	/* A process is followed into the programs that it executes. */
	int exe_fd = run->target.pid ? -1 : run->target.exe_fd;
	int error = 0;

	if (run->has_sampler)
		error = trace_sampler_start(&run->sampler, &run->session,
					    run->period_ns ?: DEFAULT_PERIOD_NS, exe_fd, run->target.pid,
					    run->cgroup_fd, error_ret);
	if (!error)
		error = trace_session_begin(&run->session, exe_fd, run->target.pid, run->cgroup_fd, error_ret);
	if (!error && run->has_sampler)
		error = trace_sampler_begin(&run->sampler, error_ret);
	return error;
}

/* Calls of programs cost much: a breakpoint at the beginning, another one at the end. */
static void measure_users(struct trace_run *run)
{
	u32 nr = run->session.users.nr, cost_ps;

	if (!nr)
		return;
	cost_ps = user_cost_measure();
	run->session.user_cost_ps = cost_ps;
	fprintf(stderr, "probe: %u function%s of programs%s; each call %s %.1f us\n", nr, nr == 1 ? "" : "s",
		run->task || run->cgroup ? "" : ", in all processes",
		cost_ps ? "costs" : "is assumed to cost", (cost_ps ?: CPUPROBE_USER_COST_PS) / 1e6);
}

struct trace *trace_run_record(struct trace_run *run, char **command, struct text_error *error_ret)
{
	double began;
	int error;

	measure_users(run);
	error = begin(run, error_ret);
	if (error) {
		/* It still waits to be released, and the caller waits for its end. */
		child_kill(&run->child);
		return NULL;
	}
	call_session_tell_unhookable(&run->session.calls);
	user_functions_tell_refused(&run->session.users);
	if (run->session.request.nr_missing)
		fprintf(stderr,
			"probe: this kernel does not report %u kinds of interrupts without a number\n",
			run->session.request.nr_missing);
	run->began = clock_unix();
	began = clock_seconds();
	if (command) {
		run->command_error = child_release(&run->child, command, error_ret);
		if (run->command_error)
			return NULL;
	}
	wait_for_end(run, command);
	run->elapsed_seconds = clock_seconds() - began;
	tell_unloaded(run);
	return stop_and_read(run, error_ret);
}

void trace_run_wait(struct trace_run *run)
{
	struct pollfd fds[] = {
		{ .fd = run->child.pid_fd, .events = POLLIN },
		{ .fd = run->signal_fd, .events = POLLIN },
	};

	if (!run->child.pid)
		return;
	while (!fds[0].revents) {
		poll(fds, 2, -1);
		if (fds[1].revents)
			forward_signals(run);
	}
	run->command_status = child_wait(&run->child);
}

void trace_run_deinit(struct trace_run *run)
{
	child_kill(&run->child);
	if (run->target.exe_fd >= 0)
		task_deinit(&run->target);
	if (run->cgroup_fd >= 0)
		close(run->cgroup_fd);
	if (run->signal_fd >= 0)
		close(run->signal_fd);
	trace_sampler_deinit(&run->sampler);
	trace_session_deinit(&run->session);
}
