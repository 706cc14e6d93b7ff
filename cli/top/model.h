/* SPDX-License-Identifier: GPL-2.0-only */
/* The contents of the live view at one moment, as plain data. */
#ifndef TOP_MODEL_H
#define TOP_MODEL_H

#include "cpuprobe.h"
#include "run/run_result.h"
#include "top/roster.h"

/** Part of the screen that receives keys. */
enum model_mode { MODEL_ROWS, MODEL_HELP, MODEL_COLUMNS, MODEL_SEARCH, MODEL_FILTER };

/** One CPU's bar: shares of its own time, by mode; the rest is idle. */
struct model_cpu {
	u32 cpu;
	double share[CPUPROBE_MODES];
	double busy;
	struct stat_interval interval;	/* interval of busy */
};

/** The account of the samples that the rows are made from. */
struct model_account {
	struct run_account run;
	double seconds;
	u64 period_ns;			/* as requested; with an event, the shortest mean one */
	struct event event;		/* the samples are of it; all 0: of time */
	size_t nr_cpus;
	u32 cost_ns;			/* cost of one sample */
	bool is_bpf;			/* cost and lateness are unknown */
	bool is_own;			/* of the user's own processes, wherever they run */
};

struct model {
	char path[512];			/* "machine > program > ..." */
	char subject[200];		/* what 100% is, and what rows are; clauses end in ";" */
	struct model_account account;
	double window_seconds;		/* moving window; 0: all since the level was entered */
	double interval_seconds;
	struct model_cpu *cpus;		/* NULL: none */
	size_t nr_cpus;
	bool hides_cpus;
	struct roster roster;
	struct outlook *outlook;
	bool has_data;			/* samples were taken */
	bool is_last;			/* the rows have no level below */
	bool is_paused;
	bool is_warning;		/* the notice is a warning */
	char notice[400];		/* message about the last event or state; "": none */
	enum model_mode mode;
	char input[ROSTER_NAME_LEN];	/* text being typed */
	char search[ROSTER_NAME_LEN];	/* last search text */
	size_t chosen;			/* selected row in the list of columns */
	size_t help_row;		/* first visible line of the help */
	int page_rows;			/* number of table rows that fit; set by draw() */
};

#endif
