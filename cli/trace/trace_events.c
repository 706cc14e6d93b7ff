// SPDX-License-Identifier: GPL-2.0-only
/* Merging the events of CPUs: see trace_events.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace_events.h"

#define SLOT_LEN	sizeof(struct cpuprobe_event)
#define NAME_BYTES	16

/* Bytes of text after an event; @data of a mark is their number. */
static u32 text_bytes(u32 type, u32 data)
{
	if (type == CPUPROBE_EVENT_NAME)
		return NAME_BYTES;
	if (type != CPUPROBE_EVENT_MARK)
		return 0;
	return data < CPUPROBE_MARK_MAX ? data : CPUPROBE_MARK_MAX;
}

u32 trace_slots_of(const struct cpuprobe_event *slot)
{
	return 1 + (text_bytes(trace_type_of(slot), slot->data) + SLOT_LEN - 1) / SLOT_LEN;
}

void trace_cursor_init(struct trace_cursor *cursor, const struct trace *trace, u32 cpu)
{
	const struct trace_cpu *of_cpu = &trace->cpus[cpu];

	*cursor = (struct trace_cursor){ .ns = 0 };
	if (!of_cpu->nr_slots)
		return;
	cursor->next = trace->slots + of_cpu->at;
	cursor->end = cursor->next + of_cpu->nr_slots;
	cursor->ns = cursor->next->head >> 16;
}

bool trace_cursor_next(struct trace_cursor *cursor, struct trace_event *event_ret)
{
	const struct cpuprobe_event *slot = cursor->next;
	u32 nr, type;

	if (slot == cursor->end)
		return false;
	type = trace_type_of(slot);
	nr = trace_slots_of(slot);
	/* A text that is cut off ends the events. */
	if (nr > cursor->end - slot) {
		cursor->next = cursor->end;
		return false;
	}
	*event_ret = (struct trace_event){
		.ns = cursor->ns, .what = slot->what, .data = slot->data, .type = type,
		.level = slot->head & CPUPROBE_EVENT_LEVEL, .left = slot->head & CPUPROBE_EVENT_LEFT,
		.text = (const char *)(slot + 1),
	};
	event_ret->text_len = strnlen(event_ret->text, text_bytes(type, slot->data));
	cursor->next = slot + nr;
	if (cursor->next != cursor->end && cursor->next->head >> 16 > cursor->ns)
		cursor->ns = cursor->next->head >> 16;
	return true;
}

static bool is_before(const struct trace_merge *merge, u32 a, u32 b)
{
	u64 a_ns = merge->cursors[a].ns, b_ns = merge->cursors[b].ns;

	return a_ns < b_ns || (a_ns == b_ns && a < b);
}

/* Moves an entry of the heap down to its place. */
static void sift(struct trace_merge *merge, u32 at)
{
	u32 moving = merge->heap[at], child;

	for (; (child = 2 * at + 1) < merge->nr_left; at = child) {
		if (child + 1 < merge->nr_left &&
		    is_before(merge, merge->heap[child + 1], merge->heap[child]))
			child++;
		if (!is_before(merge, merge->heap[child], moving))
			break;
		merge->heap[at] = merge->heap[child];
	}
	merge->heap[at] = moving;
}

void trace_merge_sort(struct trace_merge *merge)
{
	u32 i;

	for (i = merge->nr_left / 2; i--; )
		sift(merge, i);
}

int trace_merge_init(struct trace_merge *merge, const struct trace *trace)
{
	u32 i;

	*merge = (struct trace_merge){
		.cursors = calloc(trace->nr_cpus + 1, sizeof(*merge->cursors)),
		.heap = calloc(trace->nr_cpus + 1, sizeof(*merge->heap)),
	};
	if (!merge->cursors || !merge->heap)
		return -ENOMEM;
	for (i = 0; i < trace->nr_cpus; i++) {
		trace_cursor_init(&merge->cursors[i], trace, i);
		if (merge->cursors[i].next != merge->cursors[i].end)
			merge->heap[merge->nr_left++] = i;
	}
	trace_merge_sort(merge);
	return 0;
}

bool trace_merge_next(struct trace_merge *merge, struct trace_event *event_ret)
{
	while (merge->nr_left) {
		u32 cpu = merge->heap[0];
		struct trace_cursor *cursor = &merge->cursors[cpu];
		bool has_event = trace_cursor_next(cursor, event_ret);

		merge->nr_backward += cursor->next != cursor->end && cursor->next->head >> 16 < cursor->ns;
		if (cursor->next == cursor->end)
			merge->heap[0] = merge->heap[--merge->nr_left];
		sift(merge, 0);
		event_ret->cpu = cpu;
		if (has_event)
			return true;
	}
	return false;
}

void trace_merge_deinit(struct trace_merge *merge)
{
	free(merge->cursors);
	free(merge->heap);
	*merge = (struct trace_merge){ .nr_left = 0 };
}
