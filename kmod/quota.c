// SPDX-License-Identifier: GPL-2.0-only
/* Limits that protect the machine: see quota.h. */
#include <linux/percpu.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "cost.h"
#include "param.h"
#include "quota.h"

static struct param max_rate = { .value = 20000, .least = 1, .most = 1000000 };
PARAM(max_rate, "limit on the sum of all sessions' rates per CPU, in Hz (20000)");

static struct param max_overhead_pct = { .value = 5, .least = 0, .most = 10000 };
PARAM(max_overhead_pct, "limit on the sum of rate x cost of a sample, in percent of a CPU (5)");

static struct param max_sessions = { .value = 32, .least = 1, .most = 1024 };
PARAM(max_sessions, "limit on the sessions per CPU; a quarter is reserved for full access (32)");

static struct param member_sessions = { .value = 8, .least = 0, .most = 1024 };
PARAM(member_sessions, "limit on the sessions of each member of the group (8)");

static struct param member_mib = { .value = 16, .least = 1, .most = 65536 };
PARAM(member_mib, "limit on the memory of each member of the group, in MiB per possible CPU (16)");

/** A user without full access; exists while the user has the device open. */
struct quota_user {
	struct list_head users;
	kuid_t uid;
	u32 nr_open;
	u32 nr_sessions;	/* sessions that hold a place */
	u64 bytes;
};

/** Claims of all sessions on one CPU. */
struct load {
	u64 rate_hz;
	u64 cost_ns;		/* per second */
	u32 nr_sessions;
	u32 nr_member_sessions;	/* part of nr_sessions: without full access */
};

static DEFINE_MUTEX(quota_lock);
/* All protected by quota_lock. */
static LIST_HEAD(users);
static LIST_HEAD(running);	/* sessions that hold a rate */
static DEFINE_PER_CPU(struct load, load);

/*
 * The user whose limits apply: the one who opened the device. A user namespace may have many users,
 * so inside user namespaces the user who created the outermost one counts.
 */
static kuid_t payer_of(const struct session *session)
{
	const struct user_namespace *ns = current_user_ns();
	kuid_t uid = session->access.opener->fsuid;

	for (; ns != &init_user_ns; ns = ns->parent)
		uid = ns->owner;
	return uid;
}

/* Under quota_lock. NULL: out of memory. */
static struct quota_user *get_user_record(kuid_t uid)
{
	struct quota_user *user;

	list_for_each_entry(user, &users, users)
		if (uid_eq(user->uid, uid)) {
			user->nr_open++;
			return user;
		}
	user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);
	if (!user)
		return NULL;
	user->uid = uid;
	user->nr_open = 1;
	list_add(&user->users, &users);
	return user;
}

/* Under quota_lock. */
static void put_user_record(struct quota_user *user)
{
	if (--user->nr_open)
		return;
	WARN_ON_ONCE(user->nr_sessions || user->bytes);
	list_del(&user->users);
	kfree(user);
}

/* Under quota_lock. */
static int charge_user(struct session *session, u64 bytes)
{
	u64 limit = (u64)member_mib.value * SZ_1M * num_possible_cpus();
	struct quota_user *user = session->claim.user;

	if (!user)
		return 0;
	if (bytes > limit - user->bytes)
		return -EDQUOT;
	user->bytes += bytes;
	session->claim.bytes += bytes;
	return 0;
}

static void uncharge_user(struct session *session, u64 bytes)
{
	if (!session->claim.user)
		return;
	session->claim.user->bytes -= bytes;
	session->claim.bytes -= bytes;
}

int quota_charge(struct session *session, u64 bytes)
{
	int error;

	mutex_lock(&quota_lock);
	error = charge_user(session, bytes);
	mutex_unlock(&quota_lock);
	return error;
}

void quota_uncharge(struct session *session, u64 bytes)
{
	mutex_lock(&quota_lock);
	uncharge_user(session, bytes);
	mutex_unlock(&quota_lock);
}

int quota_open(struct session *session, u64 bytes)
{
	int error = -ENOMEM;

	INIT_LIST_HEAD(&session->claim.running);
	if (session->access.is_full)
		return 0;
	mutex_lock(&quota_lock);
	session->claim.user = get_user_record(payer_of(session));
	if (session->claim.user) {
		error = charge_user(session, bytes);
		if (error)
			put_user_record(session->claim.user);
	}
	mutex_unlock(&quota_lock);
	return error;
}

/* Under quota_lock. */
static void claim_place(struct session *session)
{
	struct quota_user *user = session->claim.user;
	unsigned int cpu;

	for_each_cpu(cpu, &session->cpus) {
		per_cpu(load, cpu).nr_sessions++;
		per_cpu(load, cpu).nr_member_sessions += !!user;
	}
	if (user)
		user->nr_sessions++;
	session->claim.has_place = true;
}

/* Under quota_lock. */
static void release_place(struct session *session)
{
	struct quota_user *user = session->claim.user;
	unsigned int cpu;

	if (!session->claim.has_place)
		return;
	for_each_cpu(cpu, &session->cpus) {
		per_cpu(load, cpu).nr_sessions--;
		per_cpu(load, cpu).nr_member_sessions -= !!user;
	}
	if (user)
		user->nr_sessions--;
	session->claim.has_place = false;
}

/* Limit on the time that all sessions together take on a CPU, in nanoseconds per second. */
static u64 cost_limit_ns(void)
{
	return max_overhead_pct.value * (NSEC_PER_SEC / 100ULL);
}

/* Time that a session takes on each of its CPUs, in nanoseconds per second. */
static u64 cost_of(const struct session *session)
{
	return (u64)session->rate_hz * session->cost_ns + session->budget_ns;
}

/* Under quota_lock. */
static void add_rate(struct session *session)
{
	unsigned int cpu;

	for_each_cpu(cpu, &session->cpus) {
		per_cpu(load, cpu).rate_hz += session->rate_hz;
		per_cpu(load, cpu).cost_ns += cost_of(session);
	}
	list_add_tail(&session->claim.running, &running);
}

/* Under quota_lock. */
static void remove_rate(struct session *session)
{
	unsigned int cpu;

	if (list_empty(&session->claim.running))
		return;
	for_each_cpu(cpu, &session->cpus) {
		per_cpu(load, cpu).rate_hz -= session->rate_hz;
		per_cpu(load, cpu).cost_ns -= cost_of(session);
	}
	list_del_init(&session->claim.running);
}

/* Under quota_lock. */
static bool has_room_on(const struct session *session, unsigned int cpu)
{
	const struct load *here = &per_cpu(load, cpu);
	u32 most = max_sessions.value;

	if (here->nr_sessions >= most)
		return false;
	return !session->claim.user || here->nr_member_sessions < most - DIV_ROUND_UP(most, 4);
}

/* Check that there is a place for the session. CPUPROBE_REASON_*. Under quota_lock. */
static u32 check_place(const struct session *session)
{
	const struct quota_user *user = session->claim.user;
	unsigned int cpu;

	if (user && user->nr_sessions >= member_sessions.value)
		return CPUPROBE_REASON_SESSIONS;
	for_each_cpu(cpu, &session->cpus)
		if (!has_room_on(session, cpu))
			return CPUPROBE_REASON_CPU_SESSIONS;
	return CPUPROBE_REASON_NONE;
}

/* Whether @session uses more of the limit in @reason than @than does. @than: NULL for nothing. */
static bool holds_more(const struct session *session, const struct session *than, u32 reason)
{
	return !than || (reason == CPUPROBE_REASON_RATE ? session->rate_hz > than->rate_hz :
			 cost_of(session) > cost_of(than));
}

/* Report how much is in use on a CPU, and which session has the largest share. Under quota_lock. */
static void name_holder(struct cpuprobe_start *start, unsigned int cpu)
{
	const struct session *session, *holder = NULL;

	start->used_rate_hz = per_cpu(load, cpu).rate_hz;
	start->used_overhead_ppm = div_u64(per_cpu(load, cpu).cost_ns, 1000);
	list_for_each_entry(session, &running, claim.running)
		if (cpumask_test_cpu(cpu, &session->cpus) &&
		    holds_more(session, holder, start->reason))
			holder = session;
	if (!holder)
		return;
	start->holder_pid = holder->holder_pid;
	start->holder_rate_hz = holder->rate_hz;
	memcpy(start->holder_comm, holder->holder_comm, sizeof(start->holder_comm));
}

/* Check that a CPU has room for the session's rate. CPUPROBE_REASON_*. Under quota_lock. */
static u32 check_rate_on(const struct session *session, unsigned int cpu)
{
	const struct load *here = &per_cpu(load, cpu);

	if (here->rate_hz + session->rate_hz > max_rate.value)
		return CPUPROBE_REASON_RATE;
	if (here->cost_ns + cost_of(session) > cost_limit_ns())
		return CPUPROBE_REASON_OVERHEAD;
	return CPUPROBE_REASON_NONE;
}

/* Claim a place and the rate on all CPUs of the session, or set the reason. Under quota_lock. */
static void claim_rate(struct session *session, struct cpuprobe_start *start)
{
	unsigned int cpu;

	for_each_cpu(cpu, &session->cpus) {
		start->reason = check_rate_on(session, cpu);
		if (start->reason) {
			name_holder(start, cpu);
			return;
		}
	}
	claim_place(session);
	add_rate(session);
}

int quota_enter(struct session *session, struct cpuprobe_start *start)
{
	mutex_lock(&quota_lock);
	start->reason = check_place(session);
	if (!start->reason)
		claim_rate(session, start);
	mutex_unlock(&quota_lock);
	return start->reason ? -EBUSY : 0;
}

/* Time that other sessions leave on each of the session's CPUs, per second. Under quota_lock. */
static u64 quota_left_ns(const struct session *session)
{
	u64 left = cost_limit_ns();
	unsigned int cpu;

	for_each_cpu(cpu, &session->cpus)
		left = min(left, cost_limit_ns() - min(cost_limit_ns(), per_cpu(load, cpu).cost_ns));
	return left;
}

/* Claim a place and the budget, or set the reason. Under quota_lock. */
static void claim_budget(struct session *session, struct cpuprobe_start *start)
{
	u64 left = quota_left_ns(session);

	if (!session->budget_ns)
		session->budget_ns = left / 2;
	if (!session->budget_ns || session->budget_ns > left) {
		start->reason = CPUPROBE_REASON_OVERHEAD;
		name_holder(start, cpumask_first(&session->cpus));
		return;
	}
	claim_place(session);
	add_rate(session);
}

int quota_enter_budget(struct session *session, struct cpuprobe_start *start)
{
	mutex_lock(&quota_lock);
	start->reason = check_place(session);
	if (!start->reason)
		claim_budget(session, start);
	if (start->reason)
		session->budget_ns = 0;
	mutex_unlock(&quota_lock);
	return start->reason ? -EBUSY : 0;
}

/* Under quota_lock. */
static bool has_room_to_raise(const struct session *session, u64 cost)
{
	unsigned int cpu;

	for_each_cpu(cpu, &session->cpus)
		if (per_cpu(load, cpu).cost_ns + cost > cost_limit_ns())
			return false;
	return true;
}

int quota_raise(struct session *session)
{
	u64 more = cost_of(session);
	int error = -EBUSY;
	unsigned int cpu;

	mutex_lock(&quota_lock);
	if (!list_empty(&session->claim.running) && session->cost_ns <= COST_MAX_NS / 2 &&
	    has_room_to_raise(session, more)) {
		for_each_cpu(cpu, &session->cpus)
			per_cpu(load, cpu).cost_ns += more;
		session->cost_ns *= 2;
		error = 0;
	}
	mutex_unlock(&quota_lock);
	return error;
}

void quota_leave(struct session *session)
{
	mutex_lock(&quota_lock);
	remove_rate(session);
	mutex_unlock(&quota_lock);
}

void quota_withdraw(struct session *session)
{
	mutex_lock(&quota_lock);
	remove_rate(session);
	release_place(session);
	mutex_unlock(&quota_lock);
}

void quota_close(struct session *session)
{
	struct quota_user *user = session->claim.user;

	mutex_lock(&quota_lock);
	remove_rate(session);
	release_place(session);
	uncharge_user(session, session->claim.bytes);
	if (user)
		put_user_record(user);
	mutex_unlock(&quota_lock);
}

/* In millionths of a CPU, on the CPU where most is in use. */
static u32 overhead_used_ppm(void)
{
	unsigned int cpu;
	u64 used_ns = 0;

	mutex_lock(&quota_lock);
	for_each_possible_cpu(cpu)
		used_ns = max(used_ns, per_cpu(load, cpu).cost_ns);
	mutex_unlock(&quota_lock);
	return div_u64(used_ns, 1000);
}

void quota_describe(struct cpuprobe_info *info)
{
	info->overhead_used_ppm = overhead_used_ppm();
	info->rate_limit_hz = max_rate.value;
	info->overhead_limit_ppm = 10000 * max_overhead_pct.value;
}
