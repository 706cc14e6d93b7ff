/* SPDX-License-Identifier: GPL-2.0-only */
/* An event that the kernel counts: plain data, saved in files. Pure. */
#ifndef EVENT_H
#define EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "types.h"

#define EVENT_NAME_LEN	96	/* with its NUL */

/** An event to sample on. All 0: time is sampled instead. */
struct event {
	char name[EVENT_NAME_LEN];	/* as given: "page-faults:u"; clean */
	u32 type;		/* of perf_event_open(2) */
	u32 flags;		/* CPUPROBE_EVENT_* */
	u64 config;
	u64 config1;
	u64 period;		/* mean number of events between samples; 0: time is sampled */
};

/** event_is_sampled() - whether events are sampled, and not time. */
static inline bool event_is_sampled(const struct event *event)
{
	return event->period != 0;
}

/** event_is_software() - whether the kernel counts it itself, and needs no counter of the processor. */
bool event_is_software(const struct event *event);

/** Events that a rate has a name for. */
enum event_role { EVENT_OTHER, EVENT_CYCLES, EVENT_INSTRUCTIONS };

/** event_role() - whether it counts cycles of the processor or instructions, by its number or by its name at a PMU. */
enum event_role event_role(const struct event *event);

/** event_clean() - make an event of a file valid: a name without control characters, a period. */
void event_clean(struct event *event);

/** event_are_equal() - whether two runs sampled the same: their samples can be added and compared. */
bool event_are_equal(const struct event *a, const struct event *b);

/** event_json() - print the member "event" of a JSON object, with a comma; nothing if time is sampled. */
void event_json(FILE *out, const struct event *event);

/** event_heading() - "Counted page-faults with a period of 101" in @text; returns @text. */
const char *event_heading(const struct event *event, char *text, size_t len);

#endif
