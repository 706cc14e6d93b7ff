// SPDX-License-Identifier: GPL-2.0-only
/* A trace and its threads: see trace_data.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "trace/trace_beside.h"
#include "trace/trace_events.h"

struct trace *trace_create(void)
{
	struct trace *trace = calloc(1, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->names = call_counts_create();
	if (trace->names)
		return trace;
	free(trace);
	return NULL;
}

void trace_destroy(struct trace *trace)
{
	if (!trace)
		return;
	call_counts_destroy(trace->names);
	free(trace->functions);
	free(trace->cpus);
	free(trace->tasks);
	free(trace->owned);
	trace_beside_destroy(trace->beside);
	free(trace);
}

static int compare_tasks(const void *left, const void *right)
{
	const struct trace_task *a = left, *b = right;

	return (a->tid > b->tid) - (a->tid < b->tid);
}

const struct trace_task *trace_find_task(const struct trace *trace, u32 tid)
{
	const struct trace_task key = { .tid = tid };

	return trace->nr_tasks ? bsearch(&key, trace->tasks, trace->nr_tasks, sizeof(key), compare_tasks) :
		NULL;
}

/** State while threads are collected. */
struct collecting {
	struct trace *trace;
	struct intern index;
};

static bool has_tid(const void *owner, u32 position, const void *key)
{
	return ((const struct trace *)owner)->tasks[position].tid == *(const u32 *)key;
}

/* The thread, which is added if necessary; NULL: out of memory. */
static struct trace_task *find_or_add(struct collecting *collecting, u32 tid)
{
	struct trace *trace = collecting->trace;
	u64 hash = intern_hash(0, &tid, sizeof(tid));
	u32 at = intern_find(&collecting->index, hash, has_tid, trace, &tid);

	if (at != INTERN_NONE)
		return &trace->tasks[at];
	if (!array_has_room(&trace->tasks, trace->nr_tasks, sizeof(*trace->tasks)) ||
	    intern_add(&collecting->index, hash, trace->nr_tasks))
		return NULL;
	trace->tasks[trace->nr_tasks] = (struct trace_task){ .tid = tid };
	return &trace->tasks[trace->nr_tasks++];
}

static void set_name(struct trace_task *task, const struct trace_event *event)
{
	snprintf(task->comm, sizeof(task->comm), "%.*s", (int)event->text_len, event->text);
	text_clean(task->comm);
}

static bool collect_task(struct collecting *collecting, const struct trace_event *event)
{
	struct trace_task *task;

	/* Number 0 is the idle task of each CPU. */
	if (event->type == CPUPROBE_EVENT_SWITCH && event->data && !find_or_add(collecting, event->data))
		return false;
	if ((event->type != CPUPROBE_EVENT_SWITCH && event->type != CPUPROBE_EVENT_RUNNING &&
	     event->type != CPUPROBE_EVENT_FORK && event->type != CPUPROBE_EVENT_NAME) || !event->what)
		return true;
	task = find_or_add(collecting, event->what);
	if (!task)
		return false;
	if (event->type != CPUPROBE_EVENT_SWITCH && event->data)
		task->tgid = event->data;
	if (event->type == CPUPROBE_EVENT_NAME)
		set_name(task, event);
	return true;
}

int trace_collect_tasks(struct trace *trace, trace_lookup lookup)
{
	struct collecting collecting = { .trace = trace };
	struct trace_merge merge;
	struct trace_event event;
	int error = trace_merge_init(&merge, trace);
	u32 i;

	while (!error && trace_merge_next(&merge, &event))
		if (!collect_task(&collecting, &event))
			error = -ENOMEM;
	trace_merge_deinit(&merge);
	intern_deinit(&collecting.index);
	for (i = 0; !error && i < trace->nr_tasks; i++)
		if (lookup && (!trace->tasks[i].comm[0] || !trace->tasks[i].tgid))
			lookup(&trace->tasks[i]);
	if (!error && trace->nr_tasks)
		qsort(trace->tasks, trace->nr_tasks, sizeof(*trace->tasks), compare_tasks);
	return error;
}

bool trace_has_task(const struct trace *trace, const char *task, u32 tid)
{
	const struct trace_task *found = trace_find_task(trace, tid);
	char number[16];

	if (tid == UINT32_MAX || !tid)
		return false;
	snprintf(number, sizeof(number), "%u", tid);
	if (!strcmp(task, number))
		return true;
	if (!found)
		return false;
	snprintf(number, sizeof(number), "%u", found->tgid);
	/* A name is cut to 15 bytes. */
	return !strcmp(task, number) || !strncmp(text_base_name(task), found->comm, sizeof(found->comm) - 1);
}

u64 trace_lost(const struct trace *trace)
{
	u64 lost = 0;
	u32 i;

	for (i = 0; i < trace->nr_cpus; i++)
		lost += trace->cpus[i].lost;
	return lost;
}

u64 trace_overwritten(const struct trace *trace)
{
	u64 slots = 0;
	u32 i;

	for (i = 0; i < trace->nr_cpus; i++)
		slots += trace->cpus[i].first;
	return slots;
}

bool trace_is_unstable(const struct trace *trace)
{
	return trace->totals.end & CPUPROBE_EVENTS_UNSTABLE;
}
