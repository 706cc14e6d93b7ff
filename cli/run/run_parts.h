/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of a measurement share while it runs. run.c begins, waits and ends; run_harvest.c
 * takes the counts and has the hooks look at them; run_receipt.c accounts for each CPU's samples.
 */
#ifndef RUN_PARTS_H
#define RUN_PARTS_H

#include <signal.h>

#include "base/clock.h"
#include "run/child.h"
#include "run/run.h"

#define RUN_BLOCK_SECONDS	1.0	/* of counts, for what varies from second to second */

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

/** meter_cpus() - the CPUs that are sampled. */
const struct cpus *meter_cpus(const struct meter *meter);

/** meter_begin_receipt() - the receipt of the step that begins. -ENOMEM. */
int meter_begin_receipt(struct meter *meter);

/** meter_end_receipt() - add up what became of the samples until now. */
void meter_end_receipt(struct meter *meter);

/** meter_add_account() - a sink: add up, then hand on to the run's own. @context: struct run. */
void meter_add_account(void *context, uint32_t cpu, const struct cpuprobe_account *account,
		       const void *entries);

/** meter_clear_progress() - what is printed next stands on a line of its own. */
void meter_clear_progress(const struct meter *meter);

/** meter_plan_harvest() - set when the next one is due; the end of an interval is one. */
void meter_plan_harvest(struct meter *meter, double now);

/** meter_harvest() - take the counts; @only_due: of tables that fill. Errors are reported. */
int meter_harvest(struct meter *meter, bool only_due);

/**
 * meter_harvest_due() - take what cannot wait for the next second: tables that fill, processes that
 * are new; or all, where what is watched would else be lost.
 */
int meter_harvest_due(struct meter *meter, double now, bool is_all);

/**
 * meter_harvest_and_look() - harvest, and do what follows; *is_done becomes true if the step is
 * over.
 */
int meter_harvest_and_look(struct meter *meter, double now, bool *is_done);

/** meter_end_block() - end the block of counts if it is at least so long. */
void meter_end_block(struct meter *meter, double now, double least_seconds);

/** meter_obey() - somebody wants to know, or to have it otherwise. False: stop. */
bool meter_obey(struct meter *meter);

#endif
