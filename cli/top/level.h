/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One level of the live view: its target, its counts, and the rows made from the counts. Levels
 * form a chain from the machine down to the instructions of one function. Only the level on the
 * screen has a session.
 */
#ifndef TOP_LEVEL_H
#define TOP_LEVEL_H

#include "code/listing_view.h"
#include "proc/instructions.h"
#include "proc/target_counts.h"
#include "run/run.h"
#include "sys/table_columns.h"
#include "top/finds.h"
#include "top/model.h"
#include "top/window.h"

enum level_kind {
	LEVEL_MACHINE, LEVEL_TASK, LEVEL_OBJECT, LEVEL_RANGE, LEVEL_FUNCTION, LEVEL_INSTRUCTION
};

/** Options shared by all levels. */
struct level_options {
	struct sampling_options sampling;	/* repeat_seconds: time between two screens */
	struct output_options output;		/* for the machine's table */
	unsigned int by;			/* enum cpuprobe_by */
	const char *sort;			/* column of the machine's table; NULL: default */
	double window_seconds;			/* length of a moving window; 0: none */
};

struct level {
	enum level_kind kind;
	char name[96];			/* clean */
	struct level *above;		/* NULL: the machine */
	const struct level_options *options;
	struct target *target;		/* NULL: the machine */
	bool owns_target;		/* false: a level above owns the target */
	bool is_kernel;
	struct slots_layout layout;	/* addresses counted */
	struct teller teller;
	struct window window;
	char why_ended[300];		/* reason why the session ended; "": not ended */
	bool is_task_gone;		/* no process runs the target at the moment */

	/* On the screen: updated by level_look() only, so that a paused view does not change. */
	struct model_account account;
	struct rows rows;		/* rows of the machine's table */
	struct table_columns columns;
	struct fold *seen_cpus;		/* CPUs that the columns refer to */
	struct model_cpu *cpus;
	size_t nr_cpus;
	struct finds *finds;		/* finds in the target; NULL: machine */
	struct instructions instructions;	/* LEVEL_INSTRUCTION */
	bool has_code;				/* instructions are open */
	char why_no_code[300];	/* reason why addresses are shown; "": instructions are shown */
	struct listing *listing;	/* NULL: none yet */
	struct listing_view listing_view;
	double task_share;		/* part of the machine's time */
	struct stat_interval task_interval;
	struct roster roster;
	struct outlook outlook;
	bool has_looked;
	void *owner;			/* the live view */
};

/** level_create_machine() - create the first level. NULL: out of memory. */
struct level *level_create_machine(const struct level_options *options);

/**
 * level_create() - create a level below @above. NULL: out of memory.
 * @target: freed with the new level if @owns_target, even on failure
 */
struct level *level_create(struct level *above, enum level_kind kind, struct target *target,
			   bool owns_target, const char *name);

/** level_destroy() - free one level, not the levels above. NULL is allowed. */
void level_destroy(struct level *level);

/** level_run() - set up @run for a session of this level, except the hooks for keys. */
void level_run(struct level *level, struct run *run);

/** level_sink() - add the counts of a session: a device_sink whose context is the level. */
void level_sink(void *level, u32 cpu, const struct cpuprobe_account *account, const void *entries);

/** level_end_interval() - end an interval: add its account to the level's window. */
void level_end_interval(struct level *level, const struct run_result *result);

/** level_look() - make rows from the counts. @run: NULL or the last one. -ENOMEM: no rows. */
int level_look(struct level *level, const struct run *run);

/** level_describe() - copy the level's data to the model. */
void level_describe(struct level *level, struct model *model);

/** level_check_task() - check if a process still runs the target. True: the answer has changed. */
bool level_check_task(struct level *level);

/** level_open_code() - open the code of a LEVEL_INSTRUCTION; on failure set why_no_code. */
void level_open_code(struct level *level);

/* Parts of level_look(). Return -errno on failure. */

/** level_make_rows() - make the rows of the machine. */
int level_make_rows(struct level *level, const struct bucket *bucket);

/** level_make_finds() - make the rows of a target. */
int level_make_finds(struct level *level, const struct bucket *bucket);

/** level_make_instructions() - make a row for each instruction; on failure set why_no_code. */
int level_make_instructions(struct level *level, const struct bucket *bucket);

#endif
