/* SPDX-License-Identifier: GPL-2.0-only */
/* All events that have a name: those of the kernel, and those of PMUs in sysfs, tried on this machine. */
#ifndef EVENT_LIST_H
#define EVENT_LIST_H

#include "events/event.h"
#include "events/pmu.h"

/** Whether this machine has an event. */
enum event_state {
	EVENT_SAMPLES,		/* it can be sampled */
	EVENT_COUNTS,		/* it can only be counted, not sampled: it is of no CPU in particular */
	EVENT_LACKS,		/* this machine does not have it */
	EVENT_FORBIDDEN,	/* this user may not */
	EVENT_BUSY,		/* all counters are in use */
};

/** An event with a name. */
struct event_entry {
	struct event event;	/* with its default period */
	const char *kind;	/* "hardware", "software", "cache" or "pmu" */
	char help[96 + PMU_CPUS_LEN];
	int cpu;		/* the first one that counts it; 0 unless it is of one type of cores among several */
	enum event_state state;
};

/** event_state_name() - "yes", "counts only", "no", "not allowed" or "busy". */
const char *event_state_name(enum event_state state);

/** event_list() - all events, in @list_ret, to be freed. -ENOMEM. @root: as for event_find(). */
int event_list(const char *root, struct event_entry **list_ret, size_t *nr_ret);

#endif
