/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One measurement from start to end: open the device, sample, harvest about
 * once a second, stop when the time is up, when the COMMAND or the task ends,
 * or at Ctrl-C, and harvest the rest. What the counts mean is the sink's affair.
 *
 * A measurement may take several steps, each a session of its own: between them
 * the hooks change what is sampled. It may be told in intervals.
 */
#ifndef RUN_H
#define RUN_H

#include "cpuprobe.h"
#include "run/device.h"
#include "run/receipt.h"
#include "run/run_result.h"
#include "run/sampling.h"

enum run_end { RUN_TIME_UP, RUN_PRECISE, RUN_INTERRUPTED, RUN_COMMAND_ENDED, RUN_TASK_ENDED,
	       RUN_STEP_DONE };

/** What a run is told from outside. */
enum run_order { RUN_GO_ON, RUN_RESET, RUN_STOP };

/** What to do; filled by the command. Hooks may be NULL; they get @context. */
struct run {
	const struct sampling_options *options;
	struct cpuprobe_start start;	/* target fields set; sampling fields are filled in here */
	char **command;			/* NULL: none */
	int task_pid;			/* stop when it ends; 0: none */
	double harvest_seconds;		/* between harvests; 0: one */
	void *context;
	device_sink sink;
	/* Sampling has begun; it is about to end. */
	void (*began)(void *context);
	void (*ended)(void *context);
	/* Before the start of each step and after each harvest: say what is mapped where. */
	int (*place)(void *context, struct device *device, struct text_error *error_ret);
	/*
	 * After each harvest: whether the step has told enough; then, once it has ended, what the
	 * next one samples, in @start.
	 */
	bool (*is_step_done)(void *context, double seconds_left);
	void (*next_step)(void *context, struct cpuprobe_start *start);
	/* About a second's counts are complete; not called for a remainder under half of one. */
	void (*block)(void *context);
	/*
	 * After each harvest: whether the counts are precise enough, or else the seconds it takes.
	 */
	bool (*is_precise)(void *context, double elapsed_seconds, double *seconds_left_ret);
	int watch_fd;	/* readable: harvest, though it is not yet time to; 0: none */
	/*
	 * When control_fd can be read (0: there is none), after a harvest, with the results up to
	 * then in place: read it, and say how to go on. After RUN_RESET they begin anew.
	 */
	int control_fd;
	enum run_order (*control)(void *context);
	/* Every options->repeat_seconds: the result of the interval is complete. False: stop. */
	bool (*interval)(void *context, const struct run_result *result);

	/* results */
	struct run_result result;
	struct receipt receipt;		/* of the last step */
	struct receipt_cpu *cpus;	/* likewise; to be freed with run_deinit() */
	size_t nr_cpus;
	double handler_ns;	/* time in handlers, where the module measures it: late, stacks */
	double seconds_left;	/* until it would have been precise; 0: it is, or was not asked */
	enum run_end end;
	int command_status;		/* valid with a command that ran */
	int command_error;		/* -errno of its exec; 0: it ran, or was never reached */
};

/**
 * run_measure() - do it.
 * 0; or -errno with a reason: nothing was measured. Errors of single harvests are
 * reported on stderr and make the result -EBADMSG, with the counts delivered.
 */
int run_measure(struct run *run, struct text_error *error_ret);

/**
 * run_tell_precision() - say on stderr what a precision asked for and not reached would have taken.
 */
void run_tell_precision(const struct run *run);

/** run_deinit() - free the results. */
void run_deinit(struct run *run);

/** run_no_samples() - say that nothing was sampled; returns -ENODATA. */
int run_no_samples(const struct run_result *result);

/** run_exit_status() - 1 for a failure of the tool, or 125..127 where a COMMAND was given. */
int run_exit_status(const struct run *run, int error);

#endif
