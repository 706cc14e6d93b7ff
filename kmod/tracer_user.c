// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks that record calls of functions of programs: see tracer.h. Handlers run in the task that calls,
 * in process context, with preemption on: it is off while they write.
 */
#include <linux/sched/signal.h>

#include "arch.h"
#include "tracer.h"

/* Whether memory may be of a chosen task: others get no breakpoints. */
static bool takes_memory(const struct tracer *tracer, struct mm_struct *mm)
{
	return !tracer->is_filtered || filter_has_memory(&tracer->gate.filter, mm);
}

static bool filter_user(struct uprobe_consumer *consumer COMPAT_UPROBE_CONTEXT, struct mm_struct *mm)
{
	return takes_memory(user_hooks_of(consumer)->owner, mm);
}

/* False: the call is another task's. Preemption off. */
static bool record_entry(struct tracer *tracer, const struct user_hook *hook, u32 sp)
{
	struct tracer_cpu *here = this_cpu_ptr(tracer->cpu);

	if (!gate_is_open(&tracer->gate))
		return true;
	if (hook->number == tracer->start_function)
		tracer_count_start(tracer);
	if (gate_spend_units(&here->gate, tracer->user_units))
		gate_judge(&tracer->gate, &here->gate);
	if (!tracer_lets(tracer, here))
		return false;
	tracer_put(tracer, &here->events, CPUPROBE_EVENT_ENTRY << 8, hook->number, sp);
	return true;
}

static int on_user_entry(struct uprobe_consumer *consumer, struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	const struct user_hook *hook = user_hooks_of(consumer);
	bool is_chosen;

	preempt_disable_notrace();
	is_chosen = record_entry(hook->owner, hook, arch_sp(regs));
	preempt_enable_notrace();
	/* A process that was forked by a chosen one has its breakpoints, until now. */
	return is_chosen || takes_memory(hook->owner, current->mm) ? 0 : UPROBE_HANDLER_REMOVE;
}

static int on_user_return(struct uprobe_consumer *consumer, unsigned long func, struct pt_regs *regs
			  COMPAT_UPROBE_DATA)
{
	const struct user_hook *hook = user_hooks_of(consumer);
	struct tracer *tracer = hook->owner;

	preempt_disable_notrace();
	if (gate_is_open(&tracer->gate) && tracer_belongs(tracer) &&
	    tracer_put(tracer, &this_cpu_ptr(tracer->cpu)->events, CPUPROBE_EVENT_EXIT << 8, hook->number,
		       arch_called_sp(regs)) &&
	    hook->number == tracer->stop_function)
		tracer_end_by_call(tracer);
	preempt_enable_notrace();
	return 0;
}

void tracer_set_user_cost(struct tracer *tracer, u32 cost_ps)
{
	tracer->user_units = DIV_ROUND_UP_ULL(cost_ps, tracer->gate.cost_ps);
}

int tracer_attach_user(struct tracer *tracer, struct cpuprobe_user_function *function)
{
	struct user_hook like = {
		.consumer = {
			.handler = on_user_entry, .ret_handler = on_user_return, .filter = filter_user,
		},
		.owner = tracer, .number = tracer->nr_functions,
	};
	int nr_hooked = 0, state;
	u32 i;

	for (i = 0; i < tracer->users.nr; i++, like.number++) {
		state = user_hooks_hook(&tracer->users, i, function[i].offset, &like);
		if (state < 0)
			return state;
		function[i].state = state;
		nr_hooked += function[i].state == CPUPROBE_FUNCTION_HOOKED;
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return nr_hooked;
}
