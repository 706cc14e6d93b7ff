/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by programs that use the device: arguments of calls, and sums over harvested counts. */
#ifndef DEVICE_H
#define DEVICE_H

/* No struct has padding, so 32-bit and 64-bit programs have the same layout. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"
#include "../../kmod/uapi/cpuprobe.h"
#pragma GCC diagnostic pop

/** REQUEST() - a struct cpuprobe_@type with its size, the version and the given members. */
#define REQUEST(type, ...) ((struct cpuprobe_##type){ .size = sizeof(struct cpuprobe_##type), \
	.version = CPUPROBE_ABI_VERSION, __VA_ARGS__ })

/** START() - a struct cpuprobe_start that names neither an executable nor a control group. */
#define START(...) REQUEST(start, .exe_fd = -1, .cgroup_fd = -1, __VA_ARGS__)

/** stack_next() - the stack after this one, or the end of the stacks. */
static inline const struct cpuprobe_stack *stack_next(const struct cpuprobe_stack *stack)
{
	return (const void *)(stack->frame + stack->nr_kernel + stack->nr_user);
}

/** for_each_stack() - iterate over an account's stacks; HARVEST has filled @buffer. */
#define for_each_stack(stack, buffer, account) \
	for (stack = (const void *)((const struct cpuprobe_exe *)(buffer) + (account)->objects); \
	     (const char *)stack < (const char *)(buffer) + (account)->bytes; \
	     stack = stack_next(stack))

/** lost_samples() - samples of an account that were lost, in all modes. */
static inline __u64 lost_samples(const struct cpuprobe_account *account)
{
	__u64 sum = 0;
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		sum += account->lost[mode];
	return sum;
}

/** hits_of_records() - hits of @nr records, in all modes. */
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
