// SPDX-License-Identifier: GPL-2.0-only
/* Hooks that count calls: see hook.h. */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/trace_recursion.h>
#include <linux/vmalloc.h>

#include "hook.h"
#include "session.h"

#define PS_PER_NS	1000ULL
/* Looks at the clock while a budget of one second is used up. */
#define LOOKS_PER_BUDGET	16
#define ALLOWED_MIN	64
#define ALLOWED_MAX	(1 << 20)

/* Only full access can count calls. */
static const struct access full_access = { .is_full = true };

/* The part of the level that the budget has covered since the last look. */
static inline u64 covered_ps(const struct hook *hook, const struct hook_cpu *cpu, u64 now_ns)
{
	u64 elapsed_ns = min_t(u64, now_ns - cpu->judged_ns, NSEC_PER_SEC);

	/* The product may take more than 64 bits. */
	return mul_u64_u64_div_u64(elapsed_ns, hook->budget_ns * PS_PER_NS, NSEC_PER_SEC);
}

/*
 * The allowance has run out: is the CPU within the budget? The allowance is renewed first, so that
 * the functions called here may be hooked. An interrupt that judges at the same time disturbs the
 * level a little, by one allowance at most.
 */
static noinline notrace void judge(struct hook *hook, struct hook_cpu *cpu)
{
	u64 now_ns, covered, level;

	local_set(&cpu->allowance, hook->nr_allowed);
	now_ns = ktime_get_mono_fast_ns();
	covered = covered_ps(hook, cpu, now_ns);
	level = cpu->level_ps - min(covered, cpu->level_ps) + hook->nr_allowed * hook->cost_ps;
	cpu->level_ps = level;
	cpu->judged_ns = now_ns;
	if (level <= hook->budget_ns * PS_PER_NS || cmpxchg(&hook->ended_ns, 0, now_ns))
		return;
	WRITE_ONCE(hook->is_over, true);
	irq_work_queue(hook->over);
}

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
	if (unlikely(local_read(&cpu->allowance) < 0))
		judge(hook, cpu);
	arcs_count(&cpu->arcs, key, context_of_call());
	preempt_enable_notrace();
}

/* The fast path calls no function, so that the compiler saves no registers. */
static void notrace cpuprobe_call(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				  struct ftrace_regs *regs)
{
	struct hook *hook = container_of(ops, struct hook, ops);
	u64 key = arcs_key(ip, parent);
	struct hook_cpu *cpu;
	struct arc *arc;

	preempt_disable_notrace();
	/* Not READ_ONCE(), which takes an instruction more: the value is used once. */
	if (likely(!data_race(hook->ended_ns))) {
		cpu = this_cpu_ptr(hook->cpu);
		arc = arcs_first(&cpu->arcs, key);
		if (unlikely(local_add_negative(-1, &cpu->allowance) || !arcs_is_first(arc, key) ||
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
	else if (filter_belongs(&hook->filter, &full_access, current) == TARGET)
		arcs_count(&cpu->arcs, key, context_of_call());
	else
		local_inc(&cpu->others);
}

static void notrace cpuprobe_call_of_target(unsigned long ip, unsigned long parent,
					    struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	struct hook *hook = container_of(ops, struct hook, ops);
	int bit = ftrace_test_recursion_trylock(ip, parent);

	if (bit < 0)
		return;
	preempt_disable_notrace();
	if (likely(!READ_ONCE(hook->ended_ns))) {
		struct hook_cpu *cpu = this_cpu_ptr(hook->cpu);

		if (unlikely(local_add_negative(-1, &cpu->allowance)))
			judge(hook, cpu);
		count_target(hook, cpu, arcs_key(ip, parent));
	}
	preempt_enable_notrace();
	ftrace_test_recursion_unlock(bit);
}

int hook_attach(struct hook *hook, unsigned long *ips, u32 nr, bool is_filtered)
{
	int error;

	hook->ended_ns = HOOK_NOT_BEGUN;
	hook->ops.func = is_filtered ? cpuprobe_call_of_target : cpuprobe_call;
	/* Permanent: ftrace cannot be switched off while hooks are in place, so no call is missed. */
	hook->ops.flags = FTRACE_OPS_FL_PERMANENT;
	error = ftrace_set_filter_ips(&hook->ops, ips, nr, 0, 1);
	if (!error)
		error = register_ftrace_function(&hook->ops);
	hook->is_attached = !error;
	if (!error)
		return 0;
	ftrace_free_filter(&hook->ops);
	return error == -ENOMEM ? error : -ENODEV;
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
	unsigned int cpu;

	hook->started_ns = ktime_get_mono_fast_ns();
	hook->nr_allowed = div64_u64(hook->budget_ns * PS_PER_NS, hook->cost_ps * LOOKS_PER_BUDGET);
	hook->nr_allowed = clamp_t(u64, hook->nr_allowed, ALLOWED_MIN, ALLOWED_MAX);
	for_each_possible_cpu(cpu) {
		struct hook_cpu *here = per_cpu_ptr(hook->cpu, cpu);

		here->judged_ns = hook->started_ns;
		here->level_ps = 0;
		local_set(&here->allowance, hook->nr_allowed);
	}
	smp_store_release(&hook->ended_ns, 0);
}

bool hook_end(struct hook *hook)
{
	return !cmpxchg(&hook->ended_ns, 0, ktime_get_mono_fast_ns());
}

u64 hook_counted_ns(const struct hook *hook)
{
	u64 ended_ns = READ_ONCE(hook->ended_ns);

	return (ended_ns ?: ktime_get_mono_fast_ns()) - hook->started_ns;
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
