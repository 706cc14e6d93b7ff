/* SPDX-License-Identifier: GPL-2.0-only */
/* How the callers of user code are found: options of all commands that measure stacks. */
#ifndef UNWIND_OPTIONS_H
#define UNWIND_OPTIONS_H

#include "base/options.h"

enum unwind_how {
	UNWIND_TABLES,		/* call frame information, and frame pointers where there is none */
	UNWIND_POINTERS,	/* frame pointers only */
	UNWIND_NONE,		/* not at all: only the first frame is kept */
	UNWIND_HOWS,
};

struct unwind_options {
	unsigned int how;	/* enum unwind_how */
	bool is_given;		/* -unwind was given: a refusal of tables ends the run */
	bool may_disturb;	/* tables are wanted although this interrupts isolated CPUs */
	u64 kib;		/* memory of the tables; 0: the module's default */
};

extern const struct option_spec unwind_specs[];

/** unwind_name() - value of -unwind for an enum unwind_how. */
const char *unwind_name(unsigned int how);

/** unwind_check() - check options for conflicts. -EINVAL: two cannot be combined. */
int unwind_check(const struct unwind_options *options, struct text_error *error_ret);

#endif
