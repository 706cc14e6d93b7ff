// SPDX-License-Identifier: GPL-2.0-only
/* Checks the fields of START one by one: see check.h. */
#include <linux/hrtimer.h>
#include <linux/uaccess.h>

#include "access.h"
#include "check.h"
#include "compat.h"
#include "cost.h"
#include "overflows.h"
#include "kind.h"
#include "neighbour.h"

#define CPUS_LEN_MAX		8192

#define ALL_FLAGS (CPUPROBE_START_EXCLUDE_DEFERRED | CPUPROBE_START_IDLE_SLEEP | \
		   CPUPROBE_START_UNWIND | CPUPROBE_START_DISTURB | CPUPROBE_START_NMI)

static bool are_unwind_fields_valid(const struct cpuprobe_start *start)
{
	if (!(start->flags & CPUPROBE_START_UNWIND))
		return !start->unwind_kib && !(start->flags & CPUPROBE_START_DISTURB);
	return start->what == CPUPROBE_WHAT_STACKS && start->frames & CPUPROBE_FRAMES_USER &&
		(!start->unwind_kib || start->unwind_kib >= CPUPROBE_UNWIND_KIB_MIN);
}

static int check_fields(const struct session *session, struct cpuprobe_start *start)
{
	const struct kind *kind = kind_of(start);
	int error;

	if (start->object >= CPUPROBE_OBJECTS || start->jitter > CPUPROBE_JITTER_NONE)
		return check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
	if (!kind || !kind->are_fields_valid(start))
		return check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
	if (start->flags & ~ALL_FLAGS || start->reserved || !are_unwind_fields_valid(start))
		return check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
	if (start->flags & CPUPROBE_START_IDLE_SLEEP && start->jitter == CPUPROBE_JITTER_POISSON)
		return check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
	if (start->period_ns < CPUPROBE_PERIOD_MIN_NS || start->period_ns > CPUPROBE_PERIOD_MAX_NS)
		return check_refuse(start, CPUPROBE_REASON_PERIOD, -EINVAL);
	if (!start->cpus != !start->cpus_len || start->cpus_len > CPUS_LEN_MAX)
		return check_refuse(start, CPUPROBE_REASON_CPUS, -EINVAL);
	error = overflows_check(session, start) ?: neighbour_check(session, start);
	return error ?: kind->check(session, start);
}

static int read_cpus(struct session *session, struct cpuprobe_start *start)
{
	size_t len = min_t(size_t, start->cpus_len, cpumask_size());

	cpumask_clear(&session->cpus);
	if (!start->cpus_len) {
		cpumask_copy(&session->cpus, cpu_possible_mask);
		return 0;
	}
	/* On little-endian machines bit order in bytes and in longs is the same. */
	if (copy_from_user(cpumask_bits(&session->cpus), u64_to_user_ptr(start->cpus), len))
		return -EFAULT;
	if (!cpumask_and(&session->cpus, &session->cpus, cpu_possible_mask))
		return check_refuse(start, CPUPROBE_REASON_CPUS, -EINVAL);
	return 0;
}

static void remove_quiet_cpus(struct cpumask *cpus)
{
	unsigned int cpu;

	for_each_cpu(cpu, cpus)
		if (compat_is_isolated(cpu))
			cpumask_clear_cpu(cpu, cpus);
}

bool check_has_quiet_cpus(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (compat_is_isolated(cpu))
			return true;
	return false;
}

/* Whether hooks would interrupt CPUs that are to be kept quiet, although nobody asked for it. */
static bool would_disturb(const struct session *session, const struct cpuprobe_start *start)
{
	u32 hooks = start->flags & (session->access.is_full ? CPUPROBE_START_UNWIND :
				    CPUPROBE_START_UNWIND | CPUPROBE_START_IDLE_SLEEP);

	if (session->access.is_full && start->flags & CPUPROBE_START_DISTURB)
		return false;
	return hooks && check_has_quiet_cpus();
}

/*
 * Only sessions of full access may disturb CPUs that the kernel was told to keep quiet. All others
 * may neither sample there nor use hooks, which interrupt all CPUs.
 */
static int check_quiet_cpus(struct session *session, struct cpuprobe_start *start)
{
	struct cpumask *cpus = &session->cpus;
	unsigned int nr = cpumask_weight(cpus);

	if (would_disturb(session, start))
		return check_refuse(start, CPUPROBE_REASON_QUIET, -EPERM);
	if (session->access.is_full)
		return 0;
	remove_quiet_cpus(cpus);
	if (cpumask_empty(cpus) || (start->cpus && cpumask_weight(cpus) < nr))
		return check_refuse(start, CPUPROBE_REASON_QUIET, -EPERM);
	return 0;
}

/* Low-resolution timers expire at ticks: all samples would be in lockstep with the tick. */
static int check_timers(struct cpuprobe_start *start)
{
	return hrtimer_resolution == 1 ? 0 : check_refuse(start, CPUPROBE_REASON_TIMERS, -EOPNOTSUPP);
}

/* The limits on rates need a known cost of a sample. */
static int check_cost(struct cpuprobe_start *start)
{
	return cost_of_sample_ns(start) ? 0 : check_refuse(start, CPUPROBE_REASON_CLOCK, -EOPNOTSUPP);
}

int check_start(struct session *session, struct cpuprobe_start *start)
{
	int error = check_fields(session, start);

	if (!error)
		error = check_timers(start);
	if (!error)
		error = check_cost(start);
	if (!error)
		error = read_cpus(session, start);
	return error ?: check_quiet_cpus(session, start);
}
