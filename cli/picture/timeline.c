// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page of a trace: see timeline.h. A span is nine numbers, to keep the file small: begin since the begin
 * of the row's last span, duration, number of its name, depth, flags, elapsed, net, blocked, and preempted
 * or the number of missing events. cli/page/assets/timeline.js reads them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "page/page.h"
#include "page/page_data.h"
#include "picture/timeline.h"

/* Flags of a span; timeline.js has them too. */
#define SPAN_EARLY	1u
#define SPAN_CLIPPED	2u
#define SPAN_UNWOUND	4u
#define SPAN_CUT	8u
#define SPAN_TIMED	16u
#define SPAN_TAIL	32u

struct timeline_span {
	u64 began_ns, end_ns, elapsed_ns, net_ns, blocked_ns, other;
	u32 name, below, next;
	u16 depth;
	u16 flags;
};

struct timeline_row {
	u32 first, last, top;	/* spans; TRACE_NONE: none */
};

struct timeline_instant {
	u64 ns;
	u32 row;
	char *text;
};

struct timeline {
	struct picture *picture;
	double began;
	struct timeline_span *spans;
	u32 nr_spans;
	struct timeline_instant *instants;
	u32 nr_instants;
	struct timeline_row *rows;
	bool is_exhausted;	/* out of memory */
};

static void begin_span(void *context, const struct picture_span *span)
{
	struct timeline *timeline = context;
	struct timeline_row *row = &timeline->rows[span->row];
	u32 at = timeline->nr_spans, below = row->top;

	if (timeline->is_exhausted || !array_has_room(&timeline->spans, at, sizeof(*timeline->spans))) {
		timeline->is_exhausted = true;
		return;
	}
	timeline->nr_spans++;
	timeline->spans[at] = (struct timeline_span){
		.began_ns = span->began_ns, .name = picture_name_of(timeline->picture, span),
		.below = below, .next = TRACE_NONE, .flags = span->is_early ? SPAN_EARLY : 0,
		.depth = below == TRACE_NONE ? 0 : timeline->spans[below].depth + 1,
	};
	if (row->first == TRACE_NONE)
		row->first = at;
	else
		timeline->spans[row->last].next = at;
	row->last = row->top = at;
}

static void end_span(void *context, const struct picture_span *span, const struct picture_end *end)
{
	struct timeline *timeline = context;
	struct timeline_row *row = &timeline->rows[span->row];
	struct timeline_span *kept;

	if (timeline->is_exhausted)
		return;
	kept = &timeline->spans[row->top];
	row->top = kept->below;
	kept->end_ns = end->ns;
	kept->flags |= (end->is_clipped ? SPAN_CLIPPED : 0) | (end->is_unwound ? SPAN_UNWOUND : 0) |
		(end->flags & TRACE_FRAME_CUT ? SPAN_CUT : 0) | (end->has_times ? SPAN_TIMED : 0) |
		(end->flags & TRACE_FRAME_TAIL ? SPAN_TAIL : 0);
	kept->elapsed_ns = end->elapsed_ns;
	kept->net_ns = end->net_ns;
	kept->blocked_ns = end->blocked_ns;
	kept->other = span->kind == PICTURE_LOST ? span->lost : end->preempted_ns;
}

static void put_instant(void *context, const struct picture_instant *instant)
{
	struct timeline *timeline = context;
	u32 at = timeline->nr_instants;
	char text[1024];

	/* A wake-up is at the task that is woken. */
	if (instant->kind == PICTURE_WAKEUP || timeline->is_exhausted)
		return;
	if (!array_has_room(&timeline->instants, at, sizeof(*timeline->instants))) {
		timeline->is_exhausted = true;
		return;
	}
	picture_instant_name(timeline->picture, instant, text, sizeof(text));
	timeline->instants[at] = (struct timeline_instant){ instant->ns, instant->row, strdup(text) };
	timeline->is_exhausted = !timeline->instants[at].text;
	timeline->nr_instants++;
}

static bool is_full(void *context)
{
	const struct timeline *timeline = context;

	return timeline->nr_spans + timeline->nr_instants >= TIMELINE_SPANS;
}

/* Class of a name: the index of its colour. */
static u32 class_of(const struct picture *picture, u32 name)
{
	const struct trace_sums *sums = &picture->account.sums;
	const char *module;

	if (name >= sums->nr_more) {
		name -= sums->nr_more;
		return name < picture->trace->nr_tasks ? 4 : name == picture->trace->nr_tasks + 2 ? 6 : 5;
	}
	if (trace_sums_is_interrupt(sums, name))
		return 3;
	if (sums->more[name].kind == TRACE_SYSCALL || sums->more[name].kind == TRACE_OLDER_SYSCALL)
		return 2;
	module = call_counts_module(sums->counts->calls, sums->counts->nodes[name].function);
	return module[0] ? 1 : 0;
}

static void put_names(FILE *out, const struct picture *picture)
{
	u32 i, nr = picture_nr_names(picture);
	char name[64];

	fputs(",\n\"names\":[", out);
	for (i = 0; i < nr; i++) {
		fputs(i ? ",\n[" : "[", out);
		text_json(out, picture_name_at(picture, i, name, sizeof(name)));
		fprintf(out, ",%u]", class_of(picture, i));
	}
	fputc(']', out);
}

static void put_spans(FILE *out, const struct timeline *timeline, u32 at)
{
	u64 before_ns = 0;
	bool is_first = true;

	for (; at != TRACE_NONE; at = timeline->spans[at].next) {
		const struct timeline_span *span = &timeline->spans[at];

		fprintf(out, "%s%llu,%llu,%u,%u,%u,%llu,%llu,%llu,%llu", is_first ? "" : ",\n",
			span->began_ns - before_ns, span->end_ns - span->began_ns, span->name, span->depth,
			span->flags, span->elapsed_ns, span->net_ns, span->blocked_ns, span->other);
		before_ns = span->began_ns;
		is_first = false;
	}
}

static void put_rows(FILE *out, const struct timeline *timeline)
{
	const struct picture *picture = timeline->picture;
	char name[64];
	u32 i, of;
	bool is_first = true;

	fputs(",\n\"rows\":[", out);
	for (i = 0; i < picture->nr_rows; i++) {
		if (!picture_row_is_used(picture, i))
			continue;
		fputs(is_first ? "\n[" : ",\n[", out);
		is_first = false;
		text_json(out, picture_row_name(picture, i, name, sizeof(name)));
		fprintf(out, ",%u,%u,[", i, picture_row_kind(picture, i, &of));
		put_spans(out, timeline, timeline->rows[i].first);
		fputs("]]", out);
	}
	fputc(']', out);
}

static int put_data(FILE *out, const void *context)
{
	const struct timeline *timeline = context;
	const struct picture *picture = timeline->picture;
	char when[32];
	u32 i;

	fputs("{\"began\":", out);
	text_json(out, text_time(timeline->began, when, sizeof(when)));
	fprintf(out, ",\"cpus\":%u,\"events\":%llu,\"lost\":%llu,\"gaps\":%llu,\"end\":%llu,\"from\":%llu,"
		"\"to\":%llu,\"is_cut\":%s,\"limit\":%u,\"task\":", picture->trace->nr_cpus,
		picture->account.tally.events, trace_lost(picture->trace), picture->account.tally.gaps,
		picture->account.end_ns, picture->from_ns, picture->to_ns, picture->is_cut ? "true" : "false",
		TIMELINE_SPANS);
	text_json(out, picture->options.task ?: "");
	put_names(out, picture);
	put_rows(out, timeline);
	fputs(",\n\"instants\":[", out);
	for (i = 0; i < timeline->nr_instants; i++) {
		fprintf(out, "%s[%u,%llu,", i ? ",\n" : "", timeline->instants[i].row,
			timeline->instants[i].ns);
		text_json(out, timeline->instants[i].text);
		fputc(']', out);
	}
	fputs("]}\n", out);
	return 0;
}

static void free_timeline(struct timeline *timeline)
{
	u32 i;

	for (i = 0; i < timeline->nr_instants; i++)
		free(timeline->instants[i].text);
	free(timeline->instants);
	free(timeline->spans);
	free(timeline->rows);
}

int timeline_write(FILE *out, struct picture *picture, double began)
{
	struct timeline timeline = {
		.picture = picture, .began = began,
		.rows = malloc((picture->nr_rows + 1UL) * sizeof(*timeline.rows)),
	};
	const struct picture_drawing drawing = {
		.context = &timeline, .begin = begin_span, .end = end_span, .instant = put_instant,
		.is_full = is_full,
	};
	int error;
	u32 i;

	if (!timeline.rows)
		return -ENOMEM;
	for (i = 0; i < picture->nr_rows; i++)
		timeline.rows[i] = (struct timeline_row){ TRACE_NONE, TRACE_NONE, TRACE_NONE };
	error = picture_draw(picture, &drawing);
	if (!error)
		error = timeline.is_exhausted ? -ENOMEM : page_write(out, PAGE_TRACE, put_data, &timeline);
	free_timeline(&timeline);
	return error;
}
