// SPDX-License-Identifier: GPL-2.0-only
/* Hooks at tracepoints that record what tasks and interrupts do: see tracer.h. */
#include <linux/binfmts.h>
#include <linux/interrupt.h>
#include <asm/syscall.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>
#include <trace/events/task.h>

#include "syscalls.h"
#include "tracepoints.h"
#include "tracer.h"

/* The part of this CPU, if events are recorded; their cost is counted. NULL: they are not. Preemption off. */
static __always_inline struct tracer_cpu *enter(struct tracer *tracer)
{
	struct tracer_cpu *here;

	if (!gate_is_open(&tracer->gate))
		return NULL;
	here = this_cpu_ptr(tracer->cpu);
	if (unlikely(gate_spend(&here->gate)))
		gate_judge(&tracer->gate, &here->gate);
	return here;
}

/*
 * Preemption may be on: since 7.0 tracepoints leave it on (commit "tracing: Guard __DECLARE_TRACE() use of
 * __DO_TRACE_CALL() with SRCU-fast"). While it is off, synchronize_rcu() waits for this handler.
 */
static void notrace put(struct tracer *tracer, u32 kind, u32 what, u32 data)
{
	struct tracer_cpu *here;

	preempt_disable_notrace();
	here = enter(tracer);
	if (here)
		tracer_put(tracer, &here->events, kind, what, data);
	preempt_enable_notrace();
}

static void notrace put_running(struct tracer *tracer, struct tracer_cpu *here)
{
	tracer_put(tracer, &here->events, CPUPROBE_EVENT_RUNNING << 8, task_pid_nr(current),
		   task_tgid_nr(current));
}

/* Tell how many events were lost since it was last told. */
static noinline void notrace tell_lost(struct tracer *tracer, struct tracer_cpu *here)
{
	u64 lost = local_read(&here->events.lost), told = here->events.told;

	here->events.told = lost;
	tracer_put(tracer, &here->events, CPUPROBE_EVENT_LOST << 8, lost - told, 0);
	put_running(tracer, here);
}

static __always_inline u32 how_left(const struct task_struct *prev, bool is_preempted, unsigned int prev_state)
{
	if (is_preempted || !prev_state)
		return CPUPROBE_LEFT_PREEMPTED;
	return unlikely(READ_ONCE(prev->__state) == TASK_DEAD) ? CPUPROBE_LEFT_DEAD : CPUPROBE_LEFT_BLOCKED;
}

/* Run queue locked, interrupts off. */
static void notrace on_switch(void *data, bool is_preempted, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	struct tracer *tracer = data;
	struct tracer_cpu *here = enter(tracer);

	if (!here)
		return;
	if (unlikely((u64)local_read(&here->events.lost) != here->events.told))
		tell_lost(tracer, here);
	tracer_put(tracer, &here->events,
		   CPUPROBE_EVENT_SWITCH << 8 | how_left(prev, is_preempted, prev_state),
		   task_pid_nr(next), task_pid_nr(prev));
}

static void notrace on_wakeup(void *data, struct task_struct *task)
{
	put(data, CPUPROBE_EVENT_WAKEUP << 8, task_pid_nr(task), task_cpu(task));
}

static void notrace on_irq_begin(void *data, int irq, struct irqaction *action)
{
	put(data, CPUPROBE_EVENT_IRQ_BEGIN << 8, irq, 0);
}

static void notrace on_irq_end(void *data, int irq, struct irqaction *action, int result)
{
	put(data, CPUPROBE_EVENT_IRQ_END << 8, irq, 0);
}

static void notrace on_vector_begin(void *data, int vector)
{
	put(data, CPUPROBE_EVENT_IRQ_BEGIN << 8, vector | CPUPROBE_VECTOR, 0);
}

static void notrace __maybe_unused on_vector_end(void *data, int vector)
{
	put(data, CPUPROBE_EVENT_IRQ_END << 8, vector | CPUPROBE_VECTOR, 0);
}

static void notrace on_softirq_begin(void *data, unsigned int nr)
{
	put(data, CPUPROBE_EVENT_SOFTIRQ_BEGIN << 8, nr, 0);
}

static void notrace on_softirq_end(void *data, unsigned int nr)
{
	put(data, CPUPROBE_EVENT_SOFTIRQ_END << 8, nr, 0);
}

/* Preemption may be on. */
static void notrace put_syscall(struct tracer *tracer, u32 type, long id, u32 result)
{
	struct tracer_cpu *here;

	preempt_disable_notrace();
	here = enter(tracer);
	if (here && tracer_lets(tracer, here))
		tracer_put(tracer, &here->events, type << 8, number_of_syscall(id), result);
	preempt_enable_notrace();
}

/* The end of a system call that is left out is recorded: readers see that it has no beginning. */
static void notrace on_sys_enter(void *data, struct pt_regs *regs, long id)
{
	if (is_uprobe_syscall(id))
		return;
	put_syscall(data, CPUPROBE_EVENT_SYSCALL_BEGIN, id, 0);
}

static void notrace on_sys_exit(void *data, struct pt_regs *regs, long result)
{
	put_syscall(data, CPUPROBE_EVENT_SYSCALL_END, syscall_get_nr(current, regs), result);
}

/* Preemption may be on. */
static void notrace put_name(struct tracer *tracer, const struct task_struct *task, const char *comm)
{
	char name[TASK_COMM_LEN] = "";
	struct tracer_cpu *here;

	strscpy(name, comm, sizeof(name));
	preempt_disable_notrace();
	here = enter(tracer);
	if (here)
		tracer_put_slowly(tracer, &here->events, CPUPROBE_EVENT_NAME << 8,
				  task_pid_nr((void *)task), task_tgid_nr((void *)task), name, sizeof(name));
	preempt_enable_notrace();
}

static void notrace on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	put(data, CPUPROBE_EVENT_FORK << 8, task_pid_nr(child), task_tgid_nr(child));
	put_name(data, child, child->comm);
}

/* The task has the id of its process now, and has its new name already. */
static void notrace on_exec(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *binprm)
{
	put(data, CPUPROBE_EVENT_RUNNING << 8 | CPUPROBE_EVENT_EXEC, task_pid_nr(task), task_tgid_nr(task));
	put_name(data, task, task->comm);
}

static void notrace on_rename(void *data, struct task_struct *task, const char *comm)
{
	put_name(data, task, comm);
}

static void notrace on_exit(void *data, struct task_struct *task)
{
	put_name(data, task, task->comm);
	put(data, CPUPROBE_EVENT_DEAD << 8, task_pid_nr(task), task_tgid_nr(task));
}

/** A tracepoint that is hooked. */
struct point {
	const char *name;
	void *handler;
	u32 flag;		/* of TRACE; 0: always */
	bool is_vector;		/* not every kernel has it */
};

#define VECTOR(name) \
	{ name "_exit", on_vector_end, CPUPROBE_TRACE_IRQ, true }, \
	{ name "_entry", on_vector_begin, CPUPROBE_TRACE_IRQ, true },

static const struct point points[] = {
	{ "sched_process_fork", on_fork },
	{ "sched_process_exec", on_exec },
	{ "sched_process_exit", on_exit },
	{ "task_rename", on_rename },
	{ "sched_wakeup", on_wakeup, CPUPROBE_TRACE_WAKEUPS },
	{ "sched_wakeup_new", on_wakeup, CPUPROBE_TRACE_WAKEUPS },
	{ "irq_handler_exit", on_irq_end, CPUPROBE_TRACE_IRQ },
	{ "irq_handler_entry", on_irq_begin, CPUPROBE_TRACE_IRQ },
	{ "softirq_exit", on_softirq_end, CPUPROBE_TRACE_IRQ },
	{ "softirq_entry", on_softirq_begin, CPUPROBE_TRACE_IRQ },
	ARCH_VECTORS(VECTOR)
	{ "sys_exit", on_sys_exit, CPUPROBE_TRACE_SYSCALLS },
	{ "sys_enter", on_sys_enter, CPUPROBE_TRACE_SYSCALLS },
	{ "sched_switch", on_switch },
};

static_assert(ARRAY_SIZE(points) <= 64, "struct tracer has a bit for each");

/* These only check types, at compile time. Newer kernels give sched_process_exit more arguments. */
static void __maybe_unused check_types(void)
{
	check_trace_callback_type_sched_switch(on_switch);
	check_trace_callback_type_sched_wakeup(on_wakeup);
	check_trace_callback_type_sched_wakeup_new(on_wakeup);
	check_trace_callback_type_irq_handler_entry(on_irq_begin);
	check_trace_callback_type_irq_handler_exit(on_irq_end);
	check_trace_callback_type_softirq_entry(on_softirq_begin);
	check_trace_callback_type_softirq_exit(on_softirq_end);
	check_trace_callback_type_sys_enter(on_sys_enter);
	check_trace_callback_type_sys_exit(on_sys_exit);
	check_trace_callback_type_sched_process_fork(on_fork);
	check_trace_callback_type_sched_process_exec(on_exec);
	check_trace_callback_type_task_rename(on_rename);
}

static int hook_point(struct tracer *tracer, u32 i)
{
	int error = tracepoints_register(points[i].name, points[i].handler, tracer);

	if (!error)
		tracer->points |= 1ULL << i;
	return !error || error == -ENOMEM ? error : -ENODEV;
}

int tracer_hook_points(struct tracer *tracer, u32 *nr_missing_ret)
{
	int error = 0;
	u32 i;

	*nr_missing_ret = 0;
	for (i = 0; i < ARRAY_SIZE(points) && !error; i++) {
		if (points[i].flag && !(points[i].flag & tracer->flags))
			continue;
		if (points[i].is_vector && !tracepoints_have(points[i].name))
			/* Each kind of interrupt has two. */
			*nr_missing_ret += points[i].handler == on_vector_begin;
		else
			error = hook_point(tracer, i);
	}
	return error;
}

void tracer_unhook_points(struct tracer *tracer)
{
	u32 i;

	if (!tracer->points)
		return;
	for (i = 0; i < ARRAY_SIZE(points); i++)
		if (tracer->points & 1ULL << i)
			tracepoints_remove(points[i].name, points[i].handler, tracer);
	tracer->points = 0;
	tracepoints_wait();
}
