/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one open file that samples a set of CPUs.
 *
 * Concurrency, all of it:
 *  - The active bank and the grid of a CPU are written by that CPU's timer
 *    handler only, which runs in hard irq and takes no lock; while the CPU idles see below.
 *  - Everybody else who touches them runs on that CPU with interrupts off (the swap of a
 *    harvest, arm_timer), or when the timer cannot run: its CPU is not up and held so by
 *    timers_hold_cpus(), or the timer has been cancelled (cancel_timer, a harvest after STOP).
 *  - The retired bank, its account and the rest of struct cpu_sampler belong
 *    to the holder of session->lock. Nobody writes a retired bank, so it is
 *    copied at leisure.
 *  - Hotplug callbacks never take session->lock: it is held around the calls that wait for
 *    timers_sem, which the callbacks hold.
 *  - bank->taken, bank->missed, table.nr_records, late.nr_places, stacks.nr_words and
 *    slots.unplaced_pid are also read from afar, as hints, hence WRITE_ONCE and READ_ONCE.
 *  - poll() takes no lock, since its holder may wait for a page of the caller's memory. Once it
 *    sees that the session runs, what START has set stays until the file is closed, the tables
 *    included.
 *  - With CPUPROBE_START_IDLE_SLEEP the timer is off while the CPU idles. Then hooks in the
 *    scheduler and around softirqs are the writer, on that CPU with interrupts off; or,
 *    without waking it, a harvest that has borrowed it with its interrupts off. @sleep is
 *    the one word that says whose it is. A CPU that wakes while it is borrowed does not
 *    wait: it leaves word, and the borrower has it take its timer back. See sleep.c.
 *  - Lock order: session->lock, then one of sleep.c's mutex (and under it cpus_read_lock),
 *    timers_sem and the quota's own mutex. CPU hotplug holds its own lock around timers_sem, so
 *    nothing that takes cpus_read_lock may be called under timers_sem. The hooks of sleep.c run
 *    under the run queue's lock and take only the timer's.
 *  - What START sets in the session does not change while timers run, but for
 *    the areas: replaced as a whole under RCU, for which a hard irq is a reader;
 *    filter.usual_inode, which says whether they need be asked about every sample; and
 *    cost_ns, which the guard may raise under the quota's mutex. With it the holder of
 *    session->lock writes handler_limit_ns, which handlers read.
 */
#ifndef CPUPROBE_SESSION_H
#define CPUPROBE_SESSION_H

#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "access.h"
#include "areas.h"
#include "cpuprobe.h"
#include "exes.h"
#include "filter.h"
#include "grid.h"
#include "late.h"
#include "slots.h"
#include "stacks.h"
#include "table.h"

/* Charged to the caller, who hears of a failure; the log need not. */
#define SESSION_GFP		(GFP_KERNEL_ACCOUNT | __GFP_NOWARN)

/** Counts of one CPU between two swaps. */
struct bank {
	u64 taken;
	u64 missed;
	u64 deferred;
	u64 excluded;		/* those of deferred that are counted nowhere else */
	u64 lost_time;		/* those of missed that were missed at one blow: the CPU was away */
	s64 late_ns;		/* early samples count negative */
	s64 late_max_ns;
	u64 timed;		/* samples of late mode, and some of stacks, whose handler was timed */
	u64 handler_ns;		/* what these took */
	u64 clipped_ns;		/* the same, no single one above a bound: guard.h */
	union {
		struct table table;	/* kind_system, kind_by */
		struct slots slots;	/* kind_process */
		struct late late;	/* kind_late */
		struct {		/* kind_stacks */
			struct stacks stacks;	/* with memory of its own */
			struct exes exes;
		};
	};
};

struct kind;
struct session;
struct quota_user;

/** Claims of one session; under quota.c's mutex. */
struct claim {
	struct quota_user *user;	/* whose limits count; NULL: full access has none */
	u64 bytes;			/* charged to that user */
	struct list_head running;	/* sessions that hold a rate */
	bool has_place;			/* counted on its CPUs, from START until close */
};

/** One CPU of a session. */
struct cpu_sampler {
	/* the timer's side */
	struct hrtimer timer;
	struct grid grid;
	struct session *session;
	struct bank *active;
	/* periods this sample came too late for, until they are charged to its place */
	u64 missed_before;
	struct irq_work wake;
	u64 handler_limit_ns;	/* a handler that takes longer costs more than was claimed */
	u64 phase_ns;		/* the grid begins so much later than the seed says */
	atomic_t sleep;		/* whose it is while its CPU idles: see sleep.c */
	bool is_in_softirq;	/* on top of idle */
	u64 woken_ns;		/* while it was borrowed */

	/* the harvest's side */
	struct cpuprobe_account account;	/* of the retired bank */
	bool is_acked;	/* the retired bank is empty and may be swapped in */
	bool is_drained;			/* stopped, and the last account handed out */
	u64 expected_told;			/* grid_expected() up to the last account */
	u64 guard_expected;			/* since the guard last looked */
	u64 guard_missed;
	u64 guard_timed;
	u64 guard_clipped_ns;
	bool is_costly;		/* samples cost more than the claim */
	bool is_over_claim;	/* which could not be raised: halve the rate at the next swap */
	u32 cost_shift;		/* how often it was halved for that */

	struct bank bank[2];
};

static_assert(sizeof(struct cpu_sampler) <= 32768, "a session may cost 32 KiB per CPU");

/** Where the target's code lies. Not changed once a session has it. */
struct area_table {
	u32 nr;
	struct cpuprobe_area area[];
};

enum session_state { SESSION_NEW, SESSION_RUNNING, SESSION_STOPPED };

struct session {
	struct mutex lock;
	enum session_state state;	/* for poll(): session_state() */
	struct access access;		/* decided at open */
	bool tells_kernel;		/* counts tell where the kernel's code lies */
	const struct kind *kind;	/* valid once started */
	u32 by;				/* enum cpuprobe_by */
	u32 frames;			/* CPUPROBE_FRAMES_* */
	u32 stack_bytes;		/* of one bank of stacks */
	u32 deferred_ns;
	bool excludes_deferred;		/* CPUPROBE_START_EXCLUDE_DEFERRED */
	bool is_sleeper;		/* CPUPROBE_START_IDLE_SLEEP */
	u32 rate_hz;
	u32 cost_ns;			/* what a sample may cost: its claim is rate x cost */
	u64 seed;
	struct filter filter;
	struct slots_layout layout;
	struct area_table __rcu *areas;	/* NULL: none given */
	struct area_table *old_areas;	/* the ones before, until their readers have gone */
	unsigned long old_areas_readers;	/* RCU's cookie: when that is */
	bool are_areas_exact;		/* CPUPROBE_AREAS_EXACT */
	u32 nr_objects;	/* that areas have named so far, those of fixed meaning included */
	struct cpumask cpus;
	struct cpu_sampler **cpu;	/* by CPU number; NULL where not sampled */
	struct list_head timers;		/* timers.c */
	struct work_struct wake;	/* timers.c, on RT */
	wait_queue_head_t wait;		/* poll() */

	struct claim claim;
	pid_t holder_pid;
	char holder_comm[TASK_COMM_LEN];
};

/**
 * session_create() - a new session that samples nothing yet. By the task that opens the device.
 * May sleep. ERR_PTR: -ENOMEM, or -EDQUOT when its user's sessions hold too much memory.
 */
struct session *session_create(const struct access *access);

/**
 * session_start() - begin sampling as @start says. May sleep; session->lock held.
 * @start: checked here, field by field; @start->reason and the holder fields are
 *	set on failure, @start->seed on success
 *
 * On failure the session is as before. -EBUSY: over a limit, or started before.
 */
int session_start(struct session *session, struct cpuprobe_start *start);

/**
 * session_rehearse() - make a session of full access ready to sample @cpu as @start says, without
 * checks, claims or timers that run: to measure what its handler costs. May sleep. Afterwards it
 * can only be destroyed.
 */
int session_rehearse(struct session *session, struct cpuprobe_start *start, unsigned int cpu);

/** session_state() - the state, seen without session->lock, and all that was set before it. */
static inline enum session_state session_state(const struct session *session)
{
	return smp_load_acquire(&session->state);
}

/**
 * session_clear_bank() - forget the counts of a bank that has been handed out, or is not
 * needed any more. May sleep; session->lock held, or nobody else has the session.
 */
void session_clear_bank(const struct session *session, struct bank *bank);

/** session_stop() - end sampling; the last counts stay. May sleep; session->lock held. */
void session_stop(struct session *session);

/** session_destroy() - end sampling and free everything. May sleep. NULL is allowed. */
void session_destroy(struct session *session);

/* session.c, for quota.c: the pace of a session */
static inline u32 rate_from_period(u64 period_ns)
{
	return div64_u64(NSEC_PER_SEC + period_ns - 1, period_ns);
}

#endif
