/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run of `probe calls`: a session that counts or times calls, beside one that samples stacks. In the
 * foreground it may have a command; in the background it may be paused and reset.
 */
#ifndef CALLS_RUN_H
#define CALLS_RUN_H

#include "background/holder.h"
#include "calls/call_session.h"
#include "stacks/measurement.h"
#include "times/time_counts.h"

/** The command sets the options. */
struct calls_run {
	struct stacks_options stacks;
	struct call_options options;
	struct call_session session;
	struct measurement measurement;
	/* of sessions that have ended; NULL: none, or not of this kind */
	struct call_counts *calls;
	struct time_counts *times;
	struct text_error failed;	/* why some of these could not be read; "" */
	bool has_told;			/* which functions cannot be hooked */
};

void calls_run_init(struct calls_run *run);

/** calls_run_prepare() - choose functions and find the target. @command: NULL: none. -errno. */
int calls_run_prepare(struct calls_run *run, char **command, struct text_error *error_ret);

/**
 * calls_run_read() - everything counted so far. -errno with a reason.
 * @calls_ret: NULL if calls are timed; @times_ret: NULL if they are not; the caller destroys both
 */
int calls_run_read(struct calls_run *run, struct call_counts **calls_ret,
		   struct time_counts **times_ret, struct text_error *error_ret);

/** calls_run_warn() - warn of a module that was unloaded during the run. */
void calls_run_warn(const struct calls_run *run);

/** calls_run_add() - write sections with counts or times, one of them NULL. */
void calls_run_add(struct record_writer *writer, const struct call_counts *calls,
		   const struct time_counts *times);

void calls_run_deinit(struct calls_run *run);

/** The run in the background: its @self is a struct calls_run. */
extern const struct holder_kind calls_run_kind;

#endif
