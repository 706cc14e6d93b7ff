// SPDX-License-Identifier: GPL-2.0-only
/* The limit on open descriptors: see file_limit.h. */
#include <sys/resource.h>

#include "base/file_limit.h"

size_t file_limit_raise(size_t nr)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return nr;
	if (limit.rlim_cur < nr + FILE_LIMIT_SPARE) {
		limit.rlim_cur = nr + FILE_LIMIT_SPARE;
		if (limit.rlim_max < limit.rlim_cur)
			limit.rlim_max = limit.rlim_cur;
		if (setrlimit(RLIMIT_NOFILE, &limit)) {
			getrlimit(RLIMIT_NOFILE, &limit);
			limit.rlim_cur = limit.rlim_max;
			setrlimit(RLIMIT_NOFILE, &limit);
		}
	}
	return limit.rlim_cur > FILE_LIMIT_SPARE ? limit.rlim_cur - FILE_LIMIT_SPARE : 1;
}
