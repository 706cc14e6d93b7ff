// SPDX-License-Identifier: GPL-2.0-only
/* Lines of the code path of a trace: see trace_flow.h. */
#include <stdio.h>

#include "base/text.h"
#include "trace/trace_flow.h"

#define WAITED_LEAST	1000	/* nanoseconds of waiting that are mentioned */

const char *trace_flow_name(const struct trace_flow *flow, const struct trace_flow_item *item)
{
	const struct time_counts *counts = flow->account.sums.counts;

	return item->node == TRACE_NONE ? "" : time_counts_name(counts, &counts->nodes[item->node]);
}

const char *trace_flow_task(const struct trace_flow *flow, u32 tid, char *text, size_t len)
{
	const struct trace_task *task = trace_find_task(flow->trace, tid);

	if (!tid)
		snprintf(text, len, "idle");
	else if (tid == TRACE_NONE)
		snprintf(text, len, "?");
	else
		snprintf(text, len, "%s/%u", task && task->comm[0] ? task->comm : "?", tid);
	return text;
}

static void put_call(const struct trace_flow *flow, const struct trace_flow_item *item, FILE *out)
{
	char net[16], total[16], wall[16];

	fprintf(out, "-> %s (%s", trace_flow_name(flow, item), text_ns(item->net_ns, net));
	if (item->total_ns != item->net_ns)
		fprintf(out, ", %s total", text_ns(item->total_ns, total));
	if (item->wall_ns > item->total_ns + item->total_ns / 8 + WAITED_LEAST)
		fprintf(out, ", %s with waits", text_ns(item->wall_ns, wall));
	fprintf(out, "%s%s%s)", item->how == TRACE_OPEN ? ", not ended" :
		item->how == TRACE_UNWOUND ? ", unwound" : "",
		item->frame_flags & TRACE_FRAME_TAIL ? ", tail call" : "",
		item->frame_flags & TRACE_FRAME_CUT ? ", events missing" : "");
}

static void put_return(const struct trace_flow *flow, const struct trace_flow_item *item, FILE *out)
{
	char since[16];

	fprintf(out, "<- %s", trace_flow_name(flow, item));
	if (item->net_ns)
		fprintf(out, " (%s since the switch)", text_ns(item->net_ns, since));
	else if (item->flags & FLOW_EARLIER)
		fprintf(out, " (entered earlier)");
}

static void put_switch(const struct trace_flow *flow, const struct trace_flow_item *item, FILE *out)
{
	static const char *const left[] = { "preempted", "blocked", "dead", "left" };
	char to[64], from[64], away[16];

	trace_flow_task(flow, item->other, from, sizeof(from));
	trace_flow_task(flow, item->tid, to, sizeof(to));
	fprintf(out, "---- Context switch: %s %s, %s in", from,
		left[item->how / CPUPROBE_LEFT_BLOCKED & 3], to);
	if (item->total_ns)
		fprintf(out, " after %s", text_ns(item->total_ns, away));
	fprintf(out, " ----");
}

static void put_item(const struct trace_flow *flow, const struct trace_flow_item *item, FILE *out)
{
	char task[64];

	switch (item->kind) {
	case FLOW_CALL:
		put_call(flow, item, out);
		break;
	case FLOW_RETURN:
		put_return(flow, item, out);
		break;
	case FLOW_SWITCH:
		put_switch(flow, item, out);
		break;
	case FLOW_MARK:
		fprintf(out, "== %.*s", (int)item->other, item->text);
		break;
	case FLOW_FORK:
		fprintf(out, "== fork of %s", trace_flow_task(flow, item->other, task, sizeof(task)));
		break;
	default:
		trace_flow_task(flow, item->other, task, sizeof(task));
		fprintf(out, "== wake-up of %s on CPU %llu", task, item->total_ns);
	}
}

const char *trace_flow_line(const struct trace_flow *flow, const struct trace_flow_item *item, char *text,
			    size_t len)
{
	FILE *out = fmemopen(text, len, "w");

	text[0] = '\0';
	if (!out)
		return text;
	put_item(flow, item, out);
	fclose(out);
	text[len - 1] = '\0';
	text_clean(text);
	return text;
}
