// SPDX-License-Identifier: GPL-2.0-only
/* Speedscope's format: see perfetto.h. Its readers want the events of each profile together. */
#include <errno.h>

#include "base/text.h"
#include "picture/perfetto.h"
#include "picture/spool.h"
#include "release.h"

struct evented {
	FILE *out;
	struct picture *picture;
	struct spool spool;
	u32 row;
	bool has_event;
};

static void begin_span(void *context, const struct picture_span *span)
{
	struct evented *evented = context;

	spool_add(&evented->spool, span->row,
		  (struct spool_entry){ span->began_ns, picture_name_of(evented->picture, span), 0 });
}

static void end_span(void *context, const struct picture_span *span, const struct picture_end *end)
{
	struct evented *evented = context;

	spool_add(&evented->spool, span->row,
		  (struct spool_entry){ end->ns, picture_name_of(evented->picture, span), 1 });
}

/* The format has no instants. */
static void ignore_instant(void *context, const struct picture_instant *instant)
{
}

static void put_frames(const struct evented *evented)
{
	u32 i, nr = picture_nr_names(evented->picture);
	const char *text;
	char name[64];

	fputs("\"shared\":{\"frames\":[", evented->out);
	for (i = 0; i < nr; i++) {
		text = picture_name_at(evented->picture, i, name, sizeof(name));
		fprintf(evented->out, "%s\n{\"name\":", i ? "," : "");
		text_json(evented->out, text[0] ? text : "[no name]");
		fputc('}', evented->out);
	}
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
