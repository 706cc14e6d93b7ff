/* SPDX-License-Identifier: GPL-2.0-only */
/* Gets stacks from a measurement or a saved run, for the commands about stacks. */
#ifndef STACKS_FETCH_H
#define STACKS_FETCH_H

#include "profile/stack_run.h"
#include "run/record.h"
#include "stacks/stacks_options.h"

/** Runs of the same time, of one event each, or one of time. */
struct stack_set {
	struct stack_run run[EVENTS_MOST];
	unsigned int nr;
	int status;	/* exit status of COMMAND, used if all else succeeds */
};

/**
 * stacks_fetch() - read stacks from @file, with inlined functions if @options ask for them; NULL: measure, with
 * @command if there is one, and save the runs if -save was given. Runs without samples are left out. Returns 0, or an
 * exit status after errors were reported.
 * @set: free with stack_set_deinit() after 0
 * @verb: the calling command, for error texts
 */
int stacks_fetch(struct stack_set *set, const struct stacks_options *options, const char *verb,
		 const char *file, char **command);

/** stack_set_deinit() - free all runs. */
void stack_set_deinit(struct stack_set *set);

/** stacks_load_record() - stacks_load() of a file that has been read. */
int stacks_load_record(struct stack_run *stacks, const char *verb, const char *path,
		       const struct record *record, struct text_error *error_ret);

/**
 * stacks_load_event() - stacks_load_record() of the run of one event. @event: its name; NULL: the first
 * -ENOENT with a reason: there is none.
 */
int stacks_load_event(struct stack_run *stacks, const char *verb, const char *path, const struct record *record,
		      const char *event, struct text_error *error_ret);

/** stacks_load() - read a file that -save has written. @verb: as for stacks_fetch() */
int stacks_load(struct stack_run *stacks, const char *verb, const char *path,
		struct text_error *error_ret);

/** stacks_load_bytes() - read a saved run from @bytes. @name: the run's, for error texts */
int stacks_load_bytes(struct stack_run *stacks, char *bytes, size_t len, const char *name,
		      struct text_error *error_ret);

/**
 * stacks_drop_inlined() - make inlined functions a part of the functions that contain them. -ENOMEM
 * with a reason.
 */
int stacks_drop_inlined(struct stack_run *stacks, struct text_error *error_ret);

/**
 * stacks_warn() - warn on stderr of everything that makes a run less certain: samples missed or
 * lost, processes that could not be followed, perf maps that were ignored.
 */
void stacks_warn(const struct stack_run *stacks);

void stacks_deinit(struct stack_run *stacks);

#endif
