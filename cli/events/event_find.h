/* SPDX-License-Identifier: GPL-2.0-only */
/* From the text of -event to an event. */
#ifndef EVENT_FIND_H
#define EVENT_FIND_H

#include "base/text.h"
#include "events/event.h"

#define EVENTS_MOST	4	/* events of a run: processors have few counters */

/**
 * event_find() - the event of a name: of the kernel's ("page-faults"), raw ("r01c2": config in
 * hexadecimal) or of a PMU ("cpu/event=0x3c/"), with :u or :k for user or kernel mode only. Its period is
 * the default.
 * @root: the directory of all PMUs, PMU_ROOT
 * @event_ret: untouched on failure
 * -EINVAL or -ENOENT with a reason and names that are like it.
 */
int event_find(const char *root, const char *text, struct event *event_ret, struct text_error *error_ret);

/**
 * event_find_several() - the events of names separated by commas; those between slashes belong to a name.
 * @events_ret: room for EVENTS_MOST; @nr_ret: how many there are. Both are untouched on failure.
 * As event_find(); -EINVAL also for too many, or for an event that is there twice.
 */
int event_find_several(const char *root, const char *text, struct event *events_ret, unsigned int *nr_ret,
		       struct text_error *error_ret);

#endif
