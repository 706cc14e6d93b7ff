/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The course of a search: when a step has told enough, what range the next one has,
 * and what the search came to. The time is split so: a step ends as soon as its
 * counts decide where to go on, or, if what it would leave away is not yet known to
 * be small, when half of the time left at its start is used; the step that nothing
 * follows gets all the rest.
 */
#ifndef HUNT_H
#define HUNT_H

#include "proc/proc_report.h"
#include "proc/search.h"
#include "symbolizer.h"

#define HUNT_HARVEST_SECONDS	0.2	/* how often counts are looked at */
#define HUNT_UNSEEN_MAX		0.01	/* a part without hits is left away below this share */

struct hunt {
	bool is_hot;
	/*
	 * Set by the caller: go no further than to slots of one byte, and take in what is around
	 * the hot part as far as these reach.
	 */
	bool wants_bytes;
	double step_began;		/* CLOCK_MONOTONIC, seconds; 0: not yet */
	double step_seconds;		/* the step's share of the time; 0: no limit */
	unsigned int nr_looks;		/* for a hot part, in this step */
	uint64_t next_look;		/* hits at which the next is due */
	bool is_trim;			/* the step ended to leave away what has no hits */
	struct search_range next;	/* the range decided on */
	char why[72];
	struct proc_report *last;	/* the step before, in case the next one yields nothing */
};

/** hunt_init() - @is_hot: go on into the part that stands out, after narrowing. */
void hunt_init(struct hunt *hunt, bool is_hot);

void hunt_deinit(struct hunt *hunt);

/**
 * hunt_is_step_done() - whether the counts so far decide on another range.
 * @seconds_left: of the whole time; 0: it has no end
 */
bool hunt_is_step_done(struct hunt *hunt, const struct proc_report *report,
		       const struct sym_index *symbols, double seconds_left);

/**
 * hunt_next_step() - note the step that ended in the report and set the report's layout
 * to the next range. The counts are the caller's to clear.
 */
void hunt_next_step(struct hunt *hunt, struct proc_report *report);

/** hunt_end() - note the last step and the verdict in the report. */
void hunt_end(struct hunt *hunt, struct proc_report *report, const struct sym_index *symbols);

#endif
