// SPDX-License-Identifier: GPL-2.0-only
/* The timer's handler: see sampler.h. */
#include "caller.h"
#include "identity.h"
#include "sample.h"
#include "sampler.h"
#include "stack_sampler.h"

/* A gap of this length is taken for a stall of the host, not for overload. */
#define LOST_TIME_NS	100000000

struct pt_regs sample_no_regs = ARCH_KERNEL_REGS;

noinline void sample_missed(struct cpu_sampler *sampler, u64 missed)
{
	struct bank *bank = sampler->active;

	WRITE_ONCE(bank->missed, bank->missed + missed);
	sampler->missed_before = missed;
	if (missed > 1 && missed * sampler->grid.period_ns >= LOST_TIME_NS)
		bank->lost_time += missed;
}

static __always_inline void count_in_record(struct cpu_sampler *sampler, struct bank *bank,
					    struct cpuprobe_record *record,
					    const struct sample *sample)
{
	bool is_deferred = count_sample(sampler->session, bank, sample);

	/* The periods without a sample are charged to the sample that came late. */
	if (unlikely(sampler->missed_before)) {
		record->missed += sampler->missed_before;
		sampler->missed_before = 0;
	}
	if (unlikely(is_deferred)) {
		if (is_excluded(sampler->session, bank))
			return;
		record->deferred++;
	}
	record->hits[sample->mode]++;
}

/*
 * The record of a process that has its own executable, and its record where the search
 * for it begins: most samples.
 */
static __always_inline bool find_usual_record(struct table *table, const struct task_struct *task,
					      struct cpuprobe_record **record_ret)
{
	const struct inode *inode = identity_inode(task);
	struct identity who;

	if (unlikely(!inode))
		return false;
	identity_of_inode(inode, &who);
	*record_ret = table_first(table, &who);
	return likely(table_is_record(*record_ret, &who));
}

/* Name a new record, and wake the reader of a table that fills. @task: not looked at for idle. */
static void name_new_record(struct cpu_sampler *sampler, struct task_struct *task,
		      const struct identity *who, struct cpuprobe_record *record)
{
	identity_name(task, who, record->name);
	/* Waking a sleeper is not for hard irq on RT; irq_work does it. */
	if (sampler->active->table.nr_records == CPUPROBE_WAKE_RECORDS)
		irq_work_queue(&sampler->wake);
}

/* The record of anybody, made if need be; NULL: lost. */
static struct cpuprobe_record *find_record(struct cpu_sampler *sampler, struct task_struct *task,
					   unsigned long mode)
{
	struct table *table = &sampler->active->table;
	struct cpuprobe_record *record;
	bool is_created = false;
	struct identity who;

	identity_of(task, sampler->session->by, mode == CPUPROBE_MODE_SOFTIRQ, &who);
	record = table_get(table, &who, &is_created);
	if (is_created)
		name_new_record(sampler, task, &who, record);
	return record;
}

void sampler_count_idle(struct cpu_sampler *sampler, bool is_in_softirq, u64 nr)
{
	const struct identity who = {
		.kind = is_in_softirq ? CPUPROBE_KIND_SOFTIRQ : CPUPROBE_KIND_IDLE
	};
	u32 mode = is_in_softirq ? CPUPROBE_MODE_SOFTIRQ : CPUPROBE_MODE_KERNEL;
	struct bank *bank = sampler->active;
	struct cpuprobe_record *record;
	bool is_created = false;

	WRITE_ONCE(bank->taken, bank->taken + nr);
	if (sampler->session->what == CPUPROBE_WHAT_PROCESS) {
		bank->slots.other_task += nr;	/* the idle task is nobody's target */
		return;
	}
	if (sampler->session->what == CPUPROBE_WHAT_STACKS) {
		stack_sampler_count_idle(sampler, is_in_softirq, nr);
		return;
	}
	record = table_get(&bank->table, &who, &is_created);
	if (is_created)
		name_new_record(sampler, NULL, &who, record);
	if (record)
		record->hits[mode] += nr;
	else
		bank->table.lost[mode] += nr;
}

static noinline void count_unusual(struct cpu_sampler *sampler, struct task_struct *task,
				   unsigned long mode, s64 late_ns)
{
	const struct sample sample = {
		.task = task, .mode = mode, .late_ns = has_woken_idle(task, mode) ? 0 : late_ns
	};
	struct bank *bank = sampler->active;
	struct cpuprobe_record *record = find_record(sampler, task, mode);

	if (likely(record)) {
		count_in_record(sampler, bank, record, &sample);
	} else {
		sampler->missed_before = 0;
		if (count_sample(sampler->session, bank, &sample) &&
		    is_excluded(sampler->session, bank))
			return;
		bank->table.lost[mode]++;
	}
}

enum hrtimer_restart sampler_fire_system(struct hrtimer *timer)
{
	struct cpu_sampler *sampler = container_of(timer, struct cpu_sampler, timer);
	struct sample sample = begin_sample(sampler);
	struct bank *bank = sampler->active;
	struct cpuprobe_record *record;

	if (likely(find_usual_record(&bank->table, sample.task, &record)))
		count_in_record(sampler, bank, record, &sample);
	else
		count_unusual(sampler, sample.task, sample.mode, sample.late_ns);
	return HRTIMER_RESTART;
}

enum hrtimer_restart sampler_fire_by(struct hrtimer *timer)
{
	struct cpu_sampler *sampler = container_of(timer, struct cpu_sampler, timer);
	struct sample sample = begin_sample(sampler);

	count_unusual(sampler, sample.task, sample.mode, sample.late_ns);
	return HRTIMER_RESTART;
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

static void place_user(struct cpu_sampler *sampler, struct task_struct *task, u64 pc,
		       struct place *place)
{
	const struct cpuprobe_area *area = find_area(sampler->session, task->tgid, pc);
	const struct mm_struct *mm = task->mm;

	if (area && area->space == mm->start_stack) {
		place->object = area->object;
		place->addr = pc - area->bias;
		return;
	}
	if (pc - mm->start_code < mm->end_code - mm->start_code) {
		place->object = CPUPROBE_OBJECT_EXE;
		place->addr = pc - mm->start_code + sampler->session->target.code_start;
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

/* A sample of the target, anywhere. */
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
	if (mode != session->target.mode)
		slots->other_mode++;
	else if (mode == CPUPROBE_MODE_USER && place.object != session->target.object)
		slots->outside++;
	else
		slots_add(slots, &session->layout, place.addr);
}

/* A sample of anybody, anywhere. */
static noinline void count_anywhere(struct cpu_sampler *sampler, struct task_struct *task,
				    unsigned long mode, u64 pc)
{
	struct slots *slots = &sampler->active->slots;

	switch (target_belongs(&sampler->session->target, &sampler->session->access, task)) {
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

/* The target in its executable's own code: the samples that one looks for. */
static __always_inline bool is_in_exe(const struct target *target, const struct sample *sample,
				      u64 pc, u64 *offset_ret)
{
	const struct inode *inode = identity_inode(sample->task);
	const struct mm_struct *mm;

	if (!inode || inode != READ_ONCE(target->usual_inode) || sample->mode != CPUPROBE_MODE_USER)
		return false;
	if (target->pid && task_tgid(sample->task) != target->pid)
		return false;
	mm = sample->task->mm;
	*offset_ret = pc - mm->start_code;
	return *offset_ret < mm->end_code - mm->start_code;
}

enum hrtimer_restart sampler_fire_process(struct hrtimer *timer)
{
	struct cpu_sampler *sampler = container_of(timer, struct cpu_sampler, timer);
	struct sample sample = begin_sample(sampler);
	const struct session *session = sampler->session;
	struct bank *bank = sampler->active;
	u64 pc = arch_pc(sample.regs), offset;

	if (unlikely(has_woken_idle(sample.task, sample.mode)))
		sample.late_ns = 0;
	if (unlikely(count_sample(session, bank, &sample)) && is_excluded(session, bank)) {
		sampler->missed_before = 0;
		return HRTIMER_RESTART;
	}
	if (!is_in_exe(&session->target, &sample, pc, &offset)) {
		count_anywhere(sampler, sample.task, sample.mode, pc);
		return HRTIMER_RESTART;
	}
	if (unlikely(sampler->missed_before)) {
		bank->slots.missed += sampler->missed_before;
		sampler->missed_before = 0;
	}
	bank->slots.objects[CPUPROBE_OBJECT_EXE]++;
	if (likely(session->target.object == CPUPROBE_OBJECT_EXE))
		slots_add(&bank->slots, &session->layout, offset + session->target.code_start);
	else if (session->target.mode == CPUPROBE_MODE_USER)
		bank->slots.outside++;
	else
		bank->slots.other_mode++;
	return HRTIMER_RESTART;
}

/* A late sample's place: the code that let interrupts in again, and who asked it to. */
static noinline void count_late(struct cpu_sampler *sampler, const struct sample *sample)
{
	bool is_kernel = sample->mode == CPUPROBE_MODE_KERNEL ||
		sample->mode == CPUPROBE_MODE_SOFTIRQ;
	struct late *late = &sampler->active->late;
	u64 pc = is_kernel ? arch_pc(sample->regs) : 0;
	u64 caller = is_kernel ? caller_outside_locks(sample->task, sample->regs) : 0;
	u32 nr_places = late->nr_places;
	struct cpuprobe_place *place = late_place(late, pc, caller);

	if (!place) {
		late->lost++;
		return;
	}
	place->hits++;
	place->missed += sampler->missed_before;
	place->off_ns += grid_waited_ns(&sampler->grid, sampler->missed_before, sample->now_ns);
	place->late_ns += sample->late_ns;
	if (sample->late_ns > (s64)place->late_max_ns)
		place->late_max_ns = sample->late_ns;
	if (late->nr_places != nr_places && late->nr_places == CPUPROBE_WAKE_RECORDS)
		irq_work_queue(&sampler->wake);
}

enum hrtimer_restart sampler_fire_late(struct hrtimer *timer)
{
	struct cpu_sampler *sampler = container_of(timer, struct cpu_sampler, timer);
	struct sample sample = begin_sample(sampler);
	struct bank *bank = sampler->active;
	bool is_idle = has_woken_idle(sample.task, sample.mode);
	s64 late_ns = sample.late_ns;

	if (is_idle)
		sample.late_ns = 0;
	if (count_sample(sampler->session, bank, &sample))
		count_late(sampler, &sample);
	sampler->missed_before = 0;
	late_add(&bank->late, is_idle, late_ns, end_long_sample(sampler, &sample));
	return HRTIMER_RESTART;
}
