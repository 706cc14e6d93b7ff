/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory for one CPU's events: slots of 16 bytes that are taken in order, and what a reader needs to
 * find the first and the last event.
 *
 * Writers are code of that CPU in any context, with preemption off. A writer reads the number of the
 * next slot, then the clock, and takes the slot only if no interrupt has taken it since: so times never
 * go back. It writes the slot afterwards. Nobody reads slots before recording has ended and all
 * writers have left.
 *
 * Slots are in blocks. Text never crosses the edge of a block, so every block begins with an event. When
 * the newest events overwrite the oldest, every block begins with the event that names the running task.
 */
#ifndef CPUPROBE_EVENTS_H
#define CPUPROBE_EVENTS_H

#include "pure.h"

#include "cpuprobe.h"

#define EVENTS_BLOCK_MAX	256
#define EVENTS_TEXT_SLOTS	(CPUPROBE_MARK_MAX / sizeof(struct cpuprobe_event))

struct events {
	struct cpuprobe_event *slot;
	u64 mask;		/* number of slots less one */
	/* number of the next slot; counted on when slots are used again */
	local_t next;
	/* slots before this one may be taken without a look at anything else: events_raise() */
	u64 until;
	u64 limit;		/* the event that reaches this slot is the last */
	u32 block;
	bool wraps;
	local_t lost;		/* events that found no slot */
	u64 told;		/* part of these that an event has told of */
};

/**
 * events_init() - begin with empty memory.
 * @slot: zeroed memory of @nr slots; belongs to the caller
 * @nr: a power of two, from 64 on
 * @max_events: slots to fill at most; 0: all. Unused if @wraps
 */
void events_init(struct events *events, struct cpuprobe_event *slot, u64 nr, bool wraps, u64 max_events);

/** events_clear() - forget all events. While nobody writes. */
void events_clear(struct events *events);

/** events_head() - the first word of an event. @kind: type << 8 | flags */
static __always_inline u64 events_head(u64 ns, u32 kind)
{
	return ns << CPUPROBE_EVENT_TIME_SHIFT | kind;
}

/** events_take() - take @nr slots from number @pos on. False: an interrupt has taken @pos. */
static __always_inline bool events_take(struct events *events, long pos, u32 nr)
{
	return likely(local_cmpxchg(&events->next, pos, pos + nr) == pos);
}

/** events_slot() - memory of slot number @pos. */
static __always_inline struct cpuprobe_event *events_slot(const struct events *events, u64 pos)
{
	return &events->slot[pos & events->mask];
}

/**
 * events_is_ours() - whether a slot that was taken may be written: not if interrupts have used all the
 * memory since, and the slot again. (One that did so between this look and the write would go unseen.)
 */
static __always_inline bool events_is_ours(const struct events *events, u64 pos)
{
	return likely((u64)local_read(&events->next) - pos <= events->mask + 1);
}

/** events_write() - write an event. */
static __always_inline void events_write(struct cpuprobe_event *slot, u64 head, u32 what, u32 data)
{
	slot->head = head;
	slot->what = what;
	slot->data = data;
}

/** events_must_name() - whether slot @pos must hold the event that names the running task. */
static inline bool events_must_name(const struct events *events, u64 pos)
{
	return !pos || (events->wraps && !(pos & (events->block - 1)));
}

/** events_raise() - let slots after @pos, which has been taken, be taken without a look. */
static inline void events_raise(struct events *events, u64 pos)
{
	/* An interrupt may have raised it further: then the next slow look raises it again. */
	WRITE_ONCE(events->until, events->wraps ? (pos | (events->block - 1)) + 1 : events->limit - 1);
}

/** events_padding() - slots to fill first, so that @nr slots from @pos on are in one block. */
u32 events_padding(const struct events *events, u64 pos, u32 nr);

/** events_slots() - slots that an event takes, with its text. */
u32 events_slots(const struct cpuprobe_event *event);

/** events_first() - number of the oldest slot that can be read when the next is @next. */
u64 events_first(const struct events *events, u64 next);

/**
 * events_end() - number of the slot after the last event that is not later than @ns. After the end.
 * @ns: nanoseconds since recording began
 */
u64 events_end(const struct events *events, u64 ns);

#endif
