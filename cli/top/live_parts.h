/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the live view share: live.c measures, live_show.c shows, live_actions.c
 * does what keys ask.
 */
#ifndef TOP_LIVE_PARTS_H
#define TOP_LIVE_PARTS_H

#include "top/cells.h"
#include "top/keys.h"
#include "top/live.h"

struct live {
	struct live_options *options;
	double interval_seconds;	/* as set by now */
	double window_seconds;		/* the length that 'w' offers first */
	double deadline;		/* CLOCK_MONOTONIC, seconds; 0: none */
	struct level *level;
	struct model model;
	struct cells cells;
	struct run run;
	unsigned int nr_looks;		/* of this run */
	enum action next;		/* why the run was stopped */
	bool is_waiting;		/* the level has ended, and stays so */
	bool has_state;			/* the notice is what is true, not what has happened */
};

/** live_warn() - say something in the line for that, until the next key. */
void live_warn(struct live *live, const char *text);

/** live_look() - make rows of what was counted by now. */
void live_look(struct live *live);

/** live_redraw() - show all of it. */
void live_redraw(struct live *live);

/** live_do_now() - what can be done while the run goes on. False: it must end for live->next. */
bool live_do_now(struct live *live, enum action action);

/** live_do_between() - what a run was ended for. True: another one begins. */
bool live_do_between(struct live *live);

#endif
