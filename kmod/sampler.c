// SPDX-License-Identifier: GPL-2.0-only
/* The timer's handler: see sampler.h. */
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <asm/irq_regs.h>

#include "arch.h"
#include "identity.h"
#include "sampler.h"
#include "session.h"

/** One sample, as the counting functions need it. */
struct sample {
	struct pt_regs *regs;
	u64 skipped;		/* periods missed before it */
	u32 mode;		/* enum cpuprobe_mode */
	bool is_deferred;
};

static u32 mode_of(struct pt_regs *regs)
{
	if (user_mode(regs))
		return CPUPROBE_MODE_USER;
	if (in_serving_softirq())
		return CPUPROBE_MODE_SOFTIRQ;
	return unlikely(current->flags & PF_VCPU) ? CPUPROBE_MODE_GUEST : CPUPROBE_MODE_KERNEL;
}

static void count_record(struct session *session, struct cpu_sampler *sampler,
			 const struct sample *sample)
{
	struct table *table = &sampler->active->table;
	struct cpuprobe_record *record;
	bool is_created = false;
	struct identity who;

	identity_of(current, sample->mode == CPUPROBE_MODE_SOFTIRQ, &who);
	record = table_get(table, &who, &is_created);
	if (unlikely(!record)) {
		table->lost[sample->mode]++;
		return;
	}
	if (unlikely(is_created)) {
		identity_name(current, &who, record->name);
		/* Waking a sleeper is not for hard irq on RT; irq_work does it. */
		if (table->nr_records == CPUPROBE_WAKE_RECORDS)
			irq_work_queue(&sampler->wake);
	}
	record->hits[sample->mode]++;
	record->missed += sample->skipped;
	record->deferred += sample->is_deferred;
}

static bool is_target(const struct target *target, struct task_struct *task, bool *is_other_exe)
{
	const struct file *exe;

	if (target->pid) {
		if (task_tgid(task) != target->pid)
			return false;
		exe = target->inode ? identity_exe(task) : NULL;
		*is_other_exe = exe && file_inode(exe) != target->inode;
		return true;
	}
	exe = identity_exe(task);
	return exe && file_inode(exe) == target->inode;
}

/** Where a sample of the target fell. */
struct place {
	u32 object;		/* enum cpuprobe_object, or as areas say */
	u64 addr;		/* link-time address in it; run-time address in the kernel */
};

static const struct cpuprobe_area *find_area(const struct session *session, u32 pid, u64 pc)
{
	const struct area_table *areas = rcu_dereference_raw(session->areas);

	return areas ? areas_find(areas->area, areas->nr, pid, pc) : NULL;
}

/* Somebody waits in poll() for processes whose areas are not known yet. */
static void note_unplaced(struct cpu_sampler *sampler)
{
	struct slots *slots = &sampler->active->slots;

	if (!rcu_access_pointer(sampler->session->areas))
		return;
	if (!slots->unplaced_pid)
		irq_work_queue(&sampler->wake);
	WRITE_ONCE(slots->unplaced_pid, current->tgid);
}

static void place_user(struct cpu_sampler *sampler, u64 pc, struct place *place)
{
	const struct session *session = sampler->session;
	const struct mm_struct *mm = current->mm;
	const struct cpuprobe_area *area;

	if (likely(pc - mm->start_code < mm->end_code - mm->start_code)) {
		place->object = CPUPROBE_OBJECT_EXE;
		place->addr = pc - mm->start_code + session->target.code_start;
		return;
	}
	area = find_area(session, current->tgid, pc);
	if (area && area->space == mm->start_stack) {
		place->object = area->object;
		place->addr = pc - area->bias;
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
		area = find_area(session, 0, pc);
		place->object = area ? area->object : CPUPROBE_OBJECT_KERNEL;
	}
}

static void count_slot(const struct session *session, struct cpu_sampler *sampler,
		       const struct sample *sample)
{
	const struct target *target = &session->target;
	struct slots *slots = &sampler->active->slots;
	u64 pc = arch_pc(sample->regs);
	bool is_other_exe = false;
	struct place place;

	if (!is_target(target, current, &is_other_exe)) {
		slots->other_task++;
		return;
	}
	if (unlikely(is_other_exe)) {
		slots->other_exe++;
		return;
	}
	if (sample->mode == CPUPROBE_MODE_USER)
		place_user(sampler, pc, &place);
	else
		place_kernel(session, sample->mode, pc, &place);
	slots->objects[place.object]++;
	if (sample->mode != target->mode)
		slots->other_mode++;
	else if (target->mode == CPUPROBE_MODE_USER && place.object != target->object)
		slots->outside++;
	else
		slots_add(slots, &session->layout, place.addr);
}

/* Returns whether the sample is deferred. */
static bool count_lateness(const struct session *session, struct bank *bank, u64 late_ns)
{
	/* An idle CPU's lateness is the time it takes to wake up: nothing kept the sample waiting. */
	if (is_idle_task(current))
		return false;
	bank->late_ns += late_ns;
	if (unlikely(late_ns > bank->late_max_ns))
		bank->late_max_ns = late_ns;
	if (likely(late_ns <= session->deferred_ns))
		return false;
	bank->deferred++;
	return true;
}

enum hrtimer_restart sampler_fire(struct hrtimer *timer)
{
	struct cpu_sampler *sampler = container_of(timer, struct cpu_sampler, timer);
	u64 now_ns = ktime_to_ns(hrtimer_cb_get_time(timer));
	struct session *session = sampler->session;
	struct bank *bank = sampler->active;
	struct sample sample = { .regs = get_irq_regs() };
	u64 late_ns = now_ns - sampler->grid.expiry_ns;

	sample.skipped = grid_advance(&sampler->grid, now_ns);
	sample.mode = mode_of(sample.regs);
	sample.is_deferred = count_lateness(session, bank, late_ns);
	if (session->what == CPUPROBE_WHAT_SYSTEM)
		count_record(session, sampler, &sample);
	else
		count_slot(session, sampler, &sample);
	WRITE_ONCE(bank->taken, bank->taken + 1);
	WRITE_ONCE(bank->missed, bank->missed + sample.skipped);

	hrtimer_set_expires(timer, ns_to_ktime(sampler->grid.expiry_ns));
	return HRTIMER_RESTART;
}
