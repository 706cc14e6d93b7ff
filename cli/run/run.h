/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One measurement from start to end: open the device, sample, harvest about once a second, stop
 * when the time is up, when the COMMAND or the task ends or at Ctrl-C, and harvest the rest. The
 * sink interprets the counts.
 *
 * A measurement may have several steps. Each step is a session of its own, and a hook changes what
 * the next one samples. Results may be reported in intervals.
 */
#ifndef RUN_H
#define RUN_H

#include "cpuprobe.h"
#include "run/device.h"
#include "run/receipt.h"
#include "run/run_result.h"
#include "run/sampling.h"
#include "run/unwind_options.h"

enum run_end { RUN_TIME_UP, RUN_PRECISE, RUN_INTERRUPTED, RUN_COMMAND_ENDED, RUN_TASK_ENDED,
	       RUN_STEP_DONE, RUN_PAUSED, RUN_RATE_CHANGED };

/**
 * Orders to a run from outside. RUN_PAUSE ends the session and keeps the counts: time stands still
 * for the run. RUN_RESUME begins another session, which continues the counts. RUN_RATE does both, with the
 * period that serve() has put into run->wanted_ns; if the module refuses it, the run goes on as before.
 */
enum run_order { RUN_GO_ON, RUN_RESET, RUN_STOP, RUN_PAUSE, RUN_RESUME, RUN_RATE };

/** Control of a run from outside. Functions get @context. */
struct run_control {
	int fd;
	void *context;
	/* fd is readable: answers requests that need no harvest. Returns whether one is left for serve(). NULL: all are. */
	bool (*answer)(void *context);
	bool is_left;	/* one was taken from fd in the midst of a harvest, and waits for serve() */
	/* Serves the request that is left, or reads one; returns an order. Called with the results so far. */
	enum run_order (*serve)(void *context);
	/* Sampling has begun for the first time. May be NULL. */
	void (*began)(void *context);
	/*
	 * RUN_PAUSE, RUN_RESUME or RUN_RATE was carried out; @error: why it could not be, or NULL. May
	 * be NULL if serve() never returns these.
	 */
	void (*obeyed)(void *context, const struct text_error *error);
};

#define RUN_BESIDE	3	/* runs beside a run */

/** A run; the command fills in all but the results. Hooks may be NULL; they get @context. */
struct run {
	const struct sampling_options *options;
	struct cpuprobe_start start;	/* the command sets the target, run_measure() the rest */
	/* How callers of user code are found; NULL: no user frames are wanted. */
	const struct unwind_options *unwind;
	char **command;			/* NULL: none */
	int task_pid;			/* stop when this process ends; 0: none */
	double harvest_seconds;		/* between harvests; 0: one second */
	void *context;
	device_sink sink;
	/* Called when sampling has begun, and when it is about to end. */
	void (*began)(void *context);
	void (*ended)(void *context);
	/* Before each step and after each harvest: tells the module the current mappings. */
	int (*place)(void *context, struct device *device, struct text_error *error_ret);
	/* Called when a paused run could not be resumed, perhaps after place(). */
	void (*unplaced)(void *context);
	/*
	 * After each harvest: returns whether the step has enough samples. After its end,
	 * next_step() sets in @start what the next step samples.
	 */
	bool (*is_step_done)(void *context, double seconds_left);
	void (*next_step)(void *context, struct cpuprobe_start *start);
	/* Called after each block of about a second; skipped for a last one under half a second. */
	void (*block)(void *context);
	/* After each harvest: whether the counts are precise enough, with the seconds left. */
	bool (*is_precise)(void *context, double elapsed_seconds, double *seconds_left_ret);
	/*
	 * Runs whose sessions begin, are harvested and end with this one, each with its own event. Only their
	 * options, start, unwind, place, sink and context are used; their seeds are made from that of this run.
	 */
	struct run *beside[RUN_BESIDE];
	size_t nr_beside;	/* at most RUN_BESIDE */
	const char *by_cpu;	/* option that needs the counts of each CPU; NULL: none does */
	const char *not_perf;	/* option that -engine perf cannot serve, where run.start does not tell; NULL: none */
	int watch_fd;	/* readable: harvest early; 0: none */
	/* watch_fd is readable while the run is paused, or always with watches_only. */
	void (*watch)(void *context);
	bool watches_only;	/* watch_fd is no reason to harvest early: at a low rate, harvests are expensive */
	const struct run_control *control;	/* NULL: none */
	u64 wanted_ns;	/* period of the next session; 0: options->period_ns */
	/* Every options->repeat_seconds, with the result of the interval. False: stop. */
	bool (*interval)(void *context, const struct run_result *result);
	/* After so many intervals the receipt is complete, and another one begins; 0: one for all. */
	unsigned int receipt_intervals;
	/* SIGHUP came: returns whether the run ends. NULL: it does. */
	bool (*hung_up)(void *context);

	/* results */
	struct run_result result;
	struct receipt receipt;		/* receipt of the last step */
	struct receipt_cpu *cpus;	/* CPUs of the last step; freed by run_deinit() */
	size_t nr_cpus;
	double whole_seconds;	/* of all steps, and what was between them; result has those of the last step */
	double handler_ns;	/* time in handlers, where the module measures it: late, stacks */
	double seconds_left;	/* until the result is precise; 0: it is, or was not asked to be */
	enum run_end end;
	double paused_at;	/* clock_seconds() of the pause that lasts; 0: not paused */
	double paused_seconds;	/* all earlier pauses */
	int command_status;		/* valid if a command ran */
	int command_error;		/* -errno of its exec; 0: it ran, or exec was not reached */
	struct feeder *feeder;		/* while it runs; NULL: no unwinding tables were needed so far */
};

/**
 * run_measure() - measure until there is a reason to stop.
 * -EBADMSG: a harvest failed; its error was reported on stderr and the counts were delivered.
 * Another -errno, with a reason: nothing was measured.
 */
int run_measure(struct run *run, struct text_error *error_ret);

/**
 * run_clock() - the seconds of a monotonic clock that stands still while the run is paused.
 */
double run_clock(const struct run *run);

/**
 * run_lacks_table() - whether a file with this base name was found to have no call frame information,
 * or could not be read, so that it has no unwinding table.
 */
bool run_lacks_table(const struct run *run, const char *name);

/** run_tell_precision() - if -within was not reached, say on stderr how long it would take. */
void run_tell_precision(const struct run *run);

/** run_deinit() - free the results. */
void run_deinit(struct run *run);

/** run_no_samples() - report that no sample was taken; returns -ENODATA. */
int run_no_samples(const struct run_result *result);

/**
 * run_exit_status() - the tool's exit status: the COMMAND's own, or 1, or 125 to 127 with one. A COMMAND that ended before
 * a sample was taken has its own status too, unless a file was to be written.
 */
int run_exit_status(const struct run *run, int error);

#endif
