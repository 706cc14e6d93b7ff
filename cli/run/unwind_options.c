// SPDX-License-Identifier: GPL-2.0-only
/* Options of unwinding: see unwind_options.h. */
#include <errno.h>

#include "base/option_values.h"
#include "cpuprobe.h"
#include "run/unwind_options.h"

#define KIB_MAX	(1u << 20)	/* 1 GiB */

static const char *const hows[] = { "tables", "fp", "none", NULL };

/* The option sets the whole struct: an explicit choice differs from the default. */
static int parse_how(const struct option_spec *spec, const char *value, void *at,
		     struct text_error *error_ret)
{
	struct unwind_options *options = at;
	int error = option_choice(spec, value, &options->how, error_ret);

	if (!error)
		options->is_given = true;
	return error;
}

const struct option_spec unwind_specs[] = {
	{ "unwind", "HOW", "find callers of user code by tables, fp or none (default tables)",
	  parse_how, 0, hows },
	{ "unwind-memory", "KIB", "memory for unwinding tables, 64 to 1048576 (default 16384)",
	  option_range, offsetof(struct unwind_options, kib), .min = CPUPROBE_UNWIND_KIB_MIN,
	  .max = KIB_MAX },
	{ NULL }
};

const char *unwind_name(unsigned int how)
{
	return hows[how % UNWIND_HOWS];
}

int unwind_check(const struct unwind_options *options, struct text_error *error_ret)
{
	if (options->kib && options->how != UNWIND_TABLES)
		return text_fail(error_ret, -EINVAL, "-unwind-memory cannot be combined with -unwind %s",
				 unwind_name(options->how));
	return 0;
}
