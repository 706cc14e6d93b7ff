/* SPDX-License-Identifier: GPL-2.0-only */
/* A run with stacks, measured or saved: what reports and exports are made of. */
#ifndef STACK_RUN_H
#define STACK_RUN_H

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
	struct resolver *resolver;	/* of a measurement; NULL: a kept run */
	int status;	/* to exit with when all else goes well: that of a COMMAND */
};

#endif
