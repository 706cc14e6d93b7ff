/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accounting of a trace: which call ran when, on which CPU. Stacks of open calls belong to threads;
 * softirqs, interrupts and NMIs have stacks of their own on each CPU, whose time is in no interrupted
 * function. All time of every CPU is in exactly one sum. Pure.
 *
 * A call ends at the exit with its function and stack pointer. Calls above it have been unwound. An exit
 * without an entry is of a call older than the trace. Calls that are open while events are missing get
 * no duration.
 */
#ifndef TRACE_ACCOUNT_H
#define TRACE_ACCOUNT_H

#include "trace/trace_events.h"
#include "trace/trace_sums.h"

/** The time of one CPU: the sums after @covered_ns add up to it. */
struct trace_cpu_time {
	u64 covered_ns;		/* from its first event that was kept to the end */
	u64 net_ns;		/* in calls of functions and system calls, without interrupts */
	u64 interrupts_ns;	/* in interrupts, without the functions traced there */
	u64 outside_ns;		/* in threads outside of traced calls */
	u64 idle_ns;		/* the same, in the idle task */
	u64 unknown_ns;		/* outside of traced calls, and it is not known in which thread */
};

/** Contents of a trace besides calls. */
struct trace_tally {
	u64 events;
	u64 switches;
	u64 gaps;		/* places where events are missing */
	u64 strange;		/* events that contradict earlier ones */
	u64 backward;		/* times that went backwards on a CPU */
	u64 invalid;		/* events of unknown kinds or functions */
	u64 endless;		/* calls of programs so deep that the kernel does not hook their return */
};

/** Place and time of a watched event. */
struct trace_moment {
	u64 ns;
	u64 switched_ns;	/* the last switch of the CPU; 0: none yet */
	u32 cpu;		/* position in the trace's CPUs */
	u32 tid;		/* current thread; 0: idle; TRACE_NONE: unknown */
	u32 depth;		/* open calls of the thread and of interrupts above it */
	u32 item;		/* that entered() returned for the innermost open call, or TRACE_NONE */
	u8 level;		/* TRACE_LEVEL_* */
};

/** Callbacks of somebody who follows the calls; all get @context. */
struct trace_watch {
	void *context;
	/* A call began. Returns a number that left() gets for the same call. */
	u32 (*entered)(void *context, const struct trace_moment *moment, u32 node, u32 flags);
	/* A call ended, or is not followed further. @moment: after its end */
	void (*left)(void *context, const struct trace_moment *moment, const struct trace_call *call);
	/* A switch (@away_ns: how long the new thread did not run), wake-up, fork or mark. */
	void (*happened)(void *context, const struct trace_moment *moment, const struct trace_event *event,
			 u64 away_ns);
	/* Whether nothing after this time matters. NULL: never. */
	bool (*is_done)(void *context, u64 ns);
	/* Any event, before it is accounted. NULL: nobody wants to know. */
	void (*comes)(void *context, const struct trace_event *event);
};

/** Choice of what is accounted. */
struct trace_choice {
	const u32 *cpus;	/* numbers; the time of other CPUs does not count. NULL: all */
	u32 nr_cpus;
	const char *task;	/* only calls of threads of this pid or name; NULL: all */
};

/** trace_choice_has_cpu() - whether a CPU was chosen. @choice: NULL: all were; @cpu: its number */
bool trace_choice_has_cpu(const struct trace_choice *choice, u32 cpu);

struct trace_account {
	struct trace_sums sums;
	struct trace_cpu_time *cpus;	/* by CPU; all 0 if it was not chosen */
	struct trace_tally tally;
	u64 end_ns;			/* of the trace */
};

/**
 * trace_account_init() - account a whole trace.
 * @choice, @watch: NULL: everything; nobody
 * -ENOMEM: nothing to deinit.
 */
int trace_account_init(struct trace_account *account, const struct trace *trace,
		       const struct trace_choice *choice, const struct trace_watch *watch);

/**
 * trace_account_from() - as trace_account_init(), for a watch that needs nothing before @from_ns. Events before
 * it may be left out of all sums; the calls that are open then are known. -EBADMSG: the index is damaged.
 */
int trace_account_from(struct trace_account *account, const struct trace *trace,
		       const struct trace_choice *choice, const struct trace_watch *watch, u64 from_ns);

struct trace_index;

/** trace_account_index() - account a whole trace, and make its index. -ENOMEM: nothing to deinit. */
int trace_account_index(struct trace_account *account, const struct trace *trace, struct trace_index *index);

void trace_account_deinit(struct trace_account *account);

/** trace_cpu_time_sum() - the sums of a CPU without @covered_ns, which they must add up to. */
u64 trace_cpu_time_sum(const struct trace_cpu_time *time);

/** trace_account_total() - the sums of all CPUs. */
struct trace_cpu_time trace_account_total(const struct trace_account *account);

/**
 * trace_account_holds() - whether the net times of all rows and the time outside of calls, idle and in
 * interrupts are the time of all CPUs.
 */
bool trace_account_holds(const struct trace_account *account);

#endif
