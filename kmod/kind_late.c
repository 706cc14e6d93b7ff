// SPDX-License-Identifier: GPL-2.0-only
/* Lateness: how late samples come, and where late ones land. See kind.h and late.h. */
#include <linux/uaccess.h>

#include "caller.h"
#include "check.h"
#include "kind.h"
#include "sample.h"

static bool are_late_fields_valid(const struct cpuprobe_start *start)
{
	return check_has_no_stack_fields(start) && !start->by && !(start->flags & ~CPUPROBE_START_NMI);
}

static int check_late(const struct session *session, struct cpuprobe_start *start)
{
	if (!check_has_no_place(start) || !check_has_no_target(start))
		return check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
	return check_kernel_access(session, start);
}

static bool late_reveals_kernel(const struct cpuprobe_start *start)
{
	return true;
}

/* The time or the number of events that a sample counts for: one period with NMIs, which nothing delays. */
static u64 represented(const struct cpu_sampler *sampler, u64 now_ns)
{
	if (sampler->session->counts_events)
		return sampler->counter.meter.period;
	return grid_waited_ns(&sampler->grid, sampler->missed_before, now_ns);
}

/* Count a late sample at its place: the code that re-enabled interrupts, and its caller. */
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
	place->off_ns += represented(sampler, sample->now_ns);
	place->late_ns += sample->late_ns;
	if (sample->late_ns > (s64)place->late_max_ns)
		place->late_max_ns = sample->late_ns;
	if (late->nr_places != nr_places && late->nr_places == CPUPROBE_WAKE_RECORDS)
		irq_work_queue(&sampler->wake);
}

/* Count a sample taken by NMI. If interrupts were off, count its place too. */
static void count_irqs_off(struct cpu_sampler *sampler, const struct sample *sample)
{
	struct bank *bank = sampler->active;

	WRITE_ONCE(bank->taken, bank->taken + 1);
	if (sample_is_irqs_off(sample)) {
		bank->deferred++;
		count_late(sampler, sample);
	}
	sampler->missed_before = 0;
	late_add(&bank->late, has_woken_idle(sample->task, sample->mode), 0, 0);
}

static enum hrtimer_restart cpuprobe_fire_late(struct hrtimer *timer)
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

static u32 pack_places(struct cpuprobe_lateness *counts)
{
	u32 i, nr = 0;

	for (i = 0; i < CPUPROBE_LATE_PLACES; i++)
		if (counts->place[i].hits)
			counts->place[nr++] = counts->place[i];
	memset(&counts->place[nr], 0, (CPUPROBE_LATE_PLACES - nr) * sizeof(counts->place[0]));
	return nr;
}

static u64 finish_late_account(const struct session *session, struct bank *bank,
			       struct cpuprobe_account *account)
{
	struct late *late = &bank->late;

	account->entries = pack_places(&late->counts);
	account->lost[0] = late->lost;
	if (late_deferred(late) + late->lost != account->deferred)
		account->flags |= CPUPROBE_ACCOUNT_DAMAGED;
	return late_hits(late);
}

static size_t late_buffer_len(const struct session *session)
{
	return sizeof_field(struct late, counts);
}

static int copy_late_counts(const struct bank *bank, const struct cpuprobe_account *account,
			    void __user *buffer)
{
	return copy_to_user(buffer, &bank->late.counts, sizeof(bank->late.counts)) ? -EFAULT : 0;
}

static bool is_late_due(const struct bank *active)
{
	return data_race(READ_ONCE(active->late.nr_places)) >= CPUPROBE_WAKE_RECORDS;
}

const struct kind kind_late = {
	.cost = CPUPROBE_COST_LATE,
	.are_fields_valid = are_late_fields_valid,
	.check = check_late,
	.reveals_kernel = late_reveals_kernel,
	.fire = cpuprobe_fire_late,
	.count = count_irqs_off,
	.finish = finish_late_account,
	.buffer_len = late_buffer_len,
	.copy = copy_late_counts,
	.is_due = is_late_due,
};
