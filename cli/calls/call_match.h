/* SPDX-License-Identifier: GPL-2.0-only */
/* Which functions of a profile are which functions of counted calls. Pure. */
#ifndef CALL_MATCH_H
#define CALL_MATCH_H

#include "calls/call_counts.h"
#include "profile/profile.h"

/**
 * call_match() - match functions by module and address, or else by name: a part that the compiler
 * moved away (name.cold) is its function.
 * @counted: by function of the profile: its position in the counts, or CALLS_NONE. Its length is
 * profile->nr_functions.
 * -ENOMEM.
 */
int call_match(const struct call_counts *counts, const struct profile *profile, u32 *counted);

#endif
