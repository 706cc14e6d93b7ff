// SPDX-License-Identifier: GPL-2.0-only
/* One equation between sums: see verify_parts.h. */
#include <stdarg.h>

#include "verify/verify_parts.h"

void verify_equal(struct verify *verify, u64 got, u64 wanted, const char *format, ...)
{
	va_list args;

	verify->result->nr_checked++;
	if (got == wanted)
		return;
	verify->result->nr_wrong++;
	fputs(verify->event, verify->out);
	va_start(args, format);
	vfprintf(verify->out, format, args);
	va_end(args);
	fprintf(verify->out, ": %llu is not %llu\n", got, wanted);
}
