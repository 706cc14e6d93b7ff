/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of a trace in order of time, merged over its CPUs. A CPU's own events keep their order. Pure;
 * memory does not grow with the number of events.
 */
#ifndef TRACE_EVENTS_H
#define TRACE_EVENTS_H

#include <stdbool.h>

#include "trace/trace_data.h"

#define TRACE_TYPES		(CPUPROBE_EVENT_LOST + 1)

/* Levels of an event; on RT kernels softirqs are threads. */
#define TRACE_LEVEL_TASK	0u
#define TRACE_LEVEL_SOFTIRQ	1u
#define TRACE_LEVEL_IRQ		2u
#define TRACE_LEVEL_NMI		3u
#define TRACE_LEVELS		4u

struct trace_event {
	u64 ns;			/* since recording began */
	u32 cpu;		/* position in the trace's CPUs */
	u32 what, data;		/* see enum cpuprobe_event_type */
	u8 type;
	u8 level;		/* TRACE_LEVEL_* */
	u8 left;		/* of a switch: CPUPROBE_LEFT_* */
	const char *text;	/* of a name or a mark; not terminated */
	u32 text_len;
};

/** Place in the events of one CPU. */
struct trace_cursor {
	const struct cpuprobe_event *next, *end;
	u64 ns;			/* of the next event, never less than that of an earlier one */
};

struct trace_merge {
	struct trace_cursor *cursors;
	u32 *heap;		/* CPUs with events, the earliest first */
	u32 nr_left;		/* entries of the heap */
	u64 nr_backward;	/* times that were before an earlier event of their CPU */
};

/** trace_cursor_init() - begin with the first event of a CPU. */
void trace_cursor_init(struct trace_cursor *cursor, const struct trace *trace, u32 cpu);

/** trace_cursor_next() - the next event of that CPU; false: none is left. @cpu is not set. */
bool trace_cursor_next(struct trace_cursor *cursor, struct trace_event *event_ret);

/** trace_merge_init() - begin with the earliest event. -ENOMEM. */
int trace_merge_init(struct trace_merge *merge, const struct trace *trace);

/** trace_merge_sort() - make a heap of @merge->heap, after cursors were moved. */
void trace_merge_sort(struct trace_merge *merge);

/** trace_merge_next() - the next event of all CPUs; false: none is left. */
bool trace_merge_next(struct trace_merge *merge, struct trace_event *event_ret);

/** trace_merge_deinit() - may be called after a failed trace_merge_init(). */
void trace_merge_deinit(struct trace_merge *merge);

/** trace_slots_of() - slots that an event occupies, from its first one. */
u32 trace_slots_of(const struct cpuprobe_event *slot);

/** trace_type_of() - enum cpuprobe_event_type of a slot. */
static inline u32 trace_type_of(const struct cpuprobe_event *slot)
{
	return slot->head >> 8 & 0xff;
}

#endif
