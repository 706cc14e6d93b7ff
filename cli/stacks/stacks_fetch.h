/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the commands about stacks get them from: a measurement, or a saved run. */
#ifndef STACKS_FETCH_H
#define STACKS_FETCH_H

#include "profile/stack_run.h"
#include "stacks/stacks_options.h"

/**
 * stacks_fetch() - from @file, or where that is NULL by measuring, with @command if there is one;
 * a measurement is kept where -save says so.
 * 0, to be given to stacks_deinit(); or the status to exit with, everything said.
 * @verb: the command that wants them, for errors
 */
int stacks_fetch(struct stack_run *stacks, const struct stacks_options *options, const char *verb,
		 const char *file, char **command);

/** stacks_load() - from a file that -save has written. @verb: as above */
int stacks_load(struct stack_run *stacks, const char *verb, const char *path,
		struct text_error *error_ret);

/**
 * stacks_load_bytes() - from such a file's bytes, which stay the caller's. @name: what they are
 * called.
 */
int stacks_load_bytes(struct stack_run *stacks, char *bytes, size_t len, const char *name,
		      struct text_error *error_ret);

/**
 * stacks_warn() - on stderr what a run says less for than it might, each with a remedy if there is
 * one: samples missed or lost, processes that could not be followed, perf maps that were not
 * believed.
 */
void stacks_warn(const struct stack_run *stacks);

void stacks_deinit(struct stack_run *stacks);

#endif
