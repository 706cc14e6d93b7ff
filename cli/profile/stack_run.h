/* SPDX-License-Identifier: GPL-2.0-only */
/* A run with stacks, measured or saved: the input of reports and exports. */
#ifndef STACK_RUN_H
#define STACK_RUN_H

#include "profile/blocks.h"
#include "profile/profile.h"
#include "run/receipt.h"
#include "run/run_result.h"

struct resolver;

/** A run with stacks. */
struct stack_run {
	struct profile *profile;
	struct run_result result;
	struct receipt receipt;
	bool has_receipt;
	u64 executions;			/* of the work during the run; 0: unknown */
	struct blocks blocks;		/* of a saved run; empty: not saved */
	struct resolver *resolver;	/* resolver of a measurement; NULL: saved run */
};

#endif
