/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One measurement from start to end: open the device, sample, harvest about
 * once a second, stop when the time is up, when the COMMAND or the task ends,
 * or at Ctrl-C, and harvest the rest. What the counts mean is the sink's affair.
 */
#ifndef RUN_H
#define RUN_H

#include "cpuprobe.h"
#include "device.h"
#include "sampling.h"

/** Totals over all accounts: what became of the samples. */
struct run_account {
	uint64_t taken;
	uint64_t missed;
	uint64_t expected;
	uint64_t lost;
	uint64_t deferred;
};

enum run_end { RUN_TIME_UP, RUN_INTERRUPTED, RUN_COMMAND_ENDED, RUN_TASK_ENDED };

/** What to do; filled by the command. */
struct run {
	const struct sampling_options *options;
	struct cpuprobe_start start;	/* target fields set; sampling fields are filled in here */
	char **command;			/* NULL: none */
	int task_pid;			/* stop when it ends; 0: none */
	device_sink sink;
	void *context;

	/* results */
	struct run_account account;
	size_t nr_cpus;			/* that delivered samples or periods due */
	double elapsed_seconds;
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

/** run_no_samples() - say that nothing was sampled; returns -ENODATA. */
int run_no_samples(const struct run *run);

/** run_exit_status() - 1 for a failure of the tool, or 125..127 where a COMMAND was given. */
int run_exit_status(const struct run *run, int error);

#endif
