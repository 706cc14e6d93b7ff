/* SPDX-License-Identifier: GPL-2.0-only */
/* What programs that use the device share: arguments of calls, and a walk over harvested stacks. */
#ifndef DEVICE_H
#define DEVICE_H

/* None of its structs has padding: so 32-bit programs lay them out alike. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"
#include "../../kmod/uapi/cpuprobe.h"
#pragma GCC diagnostic pop

/** REQUEST() - a struct cpuprobe_@type with its size, version and the members given. */
#define REQUEST(type, ...) ((struct cpuprobe_##type){ .size = sizeof(struct cpuprobe_##type), \
	.version = CPUPROBE_ABI_VERSION, __VA_ARGS__ })

/** START() - of START, naming neither executable nor control group: these are set afterwards. */
#define START(...) REQUEST(start, .exe_fd = -1, .cgroup_fd = -1, __VA_ARGS__)

/** stack_next() - the stack after this one, or the end of the last. */
static inline const struct cpuprobe_stack *stack_next(const struct cpuprobe_stack *stack)
{
	return (const void *)(stack->frame + stack->nr_kernel + stack->nr_user);
}

/** for_each_stack() - of the account whose executables and stacks were copied to @buffer. */
#define for_each_stack(stack, buffer, account) \
	for (stack = (const void *)((const struct cpuprobe_exe *)(buffer) + (account)->objects); \
	     (const char *)stack < (const char *)(buffer) + (account)->bytes; \
	     stack = stack_next(stack))

/** lost_samples() - of an account, in all modes. */
static inline __u64 lost_samples(const struct cpuprobe_account *account)
{
	__u64 sum = 0;
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		sum += account->lost[mode];
	return sum;
}

/** hits_of_records() - of all of them, in all modes. */
static inline __u64 hits_of_records(const struct cpuprobe_record *record, __u32 nr)
{
	__u64 sum = 0;
	int mode;

	for (; nr; nr--, record++)
		for (mode = 0; mode < CPUPROBE_MODES; mode++)
			sum += record->hits[mode];
	return sum;
}

#endif
