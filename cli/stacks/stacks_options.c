// SPDX-License-Identifier: GPL-2.0-only
/* The options of measuring stacks: see stacks_options.h. */
#include <errno.h>
#include <string.h>

#include "cpuprobe.h"
#include "stacks/stacks_options.h"

const struct option_spec stacks_specs[] = {
	{ "task", "TASK", "only this process or executable: a pid, a path or a name" },
	{ "cgroup", "PATH", "only processes of this control group and those below it" },
	{ "user", NULL, "only user code; the kernel is one leaf, [kernel]" },
	{ "kernel", NULL, "only kernel code; user code is one leaf, [user]" },
	{ "pids", NULL, "keep the processes of a program apart" },
	{ "lines", NULL, "source lines, where there is debug information" },
	{ "memory", "KIB", "for stacks, per CPU: 64 to 65536 (default 1984)" },
	{ "save", "FILE", "keep the run in FILE" },
	{ NULL, NULL, NULL }
};

void stacks_options_init(struct stacks_options *options)
{
	memset(options, 0, sizeof(*options));
	sampling_init(&options->sampling);
}

void stacks_options_deinit(struct stacks_options *options)
{
	sampling_deinit(&options->sampling);
}

static int set_flag(struct stacks_options *options, const char *name)
{
	const struct { const char *name; bool *flag; } flags[] = {
		{ "user", &options->only_user }, { "kernel", &options->only_kernel },
		{ "pids", &options->by_pid }, { "lines", &options->has_lines },
	};
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (strcmp(name, flags[i].name))
			continue;
		*flags[i].flag = true;
		return 0;
	}
	return 1;
}

static int set_memory(struct stacks_options *options, const char *value,
		      struct text_error *error_ret)
{
	int error = parse_count(value, &options->stack_kib, error_ret);

	if (!error && (options->stack_kib < CPUPROBE_STACK_KIB_MIN ||
		       options->stack_kib > CPUPROBE_STACK_KIB_MAX))
		error = text_fail(error_ret, -EINVAL, "%s is not between %d and %d", value,
				  CPUPROBE_STACK_KIB_MIN, CPUPROBE_STACK_KIB_MAX);
	return error;
}

int stacks_set(struct stacks_options *options, const char *name, const char *value,
	       struct text_error *error_ret)
{
	int result = sampling_set(&options->sampling, name, value, error_ret);

	if (result > 0)
		result = set_flag(options, name);
	if (result > 0 && !strcmp(name, "task")) {
		options->task = value;
		result = 0;
	} else if (result > 0 && !strcmp(name, "cgroup")) {
		options->cgroup = value;
		result = 0;
	} else if (result > 0 && !strcmp(name, "memory")) {
		result = set_memory(options, value, error_ret);
	}
	if (result <= 0 && !options->first)
		options->first = name;
	return result;
}

int stacks_check(const struct stacks_options *options, struct text_error *error_ret)
{
	if (options->only_user && options->only_kernel)
		return text_fail(error_ret, -EINVAL, "-user and -kernel leave nothing to look at");
	return sampling_check(&options->sampling, error_ret);
}
