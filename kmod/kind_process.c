// SPDX-License-Identifier: GPL-2.0-only
/*
 * Process mode: the samples of one target, counted in slots of an address range and by object. See
 * kind.h and slots.h.
 */
#include <linux/uaccess.h>

#include "area_table.h"
#include "check.h"
#include "identity.h"
#include "kind.h"
#include "overflow.h"
#include "sample.h"

static bool are_process_fields_valid(const struct cpuprobe_start *start)
{
	return check_has_no_stack_fields(start) && !start->by;
}

static int check_process(const struct session *session, struct cpuprobe_start *start)
{
	if (start->mode != CPUPROBE_MODE_USER && start->mode != CPUPROBE_MODE_KERNEL)
		return check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
	if (start->mode == CPUPROBE_MODE_KERNEL) {
		if (start->code_start || start->object)
			return check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
		return check_kernel_access(session, start);
	}
	/* These objects contain no user address. */
	if (start->object == CPUPROBE_OBJECT_SOFTIRQ || start->object == CPUPROBE_OBJECT_GUEST ||
	    start->object == CPUPROBE_OBJECT_KERNEL)
		return check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
	return 0;
}

/* In kernel mode a pid is enough: a kernel thread has no executable. */
static int prepare_process(struct session *session, struct cpuprobe_start *start)
{
	bool wants_exe = !start->pid || start->mode == CPUPROBE_MODE_USER;
	int error = filter_get(&session->filter, &session->access, wants_exe, start);

	if (error)
		return error;
	if (slots_layout_init(&session->layout, start->low, start->high)) {
		filter_put(&session->filter);
		return check_refuse(start, CPUPROBE_REASON_RANGE, -EINVAL);
	}
	area_table_update_fast_path(session);
	return 0;
}

static bool process_reveals_kernel(const struct cpuprobe_start *start)
{
	return start->mode == CPUPROBE_MODE_KERNEL;
}

/** Address of a sample of the target. */
struct place {
	u32 object;		/* enum cpuprobe_object, or the object of an area */
	u64 addr;		/* link-time address in the object, or run-time kernel address */
};

static const struct cpuprobe_area *find_area_at(const struct session *session, u32 pid, u64 pc)
{
	const struct area_table *areas = rcu_dereference_raw(session->areas);

	return areas ? areas_find(areas->area, areas->nr, pid, pc) : NULL;
}

/* Wake the reader in poll(): the tool does not know the areas of this process yet. */
static void note_unplaced(struct cpu_sampler *sampler)
{
	struct slots *slots = &sampler->active->slots;

	if (!rcu_access_pointer(sampler->session->areas))
		return;
	if (!slots->unplaced_pid)
		irq_work_queue(&sampler->wake);
	WRITE_ONCE(slots->unplaced_pid, current->tgid);
}

static void place_user(struct cpu_sampler *sampler, struct task_struct *task, u64 pc,
		       struct place *place)
{
	const struct cpuprobe_area *area = find_area_at(sampler->session, task->tgid, pc);
	const struct mm_struct *mm = task->mm;

	if (area && area->space == mm->start_stack) {
		place->object = area->object;
		place->addr = pc - area->bias;
		return;
	}
	if (pc - mm->start_code < mm->end_code - mm->start_code) {
		place->object = CPUPROBE_OBJECT_EXE;
		place->addr = pc - mm->start_code + sampler->session->filter.code_start;
		return;
	}
	place->object = CPUPROBE_OBJECT_UNPLACED;
	place->addr = pc;
	note_unplaced(sampler);
}

static void place_kernel(const struct session *session, u32 mode, u64 pc, struct place *place)
{
	const struct cpuprobe_area *area;

	place->addr = pc;
	if (mode == CPUPROBE_MODE_SOFTIRQ) {
		place->object = CPUPROBE_OBJECT_SOFTIRQ;
	} else if (mode == CPUPROBE_MODE_GUEST) {
		place->object = CPUPROBE_OBJECT_GUEST;
	} else {
		area = find_area_at(session, 0, pc);
		place->object = area ? area->object : CPUPROBE_OBJECT_KERNEL;
	}
}

/* Count a sample of the target, at any address. */
static void count_place(struct cpu_sampler *sampler, struct task_struct *task,
			unsigned long mode, u64 pc)
{
	const struct session *session = sampler->session;
	struct slots *slots = &sampler->active->slots;
	struct place place;

	if (mode == CPUPROBE_MODE_USER)
		place_user(sampler, task, pc, &place);
	else
		place_kernel(session, mode, pc, &place);
	slots->objects[place.object]++;
	if (mode != session->filter.mode)
		slots->other_mode++;
	else if (mode == CPUPROBE_MODE_USER && place.object != session->filter.object)
		slots->outside++;
	else
		slots_add(slots, &session->layout, place.addr);
}

/* Count a sample of any task, at any address. */
static noinline void count_any_task(struct cpu_sampler *sampler, struct task_struct *task,
				    unsigned long mode, u64 pc)
{
	struct slots *slots = &sampler->active->slots;

	switch (filter_belongs(&sampler->session->filter, &sampler->session->access, task)) {
	case TARGET:
		slots->missed += sampler->missed_before;
		count_place(sampler, task, mode, pc);
		break;
	case OTHER_TASK:
		slots->other_task++;
		break;
	case OTHER_EXE:
		slots->other_exe++;
	}
	sampler->missed_before = 0;
}

/* Fast path: whether the sample is of the target, in its executable's own code. */
static __always_inline bool is_in_exe(const struct filter *filter, const struct sample *sample,
				      u64 pc, u64 *offset_ret)
{
	const struct inode *inode = identity_inode(sample->task);
	const struct mm_struct *mm;

	if (!inode || inode != READ_ONCE(filter->fast_path_inode) ||
	    sample->mode != CPUPROBE_MODE_USER)
		return false;
	if (filter->pid && task_tgid(sample->task) != filter->pid)
		return false;
	mm = sample->task->mm;
	*offset_ret = pc - mm->start_code;
	return *offset_ret < mm->end_code - mm->start_code;
}

static __always_inline void count_process(struct cpu_sampler *sampler, const struct sample *sample)
{
	const struct session *session = sampler->session;
	struct bank *bank = sampler->active;
	u64 pc = arch_pc(sample->regs), offset;

	if (unlikely(count_sample(session, bank, sample)) && is_excluded(session, bank)) {
		sampler->missed_before = 0;
		return;
	}
	if (!is_in_exe(&session->filter, sample, pc, &offset)) {
		count_any_task(sampler, sample->task, sample->mode, pc);
		return;
	}
	if (unlikely(sampler->missed_before)) {
		bank->slots.missed += sampler->missed_before;
		sampler->missed_before = 0;
	}
	bank->slots.objects[CPUPROBE_OBJECT_EXE]++;
	if (likely(session->filter.object == CPUPROBE_OBJECT_EXE))
		slots_add(&bank->slots, &session->layout, offset + session->filter.code_start);
	else if (session->filter.mode == CPUPROBE_MODE_USER)
		bank->slots.outside++;
	else
		bank->slots.other_mode++;
}

static enum hrtimer_restart cpuprobe_fire_process(struct hrtimer *timer)
{
	struct cpu_sampler *sampler = container_of(timer, struct cpu_sampler, timer);
	struct sample sample = begin_sample(sampler);

	if (unlikely(has_woken_idle(sample.task, sample.mode)))
		sample.late_ns = 0;
	count_process(sampler, &sample);
	return HRTIMER_RESTART;
}

/* Not with a struct sample: the fast path would have it in memory. */
static noinline void count_process_event(struct cpu_sampler *sampler, struct pt_regs *regs, unsigned long mode)
{
	const struct sample sample = { .task = current, .regs = regs, .mode = mode };

	count_process(sampler, &sample);
}

static void cpuprobe_overflow_process(struct perf_event *event, struct perf_sample_data *data,
				      struct pt_regs *regs)
{
	struct cpu_sampler *sampler = event->overflow_handler_context;
	const struct session *session = sampler->session;
	struct sample sample = { .task = current, .regs = regs };
	struct bank *bank = sampler->active;
	u64 offset;

	if (!overflow_begin(sampler, event, regs))
		return;
	sample.mode = overflow_mode(sample.task, regs);
	/* No time is late, and nothing is missed before a sample of the fast path. */
	if (likely(is_in_exe(&session->filter, &sample, arch_pc(regs), &offset) &&
		   session->filter.object == CPUPROBE_OBJECT_EXE)) {
		WRITE_ONCE(bank->taken, bank->taken + 1);
		bank->slots.objects[CPUPROBE_OBJECT_EXE]++;
		slots_add(&bank->slots, &session->layout, offset + session->filter.code_start);
	} else {
		count_process_event(sampler, regs, sample.mode);
	}
}

/* The idle task is never the target. */
static void count_idle_task(struct cpu_sampler *sampler, bool is_in_softirq, u64 nr)
{
	sampler->active->slots.other_task += nr;
}

/* Returns how many samples the slots account for. */
static u64 finish_process_account(const struct session *session, struct bank *bank,
				  struct cpuprobe_account *account)
{
	const struct slots *slots = &bank->slots;
	u64 hits = slots_hits(slots), targets = slots_objects(slots);

	account->outside = slots->outside;
	account->other_mode = slots->other_mode;
	account->other_exe = slots->other_exe;
	account->other_task = slots->other_task;
	account->unplaced_pid = slots->unplaced_pid;
	account->missed_target = slots->missed;
	if (targets) {
		account->objects = session->nr_objects;
		account->entries = session->nr_objects + session->layout.nr_slots;
	}
	if (targets != hits + slots->outside + slots->other_mode)
		account->flags |= CPUPROBE_ACCOUNT_DAMAGED;
	return targets + slots->other_exe + slots->other_task;
}

static size_t process_buffer_len(const struct session *session)
{
	return sizeof_field(struct slots, objects) + sizeof_field(struct slots, hits);
}

static int copy_process_counts(const struct bank *bank, const struct cpuprobe_account *account,
			       void __user *buffer)
{
	u32 nr_slots = account->entries - account->objects;
	u64 __user *counts = buffer;

	if (copy_to_user(counts, bank->slots.objects, account->objects * sizeof(u64)) ||
	    copy_to_user(counts + account->objects, bank->slots.hits, nr_slots * sizeof(u64)))
		return -EFAULT;
	return 0;
}

static bool is_process_due(const struct bank *active)
{
	return data_race(READ_ONCE(active->slots.unplaced_pid)) != 0;
}

const struct kind kind_process = {
	.cost = CPUPROBE_COST_PROCESS,
	.are_fields_valid = are_process_fields_valid,
	.check = check_process,
	.prepare = prepare_process,
	.reveals_kernel = process_reveals_kernel,
	.fire = cpuprobe_fire_process,
	.count = count_process,
	.overflow = cpuprobe_overflow_process,
	.count_idle = count_idle_task,
	.finish = finish_process_account,
	.buffer_len = process_buffer_len,
	.copy = copy_process_counts,
	.is_due = is_process_due,
};
