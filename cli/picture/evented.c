// SPDX-License-Identifier: GPL-2.0-only
/* Speedscope's format: see perfetto.h. Its readers want the events of each profile together. */
#include <errno.h>

#include "base/text.h"
#include "picture/perfetto.h"
#include "picture/spool.h"
#include "release.h"

/** Frames are numbered: nodes of calls, tasks, idle, the unknown task, missing events. */
struct evented {
	FILE *out;
	struct picture *picture;
	struct spool spool;
	u32 row;
	bool has_event;
};

static u32 frame_of(const struct evented *evented, const struct picture_span *span)
{
	const struct trace *trace = evented->picture->trace;
	u32 nr_nodes = evented->picture->account.sums.nr_more;
	const struct trace_task *task;

	if (span->kind == PICTURE_CALL)
		return span->node;
	if (span->kind == PICTURE_LOST)
		return nr_nodes + trace->nr_tasks + 2;
	task = span->node && span->node != TRACE_NONE ? trace_find_task(trace, span->node) : NULL;
	return nr_nodes + (task ? task - trace->tasks : trace->nr_tasks + !!span->node);
}

static void begin_span(void *context, const struct picture_span *span)
{
	struct evented *evented = context;

	spool_add(&evented->spool, span->row,
		  (struct spool_entry){ span->began_ns, frame_of(evented, span), 0 });
}

static void end_span(void *context, const struct picture_span *span, const struct picture_end *end)
{
	struct evented *evented = context;

	spool_add(&evented->spool, span->row,
		  (struct spool_entry){ end->ns, frame_of(evented, span), 1 });
}

/* The format has no instants. */
static void ignore_instant(void *context, const struct picture_instant *instant)
{
}

static void put_frame(const struct evented *evented, const char *name, bool is_first)
{
	fprintf(evented->out, "%s\n{\"name\":", is_first ? "" : ",");
	text_json(evented->out, name[0] ? name : "[no name]");
	fputc('}', evented->out);
}

static void put_frames(const struct evented *evented)
{
	const struct picture *picture = evented->picture;
	u32 i, nr = picture->account.sums.nr_more;
	struct picture_span span = { .kind = PICTURE_CALL };
	char name[64];

	fputs("\"shared\":{\"frames\":[", evented->out);
	for (i = 0; i < nr; i++) {
		span.node = i;
		put_frame(evented, picture_span_name(picture, &span, name, sizeof(name)), !i);
	}
	for (i = 0; i < picture->trace->nr_tasks; i++)
		put_frame(evented, picture_task_name(picture, picture->trace->tasks[i].tid, name,
						     sizeof(name)), !nr && !i);
	put_frame(evented, "idle", !nr && !i);
	put_frame(evented, "(unknown)", false);
	put_frame(evented, "(lost events)", false);
	fputs("\n]},\n", evented->out);
}

static void put_event(void *context, const struct spool_entry *entry)
{
	struct evented *evented = context;

	fprintf(evented->out, "%s\n{\"type\":\"%c\",\"frame\":%u,\"at\":%llu}", evented->has_event ? "," : "",
		entry->is_end ? 'C' : 'O', entry->what, entry->ns);
	evented->has_event = true;
}

static int put_profile(struct evented *evented, u32 row, bool is_first)
{
	const struct picture *picture = evented->picture;
	char name[64];
	int error;

	evented->has_event = false;
	fprintf(evented->out, "%s{\"type\":\"evented\",\"name\":", is_first ? "" : ",\n");
	text_json(evented->out, picture_row_name(picture, row, name, sizeof(name)));
	fprintf(evented->out, ",\"unit\":\"nanoseconds\",\"startValue\":%llu,\"endValue\":%llu,\"events\":[",
		picture->from_ns, picture->to_ns);
	error = spool_read_row(&evented->spool, row, put_event, evented);
	fputs("\n]}", evented->out);
	return error;
}

static int put_all(struct evented *evented)
{
	u32 i;
	bool is_first = true;
	int error = evented->spool.error;

	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\":\"cpuprobe " CPUPROBE_RELEASE "\",\"name\":\"cpuprobe trace\","
	      "\"activeProfileIndex\":0,\n", evented->out);
	put_frames(evented);
	fputs("\"profiles\":[\n", evented->out);
	for (i = 0; !error && i < evented->picture->nr_rows; i++) {
		if (!evented->spool.blocks[i])
			continue;
		error = put_profile(evented, i, is_first);
		is_first = false;
	}
	fputs("\n]}\n", evented->out);
	return error;
}

int evented_write(FILE *out, struct picture *picture)
{
	struct evented evented = { .out = out, .picture = picture };
	const struct picture_drawing drawing = {
		.context = &evented, .begin = begin_span, .end = end_span, .instant = ignore_instant,
	};
	int error = spool_init(&evented.spool, picture->nr_rows);

	if (error)
		return error;
	error = picture_draw(picture, &drawing);
	if (!error)
		error = put_all(&evented);
	spool_deinit(&evented.spool);
	return error;
}
