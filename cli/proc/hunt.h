/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The steps of a search: when a step ends, which range the next step has, and the verdict of the
 * search. A step ends as soon as its counts decide on the next range. If the share of the part to
 * drop is not yet known to be small, the step ends after half of the time that was left at its
 * start. The last step gets the rest of the time.
 */
#ifndef HUNT_H
#define HUNT_H

#include "proc/proc_report.h"
#include "proc/search.h"
#include "symbolizer.h"

#define HUNT_HARVEST_SECONDS	0.2	/* time between two harvests */
#define HUNT_UNSEEN_MAX		0.01	/* a part without hits is dropped below this share */

struct hunt {
	bool is_hot;
	/*
	 * Set by the caller: stop at one-byte slots, and extend the hot part to the size that
	 * one-byte slots cover.
	 */
	bool wants_bytes;
	double step_began;		/* CLOCK_MONOTONIC, seconds; 0: not yet */
	double step_seconds;		/* longest step: half of the time left; 2 without a limit */
	unsigned int nr_looks;		/* tests for a hot part in this step */
	u64 next_look;			/* hits at which the next test is due */
	bool is_trim;			/* the step ended to drop the part without hits */
	struct search_range next;	/* range of the next step */
	char why[72];			/* why the step ended */
	struct proc_report *last;	/* the previous step, in case the next one has no samples */
};

/** hunt_init() - set up a search. @is_hot: go on into the part that stands out. */
void hunt_init(struct hunt *hunt, bool is_hot);

void hunt_deinit(struct hunt *hunt);

/**
 * hunt_is_step_done() - whether the counts so far decide on the next range.
 * @seconds_left: until the end of the run; 0: no limit
 */
bool hunt_is_step_done(struct hunt *hunt, const struct proc_report *report,
		       const struct sym_index *symbols, double seconds_left);

/**
 * hunt_next_step() - add the finished step to the report, and set the report's layout to the next
 * range. The caller clears the counts.
 */
void hunt_next_step(struct hunt *hunt, struct proc_report *report);

/**
 * hunt_end() - add the last step and the verdict to the report. True: the last step had no samples; the report, with its
 * result, is that of the step before.
 */
bool hunt_end(struct hunt *hunt, struct proc_report *report, const struct sym_index *symbols);

#endif
