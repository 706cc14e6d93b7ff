/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace: the events of all CPUs as the module recorded them, and the names in them. Belongs to one
 * run, measured or saved. Nothing here interprets the events.
 */
#ifndef TRACE_DATA_H
#define TRACE_DATA_H

#include <stdbool.h>

#include "calls/call_counts.h"
#include "cpuprobe.h"

/** Properties of the run. */
struct trace_totals {
	u64 traced_ns;		/* length of the recording */
	u32 flags;		/* CPUPROBE_TRACE_* */
	u32 end;		/* CPUPROBE_EVENTS_*: how it ended */
	u32 cost_ps;		/* of a pair of entry and exit */
	u32 own_ps;		/* the part of it between the two */
	u32 seen_ps;		/* the part that is kept out of the caller's net time */
	u32 reserved;		/* 0 */
};

/** A function that events name by its number, its position in the array. */
struct trace_function {
	u32 function;		/* position in the functions of the names */
	u32 is_user;		/* 1: of a program, not of the kernel */
	u64 missed;		/* calls that had no hook for their return */
};

/** The events of one CPU. */
struct trace_cpu {
	u32 cpu;
	u32 reserved;		/* 0 */
	u64 at;			/* position in the slots */
	u64 nr_slots;
	u64 first;		/* slots overwritten before these */
	u64 stored;		/* slots written in all */
	u64 lost;		/* events that were not stored */
	u64 others;		/* calls by other tasks than the chosen ones */
};

/** A thread of the trace. */
struct trace_task {
	u32 tid, tgid;		/* tgid 0: unknown */
	char comm[16];		/* its last name; "": unknown */
};

struct trace_beside;

struct trace {
	struct trace_totals totals;
	struct call_counts *names;	/* functions; no arcs */
	struct trace_function *functions;
	u32 nr_functions;
	struct trace_cpu *cpus;		/* ascending */
	u32 nr_cpus;
	struct trace_task *tasks;	/* ascending by tid */
	u32 nr_tasks;
	const struct cpuprobe_event *slots;
	u64 nr_slots;
	void *owned;			/* memory of the slots; NULL: they are somebody else's */
	const char *index;		/* see trace_index.h; NULL: none */
	size_t index_len;
	struct trace_beside *beside;	/* samples of the same time; NULL: none were taken */
};

/** trace_create() - an empty trace. NULL: out of memory. */
struct trace *trace_create(void);

/** trace_destroy() - NULL is allowed. */
void trace_destroy(struct trace *trace);

/** trace_find_task() - the thread with this number, or NULL. */
const struct trace_task *trace_find_task(const struct trace *trace, u32 tid);

/** trace_lookup - find out the process and the name of a thread; leaves unknown ones alone. */
typedef void (*trace_lookup)(struct trace_task *task);

/**
 * trace_collect_tasks() - fill in the threads of all events.
 * @lookup: for names that no event contains; may be NULL
 * -ENOMEM.
 */
int trace_collect_tasks(struct trace *trace, trace_lookup lookup);

/**
 * trace_has_task() - whether a thread is meant by a word.
 * @task: number of the thread or its process, or the name of its program, perhaps with a path
 */
bool trace_has_task(const struct trace *trace, const char *task, u32 tid);

/** trace_lost() - events that were not stored, on all CPUs. */
u64 trace_lost(const struct trace *trace);

/** trace_overwritten() - slots whose events gave way to newer ones, on all CPUs. */
u64 trace_overwritten(const struct trace *trace);

/** trace_is_unstable() - whether the clocks of CPUs may differ, by a tick of the kernel at most. */
bool trace_is_unstable(const struct trace *trace);

#endif
