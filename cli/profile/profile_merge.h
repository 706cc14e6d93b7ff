/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles merged: stacks of equal code add up, whichever host they come from. Pure. */
#ifndef PROFILE_MERGE_H
#define PROFILE_MERGE_H

#include "base/stat_weight.h"
#include "profile/blocks.h"
#include "profile/profile.h"

/** Profiles being merged. Begin with profile_merge_init(). */
struct profile_merge {
	struct profile *profile;	/* the sum; NULL: out of memory */
	struct blocks blocks;		/* of all runs that have them */
	struct intern by_build;		/* objects of .profile with a build-id */
	double largest;			/* nanoseconds of a sample times 1 + excess, of the run with most */
};

/** profile_merge_init() - begin with an empty profile. -ENOMEM. */
int profile_merge_init(struct profile_merge *merge);

/**
 * profile_merge_add() - add a profile and its blocks. Objects are the same if they are of one kind and
 * have one build-id; without a build-id, if their paths and names are equal.
 * @host: name that processes then carry ("nginx@web1"); NULL: all processes of one name are counted
 *	together, without pid and control group
 * -ENOMEM.
 */
int profile_merge_add(struct profile_merge *merge, const struct profile *profile,
		      const struct blocks *blocks, const char *host);

/** profile_merge_excess() - excess that is right for all shares: stat_weights_excess(). */
double profile_merge_excess(const struct profile_merge *merge);

void profile_merge_deinit(struct profile_merge *merge);

#endif
