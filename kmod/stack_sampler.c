// SPDX-License-Identifier: GPL-2.0-only
/* The timer's handler for stacks: see stack_sampler.h. */
#include "exes.h"
#include "identity.h"
#include "sample.h"
#include "sampler.h"
#include "stack_sampler.h"
#include "unwind.h"

/* @task: not looked at for idle. Frames and flags are still to be filled in. */
static void describe_stack(const struct task_struct *task, u32 kind, u32 mode,
			   struct cpuprobe_stack *stack)
{
	bool has_space = kind == CPUPROBE_KIND_PROCESS;
	bool is_idle = kind == CPUPROBE_KIND_IDLE || kind == CPUPROBE_KIND_SOFTIRQ;

	stack->exe = 0;
	stack->reserved = 0;
	stack->pid = is_idle ? 0 : task->tgid;
	stack->kind = kind;
	stack->mode = mode;
	stack->flags = 0;
	stack->space = has_space ? task->mm->start_stack : 0;
	stack->nr_kernel = 0;
	stack->nr_user = 0;
}

/* Workers of one pattern have one name, as in the system table. */
static void name_stack(struct task_struct *task, struct cpuprobe_stack *stack)
{
	const struct identity kthread = { .kind = CPUPROBE_KIND_KTHREAD };
	char name[CPUPROBE_NAME_LEN];

	memset(stack->comm, 0, sizeof(stack->comm));
	if (!task)
		return;
	if (stack->kind == CPUPROBE_KIND_KTHREAD)
		identity_name(task, &kthread, name);
	else
		/* Another task's, perhaps, which may be changing it: a mixed name at worst. */
		data_race(strscpy(name, identity_leader(task)->comm, TASK_COMM_LEN));
	strscpy(stack->comm, name, sizeof(stack->comm));
}

/* Count @hits of the candidate. @task: NULL for idle. */
static void count_candidate(struct cpu_sampler *sampler, struct task_struct *task, u32 mode,
			    u64 hits)
{
	struct bank *bank = sampler->active;
	bool was_filling = stacks_is_filling(&bank->stacks), is_created = false;
	struct cpuprobe_stack *stack = stacks_get(&bank->stacks, &is_created);

	if (!stack) {
		bank->stacks.lost[mode] += hits;
		return;
	}
	stack->hits += hits;
	stack->missed += sampler->missed_before;
	if (!is_created)
		return;
	name_stack(task, stack);
	stack->code_start = stack->kind == CPUPROBE_KIND_PROCESS ? task->mm->start_code : 0;
	if (!was_filling && stacks_is_filling(&bank->stacks))
		irq_work_queue(&sampler->wake);
}

void stack_sampler_count_idle(struct cpu_sampler *sampler, bool is_in_softirq, u64 nr)
{
	const struct session *session = sampler->session;
	struct stacks *stacks = &sampler->active->stacks;
	u32 mode = is_in_softirq ? CPUPROBE_MODE_SOFTIRQ : CPUPROBE_MODE_KERNEL;

	if (!session->access.is_full || !target_is_everybody(&session->target)) {
		stacks->other_task += nr;
		return;
	}
	describe_stack(NULL, is_in_softirq ? CPUPROBE_KIND_SOFTIRQ : CPUPROBE_KIND_IDLE, mode,
		       stacks_candidate(stacks));
	count_candidate(sampler, NULL, mode, nr);
}

static u32 kind_of(const struct task_struct *task, u32 mode)
{
	if (is_idle_task(task))
		return mode == CPUPROBE_MODE_SOFTIRQ ? CPUPROBE_KIND_SOFTIRQ : CPUPROBE_KIND_IDLE;
	if (identity_flags(task) & PF_KTHREAD)
		return CPUPROBE_KIND_KTHREAD;
	return task->mm ? CPUPROBE_KIND_PROCESS : CPUPROBE_KIND_EXITING;
}

/* The stack of the sample, written where the next record would begin. */
static void write_stack(const struct session *session, struct bank *bank,
			const struct sample *sample)
{
	struct cpuprobe_stack *stack = stacks_candidate(&bank->stacks);
	u64 *frame = stack->frame;

	describe_stack(sample->task, kind_of(sample->task, sample->mode), sample->mode, stack);
	/* Where a CPU idles is of no interest, and takes long to find out. */
	if (stack->kind == CPUPROBE_KIND_IDLE)
		return;
	stack->exe = exes_get(&bank->exes, sample->task);
	if (session->frames & CPUPROBE_FRAMES_KERNEL && sample->mode != CPUPROBE_MODE_USER)
		stack->nr_kernel = unwind_kernel(sample->task, sample->regs, frame, &stack->flags);
	/* Softirq work is not the doing of the process that it interrupted. */
	if (session->frames & CPUPROBE_FRAMES_USER && sample->mode != CPUPROBE_MODE_SOFTIRQ)
		stack->nr_user = unwind_user(sample->task, sample->regs, frame + stack->nr_kernel,
					     &stack->flags);
}

enum hrtimer_restart sampler_fire_stacks(struct hrtimer *timer)
{
	struct cpu_sampler *sampler = container_of(timer, struct cpu_sampler, timer);
	struct sample sample = begin_sample(sampler);
	const struct session *session = sampler->session;
	struct bank *bank = sampler->active;

	if (has_woken_idle(sample.task, sample.mode))
		sample.late_ns = 0;
	if (unlikely(count_sample(session, bank, &sample)) && is_excluded(session, bank)) {
		sampler->missed_before = 0;
		return HRTIMER_RESTART;
	}
	switch (target_belongs(&session->target, &session->access, sample.task)) {
	case TARGET:
		write_stack(session, bank, &sample);
		count_candidate(sampler, sample.task, sample.mode, 1);
		break;
	case OTHER_TASK:
		bank->stacks.other_task++;
		break;
	case OTHER_EXE:
		bank->stacks.other_exe++;
	}
	sampler->missed_before = 0;
	end_stack_sample(sampler, &sample);
	return HRTIMER_RESTART;
}
