// SPDX-License-Identifier: GPL-2.0-only
/* Options for measuring stacks: see stacks_options.h. */
#include <errno.h>
#include <string.h>

#include "base/option_values.h"
#include "cpuprobe.h"
#include "stacks/stacks_options.h"

#define STACKS(field)	offsetof(struct stacks_options, field)

const struct option_spec stacks_specs[] = {
	{ "task", "TASK", "only this process or executable: a pid, a path or a name",
	  option_text, STACKS(task) },
	{ "cgroup", "PATH", "only processes of this control group and the groups below it",
	  option_text, STACKS(cgroup) },
	{ "user", NULL, "only user code; the kernel becomes one leaf, [kernel]", option_flag,
	  STACKS(only_user) },
	{ "kernel", NULL, "only kernel code; user code becomes one leaf, [user]", option_flag,
	  STACKS(only_kernel) },
	{ "pids", NULL, "keep the processes of one program apart", option_flag, STACKS(by_pid) },
	{ "lines", NULL, "add source lines where there is debug information", option_flag,
	  STACKS(has_lines) },
	{ "vmlinux", "FILE", "the running kernel's vmlinux, for -lines and -inline in the kernel",
	  option_text, STACKS(vmlinux) },
	{ "memory", "KIB", "memory for stacks per CPU, 64 to 65536 (default 1984)", option_range,
	  STACKS(stack_kib), .min = CPUPROBE_STACK_KIB_MIN, .max = CPUPROBE_STACK_KIB_MAX },
	{ "count-from", "FILE",
	  "print times per execution; N executions are the growth of the number in FILE",
	  option_text, STACKS(count_from) },
	{ "save", "FILE", "save the run in FILE", option_file, STACKS(sampling.save) },
	{ NULL }
};

const struct option_spec inline_specs[] = {
	{ "inline", NULL, "show inlined functions where there is debug information", option_flag,
	  STACKS(is_inlined) },
	{ "no-inline", NULL, "show inlined functions as part of those that contain them",
	  option_flag, STACKS(is_whole) },
	{ NULL }
};

const struct option_spec count_specs[] = {
	{ "count", "N", "print times per execution; the run had N executions", option_count, 0 },
	{ NULL }
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

bool stacks_show_inlined(const struct stacks_options *options)
{
	return (options->is_inlined || options->inline_default) && !options->is_whole;
}

int stacks_check(const struct stacks_options *options, struct text_error *error_ret)
{
	if (options->only_user && options->only_kernel)
		return text_fail(error_ret, -EINVAL, "-user cannot be combined with -kernel");
	if (options->is_inlined && options->is_whole)
		return text_fail(error_ret, -EINVAL, "-inline cannot be combined with -no-inline");
	if (options->vmlinux && !options->has_lines && !stacks_show_inlined(options)) {
		text_fail(error_ret, 0, "-vmlinux needs -lines or -inline");
		return -EINVAL;
	}
	if (options->count && options->count_from)
		return text_fail(error_ret, -EINVAL, "-count cannot be combined with -count-from");
	if (options->only_kernel && (options->unwind.is_given || options->unwind.kib))
		return text_fail(error_ret, -EINVAL, "-%s cannot be combined with -kernel",
				 options->unwind.is_given ? "unwind" : "unwind-memory");
	if (unwind_check(&options->unwind, error_ret))
		return -EINVAL;
	return sampling_check(&options->sampling, error_ret);
}
