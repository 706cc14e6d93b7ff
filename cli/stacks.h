/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the commands about stacks get them from: a measurement, or a kept run. */
#ifndef STACKS_H
#define STACKS_H

#include "options.h"
#include "profile/profile.h"
#include "profile/resolver.h"
#include "receipt.h"
#include "run.h"
#include "sampling.h"

/** What to measure. Strings are the caller's. */
struct stacks_options {
	struct sampling_options sampling;
	const char *task;	/* as of `probe proc`; NULL: the machine */
	const char *cgroup;	/* path; NULL: any */
	bool only_user;
	bool only_kernel;
	bool by_pid;		/* processes of a program apart */
	bool has_lines;		/* source lines are wanted */
	uint64_t stack_kib;	/* 0: the module's default */
	const char *first;	/* an option given that only a measurement has; NULL: none */
};

/** Options of measuring stacks; they come beside sampling_specs. */
extern const struct option_spec stacks_specs[];

/** stacks_options_init() - the defaults. To be given to stacks_options_deinit(). */
void stacks_options_init(struct stacks_options *options);

void stacks_options_deinit(struct stacks_options *options);

/** stacks_set() - as options_set, for sampling_specs and stacks_specs. 1: none of these options. */
int stacks_set(struct stacks_options *options, const char *name, const char *value,
	       struct text_error *error_ret);

/** stacks_check() - -EINVAL: options that exclude each other. */
int stacks_check(const struct stacks_options *options, struct text_error *error_ret);

/** A run with stacks. */
struct stacks {
	struct profile *profile;
	struct run_result result;
	struct receipt receipt;
	bool has_receipt;
	struct resolver *resolver;	/* of a measurement; NULL: a kept run */
	int status;	/* to exit with when all else goes well: that of a COMMAND */
};

/**
 * stacks_fetch() - from @file, or where that is NULL by measuring, with @command if there is one;
 * a measurement is kept where -save says so.
 * 0, to be given to stacks_deinit(); or the status to exit with, everything said.
 * @verb: the command that wants them, for errors
 */
int stacks_fetch(struct stacks *stacks, const struct stacks_options *options, const char *verb,
		 const char *file, char **command);

/** stacks_load() - from a file that -save has written. @verb: as above */
int stacks_load(struct stacks *stacks, const char *verb, const char *path,
		struct text_error *error_ret);

/**
 * stacks_load_bytes() - from such a file's bytes, which stay the caller's. @name: what they are
 * called.
 */
int stacks_load_bytes(struct stacks *stacks, char *bytes, size_t len, const char *name,
		      struct text_error *error_ret);

/**
 * stacks_warn() - on stderr what a run says less for than it might, each with a remedy if there is
 * one: samples missed or lost, processes that could not be followed, perf maps that were not
 * believed.
 */
void stacks_warn(const struct stacks *stacks);

void stacks_deinit(struct stacks *stacks);

#endif
