/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks of START that claim and allocate nothing. */
#ifndef CPUPROBE_CHECK_H
#define CPUPROBE_CHECK_H

#include <linux/mm.h>

#include "access.h"
#include "session.h"

/** check_refuse() - refuse START: set @start->reason and return @error. */
static inline int check_refuse(struct cpuprobe_start *start, u32 reason, int error)
{
	start->reason = reason;
	return error;
}

/** check_has_no_stack_fields() - whether the fields for sessions of stacks are unused. */
static inline bool check_has_no_stack_fields(const struct cpuprobe_start *start)
{
	return start->cgroup_fd == -1 && !start->frames && !start->stack_kib;
}

/** check_has_no_place() - whether the fields that select code are unused. */
static inline bool check_has_no_place(const struct cpuprobe_start *start)
{
	return !start->mode && !start->object && !start->low && !start->high && !start->code_start;
}

/** check_has_no_target() - whether the fields that name an executable or a process are unused. */
static inline bool check_has_no_target(const struct cpuprobe_start *start)
{
	return start->exe_fd == -1 && !start->pid;
}

/** check_kernel_access() - check whether the session may see the kernel. -EPERM with a reason. */
static inline int check_kernel_access(const struct session *session, struct cpuprobe_start *start)
{
	u32 reason = access_kernel(&session->access);

	return reason ? check_refuse(start, reason, -EPERM) : 0;
}

/** check_fits() - whether so much memory is available, and at most half of the machine's. */
static inline bool check_fits(u64 bytes)
{
	u64 nr = bytes >> PAGE_SHIFT;

	return nr <= totalram_pages() / 2 && (s64)nr <= si_mem_available();
}

/** check_has_quiet_cpus() - whether some CPU is to be kept quiet: isolated or nohz_full. Any context. */
bool check_has_quiet_cpus(void);

/**
 * check_start() - check every field except the target's identity, against the machine and the
 * opener's rights. Sets @session->cpus. May sleep.
 * -EINVAL, -EPERM, -EOPNOTSUPP with the reason in @start->reason; -EFAULT.
 */
int check_start(struct session *session, struct cpuprobe_start *start);

#endif
