/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One measurement of stacks, from its options to its profile. `probe flat` and `probe graph` run it
 * in the foreground, `probe start` in the background.
 */
#ifndef MEASUREMENT_H
#define MEASUREMENT_H

#include "profile/blocks.h"
#include "resolve/collector.h"
#include "run/counter.h"
#include "run/record.h"
#include "run/run.h"
#include "run/task.h"
#include "stacks/stacks_options.h"

struct measurement {
	const struct stacks_options *options;
	struct measurement *beside;	/* of the next event, at the same time; NULL: none */
	struct profile *profile;
	struct resolver *resolver;
	struct collector *collector;
	struct blocks blocks;		/* since the start or a reset */
	const struct device *device;	/* while it runs */
	struct task task;
	int cgroup_fd;			/* -1: none */
	struct counter counter;		/* for -count-from */
	struct run run;
	/* Hooks of the caller, or NULL: after each account, and for each stack in it. */
	void (*counted)(void *context, u32 cpu, const struct cpuprobe_account *account);
	void (*counted_stack)(void *context, u32 stack, u64 hits, double ns);
	/* Just before sampling begins and ends, at a pause too; and once a second, whether to end. */
	int (*begins)(void *context, struct text_error *error_ret);
	void (*ends)(void *context);
	bool (*is_over)(void *context);
	bool has_begun;
	void *context;
};

/**
 * measurement_init() - find the target and prepare the measurement. @command: NULL: none.
 * After a failure measurement_deinit() is not needed.
 */
int measurement_init(struct measurement *measurement, const struct stacks_options *options,
		     char **command, struct text_error *error_ret);

/** measurement_begin() - read symbols and begin to follow processes, for run_measure(); those beside it too. */
void measurement_begin(struct measurement *measurement);

/** measurement_run() - measurement_begin() and sample until there is a reason to stop. Errors: run_measure(). */
int measurement_run(struct measurement *measurement, struct text_error *error_ret);

/** measurement_reset() - begin anew: without stacks and blocks, and with 0 executions. */
void measurement_reset(struct measurement *measurement);

/** measurement_is_large() - whether frames and processes of the past take so much memory that a renewal is due. */
bool measurement_is_large(const struct measurement *measurement);

/**
 * measurement_renew() - measurement_reset(), and forget the frames and processes of the past too. Files and
 * mappings of running processes stay known. -ENOMEM: only a reset.
 */
int measurement_renew(struct measurement *measurement);

/**
 * measurement_begin_count() - count executions from now on, for -count-from. The run does this itself
 * unless the caller sets run.began.
 */
void measurement_begin_count(struct measurement *measurement);

/**
 * measurement_executions() - get the executions so far, or of the whole run if it has ended. 0 in
 * @count_ret: not asked for. -EINVAL with a reason: the number in the file did not grow.
 */
int measurement_executions(const struct measurement *measurement, u64 *count_ret,
			   struct text_error *error_ret);

/**
 * measurement_save() - write the run with @profile; NULL: with its own. If the executions are
 * unknown, they are left out.
 */
void measurement_save(const struct measurement *measurement, const struct profile *profile,
		      struct record_writer *writer);

/** measurement_save_now() - measurement_save() while it runs, without stacks from before a reset. -ENOMEM. */
int measurement_save_now(const struct measurement *measurement, struct record_writer *writer);

void measurement_deinit(struct measurement *measurement);

#endif
