/* SPDX-License-Identifier: GPL-2.0-only */
/* Which functions of a profile are which functions of counted calls. Pure. */
#ifndef CALL_MATCH_H
#define CALL_MATCH_H

#include <stdbool.h>

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

/** call_match_is_part() - whether a name is that of a part moved away. */
bool call_match_is_part(const char *name);

/**
 * call_match_parts() - find the functions that parts moved away belong to.
 * @whole: by function of the counts: the position of its whole, or its own. -ENOMEM.
 */
int call_match_parts(const struct call_counts *counts, u32 *whole);

#endif
