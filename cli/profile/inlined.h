/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles with and without frames of inlined functions. Pure. */
#ifndef INLINED_H
#define INLINED_H

#include "profile/profile.h"

/** inlined_is_there() - whether a profile has frames of inlined functions. */
bool inlined_is_there(const struct profile *profile);

/**
 * inlined_drop() - copy a profile, with inlined functions as part of the functions that contain
 * them: one frame for each address, with the source of the address. Positions of functions, objects
 * and processes stay the same. NULL: out of memory.
 */
struct profile *inlined_drop(const struct profile *profile);

#endif
