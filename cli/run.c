// SPDX-License-Identifier: GPL-2.0-only
/* One measurement from start to end: see run.h. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "run.h"

#define HARVEST_SECONDS	1.0
#define FIRST_SECONDS	0.05	/* to the first harvest of stacks */
#define DEFAULT_SECONDS	10.0
#define HARVEST_NICE	-10
#define DEFERRED_NS	100000
#define BLOCK_SECONDS	1.0	/* of counts, for what varies from second to second */
/* No sooner does poll() of the device call for the next harvest: of a table, of places to read. */
#define WAKE_TABLE_SECONDS	0.002
#define WAKE_PLACES_SECONDS	0.1

/** What only the time of the measurement needs. */
struct meter {
	struct run *run;
	struct device device;
	struct child child;
	struct cpus cpus;
	struct cpus quiet;		/* isolated CPUs left alone */
	struct receipt_clock clock;	/* when the step began */
	int signal_fd;
	int task_fd;		/* pidfd of the task measured, or -1 */
	double seconds;		/* planned; 0: until the command ends */
	double started;
	double interval_started;
	double block_started;
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

/* The CPU's part of the receipt. */
static void add_cpu(struct run *run, uint32_t number, const struct cpuprobe_account *account)
{
	struct receipt_cpu *cpu = NULL;
	size_t i;
	int mode;

	for (i = 0; i < run->nr_cpus; i++)
		if (run->cpus[i].cpu == number)
			cpu = &run->cpus[i];
	if (!cpu)
		return;
	cpu->flags |= account->flags;
	cpu->expected += account->expected;
	cpu->taken += account->taken;
	cpu->missed += account->missed;
	cpu->pending = account->pending;
	cpu->deferred += account->deferred;
	cpu->excluded += account->excluded;
	cpu->late_ns += account->late_ns;
	cpu->sampled_ns += account->expected * account->period_ns;
	if (account->late_max_ns > cpu->late_max_ns)
		cpu->late_max_ns = account->late_max_ns;
	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		cpu->lost += account->lost[mode];
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
	run->result.account.excluded += account->excluded;
	add_cpu(run, cpu, account);
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

static const struct cpus *cpus_of(const struct meter *meter)
{
	return meter->run->options->cpus.nr ? &meter->run->options->cpus : &meter->cpus;
}

/* The receipt of the step that begins. */
static int begin_receipt(struct meter *meter)
{
	const struct cpus *cpus = cpus_of(meter);
	struct run *run = meter->run;
	size_t i;

	free(run->cpus);
	run->cpus = calloc(cpus->nr + 1, sizeof(*run->cpus));
	run->nr_cpus = run->cpus ? cpus->nr : 0;
	for (i = 0; i < run->nr_cpus; i++)
		run->cpus[i].cpu = cpus->number[i];
	run->receipt = (struct receipt){
		.seed = run->start.seed, .period_ns = run->start.period_ns,
		.jitter = run->start.jitter, .what = run->start.what,
		.by = run->start.by, .nr_skipped = meter->quiet.nr,
		.cost_ns = meter->device.info.cost_ns, .deferred_ns = run->start.deferred_ns,
		.flags = (run->options->excludes_deferred ? RECEIPT_EXCLUDES : 0) |
			(run->options->lets_sleep ? RECEIPT_SLEEPS : 0),
	};
	cpus_print(&meter->quiet, run->receipt.skipped, sizeof(run->receipt.skipped));
	receipt_identify(&run->receipt, meter->device.info.release);
	receipt_clock_read(&meter->clock, cpus);
	return run->cpus ? 0 : -ENOMEM;
}

static void end_receipt(struct meter *meter)
{
	struct receipt *receipt = &meter->run->receipt;
	struct receipt_clock now;

	receipt_clock_read(&now, cpus_of(meter));
	receipt->steal = now.all > meter->clock.all ?
		(double)(now.steal - meter->clock.steal) / (now.all - meter->clock.all) : NAN;
	receipt_add_up(receipt, meter->run->cpus, meter->run->nr_cpus);
}

static int start_sampling(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	const struct sampling_options *options = run->options;
	const struct cpus *cpus = cpus_of(meter);
	int error;

	error = device_open(&meter->device, error_ret);
	if (!error && run->place)
		error = run->place(run->context, &meter->device, error_ret);
	if (error)
		return error;
	run->start.period_ns = options->period_ns;
	run->start.jitter = options->jitter;
	run->start.seed = options->seed;
	run->start.deferred_ns = DEFERRED_NS;
	run->start.flags = (options->excludes_deferred ? CPUPROBE_START_EXCLUDE_DEFERRED : 0) |
		(options->lets_sleep ? CPUPROBE_START_IDLE_SLEEP : 0);
	error = device_start(&meter->device, &run->start, cpus->number, cpus->nr, error_ret);
	run->result.period_ns = run->start.period_ns;
	run->result.seed = run->start.seed;
	if (!error && run->began)
		run->began(run->context);
	if (!error && begin_receipt(meter))
		return text_fail(error_ret, -ENOMEM, "start sampling: out of memory");
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
	if (meter->run->seconds_left > 0)
		fprintf(stderr, ", about %.0f s to go", ceil(meter->run->seconds_left));
	fflush(stderr);
}

static void clear_progress(const struct meter *meter)
{
	if (meter->shows_progress)
		fprintf(stderr, "\r\033[K");
}

static int harvest(struct meter *meter, bool only_due)
{
	struct text_error error;
	struct run *run = meter->run;
	int result = device_harvest(&meter->device, only_due, add_account, run, &error);

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
	double after = run->harvest_seconds ? run->harvest_seconds : HARVEST_SECONDS;

	/* Programs that began before are met soon: once they have ended, nobody tells what they had mapped. */
	if (run->start.what == CPUPROBE_WHAT_STACKS && now - meter->started < after)
		after = fmax(now - meter->started, FIRST_SECONDS);
	meter->last_harvest = now;
	meter->next_harvest = now + after;
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

/* Say what is mapped where by now. */
static void place(struct meter *meter)
{
	struct run *run = meter->run;
	struct text_error error;

	if (run->place && run->place(run->context, &meter->device, &error)) {
		clear_progress(meter);
		text_report(&error);
	}
}

/*
 * Take what cannot wait for the next second: tables that fill, processes that are new; or all, where
 * what is watched would else be lost.
 */
static int harvest_due(struct meter *meter, double now, bool is_all)
{
	int result = harvest(meter, !is_all);

	place(meter);
	meter->last_harvest = now;
	return result;
}

static void end_block(struct meter *meter, double now, double least_seconds)
{
	struct run *run = meter->run;

	if (!run->block || now - meter->block_started < least_seconds)
		return;
	run->block(run->context);
	meter->block_started = now;
}

/* Harvest, and do what follows from what came. It may be that the step is over. */
static int harvest_and_look(struct meter *meter, double now, bool *is_done)
{
	struct run *run = meter->run;
	int result = harvest(meter, false);

	place(meter);
	/* A harvest is due a little after its second at the earliest. */
	end_block(meter, now, BLOCK_SECONDS - 0.01);
	if (run->interval && now >= meter->interval_started + run->options->repeat_seconds &&
	    !end_interval(meter, now)) {
		run->end = RUN_INTERRUPTED;
		*is_done = true;
		return result;
	}
	if (run->is_precise &&
	    run->is_precise(run->context, now - meter->started, &run->seconds_left)) {
		run->end = RUN_PRECISE;
		*is_done = true;
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

/* The results begin anew; a sample that is due already will be one of the new ones. */
static void reset(struct meter *meter, double now)
{
	struct run *run = meter->run;
	size_t i;

	memset(&run->result.account, 0, sizeof(run->result.account));
	for (i = 0; i < run->nr_cpus; i++) {
		struct receipt_cpu *cpu = &run->cpus[i];

		*cpu = (struct receipt_cpu){ .cpu = cpu->cpu, .pending = cpu->pending,
					     .expected = cpu->pending };
		run->result.account.expected += cpu->pending;
	}
	run->result.began = now_unix();
	meter->interval_started = now;
	receipt_clock_read(&meter->clock, cpus_of(meter));
}

/* Somebody wants to know, or to have it otherwise. False: stop. */
static bool obey(struct meter *meter)
{
	struct run *run = meter->run;
	enum run_order order;
	double now;

	/* What fails here will fail at the next regular harvest too, and is said then. */
	harvest(meter, false);
	place(meter);
	now = now_seconds();
	run->result.elapsed_seconds = now - meter->interval_started;
	end_receipt(meter);
	order = run->control(run->context);
	if (order == RUN_RESET)
		reset(meter, now);
	return order != RUN_STOP;
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
		{ .fd = -1, .events = POLLIN },
		{ .fd = run->control_fd ? run->control_fd : -1, .events = POLLIN },
	};
	const int watch_fd = run->watch_fd ? run->watch_fd : -1;
	const double wake = run->start.what == CPUPROBE_WHAT_PROCESS ? WAKE_PLACES_SECONDS :
		WAKE_TABLE_SECONDS;
	bool is_done = false;
	int result = 0, error;

	for (;;) {
		double now = now_seconds(), quiet = meter->last_harvest + wake - now;
		int left_ms = time_left_ms(meter, now);

		if (meter->seconds && now >= meter->started + meter->seconds) {
			run->end = RUN_TIME_UP;
			break;
		}
		if (now >= meter->next_harvest ||
		    ((fds[3].revents || fds[4].revents) && quiet <= 0)) {
			error = now >= meter->next_harvest ? harvest_and_look(meter, now, &is_done) :
				harvest_due(meter, now, fds[4].revents);
			result = result ?: error;
			/* A session that may no longer be harvested will not be again. */
			if (error == -EPERM)
				run->end = RUN_INTERRUPTED;
			if (is_done || error == -EPERM)
				break;
			quiet = wake;
			left_ms = time_left_ms(meter, now);
		}
		/* For a while after a harvest they are not listened to: they may want the next at once. */
		fds[3].fd = quiet > 0 ? -1 : meter->device.fd;
		fds[4].fd = quiet > 0 ? -1 : watch_fd;
		fds[3].revents = fds[4].revents = 0;
		if (quiet > 0 && left_ms > quiet * 1e3)
			left_ms = (int)(quiet * 1e3) + 1;
		poll(fds, sizeof(fds) / sizeof(fds[0]), left_ms);
		if (fds[5].revents && !obey(meter)) {
			run->end = RUN_INTERRUPTED;
			break;
		}
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
	meter->block_started = now;
	plan_harvest(meter, now);
	result = sample(meter);
	if (meter->run->ended)
		meter->run->ended(meter->run->context);
	meter->run->result.elapsed_seconds = now_seconds() - meter->interval_started;
	late = device_stop(&meter->device, &error);
	if (late)
		text_report(&error);
	else if (result != -EPERM)
		late = harvest(meter, false);
	end_block(meter, now_seconds(), BLOCK_SECONDS / 2);
	/* Also when the time was up before any look. */
	if (meter->run->is_precise && meter->run->end != RUN_PRECISE &&
	    meter->run->is_precise(meter->run->context, now_seconds() - meter->started,
				   &meter->run->seconds_left))
		meter->run->end = RUN_PRECISE;
	end_receipt(meter);
	device_close(&meter->device);
	return result || late ? -EBADMSG : 0;
}

static int measure(struct meter *meter, struct text_error *error_ret)
{
	struct run *run = meter->run;
	int error = prepare(meter, error_ret), result = 0;

	/* A table that fills must be taken in time, which takes little. If it is not allowed, so be it. */
	if (run->start.what == CPUPROBE_WHAT_SYSTEM)
		setpriority(PRIO_PROCESS, 0, HARVEST_NICE);
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

	if (!meter.seconds && !run->command && !run->options->repeat_seconds &&
	    !run->options->within)
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
	cpus_deinit(&meter.quiet);
	sigprocmask(SIG_SETMASK, &meter.old_mask, NULL);
	return result;
}
