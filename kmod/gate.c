// SPDX-License-Identifier: GPL-2.0-only
/* Beginning and end of counting, and its budget: see gate.h. */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/timekeeping.h>

#include "gate.h"

#define PS_PER_NS	1000ULL
/* Looks at the clock while a budget of one second is used up. */
#define LOOKS_PER_BUDGET	16
#define ALLOWED_MIN	64
#define ALLOWED_MAX	(1 << 20)
/* @closed_ns of a gate that was never open; no clock shows it. */
#define NEVER_OPENED	1

/* Only full access can count calls. */
static const struct access full_access = { .is_full = true };

/* The part of the level that the budget has covered since the last look. */
static u64 notrace covered_ps(const struct gate *gate, const struct gate_cpu *cpu, u64 now_ns)
{
	/* Negative: an interrupt has judged since the clock was read. */
	u64 elapsed_ns = clamp_t(s64, now_ns - cpu->judged_ns, 0, NSEC_PER_SEC);

	/* The product may take more than 64 bits. */
	return mul_u64_u64_div_u64(elapsed_ns, gate->budget_ns * PS_PER_NS, NSEC_PER_SEC);
}

/*
 * The allowance is renewed first, so that the functions called here may be hooked. An interrupt that
 * judges at the same time disturbs the level a little, by one allowance at most.
 */
void notrace gate_judge(struct gate *gate, struct gate_cpu *cpu)
{
	u64 nr_spent = gate->nr_allowed - local_xchg(&cpu->allowance, gate->nr_allowed);
	u64 now_ns, covered, level;

	now_ns = ktime_get_mono_fast_ns();
	covered = covered_ps(gate, cpu, now_ns);
	level = cpu->level_ps - min(covered, cpu->level_ps) + nr_spent * gate->cost_ps;
	cpu->level_ps = level;
	cpu->judged_ns = now_ns;
	if (level <= gate->budget_ns * PS_PER_NS || cmpxchg(&gate->closed_ns, 0, now_ns))
		return;
	WRITE_ONCE(gate->is_over, true);
	irq_work_queue(gate->over);
}

bool notrace gate_lets(const struct gate *gate, struct gate_cpu *cpu)
{
	if (filter_belongs(&gate->filter, &full_access, current) == TARGET)
		return true;
	local_inc(&cpu->others);
	return false;
}

void gate_prepare(struct gate *gate)
{
	gate->closed_ns = NEVER_OPENED;
}

void gate_open(struct gate *gate, struct gate_cpu __percpu *cpus)
{
	unsigned int cpu;

	gate->opened_ns = ktime_get_mono_fast_ns();
	gate->nr_allowed = div64_u64(gate->budget_ns * PS_PER_NS, gate->cost_ps * LOOKS_PER_BUDGET);
	gate->nr_allowed = clamp_t(u64, gate->nr_allowed, ALLOWED_MIN, ALLOWED_MAX);
	for_each_possible_cpu(cpu) {
		struct gate_cpu *here = per_cpu_ptr(cpus, cpu);

		here->judged_ns = gate->opened_ns;
		here->level_ps = 0;
		local_set(&here->allowance, gate->nr_allowed);
	}
	smp_store_release(&gate->closed_ns, 0);
}

bool gate_close(struct gate *gate)
{
	return !cmpxchg(&gate->closed_ns, 0, ktime_get_mono_fast_ns());
}

u64 gate_opened_ns(const struct gate *gate)
{
	u64 closed_ns = READ_ONCE(gate->closed_ns);

	return (closed_ns ?: ktime_get_mono_fast_ns()) - gate->opened_ns;
}
