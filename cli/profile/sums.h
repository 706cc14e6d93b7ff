/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile added up: by function, object, process and mode. What has a function in it counts
 * once for that function, however often it called itself.
 */
#ifndef SUMS_H
#define SUMS_H

#include "profile/profile.h"

/** Samples, and the time they stand for. */
struct sum {
	uint64_t hits;
	double ns;
};

/** Each by position in the profile's array of that name. */
struct sums {
	struct sum *function_self;	/* was the leaf */
	struct sum *function_total;	/* was somewhere in the stack */
	struct sum *object_self;
	struct sum *object_total;
	struct sum *process;
	struct sum mode[CPUPROBE_MODES];	/* without idle */
	struct sum idle;			/* the leaf is MARK_IDLE */
};

/** sums_init() - -ENOMEM: nothing to deinit. */
int sums_init(struct sums *sums, const struct profile *profile);

void sums_deinit(struct sums *sums);

#endif
