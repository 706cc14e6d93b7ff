// SPDX-License-Identifier: GPL-2.0-only
/* Names in pictures of a trace: see picture.h. */
#include <stdio.h>

#include "picture/picture.h"

enum picture_row_kind picture_row_kind(const struct picture *picture, u32 row, u32 *of_ret)
{
	const struct trace *trace = picture->trace;
	u32 nr = trace->nr_cpus;

	if (row >= nr && row < nr + trace->nr_tasks) {
		*of_ret = row - nr;
		return PICTURE_TASK_ROW;
	}
	if (row < nr) {
		*of_ret = trace->cpus[row].cpu;
		return PICTURE_CPU_ROW;
	}
	row -= nr + trace->nr_tasks;
	*of_ret = trace->cpus[row % nr].cpu;
	return row < nr ? PICTURE_IDLE_ROW : PICTURE_UNKNOWN_ROW;
}

/* A thread as "name/number", "idle" or "(unknown)". Returns @text. */
static const char *name_task(const struct picture *picture, u32 tid, char *text, size_t len)
{
	const struct trace_task *task = trace_find_task(picture->trace, tid);

	if (!tid)
		snprintf(text, len, "idle");
	else if (tid == TRACE_NONE)
		snprintf(text, len, "(unknown)");
	else
		snprintf(text, len, "%s/%u", task && task->comm[0] ? task->comm : "?", tid);
	return text;
}

const char *picture_row_name(const struct picture *picture, u32 row, char *text, size_t len)
{
	u32 of;

	switch (picture_row_kind(picture, row, &of)) {
	case PICTURE_CPU_ROW:
		snprintf(text, len, "CPU %u", of);
		return text;
	case PICTURE_TASK_ROW:
		return name_task(picture, picture->trace->tasks[of].tid, text, len);
	case PICTURE_IDLE_ROW:
		snprintf(text, len, "idle of CPU %u", of);
		return text;
	default:
		snprintf(text, len, "(unknown) on CPU %u", of);
		return text;
	}
}

static const char *node_name(const struct picture *picture, u32 node)
{
	const struct time_counts *counts = picture->account.sums.counts;

	return time_counts_name(counts, &counts->nodes[node]);
}

const char *picture_span_name(const struct picture *picture, const struct picture_span *span, char *text,
			      size_t len)
{
	if (span->kind == PICTURE_CALL)
		return node_name(picture, span->node);
	if (span->kind == PICTURE_TASK)
		return name_task(picture, span->node, text, len);
	snprintf(text, len, "lost %llu", span->lost);
	return text;
}

/* Numbers are those of nodes, threads, the idle task, the unknown one, missing events. */
u32 picture_name_of(const struct picture *picture, const struct picture_span *span)
{
	const struct trace *trace = picture->trace;
	u32 nr_nodes = picture->account.sums.nr_more;
	const struct trace_task *task;

	if (span->kind == PICTURE_CALL)
		return span->node;
	if (span->kind == PICTURE_LOST)
		return nr_nodes + trace->nr_tasks + 2;
	task = span->node && span->node != TRACE_NONE ? trace_find_task(trace, span->node) : NULL;
	return nr_nodes + (task ? task - trace->tasks : trace->nr_tasks + !!span->node);
}

u32 picture_nr_names(const struct picture *picture)
{
	return picture->account.sums.nr_more + picture->trace->nr_tasks + 3;
}

const char *picture_name_at(const struct picture *picture, u32 number, char *text, size_t len)
{
	static const char *const others[] = { "idle", "(unknown)", "(lost events)" };
	u32 nr_nodes = picture->account.sums.nr_more, nr_tasks = picture->trace->nr_tasks;

	if (number < nr_nodes)
		return node_name(picture, number);
	number -= nr_nodes;
	if (number < nr_tasks)
		return name_task(picture, picture->trace->tasks[number].tid, text, len);
	return others[number - nr_tasks];
}

const char *picture_instant_name(const struct picture *picture, const struct picture_instant *instant,
				 char *text, size_t len)
{
	static const char *const of_task[] = {
		[PICTURE_WAKEUP] = "wake-up of ", [PICTURE_WOKEN] = "woken by ", [PICTURE_FORK] = "fork of ",
	};
	char task[64];

	switch (instant->kind) {
	case PICTURE_MARK:
		snprintf(text, len, "%.*s", (int)instant->text_len, instant->text);
		break;
	case PICTURE_NAME:
		snprintf(text, len, "named %.*s", (int)instant->text_len, instant->text);
		break;
	case PICTURE_EXEC:
	case PICTURE_EXIT:
		snprintf(text, len, instant->kind == PICTURE_EXEC ? "exec" : "exit");
		break;
	case PICTURE_OLDER:
		snprintf(text, len, "end of %s", node_name(picture, instant->other));
		break;
	default:
		snprintf(text, len, "%s%s", of_task[instant->kind],
			 name_task(picture, instant->other, task, sizeof(task)));
	}
	text_clean(text);
	return text;
}
