/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of `probe proc` share. cmd_proc.c has its options and goes from the task to the
 * exit status, proc_hooks.c counts and goes on to the next step, proc_finish.c shows and keeps.
 */
#ifndef PROC_PARTS_H
#define PROC_PARTS_H

#include "export/export_options.h"
#include "proc/funcs.h"
#include "proc/hunt.h"
#include "proc/instructions.h"
#include "proc/proc_view.h"
#include "proc/target_counts.h"
#include "run/counter.h"
#include "run/record.h"
#include "run/run.h"
#include "run/sampling.h"

/** What was asked for. */
struct proc_options {
	struct sampling_options sampling;
	struct proc_view_options view;
	struct export_options exports;
	const char *low;
	const char *high;
	const char *map;
	unsigned int mode;	/* 0: user, 1: kernel */
	uint64_t count;		/* executions of the range; 0: not given */
	const char *count_from;	/* file that counts them; NULL: none */
	const char *word;	/* TASK as typed; NULL: none */
	bool is_narrow;
	bool is_hot;
};

/** All that one run of the command holds. */
struct proc {
	struct proc_options options;
	struct target target;
	struct proc_report report;
	struct hunt hunt;
	struct instructions instructions;
	bool has_code;				/* these are open */
	struct listing *listing;		/* NULL: not asked for, or not to be had */
	struct funcs funcs;
	struct counter counter;
	uint64_t object_hits[CPUPROBE_OBJECTS];	/* of all steps */
	struct teller teller;
	struct run run;
	struct record_writer writer;
	struct export page;
};

/** proc_prepare_report() - the report before anything is counted: the task, the range. */
void proc_prepare_report(struct proc *proc);

/** proc_prepare_run() - what is sampled, and the hooks that it takes. */
void proc_prepare_run(struct proc *proc);

/** proc_name_objects() - put the objects that were hit into the report, most hits first. */
void proc_name_objects(struct proc *proc);

/**
 * proc_show_interval() - a hook: show an interval's report, begin the next. False: nobody reads.
 */
bool proc_show_interval(void *context, const struct run_result *result);

/** proc_print_step() - the step of the search that ended last, as text. */
void proc_print_step(const struct proc *proc);

/** proc_show_and_save() - the whole report, once all is counted. Errors are reported. */
int proc_show_and_save(struct proc *proc);

#endif
