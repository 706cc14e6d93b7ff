// SPDX-License-Identifier: GPL-2.0-only
/* One measurement from start to end: see run.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "run.h"

#define HARVEST_SECONDS	1.0
#define DEFAULT_SECONDS	10.0
#define WAKE_SECONDS	0.1	/* no sooner does poll() of the device call for the next harvest */

/** What only the time of the measurement needs. */
struct meter {
	struct run *run;
	struct device device;
	struct child child;
	struct cpus cpus;
	int signal_fd;
	int task_fd;		/* pidfd of the task measured, or -1 */
	double seconds;		/* planned; 0: until the command ends */
	double started;
	double interval_started;
	double last_harvest;
	double next_harvest;
	bool shows_progress;
	sigset_t old_mask;
};

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static double now_unix(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void add_account(void *context, uint32_t cpu, const struct cpuprobe_account *account,
			const void *entries)
{
	struct run *run = context;
	int mode;

	run->result.account.taken += account->taken;
	run->result.account.missed += account->missed;
	run->result.account.expected += account->expected;
	run->result.account.deferred += account->deferred;
	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		run->result.account.lost += account->lost[mode];
	if (account->flags & CPUPROBE_ACCOUNT_SLOWED)
		fprintf(stderr, "probe: CPU %u missed more than a quarter of its samples; "
			"its rate is halved to %.6g Hz\n", cpu, 5e8 / account->period_ns);
	run->sink(run->context, cpu, account, entries);
}

static int choose_cpus(struct meter *meter, struct text_error *error_ret)
{
	const struct cpus *asked = &meter->run->options->cpus;
	size_t nr_quiet = 0;
	int error;

	if (asked->nr)
		return cpus_check(asked, error_ret);
	error = cpus_default(&meter->cpus, &nr_quiet, error_ret);
	if (!error && nr_quiet)
		fprintf(stderr, "probe: %zu isolated or nohz_full CPUs are left alone; "
			"-cpu LIST samples them\n", nr_quiet);
	return error;
}

static int watch_signals(struct meter *meter, struct text_error *error_ret)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, &meter->old_mask);
	meter->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (meter->signal_fd < 0)
		return text_fail(error_ret, -errno, "watch signals: %s", strerror(errno));
	return 0;
}

static int watch_task(struct meter *meter, struct text_error *error_ret)
{
	int pid = meter->run->task_pid;

	if (!pid)
		return 0;
	meter->task_fd = syscall(SYS_pidfd_open, pid, 0);
	if (meter->task_fd < 0)
		return text_fail(error_ret, -errno, "watch process %d: %s", pid, strerror(errno));
	return 0;
}

static int start_sampling(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	const struct sampling_options *options = run->options;
	const struct cpus *cpus = options->cpus.nr ? &options->cpus : &meter->cpus;
	int error;

	error = device_open(&meter->device, error_ret);
	if (!error && run->place)
		error = run->place(run->context, &meter->device, error_ret);
	if (error)
		return error;
	run->start.period_ns = options->period_ns;
	run->start.jitter = options->jitter;
	run->start.seed = options->seed;
	error = device_start(&meter->device, &run->start, cpus->number, cpus->nr, error_ret);
	run->result.period_ns = run->start.period_ns;
	run->result.seed = run->start.seed;
	return error;
}

static void show_progress(const struct meter *meter, double now)
{
	if (!meter->shows_progress)
		return;
	fprintf(stderr, "\r\033[K%.0f s", now - meter->started);
	if (meter->seconds)
		fprintf(stderr, " of %g s", meter->seconds);
	fprintf(stderr, ", %llu samples", (unsigned long long)meter->run->result.account.taken);
	fflush(stderr);
}

static void clear_progress(const struct meter *meter)
{
	if (meter->shows_progress)
		fprintf(stderr, "\r\033[K");
}

static int harvest(struct meter *meter)
{
	struct text_error error;
	struct run *run = meter->run;
	int result = device_harvest(&meter->device, add_account, run, &error);

	run->result.nr_cpus = device_nr_sampled(&meter->device);
	if (result) {
		clear_progress(meter);
		text_report(&error);
	}
	return result;
}

/* A signal that came: a terminal's has reached the COMMAND too, another's is passed on. */
static void take_signal(struct meter *meter)
{
	struct signalfd_siginfo info;

	while (read(meter->signal_fd, &info, sizeof(info)) == sizeof(info))
		if (meter->child.pid && info.ssi_code <= 0)
			kill(meter->child.pid, info.ssi_signo);
}

/* Milliseconds until something is to be done. */
static int time_left_ms(const struct meter *meter, double now)
{
	double until = meter->next_harvest;

	if (meter->seconds && meter->started + meter->seconds < until)
		until = meter->started + meter->seconds;
	return until > now ? (int)((until - now) * 1e3) + 1 : 0;
}

/* When the next harvest is due; the end of an interval is one. */
static void plan_harvest(struct meter *meter, double now)
{
	const struct run *run = meter->run;
	double interval_end = meter->interval_started + run->options->repeat_seconds;

	meter->last_harvest = now;
	meter->next_harvest = now + (run->harvest_seconds ? run->harvest_seconds : HARVEST_SECONDS);
	if (run->interval && meter->next_harvest > interval_end)
		meter->next_harvest = interval_end;
}

/* Hand an interval out and begin the next. False: nobody wants it. */
static bool end_interval(struct meter *meter, double now)
{
	struct run *run = meter->run;
	bool is_wanted;

	run->result.elapsed_seconds = now - meter->interval_started;
	clear_progress(meter);
	is_wanted = run->interval(run->context, &run->result);
	memset(&run->result.account, 0, sizeof(run->result.account));
	run->result.began = now_unix();
	meter->interval_started = now;
	return is_wanted;
}

/* Harvest, and do what follows from what came. It may be that the step is over. */
static int harvest_and_look(struct meter *meter, double now, bool *is_done)
{
	struct run *run = meter->run;
	struct text_error error;
	int result = harvest(meter);

	if (run->place && run->place(run->context, &meter->device, &error)) {
		clear_progress(meter);
		text_report(&error);
	}
	if (run->interval && now >= meter->interval_started + run->options->repeat_seconds &&
	    !end_interval(meter, now)) {
		run->end = RUN_INTERRUPTED;
		*is_done = true;
		return result;
	}
	show_progress(meter, now);
	plan_harvest(meter, now);
	if (run->is_step_done &&
	    run->is_step_done(run->context, meter->seconds ?
			      meter->started + meter->seconds - now : 0)) {
		run->end = RUN_STEP_DONE;
		*is_done = true;
	}
	return result;
}

/* Waits and harvests until there is a reason to stop. The first harvest error is remembered. */
static int sample(struct meter *meter)
{
	struct run *run = meter->run;
	struct pollfd fds[] = {
		{ .fd = meter->signal_fd, .events = POLLIN },
		{ .fd = meter->child.pid_fd, .events = POLLIN },
		{ .fd = meter->task_fd, .events = POLLIN },
		{ .fd = meter->device.fd, .events = POLLIN },
	};
	bool is_done = false;
	int result = 0, error;

	for (;;) {
		double now = now_seconds(), quiet = meter->last_harvest + WAKE_SECONDS - now;
		int left_ms = time_left_ms(meter, now);

		if (meter->seconds && now >= meter->started + meter->seconds) {
			run->end = RUN_TIME_UP;
			break;
		}
		if (now >= meter->next_harvest || (fds[3].revents && quiet <= 0)) {
			error = harvest_and_look(meter, now, &is_done);
			result = result ?: error;
			if (is_done)
				break;
			quiet = WAKE_SECONDS;
			left_ms = time_left_ms(meter, now);
		}
		/* For a while after a harvest the device is not listened to: it may want the next at once. */
		fds[3].fd = quiet > 0 ? -1 : meter->device.fd;
		fds[3].revents = 0;
		if (quiet > 0 && left_ms > quiet * 1e3)
			left_ms = (int)(quiet * 1e3) + 1;
		poll(fds, 4, left_ms);
		if (fds[0].revents) {
			run->end = RUN_INTERRUPTED;
			take_signal(meter);
			break;
		}
		if (fds[1].revents || fds[2].revents) {
			run->end = fds[1].revents ? RUN_COMMAND_ENDED : RUN_TASK_ENDED;
			break;
		}
	}
	clear_progress(meter);
	return result;
}

static void wait_for_command(struct meter *meter)
{
	struct pollfd fds[] = {
		{ .fd = meter->child.pid_fd, .events = POLLIN },
		{ .fd = meter->signal_fd, .events = POLLIN },
	};

	if (!meter->child.pid)
		return;
	while (!fds[0].revents) {
		poll(fds, 2, -1);
		if (fds[1].revents)
			take_signal(meter);
	}
	meter->run->command_status = child_wait(&meter->child);
}

static int prepare(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	int error;

	error = choose_cpus(meter, error_ret);
	if (!error)
		error = watch_signals(meter, error_ret);
	if (!error)
		error = watch_task(meter, error_ret);
	/* Before the device is opened: the command must not hold it open. */
	if (!error && run->command)
		error = child_fork(&meter->child, run->command, error_ret);
	return error;
}

/* One session, from its start to its last counts. */
static int measure_step(struct meter *meter)
{
	struct text_error error;
	double now = now_seconds();
	int result, late;

	if (!meter->started) {
		meter->started = meter->interval_started = now;
		meter->run->result.began = now_unix();
	}
	plan_harvest(meter, now);
	result = sample(meter);
	meter->run->result.elapsed_seconds = now_seconds() - meter->interval_started;
	late = device_stop(&meter->device, &error);
	if (late)
		text_report(&error);
	else
		late = harvest(meter);
	device_close(&meter->device);
	return result || late ? -EBADMSG : 0;
}

static int measure(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	int error = prepare(meter, error_ret), result = 0;

	if (!error)
		error = start_sampling(meter, error_ret);
	if (!error && run->command)
		error = run->command_error = child_release(&meter->child, run->command, error_ret);
	while (!error) {
		result = measure_step(meter) ?: result;
		if (run->end != RUN_STEP_DONE)
			break;
		run->next_step(run->context, &run->start);
		memset(&run->result.account, 0, sizeof(run->result.account));
		if (start_sampling(meter, error_ret)) {
			/* The task may be gone: what the steps before found stays. */
			text_report(error_ret);
			device_close(&meter->device);
			run->end = RUN_INTERRUPTED;
			break;
		}
	}
	if (error)
		return error;
	wait_for_command(meter);
	return result;
}

int run_measure(struct run *run, struct text_error *error_ret)
{
	struct meter meter = {
		.run = run,
		.device.fd = -1,
		.child = { .gate_fd = -1, .error_fd = -1, .pid_fd = -1 },
		.signal_fd = -1,
		.task_fd = -1,
		.seconds = run->options->seconds,
		.shows_progress = isatty(STDERR_FILENO),
	};
	int result;

	if (!meter.seconds && !run->command && !run->options->repeat_seconds)
		meter.seconds = DEFAULT_SECONDS;
	sigprocmask(SIG_SETMASK, NULL, &meter.old_mask);
	result = measure(&meter, error_ret);
	device_close(&meter.device);
	child_kill(&meter.child);
	if (meter.task_fd >= 0)
		close(meter.task_fd);
	if (meter.signal_fd >= 0)
		close(meter.signal_fd);
	cpus_deinit(&meter.cpus);
	sigprocmask(SIG_SETMASK, &meter.old_mask, NULL);
	return result;
}

int run_no_samples(const struct run_result *result)
{
	struct text_error error;

	text_fail(&error, 0, "no sample was taken in %.3g s", result->elapsed_seconds);
	text_hint(&error, "sample longer (-sec) or faster (-rate)");
	text_report(&error);
	return -ENODATA;
}

int run_exit_status(const struct run *run, int error)
{
	if (!run->command)
		return error ? 1 : 0;
	if (!error)
		return run->command_status;
	if (!run->command_error)
		return 125;
	return run->command_error == -ENOENT ? 127 : 126;
}
