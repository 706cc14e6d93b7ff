// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking the counts of one CPU: see harvest.h, and session.h for the concurrency rules. Two banks
 * take turns. A retired bank keeps its account until the reader acknowledges it. Then the bank is
 * cleared, and the next harvest swaps it in.
 */
#include <linux/nospec.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "overflows.h"
#include "guard.h"
#include "harvest.h"
#include "kind.h"
#include "neighbour.h"
#include "now.h"
#include "sleep.h"
#include "timers.h"

static struct bank *retired_bank(struct cpu_sampler *sampler)
{
	return sampler->active == &sampler->bank[0] ? &sampler->bank[1] : &sampler->bank[0];
}

static u32 mean_handler_ns(u64 sum_ns, u64 nr)
{
	return nr ? min_t(u64, div64_u64(sum_ns, nr), U32_MAX) : 0;
}

/* Swap, and fill in what the bank itself tells. */
static void retire_active(struct cpu_sampler *sampler, struct bank *bank)
{
	struct cpuprobe_account *account = &sampler->account;

	WRITE_ONCE(sampler->active, retired_bank(sampler));
	account->taken = bank->taken;
	account->missed = bank->missed;
	account->deferred = bank->deferred;
	account->excluded = bank->excluded;
	account->late_ns = max_t(s64, bank->late_ns, 0);
	account->late_max_ns = bank->late_max_ns;
	account->handler_ns = mean_handler_ns(bank->handler_ns, bank->timed);
	account->irqs_off = bank->irqs_off;
}

/* On the sampler's CPU with interrupts off, or while its timer cannot run, or while borrowed. */
static void swap_banks(void *data)
{
	struct cpu_sampler *sampler = data;
	struct cpuprobe_account *account = &sampler->account;
	struct bank *bank = sampler->active;
	u64 now_ns = clock_ns(), expected;

	sleep_settle(sampler, now_ns);
	expected = grid_expected(&sampler->grid, now_ns);
	retire_active(sampler, bank);
	account->period_ns = sampler->grid.period_ns;
	account->expected = expected - sampler->expected_reported;
	account->pending = grid_pending(&sampler->grid, now_ns);
	sampler->expected_reported = expected;
	guard_look(sampler, bank, now_ns);
}

/* swap_banks() for a session that counts events. On the CPU with interrupts off, or after the end. */
static void swap_counted(void *data)
{
	struct cpu_sampler *sampler = data;
	struct bank *bank = sampler->active;

	overflows_hold(sampler);
	retire_active(sampler, bank);
	overflows_account(sampler);
	guard_look(sampler, bank, clock_ns());
	overflows_let_go(sampler);
}

/* swap_banks() for a session that samples by NMI. On the CPU with interrupts off, or while nobody sends. */
static void swap_by_nmi(void *data)
{
	struct cpu_sampler *sampler = data;
	struct bank *bank = sampler->active;
	unsigned long flags;
	u64 now_ns;

	local_irq_save(flags);
	neighbour_lock(sampler);
	overflows_hold(sampler);
	now_ns = clock_ns();
	retire_active(sampler, bank);
	neighbour_account(sampler, bank, now_ns);
	guard_look(sampler, bank, now_ns);
	overflows_let_go(sampler);
	neighbour_unlock(sampler);
	local_irq_restore(flags);
}

static smp_call_func_t swap_of(const struct session *session)
{
	if (session->uses_nmi)
		return swap_by_nmi;
	return session->counts_events ? swap_counted : swap_banks;
}

/* Fill in the parts of the account that are sums over the retired bank, and check the sums. */
static void finish_account(const struct session *session, struct cpu_sampler *sampler)
{
	struct cpuprobe_account *account = &sampler->account;
	struct bank *bank = retired_bank(sampler);
	u64 counted;

	counted = session->kind->finish(session, bank, account);
	/* Once per retirement, so that an account handed out again is the same. */
	if (!session->access.is_full && session->kind->veil)
		session->kind->veil(bank);
	if (counted + account->excluded != account->taken)
		account->flags |= CPUPROBE_ACCOUNT_DAMAGED;
}

static bool has_news(const struct cpu_sampler *sampler)
{
	return READ_ONCE(sampler->active->taken) || READ_ONCE(sampler->active->missed) ||
		sleep_is_asleep(sampler);
}

/* Swap on the CPU itself, where the timer may run; but do not wake a sleeping CPU. */
static void swap_online(struct cpu_sampler *sampler, unsigned int cpu)
{
	unsigned long flags;
	bool is_borrowed;

	/* Others wait while a sampler is borrowed. */
	preempt_disable();
	local_irq_save(flags);
	is_borrowed = sleep_borrow(sampler);
	if (is_borrowed)
		swap_banks(sampler);
	local_irq_restore(flags);
	if (is_borrowed)
		sleep_return(sampler, cpu);
	else
		smp_call_function_single(cpu, swap_of(sampler->session), sampler, true);
	preempt_enable();
}

/* Retire the active bank and write its account, unless there is nothing new. */
static void retire_bank(struct session *session, struct cpu_sampler *sampler, unsigned int cpu)
{
	bool is_stopped = session->state == SESSION_STOPPED;
	struct cpuprobe_account *account = &sampler->account;
	u64 seq = account->seq;
	bool is_online;

	memset(account, 0, sizeof(*account));
	account->seq = seq;
	timers_hold_cpus();
	is_online = timers_is_up(cpu);
	if (is_stopped || has_news(sampler)) {
		account->seq++;
		sampler->is_acked = false;
		if (is_online && !is_stopped)
			swap_online(sampler, cpu);
		else
			swap_of(session)(sampler);
	} else {
		account->period_ns = session->counts_events ? sampler->counter.meter.period :
			READ_ONCE(sampler->grid.period_ns);
	}
	timers_release_cpus();
	if (session->counts_events && !sampler->is_acked)
		overflows_time(sampler);
	guard_settle(session, sampler);
	if (!sampler->is_acked)
		finish_account(session, sampler);
	if (!is_online)
		account->flags |= CPUPROBE_ACCOUNT_OFFLINE;
	if (is_stopped)
		account->flags |= CPUPROBE_ACCOUNT_STOPPED;
	sampler->is_drained = is_stopped;
}

static bool is_sampler_due(const struct session *session, const struct cpu_sampler *sampler)
{
	return session->kind->is_due(READ_ONCE(sampler->active));
}

/* NULL: the session does not sample that CPU. */
static struct cpu_sampler *sampler_of(const struct session *session, u32 cpu)
{
	/* array_index_nospec(): speculation must not use a number out of range. */
	return cpu < nr_cpu_ids ? session->cpu[array_index_nospec(cpu, nr_cpu_ids)] : NULL;
}

int harvest_open_exe(struct session *session, const struct cpuprobe_open *request)
{
	struct cpu_sampler *sampler;

	if (session->state == SESSION_NEW || !session->kind->open_exe)
		return -EINVAL;
	sampler = sampler_of(session, request->cpu);
	if (!sampler)
		return -ENODEV;
	if (sampler->is_acked || request->seq != sampler->account.seq)
		return -ESTALE;
	return session->kind->open_exe(retired_bank(sampler), request->exe);
}

int harvest(struct session *session, struct cpuprobe_harvest *request)
{
	struct cpu_sampler *sampler;

	if (session->state == SESSION_NEW ||
	    request->buffer_len < session->kind->buffer_len(session) ||
	    request->flags & ~CPUPROBE_HARVEST_DUE || request->reserved)
		return -EINVAL;
	sampler = sampler_of(session, request->cpu);
	if (!sampler)
		return -ENODEV;
	/* The kernel may have been locked down since START. */
	if (session->reveals_kernel && access_kernel(&session->access))
		return -EPERM;
	if (!sampler->is_acked && request->ack == sampler->account.seq) {
		session_clear_bank(session, retired_bank(sampler));
		sampler->is_acked = true;
	}
	if (session->counts_events && session->state == SESSION_RUNNING && !(request->flags & CPUPROBE_HARVEST_DUE))
		overflows_renew(sampler, request->cpu);
	if (sampler->is_acked && !sampler->is_drained &&
	    (!(request->flags & CPUPROBE_HARVEST_DUE) || is_sampler_due(session, sampler)))
		retire_bank(session, sampler, request->cpu);
	request->account = sampler->account;
	return sampler->is_acked ? 0 :
		session->kind->copy(retired_bank(sampler), &sampler->account,
				    u64_to_user_ptr(request->buffer));
}

bool harvest_is_due(const struct session *session)
{
	unsigned int cpu;

	for_each_cpu(cpu, &session->cpus)
		if (is_sampler_due(session, session->cpu[cpu]))
			return true;
	return false;
}
