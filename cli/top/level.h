/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One level of the live view: what is measured there, what was counted, and the rows made of it.
 * Levels form a chain from the machine down to the instructions of one function; each has a
 * session of its own while it is looked at.
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

/** What is the same on all levels. */
struct level_options {
	/* repeat_seconds: how often the screen is made anew */
	struct sampling_options sampling;
	struct output_options output;		/* of the machine's table */
	unsigned int by;			/* enum cpuprobe_by */
	const char *sort;			/* of the machine's table; NULL: the usual one */
	double window_seconds;			/* 0: all */
};

struct level {
	enum level_kind kind;
	char name[96];			/* clean */
	struct level *above;		/* NULL: the machine */
	const struct level_options *options;
	struct target *target;		/* NULL: the machine */
	bool owns_target;		/* else it belongs to a level above */
	bool is_kernel;
	struct slots_layout layout;	/* addresses counted */
	struct teller teller;
	struct window window;
	char why_ended[300];		/* there is no session, and why; "": there is */
	bool is_task_gone;		/* nobody runs the target at the moment */

	/* What is shown: made by level_look(), so that it stands still while the view is paused. */
	struct model_account account;
	struct rows rows;		/* of the machine */
	struct table_columns columns;
	struct fold *seen_cpus;		/* which the columns of CPUs are about */
	struct model_cpu *cpus;
	size_t nr_cpus;
	struct finds *finds;		/* of a target */
	struct instructions instructions;	/* of the last level */
	bool has_code;
	char why_no_code[300];	/* addresses are shown instead, and why; "": instructions are */
	struct listing *listing;	/* NULL: none yet */
	struct listing_view listing_view;
	double task_share;		/* of the machine's time */
	struct stat_interval task_interval;
	struct roster roster;
	struct outlook outlook;
	bool has_looked;
	void *owner;			/* whoever shows it */
};

/** level_create_machine() - the first level. NULL: out of memory. */
struct level *level_create_machine(const struct level_options *options);

/**
 * level_create() - a level below @above.
 * @target: the new level's if @owns_target, also on failure
 */
struct level *level_create(struct level *above, enum level_kind kind, struct target *target,
			   bool owns_target, const char *name);

/** level_destroy() - it alone, not those above. NULL is allowed. */
void level_destroy(struct level *level);

/** level_run() - what a session of this level is. The run's hooks for keys are left alone. */
void level_run(struct level *level, struct run *run);

/** level_sink() - takes the counts of a session: a device_sink with the level. */
void level_sink(void *level, uint32_t cpu, const struct cpuprobe_account *account,
		const void *entries);

/** level_end_interval() - some time has passed, and this is what became of its samples. */
void level_end_interval(struct level *level, const struct run_result *result);

/** level_look() - make rows of what was counted. -ENOMEM: nothing is shown. */
int level_look(struct level *level, const struct run *run);

/** level_describe() - fill in the model what concerns the level. */
void level_describe(struct level *level, struct model *model);

/** level_check_task() - see whether somebody still runs the target. True: that has changed. */
bool level_check_task(struct level *level);

/** level_open_code() - make ready to show the instructions of a last level. */
void level_open_code(struct level *level);

/* What level_look() is made of. -errno: the rows are as before. */

/** level_make_rows() - those of the machine. */
int level_make_rows(struct level *level, const struct bucket *bucket);

/** level_make_finds() - those of a target, whose samples have been counted. */
int level_make_finds(struct level *level, const struct bucket *bucket);

/** level_make_instructions() - the same, by instruction; also why there are none. */
int level_make_instructions(struct level *level, const struct bucket *bucket);

#endif
