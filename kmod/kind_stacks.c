// SPDX-License-Identifier: GPL-2.0-only
/* Whole stacks, counted in an arena. See kind.h and stacks.h. */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "check.h"
#include "exes.h"
#include "identity.h"
#include "kind.h"
#include "sample.h"
#include "unwind.h"
#include "unwinding.h"
#include "user_stack.h"

/* A large allocation: it should fail rather than invoke the OOM killer. */
#define MEMORY_GFP	(SESSION_GFP | __GFP_RETRY_MAYFAIL)

static bool are_stack_fields_valid(const struct cpuprobe_start *start)
{
	return start->frames && !start->by &&
		!(start->frames & ~(CPUPROBE_FRAMES_USER | CPUPROBE_FRAMES_KERNEL)) &&
		start->cgroup_fd >= -1 &&
		(!start->stack_kib || (start->stack_kib >= CPUPROBE_STACK_KIB_MIN &&
				       start->stack_kib <= CPUPROBE_STACK_KIB_MAX));
}

static bool stacks_reveal_kernel(const struct cpuprobe_start *start)
{
	return start->frames & CPUPROBE_FRAMES_KERNEL;
}

static int check_stack_target(const struct session *session, struct cpuprobe_start *start)
{
	if (!check_has_no_place(start))
		return check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
	return stacks_reveal_kernel(start) ? check_kernel_access(session, start) : 0;
}

static int prepare_stacks(struct session *session, struct cpuprobe_start *start)
{
	return filter_get(&session->filter, &session->access, false, start);
}

static u64 memory_of_stacks(const struct session *session)
{
	return 2ULL * PAGE_ALIGN(session->stack_bytes);
}

/*
 * The memory of a bank of stacks begins with its hash table. Allocated page by page: contiguous
 * memory would be rounded up to a power of two, and fragmented memory would need compaction.
 */
static int allocate_stacks(const struct session *session, struct cpu_sampler *sampler)
{
	void *memory;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sampler->bank); i++) {
		memory = __vmalloc(session->stack_bytes, MEMORY_GFP | __GFP_ZERO);
		if (!memory)
			return -ENOMEM;
		stacks_init(&sampler->bank[i].stacks, memory, session->stack_bytes);
	}
	return 0;
}

static void release_stacks(struct cpu_sampler *sampler)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sampler->bank); i++) {
		exes_clear(&sampler->bank[i].exes);
		vfree(sampler->bank[i].stacks.slot);
	}
}

static void clear_stacks(struct bank *bank)
{
	struct stacks stacks;

	stacks_clear(&bank->stacks);
	exes_clear(&bank->exes);
	/* Keep the allocated memory. */
	stacks = bank->stacks;
	memset(bank, 0, sizeof(*bank));
	bank->stacks = stacks;
}

/* Fill in all but frames and flags. @task: not used for idle. */
static void describe_stack(const struct task_struct *task, u32 kind, u32 mode,
			   struct cpuprobe_stack *stack)
{
	bool has_space = kind == CPUPROBE_KIND_PROCESS;
	bool is_idle = kind == CPUPROBE_KIND_IDLE || kind == CPUPROBE_KIND_SOFTIRQ;

	stack->exe = 0;
	stack->nr_sure = 0;
	stack->pid = is_idle ? 0 : task->tgid;
	stack->kind = kind;
	stack->mode = mode;
	stack->flags = 0;
	stack->space = has_space && user_stack_has_begun(task->mm) ? task->mm->start_stack : 0;
	stack->nr_kernel = 0;
	stack->nr_user = 0;
}

/* Copy the name. Kernel threads are folded, as in the system table. @task: NULL for idle. */
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
		/* The leader may be changing its name: the copy is a mixture at worst. */
		data_race(strscpy(name, identity_leader(task)->comm, TASK_COMM_LEN));
	strscpy(stack->comm, name, sizeof(stack->comm));
}

/* Not inlined: these functions have buffers, for which every sample would check the kernel's stack. */
static noinline void name_new_record(struct cpu_sampler *sampler, struct task_struct *task,
				     struct cpuprobe_stack *stack)
{
	name_stack(task, stack);
	stack->code_start = stack->kind == CPUPROBE_KIND_PROCESS ? task->mm->start_code : 0;
	if (stacks_fills_with(&sampler->active->stacks, stack))
		irq_work_queue(&sampler->wake);
}

/* Count @hits samples of the candidate stack. @task: NULL for idle. */
static __always_inline void count_candidate(struct cpu_sampler *sampler, struct task_struct *task, u32 mode,
					    u64 hits)
{
	struct stacks *stacks = &sampler->active->stacks;
	struct cpuprobe_stack *stack = stacks_get(stacks);

	if (!stack) {
		stacks->lost[mode] += hits;
		return;
	}
	if (unlikely(!stack->hits))
		name_new_record(sampler, task, stack);
	stack->hits += hits;
	stack->missed += sampler->missed_before;
}

static void count_idle_stack(struct cpu_sampler *sampler, bool is_in_softirq, u64 nr)
{
	const struct session *session = sampler->session;
	struct stacks *stacks = &sampler->active->stacks;
	u32 mode = is_in_softirq ? CPUPROBE_MODE_SOFTIRQ : CPUPROBE_MODE_KERNEL;

	if (!session->access.is_full || !filter_is_everybody(&session->filter)) {
		stacks->other_task += nr;
		return;
	}
	describe_stack(NULL, is_in_softirq ? CPUPROBE_KIND_SOFTIRQ : CPUPROBE_KIND_IDLE, mode,
		       stacks_candidate(stacks));
	count_candidate(sampler, NULL, mode, nr);
}

static u32 kind_of_task(const struct task_struct *task, u32 mode)
{
	if (is_idle_task(task))
		return mode == CPUPROBE_MODE_SOFTIRQ ? CPUPROBE_KIND_SOFTIRQ : CPUPROBE_KIND_IDLE;
	if (identity_flags(task) & PF_KTHREAD)
		return CPUPROBE_KIND_KTHREAD;
	return task->mm ? CPUPROBE_KIND_PROCESS : CPUPROBE_KIND_EXITING;
}

/* Writes the user frames after those of the kernel. */
static __always_inline void write_user_frames(struct cpu_sampler *sampler, const struct sample *sample,
			      struct cpuprobe_stack *stack)
{
	struct unwinding *unwinding = sampler->session->unwinding;
	const struct mm_struct *mm = sample->task->mm;
	u64 *frame = stack->frame + stack->nr_kernel;

	if (!unwinding) {
		stack->nr_user = unwind_user(sample->task, sample->regs, frame, &stack->flags);
		return;
	}
	stack->nr_user = unwind_user_by_tables(unwinding, mm ? spaces_find(mm) : NULL, sample->task,
					       sample->regs, frame, &stack->flags, &stack->nr_sure);
	if (unlikely(stack->flags & (CPUPROBE_STACK_NO_TABLE | CPUPROBE_STACK_BY_POINTER)) &&
	    unwinding_is_due(sampler->session))
		irq_work_queue(&sampler->wake);
}

/*
 * Write the stack of a sample where the next record would begin. Inlined, as all that gets a sample: so it
 * stays in registers.
 */
static __always_inline void write_candidate(struct cpu_sampler *sampler, const struct sample *sample,
					    bool can_find_user)
{
	u32 frames = sampler->session->frames;
	struct bank *bank = sampler->active;
	struct cpuprobe_stack *stack = stacks_candidate(&bank->stacks);

	describe_stack(sample->task, kind_of_task(sample->task, sample->mode), sample->mode, stack);
	/* The stack of an idle CPU is of no interest, and a walk takes long. */
	if (stack->kind == CPUPROBE_KIND_IDLE)
		return;
	stack->exe = exes_get(&bank->exes, sample->task);
	if (frames & CPUPROBE_FRAMES_KERNEL && sample->mode != CPUPROBE_MODE_USER)
		stack->nr_kernel = unwind_kernel(sample->task, sample->regs, stack->frame,
						 &stack->flags);
	/* Softirq work is not caused by the process that it interrupted. */
	if (!(frames & CPUPROBE_FRAMES_USER) || sample->mode == CPUPROBE_MODE_SOFTIRQ)
		return;
	if (likely(can_find_user))
		write_user_frames(sampler, sample, stack);
	else
		stack->flags |= CPUPROBE_STACK_UNREADABLE;
}

/* Most sessions count every task, which takes no call to find out. */
static __always_inline enum belonging belonging_of(const struct session *session, struct task_struct *task)
{
	if (likely(session->access.is_full && filter_is_everybody(&session->filter)))
		return TARGET;
	return filter_belongs(&session->filter, &session->access, task);
}

static __always_inline void count_stack(struct cpu_sampler *sampler, const struct sample *sample,
					bool can_find_user)
{
	const struct session *session = sampler->session;
	struct bank *bank = sampler->active;

	if (unlikely(count_sample(session, bank, sample)) && is_excluded(session, bank)) {
		sampler->missed_before = 0;
		return;
	}
	switch (belonging_of(session, sample->task)) {
	case TARGET:
		write_candidate(sampler, sample, can_find_user);
		count_candidate(sampler, sample->task, sample->mode, 1);
		break;
	case OTHER_TASK:
		bank->stacks.other_task++;
		break;
	case OTHER_EXE:
		bank->stacks.other_exe++;
	}
	sampler->missed_before = 0;
}

/* Whether user frames can be found now: an NMI may come while another task's memory is in place, or early in an entry. */
static bool can_find_user_frames(const struct sample *sample)
{
	const struct mm_struct *mm = sample->task->mm;

	return !mm || (arch_is_memory_here(mm, sample->regs) &&
		       (user_mode(sample->regs) ||
			arch_are_user_regs_saved(sample->regs, task_pt_regs(sample->task))));
}

static void count_stack_anywhere(struct cpu_sampler *sampler, const struct sample *sample)
{
	count_stack(sampler, sample, can_find_user_frames(sample));
}

static enum hrtimer_restart cpuprobe_fire_stacks(struct hrtimer *timer)
{
	struct cpu_sampler *sampler = container_of(timer, struct cpu_sampler, timer);
	struct sample sample = begin_sample(sampler);

	if (has_woken_idle(sample.task, sample.mode))
		sample.late_ns = 0;
	count_stack(sampler, &sample, true);
	end_stack_sample(sampler, &sample);
	return HRTIMER_RESTART;
}

/* Returns the number of samples in stacks, lost, and of other tasks and executables. */
static u64 finish_stacks_account(const struct session *session, struct bank *bank,
				 struct cpuprobe_account *account)
{
	const struct stacks *stacks = &bank->stacks;
	u64 counted = stacks_hits(stacks) + stacks->other_exe + stacks->other_task;
	u32 mode;

	account->entries = stacks->nr;
	account->objects = bank->exes.nr;
	account->bytes = bank->exes.nr * sizeof(bank->exes.exe[0]) + stacks->nr_words * sizeof(u64);
	account->other_exe = stacks->other_exe;
	account->other_task = stacks->other_task;
	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		account->lost[mode] = stacks->lost[mode];
		counted += stacks->lost[mode];
	}
	return counted;
}

static void veil_exes(struct bank *bank)
{
	u32 i;

	for (i = 0; i < bank->exes.nr; i++)
		access_veil_exe(bank->exes.exe[i].id);
}

static size_t stacks_buffer_len(const struct session *session)
{
	return session->stack_bytes;
}

static int copy_stacks(const struct bank *bank, const struct cpuprobe_account *account,
		       void __user *to)
{
	char __user *buffer = to;
	size_t exes_len = bank->exes.nr * sizeof(bank->exes.exe[0]);

	if (copy_to_user(buffer, bank->exes.exe, exes_len) ||
	    copy_to_user(buffer + exes_len, bank->stacks.arena,
			 bank->stacks.nr_words * sizeof(u64)))
		return -EFAULT;
	return 0;
}

static int open_stack_exe(const struct bank *bank, u32 exe)
{
	return exes_open(&bank->exes, exe);
}

static bool are_stacks_due(const struct bank *active)
{
	return data_race(stacks_is_filling(&active->stacks));
}

const struct kind kind_stacks = {
	.cost = CPUPROBE_COST_STACKS,
	.are_fields_valid = are_stack_fields_valid,
	.check = check_stack_target,
	.prepare = prepare_stacks,
	.reveals_kernel = stacks_reveal_kernel,
	.memory = memory_of_stacks,
	.allocate = allocate_stacks,
	.release = release_stacks,
	.fire = cpuprobe_fire_stacks,
	.count = count_stack_anywhere,
	.count_idle = count_idle_stack,
	.finish = finish_stacks_account,
	.veil = veil_exes,
	.buffer_len = stacks_buffer_len,
	.copy = copy_stacks,
	.open_exe = open_stack_exe,
	.clear = clear_stacks,
	.is_due = are_stacks_due,
};
