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

static void add_account(void *context, uint32_t cpu, const struct cpuprobe_account *account,
			const void *entries)
{
	struct run *run = context;
	int mode;

	run->account.taken += account->taken;
	run->account.missed += account->missed;
	run->account.expected += account->expected;
	run->account.deferred += account->deferred;
	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		run->account.lost += account->lost[mode];
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
	if (error)
		return error;
	run->start.period_ns = options->period_ns;
	run->start.jitter = options->jitter;
	run->start.seed = options->seed;
	return device_start(&meter->device, &run->start, cpus->number, cpus->nr, error_ret);
}

static void show_progress(const struct meter *meter, double now)
{
	if (!meter->shows_progress)
		return;
	fprintf(stderr, "\r\033[K%.0f s", now - meter->started);
	if (meter->seconds)
		fprintf(stderr, " of %g s", meter->seconds);
	fprintf(stderr, ", %llu samples", (unsigned long long)meter->run->account.taken);
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
	int result = device_harvest(&meter->device, add_account, meter->run, &error);

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
	int result = 0, error;

	for (;;) {
		double now = now_seconds();

		if (meter->seconds && now >= meter->started + meter->seconds) {
			run->end = RUN_TIME_UP;
			break;
		}
		if (now >= meter->next_harvest || fds[3].revents) {
			error = harvest(meter);
			result = result ?: error;
			show_progress(meter, now);
			meter->next_harvest = now + HARVEST_SECONDS;
		}
		poll(fds, 4, time_left_ms(meter, now));
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
	run->elapsed_seconds = now_seconds() - meter->started;
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
	if (!error)
		error = start_sampling(meter, error_ret);
	if (!error && run->command)
		error = run->command_error = child_release(&meter->child, run->command, error_ret);
	return error;
}

static int measure(struct meter *meter, struct text_error *error_ret)
{
	struct text_error late_error;
	int error, result;

	error = prepare(meter, error_ret);
	if (error)
		return error;
	meter->started = now_seconds();
	meter->next_harvest = meter->started + HARVEST_SECONDS;
	result = sample(meter);
	error = device_stop(&meter->device, &late_error);
	if (error)
		text_report(&late_error);
	else
		error = harvest(meter);
	meter->run->nr_cpus = device_nr_sampled(&meter->device);
	device_close(&meter->device);
	wait_for_command(meter);
	return result || error ? -EBADMSG : 0;
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

	if (!meter.seconds && !run->command)
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

int run_no_samples(const struct run *run)
{
	struct text_error error;

	text_fail(&error, 0, "no sample was taken in %.3g s", run->elapsed_seconds);
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
