// SPDX-License-Identifier: GPL-2.0-only
/* Sessions that sample by NMI: see neighbour.h. */
#include <linux/delay.h>
#include <linux/smp.h>

#include "arch_nmi.h"
#include "check.h"
#include "counter_nmi.h"
#include "credit.h"
#include "kind.h"
#include "neighbour.h"
#include "now.h"
#include "sample.h"

/* An NMI that nobody claims is taken for a late one of ours until so long after the last was sent. */
#define UNKNOWN_NS	(200 * NSEC_PER_MSEC)
/* So long after the last was sent, credit that is left is no longer believed, unless a session runs. */
#define LEFT_NS		(1 * NSEC_PER_SEC)
/* One in this many samples is timed; a power of two. */
#define TIMED		16

/** Facts that a CPU needs when an NMI arrives. */
struct target {
	/* written by senders */
	atomic64_t sent;
	u64 last_ns;		/* when the last one was sent */
	/* written in its NMIs */
	struct credit credit;
	u64 foreign;		/* NMIs that nobody had claimed */
	/* written by the CPU, interrupts off */
	struct cpu_sampler *sampler[NEIGHBOUR_SESSIONS];
};

static DEFINE_PER_CPU_ALIGNED(struct target, targets);
static DEFINE_MUTEX(sessions_lock);
static u32 nr_sessions;		/* protected by sessions_lock, as the next */
static bool is_registered;

static u64 since_last_ns(const struct target *target)
{
	u64 last_ns = READ_ONCE(target->last_ns), now_ns = ktime_get_mono_fast_ns();

	/* The clock may seem to go back between two CPUs, or during an NMI. */
	return now_ns > last_ns ? now_ns - last_ns : 0;
}

static void time_handler(struct cpu_sampler *sampler, u64 began_ns)
{
	struct bank *bank = sampler->active;
	u64 took_ns = ktime_get_mono_fast_ns() - began_ns + READ_ONCE(sampler->neighbour.send_ns);

	bank->timed++;
	bank->handler_ns += took_ns;
	bank->clipped_ns += min(took_ns, GUARD_CLIP * READ_ONCE(sampler->handler_limit_ns));
}

static void take_sample(struct cpu_sampler *sampler, struct pt_regs *regs)
{
	struct sample sample = {
		.task = current, .regs = regs, .now_ns = ktime_get_mono_fast_ns()
	};

	sample.mode = sample_mode(sample.task, regs);
	sampler->active->irqs_off += sample_is_irqs_off(&sample);
	sampler->session->kind->count(sampler, &sample);
	if (!(sampler->neighbour.credit.got & (TIMED - 1)))
		time_handler(sampler, sample.now_ns);
}

static void serve(struct cpu_sampler *sampler, struct pt_regs *regs)
{
	struct neighbour *neighbour = &sampler->neighbour;

	if (!credit_claim(&neighbour->credit, READ_ONCE(neighbour->sent)))
		return;
	if (READ_ONCE(sampler->counter.is_held))
		WRITE_ONCE(neighbour->held, neighbour->held + 1);
	else
		take_sample(sampler, regs);
}

/* NMI. */
static int cpuprobe_nmi(unsigned int command, struct pt_regs *regs)
{
	struct target *target = this_cpu_ptr(&targets);
	struct cpu_sampler *sampler;
	bool is_sampled = false;
	u32 i;

	for (i = 0; i < NEIGHBOUR_SESSIONS; i++)
		is_sampled |= !!READ_ONCE(target->sampler[i]);
	if (!is_sampled && since_last_ns(target) > LEFT_NS)
		return ARCH_NMI_DONE;
	if (!credit_claim(&target->credit, atomic64_read(&target->sent)))
		return ARCH_NMI_DONE;
	for (i = 0; i < NEIGHBOUR_SESSIONS; i++) {
		sampler = READ_ONCE(target->sampler[i]);
		if (sampler)
			serve(sampler, regs);
	}
	return ARCH_NMI_HANDLED;
}

/* NMI that no handler has claimed: the kernel would complain. */
static int cpuprobe_nmi_unknown(unsigned int command, struct pt_regs *regs)
{
	struct target *target = this_cpu_ptr(&targets);

	if (!READ_ONCE(target->last_ns) || since_last_ns(target) > UNKNOWN_NS)
		return ARCH_NMI_DONE;
	WRITE_ONCE(target->foreign, target->foreign + 1);
	return ARCH_NMI_HANDLED;
}

/* Count first: an NMI that arrives must find itself counted. */
static void send(struct neighbour *neighbour, u64 now_ns)
{
	struct target *target = per_cpu_ptr(&targets, neighbour->cpu);

	WRITE_ONCE(neighbour->sent, neighbour->sent + 1);
	WRITE_ONCE(target->last_ns, now_ns);
	atomic64_inc(&target->sent);
	smp_mb__after_atomic();
	arch_send_nmi(neighbour->cpu);
}

/* Hard irq on the sender. */
enum hrtimer_restart cpuprobe_fire_nmi(struct hrtimer *timer)
{
	struct cpu_sampler *sampler = container_of(timer, struct cpu_sampler, timer);
	struct neighbour *neighbour = &sampler->neighbour;
	u64 now_ns, missed;

	neighbour_lock(sampler);
	now_ns = clock_ns();
	missed = grid_advance(&sampler->grid, now_ns);
	neighbour->missed += missed;
	if (missed * sampler->grid.period_ns >= LOST_TIME_NS)
		neighbour->lost_time += missed;
	set_expiry(timer, ns_to_ktime(sampler->grid.expiry_ns));
	send(neighbour, now_ns);
	if (!(neighbour->sent & (TIMED - 1)))
		WRITE_ONCE(neighbour->send_ns, clock_ns() - now_ns);
	neighbour_unlock(sampler);
	return HRTIMER_RESTART;
}

int neighbour_check(const struct session *session, struct cpuprobe_start *start)
{
	int error;

	if (!(start->flags & CPUPROBE_START_NMI))
		return 0;
	if (start->event_type)
		return counter_nmi_check(session, start);
	if (start->flags & CPUPROBE_START_IDLE_SLEEP)
		return check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
	error = check_kernel_access(session, start);
	if (error)
		return error;
	return arch_can_send_nmi() ? 0 : check_refuse(start, CPUPROBE_REASON_NMI, -EOPNOTSUPP);
}

void neighbour_init_sampler(struct cpu_sampler *sampler, unsigned int cpu)
{
	struct neighbour *neighbour = &sampler->neighbour;

	raw_spin_lock_init(&neighbour->lock);
	neighbour->cpu = cpu;
	neighbour->sender = NEIGHBOUR_NONE;
	neighbour->foreign_reported = READ_ONCE(per_cpu_ptr(&targets, cpu)->foreign);
}

int neighbour_get(void)
{
	int error = 0;

	mutex_lock(&sessions_lock);
	if (nr_sessions >= NEIGHBOUR_SESSIONS)
		error = -EBUSY;
	else if (!is_registered)
		error = arch_register_nmi(cpuprobe_nmi, cpuprobe_nmi_unknown);
	if (!error) {
		is_registered = true;
		nr_sessions++;
	}
	mutex_unlock(&sessions_lock);
	return error;
}

/* The handlers stay: an NMI may still be on its way. */
void neighbour_put(void)
{
	mutex_lock(&sessions_lock);
	nr_sessions--;
	mutex_unlock(&sessions_lock);
}

void neighbour_teardown(void)
{
	unsigned int cpu;

	if (!is_registered)
		return;
	for_each_possible_cpu(cpu)
		if (since_last_ns(per_cpu_ptr(&targets, cpu)) < UNKNOWN_NS) {
			msleep(UNKNOWN_NS / NSEC_PER_MSEC);
			break;
		}
	arch_unregister_nmi();
}

static bool is_usable(const struct session *session, unsigned int cpu, const struct cpumask *up)
{
	return cpumask_test_cpu(cpu, &session->cpus) && cpumask_test_cpu(cpu, up);
}

/* The next CPU of the session after @cpu, in a ring: then each CPU sends to one other. */
static int sender_for(const struct session *session, unsigned int cpu, const struct cpumask *up)
{
	unsigned int i, other;

	for (i = 1; i < nr_cpu_ids; i++) {
		other = (cpu + i) % nr_cpu_ids;
		if (is_usable(session, other, up))
			return other;
	}
	return NEIGHBOUR_NONE;
}

bool neighbour_has_two(const struct session *session, const struct cpumask *up)
{
	unsigned int first = cpumask_first_and(&session->cpus, up);

	return first < nr_cpu_ids && sender_for(session, first, up) != NEIGHBOUR_NONE;
}

/* On the sampled CPU, interrupts off: from now on its NMIs see the sampler. */
static void enlist(void *data)
{
	struct target *target = this_cpu_ptr(&targets);
	u32 i;

	for (i = 0; i < NEIGHBOUR_SESSIONS; i++)
		if (!target->sampler[i]) {
			WRITE_ONCE(target->sampler[i], data);
			return;
		}
}

static void delist(void *data)
{
	struct target *target = this_cpu_ptr(&targets);
	u32 i;

	for (i = 0; i < NEIGHBOUR_SESSIONS; i++)
		if (target->sampler[i] == data)
			WRITE_ONCE(target->sampler[i], NULL);
}

/* On the sender, interrupts off. */
static void arm_timer(void *data)
{
	struct cpu_sampler *sampler = data;

	hrtimer_start(&sampler->timer, ns_to_ktime(sampler->grid.expiry_ns), TIMER_MODE);
}

static void set_sender(struct cpu_sampler *sampler, int sender)
{
	sampler->neighbour.sender = sender;
	smp_call_function_single(sender, arm_timer, sampler, true);
}

void neighbour_begin(struct session *session, unsigned int cpu, const struct cpumask *up)
{
	struct cpu_sampler *sampler = session->cpu[cpu];
	int sender = sender_for(session, cpu, up);

	sampler->neighbour.is_alone = sender == NEIGHBOUR_NONE;
	sampler->neighbour.was_alone |= sampler->neighbour.is_alone;
	if (sampler->neighbour.is_alone)
		return;
	smp_call_function_single(cpu, enlist, sampler, true);
	grid_begin(&sampler->grid, clock_ns() + sampler->phase_ns);
	set_sender(sampler, sender);
}

void neighbour_end(struct session *session, unsigned int cpu)
{
	struct cpu_sampler *sampler = session->cpu[cpu];
	struct neighbour *neighbour = &sampler->neighbour;

	neighbour->is_alone = false;
	if (neighbour->sender == NEIGHBOUR_NONE)
		return;
	hrtimer_cancel(&sampler->timer);
	neighbour->sender = NEIGHBOUR_NONE;
	smp_call_function_single(cpu, delist, sampler, true);
	/* At once: periods from now on are not part of the run. */
	neighbour->missed += grid_end(&sampler->grid, clock_ns());
	credit_settle(&neighbour->credit, neighbour->sent);
}

/* The sender is not the one that it should be. */
static void change_sender(struct session *session, unsigned int cpu, const struct cpumask *up)
{
	struct cpu_sampler *sampler = session->cpu[cpu];
	int sender = sender_for(session, cpu, up);

	if (sampler->neighbour.sender == NEIGHBOUR_NONE || sender == NEIGHBOUR_NONE) {
		neighbour_end(session, cpu);
		neighbour_begin(session, cpu, up);
	} else {
		hrtimer_cancel(&sampler->timer);
		set_sender(sampler, sender);
	}
}

/* Without this, CPUs that come one after the other would all have the first one as their sender. */
static void close_ring(struct session *session, const struct cpumask *up)
{
	unsigned int cpu;

	for_each_cpu_and(cpu, &session->cpus, up)
		if (session->cpu[cpu]->neighbour.sender != sender_for(session, cpu, up))
			change_sender(session, cpu, up);
}

void neighbour_come(struct session *session, unsigned int cpu, const struct cpumask *up)
{
	if (!session->cpu[cpu])
		return;
	neighbour_begin(session, cpu, up);
	close_ring(session, up);
}

void neighbour_go(struct session *session, unsigned int cpu, const struct cpumask *up)
{
	if (!session->cpu[cpu])
		return;
	neighbour_end(session, cpu);
	close_ring(session, up);
}

/* An NMI may come between any two of these reads; so few can come that this ends. */
static u64 read_credit(const struct neighbour *neighbour, struct credit *credit_ret)
{
	u64 held;

	do {
		credit_ret->got = READ_ONCE(neighbour->credit.got);
		barrier();
		credit_ret->merged = READ_ONCE(neighbour->credit.merged);
		held = READ_ONCE(neighbour->held);
		barrier();
	} while (credit_ret->got != READ_ONCE(neighbour->credit.got));
	return held;
}

void neighbour_account(struct cpu_sampler *sampler, struct bank *bank, u64 now_ns)
{
	struct cpuprobe_account *account = &sampler->account;
	struct neighbour *neighbour = &sampler->neighbour;
	u64 expected = grid_expected(&sampler->grid, now_ns), missed, foreign;
	struct credit credit;

	missed = neighbour->missed + read_credit(neighbour, &credit) + credit.merged;
	foreign = READ_ONCE(per_cpu_ptr(&targets, neighbour->cpu)->foreign);
	account->period_ns = sampler->grid.period_ns;
	account->expected = expected - sampler->expected_reported;
	account->pending = grid_pending(&sampler->grid, now_ns) + credit_open(&credit, neighbour->sent);
	account->missed = missed - neighbour->missed_reported;
	bank->lost_time = neighbour->lost_time - neighbour->lost_time_reported;
	account->merged = credit.merged - neighbour->merged_reported;
	account->foreign = foreign - neighbour->foreign_reported;
	if (neighbour->was_alone)
		account->flags |= CPUPROBE_ACCOUNT_UNCOUNTED;
	neighbour->was_alone = neighbour->is_alone;
	sampler->expected_reported = expected;
	neighbour->missed_reported = missed;
	neighbour->lost_time_reported = neighbour->lost_time;
	neighbour->merged_reported = credit.merged;
	neighbour->foreign_reported = foreign;
}
