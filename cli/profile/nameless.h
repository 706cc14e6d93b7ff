/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions without a name, in stripped objects. If call frame information gives the range of such a
 * function, its place serves as the name, "python3.11+0xfeea0"; all other code of an object is one
 * function, NAMELESS_CODE.
 */
#ifndef NAMELESS_H
#define NAMELESS_H

#include "profile/profile.h"

#define NAMELESS_CODE	"(no symbol)"

/** nameless_name() - make a name of an object's name and the link-time address of a function. */
void nameless_name(const char *object, u64 start, char name_ret[PROFILE_NAME_MAX]);

/** nameless_is() - whether a function of a profile has no name, by its position. */
bool nameless_is(const struct profile *profile, u32 function);

#endif
