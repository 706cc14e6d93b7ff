/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one open file that samples a set of CPUs, or counts calls (calls.h).
 *
 * The whole concurrency contract:
 *  - A CPU's timer handler is the only writer of that CPU's active bank and grid. The handler runs
 *    in hard irq and takes no lock. CPUPROBE_START_IDLE_SLEEP is the exception, see below.
 *  - All other code that touches the active bank or the grid runs on that CPU with interrupts off
 *    (the swap of a harvest, arm_timer), or while the timer cannot run: the CPU is offline and
 *    timers_hold_cpus() keeps it offline, or the timer has been cancelled (cancel_timer, a harvest
 *    after STOP).
 *  - With CPUPROBE_START_NMI NMIs are the only writer of the active bank, and the grid belongs to the
 *    sender, another CPU, and to the swap, under a spinlock: see neighbour.h.
 *  - The retired bank, its account and the rest of struct cpu_sampler belong to the holder of
 *    session->lock. A retired bank has no writer, so copying it may take any time.
 *  - Hotplug callbacks never take session->lock: its holder may wait for timers_sem, which the
 *    callbacks hold.
 *  - Other CPUs read bank->taken, bank->missed, table.nr_records, late.nr_places, stacks.nr_words
 *    and slots.unplaced_pid as hints, hence WRITE_ONCE and READ_ONCE.
 *  - poll() takes no lock, because the lock's holder may wait for a page of the caller's memory.
 *    Once poll() sees a running session, everything that START has set, the tables included,
 *    stays until the file is closed.
 *  - With CPUPROBE_START_IDLE_SLEEP the timer is off while the CPU idles. The writer is then one
 *    of two: the hooks in the scheduler and around softirqs, on that CPU with interrupts off; or a
 *    harvest that has borrowed the sampler, without waking its CPU, and has its own interrupts
 *    off. @sleep names the writer. A CPU that wakes while its sampler is borrowed does not wait:
 *    it sets a bit, and the borrower makes that CPU take the sampler back. See sleep.c.
 *  - Lock order: session->lock, then one of: sleep.c's mutex (with cpus_read_lock nested in it),
 *    timers_sem, the quota's mutex. CPU hotplug holds its own lock around timers_sem, so nothing
 *    that takes cpus_read_lock may be called under timers_sem. The hooks of sleep.c run under the
 *    run queue's lock and take only the timer's lock.
 *  - The fields that START sets do not change while timers run, with three exceptions: the areas,
 *    replaced as a whole under RCU (a hard irq is an RCU reader); filter.fast_path_inode, which
 *    says whether each sample must look up the areas; and cost_ns, which the guard may raise under
 *    the quota's mutex. With cost_ns the holder of session->lock updates handler_limit_ns, which
 *    handlers read.
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
#include "credit.h"
#include "exes.h"
#include "filter.h"
#include "grid.h"
#include "late.h"
#include "meter.h"
#include "pace.h"
#include "slots.h"
#include "stacks.h"
#include "table.h"

/* Charged to the caller. No warning in the log: the caller gets the error. */
#define SESSION_GFP		(GFP_KERNEL_ACCOUNT | __GFP_NOWARN)

/** Counts of one CPU between two swaps. */
struct bank {
	u64 taken;
	u64 missed;
	u64 deferred;
	u64 excluded;		/* part of deferred: samples counted nowhere else */
	u64 lost_time;		/* part of missed: missed in one long gap, when the CPU was away */
	s64 late_ns;		/* sum; early samples count negative */
	s64 late_max_ns;
	u64 timed;		/* samples whose handler was timed: all in late mode, some stacks */
	u64 handler_ns;		/* time that these handlers took */
	u64 clipped_ns;		/* sum of these times, each one limited to a bound: guard.h */
	u64 irqs_off;		/* by NMI: samples that found interrupts off */
	union {
		struct table table;	/* kind_system, kind_by */
		struct slots slots;	/* kind_process */
		struct late late;	/* kind_late */
		struct {		/* kind_stacks */
			struct stacks stacks;	/* its memory is allocated separately */
			struct exes exes;
		};
	};
};

struct calls;
struct kind;
struct trace;
struct unwinding;
struct session;
struct quota_user;

/** Claims of one session; protected by quota.c's mutex. */
struct claim {
	struct quota_user *user;	/* user whose limits apply; NULL: full access, no limits */
	u64 bytes;			/* charged to that user */
	struct list_head running;	/* link in the list of sessions that hold a rate */
	bool has_place;			/* counted on its CPUs, from START until close */
};

struct perf_event;

/** The counter of events of one CPU: overflows.c. All zero where time is sampled. */
struct counter {
	/* written by the counter's side, as the meter */
	struct meter meter;
	struct perf_event *event;	/* NULL: the CPU has been offline since START */
	bool is_held;		/* somebody uses the banks: an NMI must not */
	bool is_throttled;	/* the kernel has stopped it for a while since the last account */
	bool is_software;	/* the kernel's own, a number in memory */
	bool has_fast_path;
	u8 left_out;		/* CPUPROBE_EVENT_*, of a counter of the processor */
	u32 held_prepaid;	/* pace.prepaid, while the sampler is held */
	bool is_off;		/* it has not begun, or has ended until another counter takes over: handlers do nothing */
	bool was_lost;		/* there was no counter for a time since the last account */
	bool is_gone;		/* it has ended with its CPU, and none has taken over yet */
	struct pace pace;

	/* written by the harvest's side */
	u64 events_reported;	/* at the last account, as the next two */
	u64 enabled_reported_ns;
	u64 running_reported_ns;
};

/** Sessions that one CPU is sampled for by NMI. */
#define NEIGHBOUR_SESSIONS	4
#define NEIGHBOUR_NONE		(-1)

/** NMIs that one CPU gets from another: neighbour.c. All zero in sessions that do not sample by NMI. */
struct neighbour {
	/* written by the sender; read under the lock, as the grid */
	raw_spinlock_t lock;
	u64 sent;
	u64 missed;	/* periods that passed without an NMI */
	u64 lost_time;	/* part of missed: in one long gap */
	u64 send_ns;	/* time in the sender's handler */

	/* written in NMIs of the CPU */
	struct credit credit;
	u64 held;	/* NMIs that found the banks in use */

	/* protected by timers_sem */
	unsigned int cpu;	/* the CPU that is sampled */
	int sender;		/* NEIGHBOUR_NONE: nobody sends */
	bool is_alone;		/* online, and no other CPU is there to send */
	bool was_alone;		/* since the last account, or still */

	/* written by the harvest's side */
	u64 missed_reported;	/* at the last account, as the next three */
	u64 lost_time_reported;
	u64 merged_reported;
	u64 foreign_reported;
};

/** One CPU of a session. */
struct cpu_sampler {
	/* written by the timer's side */
	struct hrtimer timer;
	struct grid grid;
	struct session *session;
	struct bank *active;
	/* periods missed just before this sample, until they are charged to its record */
	u64 missed_before;
	struct counter counter;
	struct neighbour neighbour;
	struct irq_work wake;
	u64 handler_limit_ns;	/* a handler that takes longer costs more than was claimed */
	u64 phase_ns;		/* added to the start of the grid that the seed gives */
	atomic_t sleep;		/* the writer while the CPU idles: see sleep.c */
	bool is_in_softirq;	/* asleep in softirq work on top of idle */
	u64 woken_ns;		/* when the CPU asked for a borrowed sampler */

	/* written by the harvest's side */
	struct cpuprobe_account account;	/* account of the retired bank */
	bool is_acked;	/* the retired bank is empty and may be swapped in */
	bool is_drained;			/* stopped, and the last account handed out */
	u64 expected_reported;			/* grid_expected() at the last account */
	u64 guard_expected;	/* in the guard's window, as the next three; with events: taken */
	u64 guard_missed;
	u64 guard_timed;
	u64 guard_clipped_ns;
	bool is_costly;		/* samples cost more than the claim */
	bool is_over_claim;	/* the claim could not be raised: halve the rate at the next swap */
	u32 cost_shift;		/* how often the rate was halved for cost */

	struct bank bank[2];
};

static_assert(sizeof(struct cpu_sampler) <= 32768, "a session may cost 32 KiB per CPU");

/** Areas of the target's code. Immutable once published to a session. */
struct area_table {
	u32 nr;
	struct cpuprobe_area area[];
};

enum session_state { SESSION_NEW, SESSION_RUNNING, SESSION_STOPPED };

struct session {
	struct mutex lock;
	enum session_state state;	/* for poll(): session_state() */
	struct access access;		/* decided at open */
	bool reveals_kernel;		/* counts reveal kernel addresses */
	const struct kind *kind;	/* valid once started */
	u32 by;				/* enum cpuprobe_by */
	u32 frames;			/* CPUPROBE_FRAMES_* */
	u32 stack_bytes;		/* size of one bank of stacks */
	u32 deferred_ns;
	bool excludes_deferred;		/* CPUPROBE_START_EXCLUDE_DEFERRED */
	bool is_sleeper;		/* CPUPROBE_START_IDLE_SLEEP */
	bool counts_events;		/* counters take the place of timers */
	u32 event_type;			/* the event, as in START, and so the next three */
	u32 event_flags;
	u64 event_config;
	u64 event_config1;
	bool uses_nmi;			/* CPUPROBE_START_NMI, by neighbours */
	bool counts_irqs_off;		/* CPUPROBE_START_NMI, by the counters of an event */
	u32 rate_hz;
	u32 cost_ns;			/* assumed cost of a sample; the claim is rate x cost */
	u64 budget_ns;			/* calls: claim per second; 0 for sessions that sample */
	u64 seed;
	struct filter filter;
	struct slots_layout layout;
	struct area_table __rcu *areas;	/* NULL: none given */
	struct area_table *old_areas;	/* the replaced table, kept for a grace period */
	unsigned long old_areas_readers;	/* cookie of that grace period */
	bool are_areas_exact;		/* CPUPROBE_AREAS_EXACT */
	u32 nr_objects;	/* highest object number in areas so far, or the fixed ones, plus one */
	struct cpumask cpus;
	struct cpu_sampler **cpu;	/* by CPU number; NULL where not sampled */
	struct list_head timers;		/* timers.c */
	struct work_struct wake;	/* timers.c, on RT */
	wait_queue_head_t wait;		/* poll() */

	struct unwinding *unwinding;	/* unwinding.c; NULL: user frames by frame pointers */
	struct calls *calls;		/* calls.c; NULL: the session does not count calls */
	struct trace *trace;		/* traces.c; NULL: the session does not follow calls */
	struct claim claim;
	pid_t holder_pid;
	char holder_comm[TASK_COMM_LEN];
};

/**
 * session_create() - create a session that samples nothing yet. Called by the task that opens the
 * device. May sleep. ERR_PTR: -ENOMEM, or -EDQUOT when the user's sessions hold too much memory.
 */
struct session *session_create(const struct access *access);

/**
 * session_start() - begin sampling as @start says. May sleep; session->lock held.
 * @start: checked here, field by field. Sets @start->reason and the holder fields on failure,
 *	@start->seed on success
 *
 * A failure leaves the session as before. -EBUSY: over a limit, or started before.
 */
int session_start(struct session *session, struct cpuprobe_start *start);

/**
 * session_rehearse() - prepare a session of full access to sample @cpu as @start says, without
 * checks, claims or running timers. Used to measure the cost of its handler. May sleep. Afterwards
 * the session can only be destroyed.
 */
int session_rehearse(struct session *session, struct cpuprobe_start *start, unsigned int cpu);

/** session_state() - read the state without session->lock; orders reads of what was set before. */
static inline enum session_state session_state(const struct session *session)
{
	return smp_load_acquire(&session->state);
}

/** session_is_used() - whether it has begun to sample, to count or to follow. session->lock held. */
static inline bool session_is_used(const struct session *session)
{
	return session->state != SESSION_NEW || session->calls || session->trace;
}

/**
 * session_clear_bank() - clear the counts of a bank that has been handed out or is no longer
 * needed. May sleep; session->lock held, or no other user of the session.
 */
void session_clear_bank(const struct session *session, struct bank *bank);

/**
 * session_stop() - end sampling; the last counts can still be harvested. May sleep;
 * session->lock held.
 */
void session_stop(struct session *session);

/** session_destroy() - end sampling and free everything. May sleep. NULL is allowed. */
void session_destroy(struct session *session);

/* Rate in Hz, rounded up. */
static inline u32 rate_from_period(u64 period_ns)
{
	return div64_u64(NSEC_PER_SEC + period_ns - 1, period_ns);
}

#endif
