// SPDX-License-Identifier: GPL-2.0-only
/* Memory for events: see events.h. */
#include "events.h"

#define BLOCKS_MIN	4
/* A handler that began before the end writes within a grace period: an event is not later by 73 minutes or more. */
#define LATER_MAX_NS	(1ULL << 42)

void events_init(struct events *events, struct cpuprobe_event *slot, u64 nr, bool wraps, u64 max_events)
{
	/* Text that begins below the limit fits into the last block. */
	u64 limit = nr - EVENTS_TEXT_SLOTS;

	memset(events, 0, sizeof(*events));
	events->slot = slot;
	events->mask = nr - 1;
	events->block = nr / BLOCKS_MIN < EVENTS_BLOCK_MAX ? nr / BLOCKS_MIN : EVENTS_BLOCK_MAX;
	events->wraps = wraps;
	events->limit = max_events && max_events < limit ? max_events : limit;
	if (wraps)
		events->limit = ~0ULL >> 1;
}

void events_clear(struct events *events)
{
	local_set(&events->next, 0);
	local_set(&events->lost, 0);
	events->until = 0;
	events->told = 0;
}

u32 notrace events_padding(const struct events *events, u64 pos, u32 nr)
{
	u32 left = events->block - (pos & (events->block - 1));

	return left < nr ? left : 0;
}

u32 events_slots(const struct cpuprobe_event *event)
{
	u32 type = event->head >> CPUPROBE_EVENT_TYPE_SHIFT & 0xff;
	u32 bytes = event->data < CPUPROBE_MARK_MAX ? event->data : CPUPROBE_MARK_MAX;

	if (type == CPUPROBE_EVENT_NAME)
		return 2;
	if (type == CPUPROBE_EVENT_MARK)
		return 1 + (bytes + sizeof(*event) - 1) / sizeof(*event);
	return 1;
}

u64 events_first(const struct events *events, u64 next)
{
	u64 block = events->block, nr = events->mask + 1;

	return next > nr ? (next - nr + block - 1) & ~(block - 1) : 0;
}

/* Times are modulo 2^48: an event may be older than @ns and have a greater number. */
static bool is_later(const struct events *events, u64 pos, u64 ns)
{
	u64 time = events_slot(events, pos)->head >> CPUPROBE_EVENT_TIME_SHIFT;
	u64 later = (time - ns) & ~0ULL >> CPUPROBE_EVENT_TIME_SHIFT;

	return later && later < LATER_MAX_NS;
}

u64 events_end(const struct events *events, u64 ns)
{
	u64 next = local_read(&events->next), first = events_first(events, next), pos;

	if (first >= next)
		return first;
	/* The last block that begins early enough, then the events in it. */
	pos = (next - 1) & ~((u64)events->block - 1);
	while (pos > first && is_later(events, pos, ns))
		pos -= events->block;
	while (pos < next && !is_later(events, pos, ns))
		pos += events_slots(events_slot(events, pos));
	return pos < next ? pos : next;
}
