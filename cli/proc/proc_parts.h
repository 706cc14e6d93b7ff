/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of `probe proc`. cmd_proc.c parses the options and runs the command,
 * proc_hooks.c counts and starts the next step of a search, proc_others.c counts the other events
 * of a run, proc_finish.c shows and saves, proc_background.c has a run in the background.
 */
#ifndef PROC_PARTS_H
#define PROC_PARTS_H

#include "background/holder.h"
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

/** Options of the command. */
struct proc_options {
	struct sampling_options sampling;
	struct proc_view_options view;
	struct export_options exports;
	const char *low;
	const char *high;
	const char *map;
	unsigned int mode;	/* 0: user, 1: kernel */
	u64 count;		/* executions of the range; 0: not given */
	const char *count_from;	/* file with the number of executions; NULL: none */
	const char *word;	/* TASK as typed; NULL: none */
	const char *background;	/* name of the run; NULL: measure here */
	bool is_narrow;
	bool is_hot;
};

/** Counts of another event, which is sampled at the same time, of the same range. */
struct proc_other {
	struct proc *proc;
	struct sampling_options sampling;
	struct proc_report report;
	u64 object_hits[CPUPROBE_OBJECTS];
	struct funcs funcs;
	struct device *device;		/* NULL: it is not sampled yet */
	struct run run;
};

/** Results of the previous step of a search, besides its report: see struct hunt. */
struct proc_before {
	struct receipt receipt;
	struct receipt_cpu *cpus;
	size_t nr_cpus;
	struct funcs funcs;
};

/** State of one run of the command. */
struct proc {
	struct proc_options options;
	struct target target;
	struct proc_report report;
	struct hunt hunt;
	struct proc_before before;
	struct instructions instructions;
	bool has_code;				/* instructions are open */
	struct listing *listing;		/* NULL: not asked for, or failed */
	struct funcs funcs;
	struct counter counter;
	u64 object_hits[CPUPROBE_OBJECTS];	/* sum of all steps */
	struct teller teller;
	struct run run;				/* has the others beside it */
	struct proc_other other[RUN_BESIDE];
	struct record_writer writer;
	struct export page;
};

/** proc_prepare_report() - fill in the task, the object and the range, before sampling. */
void proc_prepare_report(struct proc *proc);

/** proc_prepare_run() - set up the session and the hooks of the run. */
void proc_prepare_run(struct proc *proc);

/** proc_others_prepare() - let the other events be sampled beside the run, which is prepared. */
void proc_others_prepare(struct proc *proc);

/** proc_others_tell() - pass the target's areas, which have changed, to the sessions of the other events. */
int proc_others_tell(struct proc *proc, struct text_error *error_ret);

/** proc_others_end_block() - end the block of the other events. */
void proc_others_end_block(struct proc *proc);

/** proc_others_taken() - samples of the other events. */
u64 proc_others_taken(const struct proc *proc);

/** proc_others_show() - show the reports of the other events after the run. -errno, reported. */
int proc_others_show(struct proc *proc);

/** proc_others_write() - add the runs of the other events to a saved run. -ENOMEM. */
int proc_others_write(struct proc *proc, struct record_writer *writer);

/** proc_others_deinit() - free the results of their runs. */
void proc_others_deinit(struct proc *proc);

/**
 * proc_show_interval() - hook at the end of an interval: show its report and clear the counts.
 * False: the output cannot be written.
 */
bool proc_show_interval(void *context, const struct run_result *result);

/** proc_clear() - set the counts to zero. */
void proc_clear(struct proc *proc);

/** proc_write() - write the sections of a saved run. -ENOMEM. */
int proc_write(struct proc *proc, struct record_writer *writer);

/** The run in the background; its context is a struct proc whose target is known. */
extern const struct holder_kind proc_background_kind;

/** proc_print_step() - print the last finished step of the search, in text format only. */
void proc_print_step(const struct proc *proc);

/** proc_end_search() - add the last step to the report. Report and run are of the last step that has samples. */
void proc_end_search(struct proc *proc);

/** proc_end_before() - free what the step before has left. */
void proc_end_before(struct proc *proc);

/** proc_show_and_save() - show and save the report after the run. -errno, reported. */
int proc_show_and_save(struct proc *proc);

#endif
