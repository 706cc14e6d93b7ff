/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A gate lets calls be counted or timed until it is closed: by STOP, by close(), or because calls cost
 * more than the budget. A gate is opened once. Handlers that find it closed look at nothing else.
 *
 * Each CPU judges its own cost. An allowance of calls runs out; then the CPU looks at the clock and
 * adds the cost of these calls to a level that sinks as the budget allows. A level of more than a
 * second's budget closes the gate for all CPUs.
 */
#ifndef CPUPROBE_GATE_H
#define CPUPROBE_GATE_H

#include <asm/local.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>

#include "filter.h"

/** Part of one CPU. */
struct gate_cpu {
	local_t allowance;	/* calls until the next look at the clock */
	local_t others;		/* calls by other tasks than the chosen ones */
	u64 level_ps;		/* cost of calls that the budget has not covered yet */
	u64 judged_ns;		/* time of the last look at the clock */
};

struct gate {
	u64 closed_ns;			/* 0: open */
	u64 opened_ns;
	bool is_over;			/* closed because the budget was passed */
	/* the rest does not change while handlers run */
	u64 cost_ps;			/* cost of a call */
	u64 budget_ns;			/* per second and CPU */
	u64 nr_allowed;			/* calls between two looks at the clock */
	struct irq_work *over;		/* queued when the budget was passed */
	struct filter filter;		/* whose calls count */
};

/** gate_prepare() - close a gate that handlers may look at before it is opened. */
void gate_prepare(struct gate *gate);

/** gate_open() - let calls through; cost and budget are known. Any context. @cpu: of the gate */
void gate_open(struct gate *gate, struct gate_cpu __percpu *cpu);

/** gate_close() - end it on all CPUs. False: it was closed before. Any context. */
bool gate_close(struct gate *gate);

/** gate_opened_ns() - how long it has been open. Any context. */
u64 gate_opened_ns(const struct gate *gate);

/** gate_is_open() - not READ_ONCE(), which takes an instruction more: the value is used once. */
static __always_inline bool gate_is_open(const struct gate *gate)
{
	return likely(!data_race(gate->closed_ns));
}

/** gate_spend_units() - count what costs @nr times gate->cost_ps. True: gate_judge() must be called. */
static __always_inline bool gate_spend_units(struct gate_cpu *cpu, u32 nr)
{
	return local_add_negative(-(long)nr, &cpu->allowance);
}

/** gate_spend() - the same for one call. */
static __always_inline bool gate_spend(struct gate_cpu *cpu)
{
	return gate_spend_units(cpu, 1);
}

/**
 * gate_judge() - judge whether the CPU is within the budget, and close the gate if not. Any context,
 * NMI too; preemption off.
 */
void gate_judge(struct gate *gate, struct gate_cpu *cpu);

/**
 * gate_lets() - whether calls of the current task count; if not, the call is counted among the
 * others. Caller is an RCU reader, preemption off. May call hooked functions.
 */
bool gate_lets(const struct gate *gate, struct gate_cpu *cpu);

#endif
