/* SPDX-License-Identifier: GPL-2.0-only */
/* Measurements of stacks at the same time, one for each event that the options name: see measurement.h. */
#ifndef MEASUREMENTS_H
#define MEASUREMENTS_H

#include "stacks/measurement.h"

/** Measurements of the same time; [0] is of the first event, or of time, and has the COMMAND. */
struct measurements {
	struct stacks_options options[EVENTS_MOST];
	struct measurement of[EVENTS_MOST];
	unsigned int nr;
};

/**
 * measurements_init() - prepare a measurement for each event. @command: NULL: none.
 * @measurements: keeps its place until measurements_deinit(), which is not needed after a failure
 */
int measurements_init(struct measurements *measurements, const struct stacks_options *options, char **command,
		      struct text_error *error_ret);

/** measurements_run() - sample until there is a reason to stop. Errors: run_measure(). */
int measurements_run(struct measurements *measurements, struct text_error *error_ret);

/** measurements_taken() - samples of all events. */
u64 measurements_taken(const struct measurements *measurements);

/** measurements_save() - write all runs: the others are parts of the first one's. -ENOMEM. */
int measurements_save(const struct measurements *measurements, struct record_writer *writer);

void measurements_deinit(struct measurements *measurements);

#endif
