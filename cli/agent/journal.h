/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of an agent for the journal: on stderr, with the priority in front where journald reads it. A
 * kind of fault that lasts has a line at most every ten minutes; each is counted.
 */
#ifndef JOURNAL_H
#define JOURNAL_H

#include <stdbool.h>

#include "types.h"

/** Kinds of faults. */
enum journal_fault {
	JOURNAL_RING,		/* a window could not be written */
	JOURNAL_LOSS,		/* samples were lost */
	JOURNAL_SAMPLING,	/* counts could not be fetched */
	JOURNAL_CONFIG,		/* a configuration was refused */
	JOURNAL_SINK,		/* a window could not be handed on */
	JOURNAL_REFUSED,	/* a receiver does not want it */
	JOURNAL_DUMP,		/* the client that ended the agent has not got the windows */
	JOURNAL_FAULTS,
};

#define JOURNAL_SECONDS	600.0	/* between two lines about one kind */

struct journal {
	u64 nr[JOURNAL_FAULTS];			/* faults so far */
	u64 nr_silent[JOURNAL_FAULTS];		/* since the last line */
	double said[JOURNAL_FAULTS];		/* time of the last line; 0: none */
	bool is_open[JOURNAL_FAULTS];		/* it was said, and its end was not */
	char last[256];				/* the last fault; "": none */
};

/** journal_note() - write a line that is no fault: the start and the end. */
void journal_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** journal_fault() - count a fault and say it, unless one of its kind was said a short time before @now. */
void journal_fault(struct journal *journal, enum journal_fault fault, double now, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/** journal_end() - say that faults of this kind have ended, if the last line about them said that they are there. */
void journal_end(struct journal *journal, enum journal_fault fault, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** journal_sum() - all faults. */
u64 journal_sum(const struct journal *journal);

#endif
