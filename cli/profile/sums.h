/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums of a profile by function, object, process and mode. A stack counts once for each function in
 * it, even if the function is recursive.
 */
#ifndef SUMS_H
#define SUMS_H

#include "profile/profile.h"

/** Samples, and the time that they represent. */
struct sum {
	u64 hits;
	double ns;
};

/** Arrays are indexed like the profile's arrays of that name. */
struct sums {
	struct sum *function_self;	/* stacks in which it is the leaf */
	struct sum *function_total;	/* stacks that contain it */
	struct sum *object_self;
	struct sum *object_total;
	struct sum *process;
	struct sum mode[CPUPROBE_MODES];	/* without idle */
	struct sum idle;			/* the leaf is MARK_IDLE */
};

/** sums_init() - add up @profile. -ENOMEM: nothing to deinit. */
int sums_init(struct sums *sums, const struct profile *profile);

void sums_deinit(struct sums *sums);

#endif
