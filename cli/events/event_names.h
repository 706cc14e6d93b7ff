/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of the events that every kernel knows: the generic ones of hardware, software and caches. */
#ifndef EVENT_NAMES_H
#define EVENT_NAMES_H

#include <stddef.h>

#include "events/event.h"

#define EVENT_PERIOD_OTHER	1000003	/* of events that say nothing about how often they come */

/** A known event. */
struct event_name {
	char name[40];
	const char *kind;	/* "hardware", "software" or "cache" */
	u32 type;
	u64 config;
	u64 period;		/* default: rates of more than 1 kHz are rare with it */
	char help[96];
};

/** event_name_at() - the @at-th known event; false: there are not so many. */
bool event_name_at(size_t at, struct event_name *name_ret);

/** event_name_find() - the event of a name, or of another name that perf has for it. */
bool event_name_find(const char *name, struct event_name *name_ret);

#endif
