/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the commands about stacks get them from: a measurement, or a kept run. */
#ifndef STACKS_H
#define STACKS_H

#include "profile/profile.h"
#include "receipt.h"
#include "run.h"

/** A run with stacks. */
struct stacks {
	struct profile *profile;
	struct run_result result;
	struct receipt receipt;
	bool has_receipt;
};

/** stacks_load() - from a file that -save has written. */
int stacks_load(struct stacks *stacks, const char *path, struct text_error *error_ret);

void stacks_deinit(struct stacks *stacks);

#endif
