// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking the counts of one CPU: see harvest.h, and session.h for who may touch
 * what. Two banks take turns. A retired bank keeps its account until the
 * reader acknowledges it, then it is cleared and swapped in at the next harvest.
 */
#include <linux/nospec.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "clock.h"
#include "guard.h"
#include "harvest.h"
#include "sleep.h"

static struct bank *retired_bank(struct cpu_sampler *sampler)
{
	return sampler->active == &sampler->bank[0] ? &sampler->bank[1] : &sampler->bank[0];
}

static u32 mean_ns(u64 sum_ns, u64 nr)
{
	return nr ? min_t(u64, div64_u64(sum_ns, nr), U32_MAX) : 0;
}

/* On the sampler's CPU with interrupts off, or when its timer cannot run, or borrowed. */
static void swap_banks(void *data)
{
	struct cpu_sampler *sampler = data;
	struct cpuprobe_account *account = &sampler->account;
	struct bank *bank = sampler->active;
	u64 now_ns = clock_now_ns(), expected;

	sleep_settle(sampler, now_ns);
	expected = grid_expected(&sampler->grid, now_ns);
	WRITE_ONCE(sampler->active, retired_bank(sampler));
	account->period_ns = sampler->grid.period_ns;
	account->expected = expected - sampler->expected_told;
	account->pending = grid_pending(&sampler->grid, now_ns);
	account->taken = bank->taken;
	account->missed = bank->missed;
	account->deferred = bank->deferred;
	account->excluded = bank->excluded;
	account->late_ns = max_t(s64, bank->late_ns, 0);
	account->late_max_ns = bank->late_max_ns;
	account->handler_ns = mean_ns(bank->handler_ns, bank->timed);
	sampler->expected_told = expected;
	guard_look(sampler, bank, now_ns);
}

/* Move the records in use together at the front; nobody searches a retired table again. */
static u32 pack_records(struct table *table)
{
	u32 i, nr = 0;

	for (i = 0; i < CPUPROBE_RECORDS; i++)
		if (table->record[i].kind != CPUPROBE_KIND_FREE)
			table->record[nr++] = table->record[i];
	memset(&table->record[nr], 0, (CPUPROBE_RECORDS - nr) * sizeof(table->record[0]));
	return nr;
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

/* Returns how many samples the slots account for. */
static u64 finish_slots(const struct session *session, const struct slots *slots,
			struct cpuprobe_account *account)
{
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

static u64 finish_late(struct late *late, struct cpuprobe_account *account)
{
	account->entries = pack_places(&late->counts);
	account->lost[0] = late->lost;
	if (late_deferred(late) + late->lost != account->deferred)
		account->flags |= CPUPROBE_ACCOUNT_DAMAGED;
	return late_hits(late);
}

/* Returns how many samples the stacks, the lost ones and everybody else's account for. */
static u64 finish_stacks(const struct bank *bank, struct cpuprobe_account *account)
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

/* Returns how many samples the records and the lost ones account for. */
static u64 finish_table(struct table *table, struct cpuprobe_account *account)
{
	u64 counted = table_hits(table);
	u32 mode;

	account->entries = pack_records(table);
	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		account->lost[mode] = table->lost[mode];
		counted += table->lost[mode];
	}
	return counted;
}

/* Once per retirement: what is handed out again is the same. */
static void veil_ids(const struct session *session, struct bank *bank)
{
	u32 i;

	if (session->access.is_full)
		return;
	if (session->what == CPUPROBE_WHAT_SYSTEM)
		for (i = 0; i < CPUPROBE_RECORDS; i++)
			access_veil_record(&bank->table.record[i]);
	else if (session->what == CPUPROBE_WHAT_STACKS)
		for (i = 0; i < bank->exes.nr; i++)
			access_veil_exe(bank->exes.exe[i].id);
}

/* The parts of the account that are sums over the retired bank, and the check of them. */
static void finish_account(const struct session *session, struct cpu_sampler *sampler)
{
	struct cpuprobe_account *account = &sampler->account;
	struct bank *bank = retired_bank(sampler);
	u64 counted;

	if (session->what == CPUPROBE_WHAT_SYSTEM)
		counted = finish_table(&bank->table, account);
	else if (session->what == CPUPROBE_WHAT_LATE)
		counted = finish_late(&bank->late, account);
	else if (session->what == CPUPROBE_WHAT_STACKS)
		counted = finish_stacks(bank, account);
	else
		counted = finish_slots(session, &bank->slots, account);
	veil_ids(session, bank);
	if (counted + account->excluded != account->taken)
		account->flags |= CPUPROBE_ACCOUNT_DAMAGED;
}

static bool has_news(const struct cpu_sampler *sampler)
{
	return READ_ONCE(sampler->active->taken) || READ_ONCE(sampler->active->missed) ||
		sleep_is_asleep(sampler);
}

/* Where the timer may run: there; but a CPU that is asleep is not woken. */
static void swap_online(struct cpu_sampler *sampler, unsigned int cpu)
{
	unsigned long flags;
	bool is_borrowed;

	local_irq_save(flags);
	is_borrowed = sleep_borrow(sampler);
	if (is_borrowed)
		swap_banks(sampler);
	local_irq_restore(flags);
	if (is_borrowed)
		sleep_return(sampler, cpu);
	else
		smp_call_function_single(cpu, swap_banks, sampler, true);
}

/* Retire the active bank and write its account, unless there is nothing to tell. */
static void retire(struct session *session, struct cpu_sampler *sampler, unsigned int cpu)
{
	bool is_stopped = session->state == SESSION_STOPPED;
	struct cpuprobe_account *account = &sampler->account;
	u64 seq = account->seq;
	bool is_online;

	memset(account, 0, sizeof(*account));
	account->seq = seq;
	clock_hold_cpus();
	is_online = clock_is_up(cpu);
	if (is_stopped || has_news(sampler)) {
		account->seq++;
		sampler->is_acked = false;
		if (is_online && !is_stopped)
			swap_online(sampler, cpu);
		else
			swap_banks(sampler);
	} else {
		account->period_ns = READ_ONCE(sampler->grid.period_ns);
	}
	clock_release_cpus();
	guard_settle(session, sampler);
	if (!sampler->is_acked)
		finish_account(session, sampler);
	if (!is_online)
		account->flags |= CPUPROBE_ACCOUNT_OFFLINE;
	if (is_stopped)
		account->flags |= CPUPROBE_ACCOUNT_STOPPED;
	sampler->is_drained = is_stopped;
}

static int copy_stacks(const struct bank *bank, char __user *buffer)
{
	size_t exes_len = bank->exes.nr * sizeof(bank->exes.exe[0]);

	if (copy_to_user(buffer, bank->exes.exe, exes_len) ||
	    copy_to_user(buffer + exes_len, bank->stacks.arena,
			 bank->stacks.nr_words * sizeof(u64)))
		return -EFAULT;
	return 0;
}

static int copy_entries(const struct session *session, struct cpu_sampler *sampler,
			const struct cpuprobe_harvest *request)
{
	const struct bank *bank = retired_bank(sampler);
	const struct cpuprobe_account *account = &sampler->account;
	void __user *buffer = u64_to_user_ptr(request->buffer);
	u64 __user *counts = buffer;
	u32 nr_slots = account->entries - account->objects;

	if (session->what == CPUPROBE_WHAT_SYSTEM)
		return copy_to_user(buffer, bank->table.record,
				    account->entries * sizeof(bank->table.record[0])) ? -EFAULT : 0;
	if (session->what == CPUPROBE_WHAT_LATE)
		return copy_to_user(buffer, &bank->late.counts, sizeof(bank->late.counts)) ?
			-EFAULT : 0;
	if (session->what == CPUPROBE_WHAT_STACKS)
		return copy_stacks(bank, buffer);
	if (copy_to_user(counts, bank->slots.objects, account->objects * sizeof(u64)) ||
	    copy_to_user(counts + account->objects, bank->slots.hits, nr_slots * sizeof(u64)))
		return -EFAULT;
	return 0;
}

static size_t wanted_len(const struct session *session)
{
	switch (session->what) {
	case CPUPROBE_WHAT_SYSTEM:
		return sizeof_field(struct table, record);
	case CPUPROBE_WHAT_LATE:
		return sizeof_field(struct late, counts);
	case CPUPROBE_WHAT_STACKS:
		return session->stack_bytes;
	default:
		return sizeof_field(struct slots, objects) + sizeof_field(struct slots, hits);
	}
}

/*
 * Whether this CPU's table is worth taking before the next periodic harvest. A hint: for poll(),
 * which takes no lock, the bank may have been retired and be cleared meanwhile. What makes the
 * one that followed it due wakes the sleeper.
 */
static bool is_due(const struct session *session, const struct cpu_sampler *sampler)
{
	const struct bank *active = READ_ONCE(sampler->active);

	switch (session->what) {
	case CPUPROBE_WHAT_SYSTEM:
		return data_race(READ_ONCE(active->table.nr_records)) >= CPUPROBE_WAKE_RECORDS;
	case CPUPROBE_WHAT_LATE:
		return data_race(READ_ONCE(active->late.nr_places)) >= CPUPROBE_WAKE_RECORDS;
	case CPUPROBE_WHAT_STACKS:
		return data_race(stacks_is_filling(&active->stacks));
	default:
		return data_race(READ_ONCE(active->slots.unplaced_pid)) != 0;
	}
}

/* NULL: the session does not sample that CPU. */
static struct cpu_sampler *sampler_of(const struct session *session, u32 cpu)
{
	/* The processor may guess that any number is a CPU's; not with the number itself. */
	return cpu < nr_cpu_ids ? session->cpu[array_index_nospec(cpu, nr_cpu_ids)] : NULL;
}

int harvest_open_exe(struct session *session, const struct cpuprobe_open *request)
{
	struct cpu_sampler *sampler;

	if (session->state == SESSION_NEW || session->what != CPUPROBE_WHAT_STACKS)
		return -EINVAL;
	sampler = sampler_of(session, request->cpu);
	if (!sampler)
		return -ENODEV;
	if (sampler->is_acked || request->seq != sampler->account.seq)
		return -ESTALE;
	return exes_open(&retired_bank(sampler)->exes, request->exe);
}

int harvest(struct session *session, struct cpuprobe_harvest *request)
{
	struct cpu_sampler *sampler;

	if (session->state == SESSION_NEW || request->buffer_len < wanted_len(session) ||
	    request->flags & ~CPUPROBE_HARVEST_DUE || request->reserved)
		return -EINVAL;
	sampler = sampler_of(session, request->cpu);
	if (!sampler)
		return -ENODEV;
	/* Locked down since it was started. */
	if (session->tells_kernel && access_kernel(&session->access))
		return -EPERM;
	if (!sampler->is_acked && request->ack == sampler->account.seq) {
		session_clear_bank(session, retired_bank(sampler));
		sampler->is_acked = true;
	}
	if (sampler->is_acked && !sampler->is_drained &&
	    (!(request->flags & CPUPROBE_HARVEST_DUE) || is_due(session, sampler)))
		retire(session, sampler, request->cpu);
	request->account = sampler->account;
	return sampler->is_acked ? 0 : copy_entries(session, sampler, request);
}

bool harvest_is_due(const struct session *session)
{
	unsigned int cpu;

	for_each_cpu(cpu, &session->cpus)
		if (is_due(session, session->cpu[cpu]))
			return true;
	return false;
}
