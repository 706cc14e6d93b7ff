/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * State shared by the parts of a measurement while it runs. run.c begins, waits and ends; run_beside.c
 * begins and ends sessions with those beside them; run_session.c begins, pauses and resumes the session;
 * run_harvest.c harvests and calls the hooks; run_receipt.c accounts for each CPU's samples; run_unwind.c
 * gives the module its unwinding tables.
 * All times are of run_clock().
 */
#ifndef RUN_PARTS_H
#define RUN_PARTS_H

#include <signal.h>

#include "base/clock.h"
#include "run/child.h"
#include "run/feeder.h"
#include "run/run.h"

#define RUN_BLOCK_SECONDS	1.0	/* length of a block: shows how counts vary */

/** State that lives as long as the measurement. */
struct meter {
	struct run *run;
	struct device device;
	struct child child;
	struct cpus cpus;
	struct cpus quiet;		/* isolated CPUs left alone */
	struct cpus counted;		/* CPUs that count the event; empty: all that are chosen */
	struct receipt_clock clock;	/* at the start of the step */
	struct receipt_clock pause_clock;	/* when the run was paused */
	double paused_before;	/* seconds paused before the last reset */
	struct receipt_own own;	/* of the sessions before the last pause */
	u64 nr_pauses;
	int signal_fd;
	int task_fd;		/* pidfd of the task measured, or -1 */
	double seconds;		/* planned duration; 0: no limit */
	double started;
	double interval_started;
	unsigned int nr_intervals;	/* in this receipt */
	double block_started;
	double last_harvest;
	double next_harvest;
	unsigned int engine;		/* enum device_engine of the sessions before; auto: none */
	bool has_told_pointers;		/* the user knows that there are no tables */
	bool shows_progress;
	sigset_t old_mask;
	struct meter *beside;		/* of run->beside: those that have begun */
	size_t nr_beside;
};

/** meter_cpus() - the CPUs that are sampled. */
const struct cpus *meter_cpus(const struct meter *meter);

/** meter_start_session() - open the device and start sampling with the options of the run. */
int meter_start_session(struct meter *meter, u64 seed, struct text_error *error_ret);

/**
 * meter_start_unwinding() - start the session on @cpus, with unwinding by tables if wanted. If the module refuses
 * tables that were not explicitly asked for, start without them and say so on stderr.
 */
int meter_start_unwinding(struct meter *meter, const struct cpus *cpus,
			  struct text_error *error_ret);

/**
 * meter_start_sampling() - start the session of a step, and those of the runs beside it. After a failure
 * meter_close() is still to be called.
 */
int meter_start_sampling(struct meter *meter, struct text_error *error_ret);

/** meter_name_event() - let a message name the event of the run, since there are several; returns @error. */
int meter_name_event(const struct meter *meter, int error, struct text_error *error_ret);

/** meter_time_beside() - give the runs beside the run its begin and its duration, before these are reported. */
void meter_time_beside(const struct meter *meter);

/** meter_stop_sampling() - stop all sessions, in the order of their start. Returns the first error. */
int meter_stop_sampling(struct meter *meter, struct text_error *error_ret);

/** meter_close() - close the devices of all sessions. May be called twice. */
void meter_close(struct meter *meter);

/** run_unwind_needs() - flags of START that an engine must serve: tables that were explicitly asked for. */
u32 run_unwind_needs(const struct run *run);

/** meter_unwind_how() - how callers are found in this session: enum unwind_how. */
unsigned int meter_unwind_how(const struct meter *meter);

/** meter_feed() - the device has news: if the module names files, their tables are made. Not for runs beside it. */
void meter_feed(struct meter *meter);

/** meter_count_tables() - bring the receipt's numbers of tables up to date. */
void meter_count_tables(struct meter *meter);

/** meter_stop_feeding() - make no more tables for any session. Does not wait. */
void meter_stop_feeding(struct meter *meter);

/** meter_end_feeding() - wait for the last table of each session. Before the devices are closed. */
void meter_end_feeding(struct meter *meter);

/** meter_forget_tables() - free the tables made for all sessions, after meter_end_feeding(). */
void meter_forget_tables(struct meter *meter);

/**
 * meter_begin_clock() - the session has begun: so have the run, if this is its first session, and the result, unless
 * the session continues the counts of the one before it.
 */
void meter_begin_clock(struct meter *meter, double now);

/** meter_pause() - stop the run's clock at @now; the session has ended. */
void meter_pause(struct meter *meter, double now);

/**
 * meter_change_rate() - start the next session of a run that was paused for it, with run->wanted_ns. If that is
 * refused, go on with the period before.
 */
void meter_change_rate(struct meter *meter);

/** meter_resume() - start another session; if that fails, the run remains paused. */
void meter_resume(struct meter *meter);

/** meter_paused_seconds() - time that the run was paused since its start or reset. */
double meter_paused_seconds(const struct meter *meter);

/** meter_begin_receipt() - begin the receipt of a step. -ENOMEM. */
int meter_begin_receipt(struct meter *meter);

/** meter_end_receipt() - bring the receipt up to date, and those of the runs beside it. */
void meter_end_receipt(struct meter *meter);

/** meter_add_account() - a sink: add up, then call the run's own sink. @context: struct run. */
void meter_add_account(void *context, u32 cpu, const struct cpuprobe_account *account,
		       const void *entries);

/** meter_clear_progress() - erase the progress line before other output. */
void meter_clear_progress(const struct meter *meter);

/** meter_plan_harvest() - set when the next harvest is due, at the interval's end at the latest. */
void meter_plan_harvest(struct meter *meter, double now);

/** meter_harvest() - harvest all sessions; @only_due: only tables that fill up. Errors are reported. */
int meter_harvest(struct meter *meter, bool only_due);

/**
 * meter_harvest_due() - harvest what cannot wait for the next regular harvest: tables that fill up
 * and new processes. @is_all: harvest everything, because run->watch_fd asked for it.
 */
int meter_harvest_due(struct meter *meter, double now, bool is_all);

/** meter_harvest_and_look() - harvest and call the hooks; sets *is_done if the step is over. */
int meter_harvest_and_look(struct meter *meter, double now, bool *is_done);

/** meter_end_block() - end the block of counts if it lasted at least @least_seconds. */
void meter_end_block(struct meter *meter, double now, double least_seconds);

/**
 * meter_obey() - harvest, get an order from run->control, and carry out RUN_RESET. Without a harvest, if
 * run_control.answer leaves no request.
 */
enum run_order meter_obey(struct meter *meter);

#endif
