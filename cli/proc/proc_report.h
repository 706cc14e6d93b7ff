/* SPDX-License-Identifier: GPL-2.0-only */
/* The result of a run of `probe proc`: plain data, as shown and as saved by -save. */
#ifndef PROC_REPORT_H
#define PROC_REPORT_H

#include <stdbool.h>

#include "base/share.h"
#include "run/run_result.h"
#include "slots.h"
#include "types.h"

#define PROC_STEPS_MAX	32

/** Samples that are in no slot. */
struct proc_elsewhere {
	u64 outside;		/* the task's samples in other objects or out of range */
	u64 other_mode;
	u64 other_exe;
	u64 other_task;
};

/** One object of the task's memory and the samples that fell into it. */
struct proc_object {
	u64 hits;
	char name[88];		/* clean */
};

/** Mappings of the task's processes during the run, as far as they make counts questionable. */
struct proc_mappings {
	u32 nr_left_out;	/* processes whose areas had no room at some time */
	u32 nr_mapped_max;	/* most places of the object in one process */
	u32 is_unmapped;	/* 1: the object was unmapped in a process */
	u32 is_code_replaced;	/* 1: part of the executable's code is gone from a process */
};

/** One step of a search. */
struct proc_step {
	u64 low;
	u64 high;
	u64 slot_bytes;
	u64 hits;		/* in the range */
	u64 outside;		/* the task's samples in the same mode, elsewhere */
	double seconds;		/* of this step alone; in old files, since the start of the first one */
	char why[72];		/* why the step ended; "" for the last one */
};

struct proc_report {
	char task[64];		/* clean */
	char object[88];	/* name of the object whose addresses are shown; clean */
	u32 mode;		/* 0: user, 1: kernel */
	u64 executions;		/* executions of the range during the run; 0: unknown */
	u64 missed;		/* periods missed before samples of the task */
	bool is_exe;		/* the object is the task's executable or the core kernel */
	u64 object_start;	/* address of the object's offset 0 */
	struct slots_layout layout;
	u64 hits[CPUPROBE_SLOTS];
	struct proc_elsewhere elsewhere;
	struct proc_object objects[CPUPROBE_OBJECTS];	/* hits of all steps; most hits first */
	u32 nr_objects;
	struct proc_step steps[PROC_STEPS_MAX];
	u32 nr_steps;		/* 0: no search */
	char verdict[320];	/* verdict of a search; "": none */
	struct proc_mappings mappings;
	struct run_result result;	/* result of the last step */
};

/** proc_report_taken() - samples taken, without excluded ones: the n of the intervals. */
static inline u64 proc_report_taken(const struct proc_report *report)
{
	return report->result.account.taken - report->result.account.excluded;
}

/** proc_report_hits() - samples in the range. */
static inline u64 proc_report_hits(const struct proc_report *report)
{
	u64 hits = 0;
	u32 i;

	for (i = 0; i < report->layout.nr_slots; i++)
		hits += report->hits[i];
	return hits;
}

/** proc_report_mode_name() - "user" or "kernel". */
const char *proc_report_mode_name(const struct proc_report *report);

/** proc_report_task_hits() - samples of the task in all objects. */
u64 proc_report_task_hits(const struct proc_report *report);

/**
 * proc_report_execution() - time of one execution, in nanoseconds. The report's executions must not
 * be 0.
 */
struct share proc_report_execution(const struct proc_report *report);

/** proc_report_time() - the same time as a share of samples, to be compared. @report as above. */
struct stat_time proc_report_time(const struct proc_report *report);

/** proc_report_warn() - print warnings about mappings, on stderr. */
void proc_report_warn(const struct proc_report *report);

#endif
