/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of the live view: live.c measures, live_show.c shows, live_actions.c carries
 * out the actions of keys.
 */
#ifndef TOP_LIVE_PARTS_H
#define TOP_LIVE_PARTS_H

#include "top/cells.h"
#include "top/keys.h"
#include "top/live.h"

struct live {
	struct live_options *options;
	double interval_seconds;	/* current setting */
	double window_seconds;		/* the first window that 'w' selects */
	double deadline;		/* CLOCK_MONOTONIC, seconds; 0: none */
	struct level *level;
	struct model model;
	struct cells cells;
	struct run run;
	unsigned int nr_looks;		/* intervals of this run */
	u64 period_before_ns;		/* to go back to if a new rate is refused; 0: none */
	enum action next;		/* the action for which the run was stopped */
	bool is_waiting;		/* the level has ended: do not measure it again */
	bool has_state;			/* the notice is a lasting state, not an event */
};

/** live_warn() - show a warning in the notice line, until the next key. */
void live_warn(struct live *live, const char *text);

/** live_look() - make rows from the counts so far. */
void live_look(struct live *live);

/** live_redraw() - draw the screen and show it. */
void live_redraw(struct live *live);

/** live_do_now() - carry out an action during the run. False: the run must end for live->next. */
bool live_do_now(struct live *live, enum action action);

/** live_do_between() - carry out live->next between two runs. True: start another run. */
bool live_do_between(struct live *live);

#endif
