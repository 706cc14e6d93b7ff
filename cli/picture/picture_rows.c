// SPDX-License-Identifier: GPL-2.0-only
/* Rows of nested spans: see picture_rows.h. */
#include "base/array.h"
#include "picture/picture_rows.h"

u32 picture_row_of(const struct picture *picture, u32 tid, u32 cpu)
{
	const struct trace *trace = picture->trace;
	const struct trace_task *task = tid && tid != TRACE_NONE ? trace_find_task(trace, tid) : NULL;

	if (task)
		return trace->nr_cpus + (task - trace->tasks);
	return trace->nr_cpus + trace->nr_tasks + (tid ? trace->nr_cpus : 0) + cpu;
}

static u32 take_span(struct picture *picture)
{
	u32 at = picture->free;

	if (at != TRACE_NONE) {
		picture->free = picture->spans[at].below;
		return at;
	}
	if (!array_has_room(&picture->spans, picture->nr_spans, sizeof(*picture->spans))) {
		picture->is_exhausted = true;
		return TRACE_NONE;
	}
	return picture->nr_spans++;
}

void picture_release(struct picture *picture, u32 at)
{
	picture->spans[at].below = picture->free;
	picture->free = at;
}

/* Whether something at a time belongs to the part that is drawn. */
static bool is_drawn(const struct picture *picture)
{
	return picture->drawing && picture->has_begun;
}

u32 picture_open(struct picture *picture, struct picture_span span)
{
	struct picture_row *row = &picture->rows[span.row];
	u32 at = take_span(picture);

	if (at == TRACE_NONE)
		return at;
	if (span.began_ns < row->ns)
		span.began_ns = row->ns;
	row->ns = span.began_ns;
	row->is_used = true;
	span.below = row->top;
	span.is_open = true;
	row->top = at;
	/* A span that begins after the part that is drawn has nothing of it. */
	span.is_drawn = is_drawn(picture) && span.began_ns <= picture->to_ns;
	picture->spans[at] = span;
	if (span.is_drawn)
		picture->drawing->begin(picture->drawing->context, &picture->spans[at]);
	return at;
}

/* Ends the innermost span of a row. */
static void close_top(struct picture *picture, struct picture_row *row, struct picture_end end)
{
	struct picture_span *span = &picture->spans[row->top];

	if (end.ns < row->ns)
		end.ns = row->ns;
	row->ns = end.ns;
	if (end.ns > picture->to_ns) {
		end.ns = picture->to_ns;
		end.is_clipped = true;
		end.has_times = false;
	}
	span->is_open = false;
	row->top = span->below;
	if (span->is_drawn)
		picture->drawing->end(picture->drawing->context, span, &end);
}

void picture_close(struct picture *picture, u32 at, struct picture_end end)
{
	struct picture_row *row = &picture->rows[picture->spans[at].row];

	if (!picture->spans[at].is_open)
		return;
	while (row->top != at)
		close_top(picture, row, (struct picture_end){ .ns = end.ns, .is_unwound = true });
	close_top(picture, row, end);
}

void picture_put(struct picture *picture, struct picture_instant instant)
{
	picture->rows[instant.row].is_used = true;
	if (is_drawn(picture) && instant.ns <= picture->to_ns)
		picture->drawing->instant(picture->drawing->context, &instant);
}

static void draw_open(struct picture *picture, u32 at)
{
	u32 chain[TRACE_DEPTH_MAX + 8], nr = 0;

	/* The outermost ones come first. */
	for (; at != TRACE_NONE && nr < sizeof(chain) / sizeof(chain[0]); at = picture->spans[at].below)
		chain[nr++] = at;
	while (nr) {
		struct picture_span *span = &picture->spans[chain[--nr]];

		span->is_early |= span->began_ns < picture->from_ns;
		if (span->is_early)
			span->began_ns = picture->from_ns;
		span->is_drawn = true;
		picture->drawing->begin(picture->drawing->context, span);
	}
}

void picture_enter_window(struct picture *picture)
{
	u32 i;

	picture->has_begun = true;
	for (i = 0; picture->drawing && i < picture->nr_rows; i++)
		draw_open(picture, picture->rows[i].top);
}
