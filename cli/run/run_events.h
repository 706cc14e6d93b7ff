/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The other events of a run of several, in its file: each is a saved run of its own, in a section of the first
 * event's run. A reader that does not know these sections shows the first event. See docs/format.md.
 */
#ifndef RUN_EVENTS_H
#define RUN_EVENTS_H

#include "run/record.h"
#include "run/run.h"

/**
 * run_events_add() - add the run of the @at-th other event, from 0 on.
 * @fill: writes its sections; gets @context
 * -ENOMEM.
 */
int run_events_add(struct record_writer *writer, unsigned int at,
		   void (*fill)(struct record_writer *writer, const void *context), const void *context);

/**
 * run_events_find() - the run of the @at-th other event, as a file of its own; it belongs to @record.
 * -ENOENT: there is none. -EBADMSG with a reason: it is not a valid file.
 */
int run_events_find(const struct record *record, unsigned int at, struct record *run_ret,
		    struct text_error *error_ret);

/**
 * run_events_choose() - the run of the event of this name, among all events of @record; it belongs to @record.
 * @name: NULL: the first event, or time
 * -ENOENT with a reason and the names that there are, or -EBADMSG.
 */
int run_events_choose(const struct record *record, const char *name, struct record *run_ret,
		      struct text_error *error_ret);

/**
 * run_events_tell_others() - say on standard error that the first event of several was chosen, and name the others.
 * @done: as in "compared" the first event. A run of one event: nothing is said.
 */
void run_events_tell_others(const struct record *record, const char *done);

/** run_events_section() - the name of the section of the @at-th other event, below RUN_BESIDE. */
const char *run_events_section(unsigned int at);

#endif
