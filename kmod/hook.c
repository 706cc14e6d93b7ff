// SPDX-License-Identifier: GPL-2.0-only
/* Hooks that count calls: see hook.h. */
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/trace_recursion.h>
#include <linux/vmalloc.h>

#include "arch.h"
#include "hook.h"
#include "session.h"

/* enum cpuprobe_context */
static __always_inline u32 context_of_call(void)
{
	u32 count = preempt_count();

	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		if (count & (NMI_MASK | HARDIRQ_MASK))
			return CPUPROBE_CONTEXT_IRQ;
		return in_serving_softirq() ? CPUPROBE_CONTEXT_SOFTIRQ : CPUPROBE_CONTEXT_PROCESS;
	}
	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return CPUPROBE_CONTEXT_PROCESS;
	return count & (NMI_MASK | HARDIRQ_MASK) ? CPUPROBE_CONTEXT_IRQ : CPUPROBE_CONTEXT_SOFTIRQ;
}

/*
 * Count a call that the fast path does not count, and end the handler. The parameters are in the
 * registers that the caller has them in.
 */
static noinline notrace void count_long(u64 key, struct hook_cpu *cpu, struct hook *hook)
{
	if (unlikely(local_read(&cpu->gate.allowance) < 0))
		gate_judge(&hook->gate, &cpu->gate);
	arcs_count(&cpu->arcs, key, context_of_call());
	preempt_enable_notrace();
}

/* The fast path calls no function, so that the compiler saves no registers. */
static void notrace cpuprobe_call(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				  struct ftrace_regs *regs)
{
	struct hook *hook = container_of(ops, struct hook, ops);
	u64 key = arcs_key(arch_pack_text(ip), arch_pack_code(parent));
	struct hook_cpu *cpu;
	struct arc *arc;

	preempt_disable_notrace();
	if (gate_is_open(&hook->gate)) {
		cpu = arch_this_cpu_ptr(hook->cpu);
		arc = arcs_first(&cpu->arcs, key);
		if (unlikely(gate_spend(&cpu->gate) || !arcs_is_first(arc, key) ||
			     context_of_call() != CPUPROBE_CONTEXT_PROCESS)) {
			count_long(key, cpu, hook);
			return;
		}
		local_inc(&arc->calls[CPUPROBE_CONTEXT_PROCESS]);
	}
	preempt_enable_notrace();
}

/*
 * Count a call if the current task is a chosen one. The functions that decide this may call hooked
 * ones: such calls are not counted. A call without RCU cannot be judged, and is lost.
 */
static void notrace count_target(struct hook *hook, struct hook_cpu *cpu, u64 key)
{
	if (unlikely(!rcu_is_watching()))
		local_inc(&cpu->arcs.lost);
	else if (gate_lets(&hook->gate, &cpu->gate))
		arcs_count(&cpu->arcs, key, context_of_call());
}

static void notrace cpuprobe_call_of_target(unsigned long ip, unsigned long parent,
					    struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	struct hook *hook = container_of(ops, struct hook, ops);
	int bit = ftrace_test_recursion_trylock(ip, parent);

	if (bit < 0)
		return;
	preempt_disable_notrace();
	if (gate_is_open(&hook->gate)) {
		struct hook_cpu *cpu = arch_this_cpu_ptr(hook->cpu);

		if (unlikely(gate_spend(&cpu->gate)))
			gate_judge(&hook->gate, &cpu->gate);
		count_target(hook, cpu, arcs_key(arch_pack_text(ip), arch_pack_code(parent)));
	}
	preempt_enable_notrace();
	ftrace_test_recursion_unlock(bit);
}

int hook_attach(struct hook *hook, unsigned long *ips, u32 nr, bool is_filtered)
{
	bool is_refused;
	int error;

	gate_prepare(&hook->gate);
	hook->ops.func = is_filtered ? cpuprobe_call_of_target : cpuprobe_call;
	/* Permanent: ftrace cannot be switched off while hooks are in place, so no call is missed. */
	hook->ops.flags = FTRACE_OPS_FL_PERMANENT;
	error = ftrace_set_filter_ips(&hook->ops, ips, nr, 0, 1);
	is_refused = error == -EINVAL;
	if (!error)
		error = register_ftrace_function(&hook->ops);
	hook->is_attached = !error;
	if (!error)
		return 0;
	ftrace_free_filter(&hook->ops);
	return is_refused || error == -ENOMEM ? error : -ENODEV;
}

int hook_remove(struct hook *hook, unsigned long ip)
{
	return ftrace_set_filter_ip(&hook->ops, ip, 1, 0);
}

void hook_detach(struct hook *hook)
{
	if (!hook->is_attached)
		return;
	unregister_ftrace_function(&hook->ops);
	ftrace_free_filter(&hook->ops);
	hook->is_attached = false;
}

void hook_begin(struct hook *hook)
{
	gate_open(&hook->gate, &hook->cpu->gate);
}

int hook_allocate(struct hook *hook, u64 table_bytes)
{
	u64 nr_places = arcs_places(table_bytes);
	unsigned int cpu;

	hook->cpu = alloc_percpu_gfp(struct hook_cpu, SESSION_GFP);
	if (!hook->cpu)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct arc *place = __vmalloc(nr_places * sizeof(*place), SESSION_GFP | __GFP_ZERO);

		if (!place)
			return -ENOMEM;
		arcs_init(&per_cpu_ptr(hook->cpu, cpu)->arcs, place, nr_places);
	}
	return 0;
}

void hook_free(struct hook *hook)
{
	unsigned int cpu;

	if (!hook->cpu)
		return;
	for_each_possible_cpu(cpu)
		vfree(per_cpu_ptr(hook->cpu, cpu)->arcs.place);
	free_percpu(hook->cpu);
	hook->cpu = NULL;
}
