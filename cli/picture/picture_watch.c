// SPDX-License-Identifier: GPL-2.0-only
/* From the accounting of a trace to rows of spans: see picture_watch.h. */
#include "base/array.h"
#include "picture/picture_rows.h"
#include "picture/picture_watch.h"

/* A thread runs for the first time: its older calls are open. */
static void see_row(struct picture *picture, u32 row, u64 ns)
{
	u32 older = picture->rows[row].older;

	if (picture->rows[row].is_seen)
		return;
	picture->rows[row].is_seen = true;
	for (; picture->drawing && older != TRACE_NONE; older = picture->olders[older].next)
		picture_open(picture, (struct picture_span){
			.kind = PICTURE_CALL, .row = row, .node = picture->olders[older].node, .began_ns = ns,
			.is_early = true,
		});
}

/* The slice of the thread on a CPU ends; in it are the interrupts. */
static void end_task(struct picture *picture, u32 cpu, struct picture_end end)
{
	u32 bottom = picture->rows[cpu].top;

	while (bottom != TRACE_NONE && picture->spans[bottom].below != TRACE_NONE)
		bottom = picture->spans[bottom].below;
	if (bottom == TRACE_NONE)
		return;
	picture_close(picture, bottom, end);
	picture_release(picture, bottom);
}

/* A CPU runs a thread from now on. */
static void run_task(struct picture *picture, u32 cpu, u32 tid, u64 ns, u8 left)
{
	const struct picture_drawing *drawing = picture->drawing;
	struct picture_cpu *of_cpu = &picture->cpus[cpu];
	u32 row = picture_row_of(picture, tid, cpu), at;

	if (of_cpu->has_task && of_cpu->tid == tid)
		return;
	end_task(picture, cpu, (struct picture_end){ .ns = ns, .left = left });
	of_cpu->has_task = true;
	of_cpu->tid = tid;
	see_row(picture, row, ns);
	at = picture_open(picture, (struct picture_span){
		.kind = PICTURE_TASK, .row = cpu, .node = tid, .began_ns = ns,
	});
	if (at != TRACE_NONE && picture->arrows[row] && picture->spans[at].is_drawn && drawing->arrived)
		drawing->arrived(drawing->context, cpu, picture->spans[at].began_ns, picture->arrows[row]);
	picture->arrows[row] = 0;
}

/* A stretch without events, in the row of its CPU. */
static void draw_lost(struct picture *picture, u32 cpu, u64 from_ns, u64 to_ns, u64 lost)
{
	bool is_early = picture->has_begun && from_ns < picture->from_ns;
	u32 at;

	if (to_ns < picture->from_ns || from_ns > picture->to_ns)
		return;
	at = picture_open(picture, (struct picture_span){
		.kind = PICTURE_LOST, .row = cpu, .lost = lost, .is_early = is_early,
		.began_ns = is_early ? picture->from_ns : from_ns,
	});
	if (at == TRACE_NONE)
		return;
	picture_close(picture, at, (struct picture_end){ .ns = to_ns });
	picture_release(picture, at);
}

/* The first event of a CPU tells which thread ran there before. */
static void begin_cpu(struct picture *picture, const struct trace_event *event)
{
	u64 first = picture->trace->cpus[event->cpu].first;

	if (first)
		draw_lost(picture, event->cpu, 0, event->ns, first);
	if (event->type == CPUPROBE_EVENT_RUNNING || event->type == CPUPROBE_EVENT_SWITCH)
		run_task(picture, event->cpu,
			 event->type == CPUPROBE_EVENT_RUNNING ? event->what : event->data,
			 first ? event->ns : 0, 0);
}

static void lose(struct picture *picture, const struct trace_event *event)
{
	struct picture_cpu *cpu = &picture->cpus[event->cpu];

	/* Without a number it fills the buffer before a text. */
	if (!event->what)
		return;
	if (cpu->has_task)
		picture->rows[picture_row_of(picture, cpu->tid, event->cpu)].has_gap = true;
	cpu->lost += event->what;
	draw_lost(picture, event->cpu, cpu->seen_ns, event->ns, event->what);
}

/* An event that begins or ends no call. */
static void note_event(struct picture *picture, const struct trace_event *event)
{
	struct picture_cpu *cpu = &picture->cpus[event->cpu];
	struct picture_instant instant = {
		.kind = event->type == CPUPROBE_EVENT_NAME ? PICTURE_NAME :
			event->type == CPUPROBE_EVENT_DEAD ? PICTURE_EXIT : PICTURE_EXEC,
		.row = picture_row_of(picture, event->what, event->cpu), .ns = event->ns,
		.text = event->text, .text_len = event->text_len,
	};
	/* An exec repeats which thread runs; so does the end of a gap. */
	bool is_exec = cpu->type && cpu->type != CPUPROBE_EVENT_LOST && cpu->has_task &&
		cpu->tid == event->what;

	if (event->type != CPUPROBE_EVENT_RUNNING || is_exec)
		picture_put(picture, instant);
	if (event->type == CPUPROBE_EVENT_RUNNING)
		run_task(picture, event->cpu, event->what, event->ns, 0);
}

static void event_comes(void *context, const struct trace_event *event)
{
	struct picture *picture = context;
	struct picture_cpu *cpu = &picture->cpus[event->cpu];

	if (!picture->has_begun && event->ns >= picture->from_ns)
		picture_enter_window(picture);
	if (!cpu->type)
		begin_cpu(picture, event);
	if (event->type == CPUPROBE_EVENT_LOST)
		lose(picture, event);
	else if (event->type == CPUPROBE_EVENT_RUNNING || event->type == CPUPROBE_EVENT_NAME ||
		 event->type == CPUPROBE_EVENT_DEAD)
		note_event(picture, event);
	cpu->type = event->type;
	cpu->seen_ns = event->ns;
}

/* Calls of interrupts are in the row of their CPU. */
static u32 row_of_moment(const struct picture *picture, const struct trace_moment *moment)
{
	return moment->level ? moment->cpu : picture_row_of(picture, moment->tid, moment->cpu);
}

static u32 call_entered(void *context, const struct trace_moment *moment, u32 node, u32 flags)
{
	struct picture *picture = context;

	run_task(picture, moment->cpu, moment->tid, moment->ns, 0);
	return picture_open(picture, (struct picture_span){
		.kind = PICTURE_CALL, .row = row_of_moment(picture, moment), .node = node,
		.began_ns = moment->ns,
	});
}

/* The end of a call whose beginning is not in the trace. */
static void end_older(struct picture *picture, const struct trace_moment *moment, u32 node)
{
	u32 row = row_of_moment(picture, moment), at = picture->rows[row].top;
	bool has_room = !moment->level && !picture->rows[row].has_gap && at == TRACE_NONE;

	if (picture->drawing && at != TRACE_NONE && picture->spans[at].is_early &&
	    picture->spans[at].kind == PICTURE_CALL && picture->spans[at].node == node && !moment->level) {
		picture_close(picture, at, (struct picture_end){ .ns = moment->ns });
		picture_release(picture, at);
	} else if (!picture->drawing && has_room && picture->rows[row].is_seen &&
		   picture->rows[row].nr_olders < TRACE_DEPTH_MAX) {
		if (!array_has_room(&picture->olders, picture->nr_olders, sizeof(*picture->olders))) {
			picture->is_exhausted = true;
			return;
		}
		picture->rows[row].nr_olders++;
		picture->olders[picture->nr_olders] = (struct picture_older){ node, picture->rows[row].older };
		picture->rows[row].older = picture->nr_olders++;
	} else {
		picture_put(picture, (struct picture_instant){
			.kind = PICTURE_OLDER, .row = row, .ns = moment->ns, .other = node,
		});
	}
}

static void call_left(void *context, const struct trace_moment *moment, const struct trace_call *call)
{
	struct picture *picture = context;
	bool is_open = call->how == TRACE_OPEN;

	if (!picture->has_begun && moment->ns >= picture->from_ns)
		picture_enter_window(picture);
	if (call->item == TRACE_NONE) {
		/* Only an exit without an entry begins at no time. */
		if (!call->began_ns && call->how == TRACE_ENDED)
			end_older(picture, moment, call->node);
		return;
	}
	picture_close(picture, call->item, (struct picture_end){
		.ns = moment->ns, .is_clipped = is_open, .is_unwound = call->how == TRACE_UNWOUND,
		.has_times = true, .flags = call->flags, .elapsed_ns = call->elapsed_ns,
		.net_ns = call->net_ns, .blocked_ns = call->blocked_ns, .preempted_ns = call->preempted_ns,
	});
	picture_release(picture, call->item);
}

static void wake_up(struct picture *picture, const struct trace_moment *moment,
		    const struct trace_event *event)
{
	u32 row = picture_row_of(picture, event->what, moment->cpu);
	bool is_drawn = picture->drawing && picture->has_begun && moment->ns <= picture->to_ns;
	bool is_new = is_drawn && picture->drawing->arrived && !picture->arrows[row];

	if (is_new)
		picture->arrows[row] = ++picture->nr_arrows;
	picture_put(picture, (struct picture_instant){
		.kind = PICTURE_WAKEUP, .row = moment->cpu, .ns = moment->ns, .other = event->what,
		.arrow = is_new ? picture->arrows[row] : 0,
	});
	picture_put(picture, (struct picture_instant){
		.kind = PICTURE_WOKEN, .row = row, .ns = moment->ns, .other = moment->tid,
	});
}

static void event_happened(void *context, const struct trace_moment *moment, const struct trace_event *event,
			   u64 away_ns)
{
	struct picture *picture = context;
	struct picture_instant instant = {
		.kind = event->type == CPUPROBE_EVENT_MARK ? PICTURE_MARK : PICTURE_FORK,
		.row = picture_row_of(picture, moment->tid, moment->cpu), .ns = moment->ns,
		.other = event->what, .text = event->text, .text_len = event->text_len,
	};

	run_task(picture, moment->cpu, moment->tid, moment->ns,
		 event->type == CPUPROBE_EVENT_SWITCH ? event->left : 0);
	if (event->type == CPUPROBE_EVENT_WAKEUP)
		wake_up(picture, moment, event);
	else if (event->type != CPUPROBE_EVENT_SWITCH)
		picture_put(picture, instant);
}

static bool is_past(void *context, u64 ns)
{
	struct picture *picture = context;
	const struct picture_drawing *drawing = picture->drawing;

	if (drawing && drawing->is_full && drawing->is_full(drawing->context) && ns < picture->to_ns) {
		picture->to_ns = ns;
		picture->is_cut = true;
		return true;
	}
	return picture->is_exhausted || (drawing && ns > picture->to_ns);
}

struct trace_watch picture_watch(struct picture *picture)
{
	return (struct trace_watch){
		picture, call_entered, call_left, event_happened, is_past, event_comes,
	};
}

void picture_end_rows(struct picture *picture, u64 end_ns)
{
	u32 i;

	if (!picture->has_begun)
		picture_enter_window(picture);
	for (i = 0; i < picture->trace->nr_cpus; i++) {
		u64 lost = picture->trace->cpus[i].lost;

		if (lost > picture->cpus[i].lost && picture->to_ns >= end_ns)
			draw_lost(picture, i, picture->cpus[i].seen_ns, end_ns,
				  lost - picture->cpus[i].lost);
	}
	for (i = 0; i < picture->nr_rows; i++)
		while (picture->rows[i].top != TRACE_NONE)
			picture_close(picture, picture->rows[i].top, (struct picture_end){
				.ns = end_ns, .is_clipped = true,
			});
}
