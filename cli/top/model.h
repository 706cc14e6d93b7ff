/* SPDX-License-Identifier: GPL-2.0-only */
/* All that the live view shows at a moment, as plain data. */
#ifndef TOP_MODEL_H
#define TOP_MODEL_H

#include "cpuprobe.h"
#include "run/run_result.h"
#include "top/roster.h"

/** What keys are about. */
enum model_mode { MODEL_ROWS, MODEL_HELP, MODEL_COLUMNS, MODEL_SEARCH, MODEL_FILTER };

/** One CPU's bar: shares of its own time, by mode; the rest is idle. */
struct model_cpu {
	uint32_t cpu;
	double share[CPUPROBE_MODES];
	double busy;
	struct stat_interval interval;	/* of busy */
};

/** What became of the samples that the rows are made of. */
struct model_account {
	struct run_account run;
	double seconds;
	uint64_t period_ns;		/* asked for */
	size_t nr_cpus;
	uint32_t cost_ns;		/* of a sample */
};

struct model {
	char path[512];			/* where we are: machine > program > ... */
	char subject[200];		/* what is shown, and what 100% is; clauses end in ";" */
	struct model_account account;
	double window_seconds;		/* of a moving window; 0: all since the level was entered */
	double interval_seconds;
	struct model_cpu *cpus;		/* NULL: none are shown */
	size_t nr_cpus;
	bool hides_cpus;
	struct roster roster;
	struct outlook *outlook;
	bool has_data;			/* something was measured */
	bool is_last;			/* there is no level below */
	bool is_paused;
	bool is_warning;		/* about the notice */
	char notice[400];		/* the last thing that happened; "": nothing */
	enum model_mode mode;
	char input[ROSTER_NAME_LEN];	/* what is being typed */
	char search[ROSTER_NAME_LEN];	/* what was searched last */
	size_t chosen;			/* the row of the list of columns */
	size_t help_row;		/* first line of the help that is shown */
	int page_rows;			/* rows of the table there was room for; set by drawing */
};

#endif
