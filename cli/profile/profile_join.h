/* SPDX-License-Identifier: GPL-2.0-only */
/* Adds the stacks of one profile to another, with the code that they need and no more. */
#ifndef PROFILE_JOIN_H
#define PROFILE_JOIN_H

#include "profile/profile.h"

/**
 * profile_join() - add all stacks and totals of @from. Parts of the same names are the same.
 * -ENOMEM: some stacks were not added.
 */
int profile_join(struct profile *to, const struct profile *from);

#endif
