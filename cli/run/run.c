// SPDX-License-Identifier: GPL-2.0-only
/* One measurement from start to end: see run.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/end_signals.h"
#include "run/run_parts.h"

#define DEFAULT_SECONDS	10.0
#define HARVEST_NICE	-10

static int choose_cpus(struct meter *meter, struct text_error *error_ret)
{
	const struct cpus *asked = &meter->run->options->cpus;
	char list[RECEIPT_CPUS_LEN];
	int error;

	if (asked->nr)
		return cpus_check(asked, error_ret);
	error = cpus_default(&meter->cpus, &meter->quiet, error_ret);
	if (error || !meter->quiet.nr)
		return error;
	cpus_print(&meter->quiet, list, sizeof(list));
	fprintf(stderr, "probe: isolated or nohz_full CPU%s %s left alone; -cpu all samples %s\n",
		meter->quiet.nr > 1 ? "s" : "", list, meter->quiet.nr > 1 ? "them" : "it");
	return 0;
}

static int watch_run_signals(struct meter *meter, struct text_error *error_ret)
{
	meter->signal_fd = end_signals_open(&meter->old_mask);
	return meter->signal_fd >= 0 ? 0 :
		text_fail(error_ret, meter->signal_fd, "watch signals: %s", strerror(-meter->signal_fd));
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

static int begin_receipts(struct meter *meter)
{
	int error = meter_begin_receipt(meter);
	size_t i;

	for (i = 0; !error && i < meter->nr_beside; i++)
		error = meter_begin_receipt(&meter->beside[i]);
	return error;
}

static int start_sampling(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	int error = meter_start_sampling(meter, error_ret);

	if (!error && run->began)
		run->began(run->context);
	if (!error && run->control && run->control->began)
		run->control->began(run->control->context);
	if (!error && begin_receipts(meter))
		return text_fail(error_ret, -ENOMEM, "start sampling: out of memory");
	return error;
}

/*
 * Passes on signals sent by processes; the terminal signals the COMMAND itself. Returns whether one of
 * them ends the run.
 */
static bool forward_signals(struct meter *meter)
{
	const struct run *run = meter->run;
	struct signalfd_siginfo info;
	bool is_end = false;

	while (read(meter->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (meter->child.pid && info.ssi_code <= 0)
			kill(meter->child.pid, info.ssi_signo);
		if (info.ssi_signo != SIGHUP || !run->hung_up || run->hung_up(run->context))
			is_end = true;
	}
	return is_end;
}

/* Milliseconds until the next harvest or the end of the run. */
static int time_left_ms(const struct meter *meter, double now)
{
	double until = meter->next_harvest;

	if (meter->seconds && meter->started + meter->seconds < until)
		until = meter->started + meter->seconds;
	return until > now ? (int)((until - now) * 1e3) + 1 : 0;
}

/* Indexes of the descriptors that poll() waits for. */
enum { AT_SIGNAL, AT_CHILD, AT_TASK, AT_DEVICE, AT_WATCH, AT_CONTROL, AT_BESIDE, NR_AT = AT_BESIDE + RUN_BESIDE };

/* Follows an order from outside. Returns whether it ends the session; sets run->end. */
static bool has_ending_order(struct meter *meter)
{
	struct run *run = meter->run;

	switch (meter_obey(meter)) {
	case RUN_STOP:
		run->end = RUN_INTERRUPTED;
		return true;
	case RUN_PAUSE:
		run->end = RUN_PAUSED;
		return true;
	case RUN_RATE:
		if (!run->paused_at) {
			run->end = RUN_RATE_CHANGED;
			return true;
		}
		/* The session that resumes the run will have it. */
		run->control->obeyed(run->control->context, NULL);
		return false;
	case RUN_RESUME:
		meter_resume(meter);
		return false;
	default:
		return false;
	}
}

/* Whether a request has been taken that waits for serve(). */
static bool is_order_left(const struct run *run)
{
	return run->control && run->control->is_left;
}

/* Whether an event is a reason to stop; sets run->end. */
static bool is_run_over(struct meter *meter, const struct pollfd fds[NR_AT])
{
	struct run *run = meter->run;

	if ((fds[AT_CONTROL].revents || is_order_left(run)) && has_ending_order(meter)) {
		return true;
	} else if (fds[AT_SIGNAL].revents && forward_signals(meter)) {
		run->end = RUN_INTERRUPTED;
	} else if (fds[AT_CHILD].revents || fds[AT_TASK].revents) {
		run->end = fds[AT_CHILD].revents ? RUN_COMMAND_ENDED : RUN_TASK_ENDED;
	} else {
		return false;
	}
	return true;
}

/* Fills in the events to wait for; the device's descriptor is -1 while the run is paused. */
static void get_events(const struct meter *meter, struct pollfd fds[NR_AT])
{
	const struct run *run = meter->run;
	int fd[NR_AT] = {
		[AT_SIGNAL] = meter->signal_fd, [AT_CHILD] = meter->child.pid_fd,
		[AT_TASK] = meter->task_fd, [AT_DEVICE] = meter->device.fd,
		[AT_WATCH] = run->watch_fd ? run->watch_fd : -1,
		[AT_CONTROL] = run->control ? run->control->fd : -1,
	};
	int i;

	for (i = 0; i < RUN_BESIDE; i++)
		fd[AT_BESIDE + i] = i < (int)meter->nr_beside ? meter->beside[i].device.fd : -1;
	for (i = 0; i < NR_AT; i++)
		fds[i] = (struct pollfd){ .fd = fd[i], .events = POLLIN };
}

/* Whether a device has a table that fills up, or another reason to harvest early, as has a file whose table it needs. */
static bool is_device_due(struct meter *meter, const struct pollfd fds[NR_AT])
{
	bool is_due = fds[AT_DEVICE].revents;
	int i;

	if (is_due)
		meter_feed(meter);
	for (i = 0; i < (int)meter->nr_beside; i++) {
		if (!fds[AT_BESIDE + i].revents)
			continue;
		meter_feed(&meter->beside[i]);
		is_due = true;
	}
	return is_due;
}

/* Listens to the descriptors that ask for a harvest, or does not, since they may ask for another at once. */
static void listen_to_devices(const struct meter *meter, struct pollfd fds[NR_AT], bool listens)
{
	const struct run *run = meter->run;
	int i;

	fds[AT_DEVICE].fd = listens ? meter->device.fd : -1;
	fds[AT_WATCH].fd = listens && run->watch_fd ? run->watch_fd : -1;
	fds[AT_DEVICE].revents = fds[AT_WATCH].revents = 0;
	for (i = 0; i < (int)meter->nr_beside; i++) {
		fds[AT_BESIDE + i].fd = listens ? meter->beside[i].device.fd : -1;
		fds[AT_BESIDE + i].revents = 0;
	}
}

/* Waits and harvests until there is a reason to stop. Returns the first harvest error. */
static int sample_until_over(struct meter *meter)
{
	struct run *run = meter->run;
	struct pollfd fds[NR_AT];
	const double wake = meter->device.kind->wake_seconds;
	bool is_done = false;
	int result = 0, error;

	get_events(meter, fds);
	do {
		double now = run_clock(run), quiet = meter->last_harvest + wake - now;
		int left_ms = time_left_ms(meter, now);
		bool is_called;

		if (fds[AT_WATCH].revents && run->watches_only) {
			run->watch(run->context);
			fds[AT_WATCH].revents = 0;
		}
		is_called = is_device_due(meter, fds) || fds[AT_WATCH].revents;
		if (meter->seconds && now >= meter->started + meter->seconds) {
			run->end = RUN_TIME_UP;
			break;
		}
		if (now >= meter->next_harvest || (is_called && quiet <= 0)) {
			error = now >= meter->next_harvest ?
				meter_harvest_and_look(meter, now, &is_done) :
				meter_harvest_due(meter, now, fds[AT_WATCH].revents);
			result = result ?: error;
			/* A lockdown that refuses this harvest refuses all later ones. */
			if (error == -EPERM)
				run->end = RUN_INTERRUPTED;
			if (is_done || error == -EPERM)
				break;
			quiet = wake;
			left_ms = time_left_ms(meter, now);
		}
		listen_to_devices(meter, fds, quiet <= 0);
		if (quiet > 0 && left_ms > quiet * 1e3)
			left_ms = (int)(quiet * 1e3) + 1;
		poll(fds, NR_AT, is_order_left(run) ? 0 : left_ms);
	} while (!is_run_over(meter, fds));
	meter_clear_progress(meter);
	return result;
}

/* Waits without a session until the run is resumed. False: there is a reason to end it. */
static bool wait_until_resumed(struct meter *meter)
{
	struct run *run = meter->run;
	struct pollfd fds[NR_AT];

	get_events(meter, fds);
	while (run->paused_at) {
		poll(fds, NR_AT, -1);
		if (fds[AT_WATCH].revents && run->watch)
			run->watch(run->context);
		if (is_run_over(meter, fds))
			return false;
	}
	return true;
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
			forward_signals(meter);
	}
	meter->run->command_status = child_wait(&meter->child);
}

static int prepare_run(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	int error;

	error = choose_cpus(meter, error_ret);
	if (!error)
		error = watch_run_signals(meter, error_ret);
	if (!error)
		error = watch_task(meter, error_ret);
	/* Fork before the device is opened, so that the command does not hold it open. */
	if (!error && run->command)
		error = child_fork(&meter->child, run->command, error_ret);
	return error;
}

/* Whether the session that has ended is followed by another one, with the same counts. */
static bool is_interlude(const struct run *run)
{
	return run->end == RUN_PAUSED || run->end == RUN_RATE_CHANGED;
}

/* One session, from its start to its last counts. */
static int measure_step(struct meter *meter)
{
	struct text_error error;
	struct run *run = meter->run;
	double now = run_clock(run);
	int result, late;

	meter_begin_clock(meter, now);
	meter->block_started = now;
	meter_plan_harvest(meter, now);
	result = sample_until_over(meter);
	if (run->ended)
		run->ended(run->context);
	meter_stop_feeding(meter);
	late = meter_stop_sampling(meter, &error);
	now = meter->device.ended - run->paused_seconds;
	run->result.elapsed_seconds = now - meter->interval_started;
	run->whole_seconds = now - meter->started;
	if (late)
		text_report(&error);
	else if (result != -EPERM)
		late = meter_harvest(meter, false);
	meter_end_block(meter, now, RUN_BLOCK_SECONDS / 2);
	/* The time may be up before the first check. */
	if (run->is_precise && run->end != RUN_PRECISE && !is_interlude(run) &&
	    run->is_precise(run->context, run->result.elapsed_seconds, &run->seconds_left))
		run->end = RUN_PRECISE;
	meter_end_feeding(meter);
	meter_end_receipt(meter);
	meter_time_beside(meter);
	meter_close(meter);
	if (is_interlude(run))
		meter_pause(meter, now);
	if (run->end == RUN_PAUSED)
		run->control->obeyed(run->control->context, NULL);
	else if (run->end == RUN_RATE_CHANGED)
		meter_change_rate(meter);
	return result || late ? -EBADMSG : 0;
}

static int measure_steps(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	int error = prepare_run(meter, error_ret), result = 0;

	/* A full table loses samples, so harvest on time; without the right, at normal priority. */
	if (run_kind_of(run->start.what)->fills_up)
		setpriority(PRIO_PROCESS, 0, HARVEST_NICE);
	if (!error)
		error = start_sampling(meter, error_ret);
	if (!error && run->command)
		error = run->command_error = child_release(&meter->child, run->command, error_ret);
	while (!error) {
		result = measure_step(meter) ?: result;
		if (is_interlude(run) && wait_until_resumed(meter))
			continue;
		if (run->end != RUN_STEP_DONE)
			break;
		run->next_step(run->context, &run->start);
		memset(&run->result.account, 0, sizeof(run->result.account));
		if (start_sampling(meter, error_ret)) {
			/* The task may be gone; the results of earlier steps remain. */
			text_report(error_ret);
			meter_close(meter);
			run->end = RUN_INTERRUPTED;
			break;
		}
	}
	if (error)
		return error;
	wait_for_command(meter);
	return result;
}

/* The progress line overwrites itself, which a dumb terminal cannot do. */
static bool can_show_progress(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb");
}

int run_measure(struct run *run, struct text_error *error_ret)
{
	struct meter beside[RUN_BESIDE];
	struct meter meter = {
		.run = run,
		.beside = beside,
		.device.fd = -1,
		.child = { .gate_fd = -1, .error_fd = -1, .pid_fd = -1 },
		.signal_fd = -1,
		.task_fd = -1,
		.seconds = run->options->seconds,
		.shows_progress = can_show_progress(),
	};
	int result;
	size_t i;

	if (!meter.seconds && !run->command && !run->options->repeat_seconds &&
	    !run->options->within)
		meter.seconds = DEFAULT_SECONDS;
	sigprocmask(SIG_SETMASK, NULL, &meter.old_mask);
	result = measure_steps(&meter, error_ret);
	meter_end_feeding(&meter);
	meter_forget_tables(&meter);
	meter_close(&meter);
	child_kill(&meter.child);
	if (meter.task_fd >= 0)
		close(meter.task_fd);
	for (i = 0; i < meter.nr_beside; i++)
		cpus_deinit(&beside[i].counted);
	cpus_deinit(&meter.counted);
	cpus_deinit(&meter.cpus);
	cpus_deinit(&meter.quiet);
	end_signals_close(meter.signal_fd, &meter.old_mask);
	return result;
}
