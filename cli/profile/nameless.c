// SPDX-License-Identifier: GPL-2.0-only
/* Functions without a name: see nameless.h. */
#include <stdio.h>
#include <string.h>

#include "profile/nameless.h"
#include "utf8.h"

#define ADDRESS_MAX	20	/* bytes of "+0x", 16 digits and the NUL */

void nameless_name(const char *object, u64 start, char name_ret[PROFILE_NAME_MAX])
{
	size_t len = strlen(object);

	/* The address must fit: it is what tells the functions apart. */
	if (len > PROFILE_NAME_MAX - ADDRESS_MAX)
		len = utf8_cut(object, PROFILE_NAME_MAX - ADDRESS_MAX);
	snprintf(name_ret, PROFILE_NAME_MAX, "%.*s+0x%llx", (int)len, object, start);
}

bool nameless_is(const struct profile *profile, u32 at)
{
	const struct profile_function *function = &profile->functions[at];
	char name[PROFILE_NAME_MAX];

	if (!function->addr && !strcmp(function->name, NAMELESS_CODE))
		return true;
	nameless_name(profile->objects[function->object].name, function->addr, name);
	return !strcmp(function->name, name);
}
