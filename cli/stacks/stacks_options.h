/* SPDX-License-Identifier: GPL-2.0-only */
/* Options for measuring stacks. */
#ifndef STACKS_OPTIONS_H
#define STACKS_OPTIONS_H

#include "base/options.h"
#include "run/sampling.h"
#include "run/unwind_options.h"

/** Options of a run that records stacks. Strings are the caller's. */
struct stacks_options {
	struct sampling_options sampling;
	struct unwind_options unwind;
	const char *task;	/* as for `probe proc`; NULL: the machine */
	const char *cgroup;	/* path; NULL: any */
	bool only_user;
	bool only_kernel;
	bool by_pid;		/* keep processes of one program apart */
	bool has_lines;		/* source lines are wanted */
	bool is_inlined;	/* inlined functions are frames of their own */
	bool is_whole;		/* they are not */
	bool inline_default;	/* set by the command: they are, if reading their names is cheap */
	const char *vmlinux;	/* debug information of the running kernel, or NULL */
	u64 stack_kib;		/* 0: the module's default */
	bool by_cgroup;		/* processes of different control groups are different ones */
	u64 names_max;		/* struct resolver_options */
	bool is_compact;
	u64 count;		/* executions during the run; 0: not given */
	const char *count_from;	/* file with a number that grows with each execution, or NULL */
};

/** Options that set a struct stacks_options, besides sampling_specs and unwind_specs. */
extern const struct option_spec stacks_specs[];

/** -inline and -no-inline, which set a struct stacks_options. They apply to a saved run too. */
extern const struct option_spec inline_specs[];

/** -count, which sets a u64. A saved run can have it too: the number is often known afterwards. */
extern const struct option_spec count_specs[];

/** stacks_options_init() - set the defaults. Free with stacks_options_deinit(). */
void stacks_options_init(struct stacks_options *options);

void stacks_options_deinit(struct stacks_options *options);

/** stacks_show_inlined() - whether inlined functions are frames of their own. */
bool stacks_show_inlined(const struct stacks_options *options);

/** stacks_check() - check options for conflicts. -EINVAL: two cannot be combined. */
int stacks_check(const struct stacks_options *options, struct text_error *error_ret);

#endif
