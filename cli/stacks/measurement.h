/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One measurement of stacks, from its options to its profile: what `probe flat` and its like do at
 * once and what `probe start` does in the background.
 */
#ifndef MEASUREMENT_H
#define MEASUREMENT_H

#include "resolve/collector.h"
#include "run/record.h"
#include "run/run.h"
#include "run/task.h"
#include "stacks/stacks_options.h"

struct measurement {
	const struct stacks_options *options;
	struct profile *profile;
	struct resolver *resolver;
	struct collector *collector;
	const struct device *device;	/* while it runs */
	struct task task;
	int cgroup_fd;			/* -1: none */
	struct run run;	/* its hooks control, began and control_fd are the caller's to set */
	/*
	 * Of the caller, with @context; NULL: nobody cares. After each account; for each of its
	 * stacks.
	 */
	void (*counted)(void *context);
	void (*counted_stack)(void *context, uint32_t stack, uint64_t hits, double ns);
	void *context;
};

/**
 * measurement_init() - find what is to be measured, make ready. @command: NULL: none.
 * On failure nothing needs measurement_deinit().
 */
int measurement_init(struct measurement *measurement, const struct stacks_options *options,
		     char **command, struct text_error *error_ret);

/** measurement_run() - sample until there is a reason to end. As run_measure(). */
int measurement_run(struct measurement *measurement, struct text_error *error_ret);

/** measurement_save() - write all of it, or of @profile instead of its own. */
void measurement_save(const struct measurement *measurement, const struct profile *profile,
		      struct record_writer *writer);

void measurement_deinit(struct measurement *measurement);

#endif
