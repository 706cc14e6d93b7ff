// SPDX-License-Identifier: GPL-2.0-only
/* Limits that protect the machine: see quota.h. */
#include <linux/moduleparam.h>
#include <linux/sizes.h>

#include "calibrate.h"
#include "quota.h"

static unsigned int max_rate = 20000;
module_param(max_rate, uint, 0444);
MODULE_PARM_DESC(max_rate, "limit on the sum of all sessions' rates per CPU, in Hz (20000)");

static unsigned int max_overhead_pct = 5;
module_param(max_overhead_pct, uint, 0444);
MODULE_PARM_DESC(max_overhead_pct, "limit on rate x cost of a sample, in percent of a CPU (5)");

static unsigned int member_stack_mib = 16;
module_param(member_stack_mib, uint, 0444);
MODULE_PARM_DESC(member_stack_mib,
		 "limit on the memory for stacks of all the group's sessions, in MiB per CPU (16)");

static DEFINE_MUTEX(quota_lock);
static LIST_HEAD(running);	/* sessions that hold a claim; under quota_lock */
/* of stacks, of all sessions without full access; under quota_lock */
static u64 member_bytes;

/* The rate already claimed on one CPU; the largest claim is left in *holder. */
static u64 claimed_rate(unsigned int cpu, const struct session **holder)
{
	const struct session *session;
	u64 rate_hz = 0;

	list_for_each_entry(session, &running, running) {
		if (!cpumask_test_cpu(cpu, &session->cpus))
			continue;
		rate_hz += session->rate_hz;
		if (!*holder || session->rate_hz > (*holder)->rate_hz)
			*holder = session;
	}
	return rate_hz;
}

static u64 overhead_ppm(u64 rate_hz)
{
	return div64_u64(rate_hz * calibrate_cost_ns(), 1000);
}

static u64 overhead_limit_ppm(void)
{
	return 10000ULL * max_overhead_pct;
}

static void name_holder(struct cpuprobe_start *start, const struct session *holder, u64 used_hz)
{
	start->used_rate_hz = used_hz;
	if (!holder)
		return;
	start->holder_pid = holder->holder_pid;
	start->holder_rate_hz = holder->rate_hz;
	memcpy(start->holder_comm, holder->holder_comm, sizeof(start->holder_comm));
}

int quota_enter(struct session *session, struct cpuprobe_start *start)
{
	const struct session *holder = NULL, *busiest_holder = NULL;
	u64 busiest_hz = 0, rate_hz;
	unsigned int cpu;
	int error = 0;

	mutex_lock(&quota_lock);
	for_each_cpu(cpu, &session->cpus) {
		holder = NULL;
		rate_hz = claimed_rate(cpu, &holder);
		if (rate_hz >= busiest_hz) {
			busiest_hz = rate_hz;
			busiest_holder = holder;
		}
	}
	rate_hz = busiest_hz + session->rate_hz;
	if (rate_hz > max_rate)
		start->reason = CPUPROBE_REASON_RATE;
	else if (overhead_ppm(rate_hz) > overhead_limit_ppm())
		start->reason = CPUPROBE_REASON_OVERHEAD;
	if (start->reason) {
		name_holder(start, busiest_holder, busiest_hz);
		error = -EBUSY;
	} else {
		list_add_tail(&session->running, &running);
	}
	mutex_unlock(&quota_lock);
	return error;
}

void quota_leave(struct session *session)
{
	mutex_lock(&quota_lock);
	list_del_init(&session->running);
	mutex_unlock(&quota_lock);
}

int quota_take_memory(struct session *session, u64 bytes)
{
	u64 limit = (u64)member_stack_mib * SZ_1M * num_possible_cpus();
	int error = 0;

	if (session->access.is_full)
		return 0;
	mutex_lock(&quota_lock);
	if (bytes > limit - member_bytes) {
		error = -ENOMEM;
	} else {
		member_bytes += bytes;
		session->member_bytes = bytes;
	}
	mutex_unlock(&quota_lock);
	return error;
}

void quota_give_memory(struct session *session)
{
	if (!session->member_bytes)
		return;
	mutex_lock(&quota_lock);
	member_bytes -= session->member_bytes;
	mutex_unlock(&quota_lock);
	session->member_bytes = 0;
}

void quota_describe(struct cpuprobe_info *info)
{
	info->cost_ns = calibrate_cost_ns();
	info->rate_limit_hz = max_rate;
	info->overhead_limit_ppm = overhead_limit_ppm();
}
