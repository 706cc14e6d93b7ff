// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of the whole machine: samples counted in records, by executable (kind_system) or by any
 * other identity (kind_by). See kind.h and table.h.
 */
#include <linux/uaccess.h>

#include "check.h"
#include "identity.h"
#include "kind.h"
#include "overflow.h"
#include "sample.h"

static bool are_system_fields_valid(const struct cpuprobe_start *start)
{
	return check_has_no_stack_fields(start) && start->by <= CPUPROBE_BY_CGROUP;
}

static int check_system(const struct session *session, struct cpuprobe_start *start)
{
	return check_has_no_place(start) && check_has_no_target(start) ? 0 :
		check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
}

static bool system_reveals_kernel(const struct cpuprobe_start *start)
{
	return false;
}

static __always_inline void count_in_record(struct cpu_sampler *sampler, struct bank *bank,
					    struct cpuprobe_record *record,
					    const struct sample *sample)
{
	bool is_deferred = count_sample(sampler->session, bank, sample);

	/* Missed periods are charged to the record of the late sample. */
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
 * Fast path, for most samples: the process has an executable, and its record is that of the last sample, or where the
 * search begins.
 */
static __always_inline bool find_first_record(struct table *table, const struct task_struct *task,
					      struct cpuprobe_record **record_ret)
{
	const struct inode *inode = identity_inode(task);
	struct identity who;

	if (unlikely(!inode))
		return false;
	identity_of_inode(inode, &who);
	return likely(table_find_fast(table, &who, record_ret));
}

/* Name a new record, and wake the reader of a filling table. @task: not used for idle. */
static void name_new_record(struct cpu_sampler *sampler, struct task_struct *task,
		      const struct identity *who, struct cpuprobe_record *record)
{
	identity_name(task, who, record->name);
	/* A wake-up from hard irq is not allowed on RT: leave it to irq_work. */
	if (sampler->active->table.nr_records == CPUPROBE_WAKE_RECORDS)
		irq_work_queue(&sampler->wake);
}

/* Find or create the record of any task; NULL: the sample is lost. */
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

static void count_idle_record(struct cpu_sampler *sampler, bool is_in_softirq, u64 nr)
{
	const struct identity who = {
		.kind = is_in_softirq ? CPUPROBE_KIND_SOFTIRQ : CPUPROBE_KIND_IDLE
	};
	u32 mode = is_in_softirq ? CPUPROBE_MODE_SOFTIRQ : CPUPROBE_MODE_KERNEL;
	struct table *table = &sampler->active->table;
	struct cpuprobe_record *record;
	bool is_created = false;

	record = table_get(table, &who, &is_created);
	if (is_created)
		name_new_record(sampler, NULL, &who, record);
	if (record) {
		record->hits[mode] += nr;
		record->missed += sampler->missed_before;
	} else {
		table->lost[mode] += nr;
	}
}

static noinline void count_slow_path(struct cpu_sampler *sampler, struct task_struct *task,
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

static __always_inline void count_by_exe(struct cpu_sampler *sampler, const struct sample *sample)
{
	struct bank *bank = sampler->active;
	struct cpuprobe_record *record;

	if (likely(find_first_record(&bank->table, sample->task, &record)))
		count_in_record(sampler, bank, record, sample);
	else
		count_slow_path(sampler, sample->task, sample->mode, sample->late_ns);
}

static void count_by(struct cpu_sampler *sampler, const struct sample *sample)
{
	count_slow_path(sampler, sample->task, sample->mode, sample->late_ns);
}

static enum hrtimer_restart cpuprobe_fire_system(struct hrtimer *timer)
{
	struct cpu_sampler *sampler = container_of(timer, struct cpu_sampler, timer);
	struct sample sample = begin_sample(sampler);

	count_by_exe(sampler, &sample);
	return HRTIMER_RESTART;
}

static void cpuprobe_overflow_system(struct perf_event *event, struct perf_sample_data *data,
				     struct pt_regs *regs)
{
	struct cpu_sampler *sampler = event->overflow_handler_context;
	struct bank *bank = sampler->active;
	struct task_struct *task = current;
	struct cpuprobe_record *record;
	unsigned long mode;

	if (!overflow_begin(sampler, event, regs))
		return;
	mode = overflow_mode(task, regs);
	/* No time is late, and nothing is missed before a sample of the fast path. */
	if (likely(find_first_record(&bank->table, task, &record))) {
		WRITE_ONCE(bank->taken, bank->taken + 1);
		record->hits[mode]++;
	} else {
		count_slow_path(sampler, task, mode, 0);
	}
}

static enum hrtimer_restart cpuprobe_fire_by(struct hrtimer *timer)
{
	struct cpu_sampler *sampler = container_of(timer, struct cpu_sampler, timer);
	struct sample sample = begin_sample(sampler);

	count_slow_path(sampler, sample.task, sample.mode, sample.late_ns);
	return HRTIMER_RESTART;
}

/* Move the records in use to the front. A retired table is never searched again. */
static u32 pack_records(struct table *table)
{
	u32 i, nr = 0;

	for (i = 0; i < CPUPROBE_RECORDS; i++)
		if (table->record[i].kind != CPUPROBE_KIND_FREE)
			table->record[nr++] = table->record[i];
	memset(&table->record[nr], 0, (CPUPROBE_RECORDS - nr) * sizeof(table->record[0]));
	return nr;
}

/* Returns the number of samples in records and lost. */
static u64 finish_system_account(const struct session *session, struct bank *bank,
				 struct cpuprobe_account *account)
{
	struct table *table = &bank->table;
	u64 counted = table_hits(table);
	u32 mode;

	account->entries = pack_records(table);
	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		account->lost[mode] = table->lost[mode];
		counted += table->lost[mode];
	}
	return counted;
}

static void veil_records(struct bank *bank)
{
	u32 i;

	for (i = 0; i < CPUPROBE_RECORDS; i++)
		access_veil_record(&bank->table.record[i]);
}

static size_t system_buffer_len(const struct session *session)
{
	return sizeof_field(struct table, record);
}

static int copy_records(const struct bank *bank, const struct cpuprobe_account *account,
			void __user *buffer)
{
	return copy_to_user(buffer, bank->table.record,
			    account->entries * sizeof(bank->table.record[0])) ? -EFAULT : 0;
}

static bool is_table_due(const struct bank *active)
{
	return data_race(READ_ONCE(active->table.nr_records)) >= CPUPROBE_WAKE_RECORDS;
}

#define SYSTEM_KIND \
	.are_fields_valid = are_system_fields_valid, .check = check_system, \
	.reveals_kernel = system_reveals_kernel, .count_idle = count_idle_record, \
	.finish = finish_system_account, .veil = veil_records, .buffer_len = system_buffer_len, \
	.copy = copy_records, .is_due = is_table_due

const struct kind kind_system = {
	.cost = CPUPROBE_COST_SYSTEM, .fire = cpuprobe_fire_system, .count = count_by_exe,
	.overflow = cpuprobe_overflow_system, SYSTEM_KIND
};
const struct kind kind_by = {
	.cost = CPUPROBE_COST_BY, .fire = cpuprobe_fire_by, .count = count_by, SYSTEM_KIND
};
