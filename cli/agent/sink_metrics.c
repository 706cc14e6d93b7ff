// SPDX-License-Identifier: GPL-2.0-only
/* Metrics as a sink of an agent: see sink_metrics.h. */
#include <errno.h>
#include <string.h>

#include "agent/sink_metrics.h"

static int take_table(void *self, const struct agent_table_window *window, struct text_error *error_ret)
{
	struct sink_metrics *sink = self;
	struct run run = { .receipt = *window->receipt };
	int error;

	if (metrics_add_run(sink->metrics, &run, window->fold, window->result)) {
		metrics_skip(sink->metrics);
		return text_fail(error_ret, -ENOMEM, "out of memory");
	}
	if (sink->listen)
		listen_publish(sink->listen, sink->metrics);
	if (!sink->path)
		return 0;
	error = metrics_file_write(sink->path, sink->metrics, error_ret);
	sink->nr_written += !error;
	sink->nr_failed += error != 0;
	return error;
}

static void put_status(void *self, FILE *out)
{
	const struct sink_metrics *sink = self;

	if (sink->path)
		fprintf(out, "metrics\t%s, written %llu times, %llu failed\n", sink->path, sink->nr_written,
			sink->nr_failed);
	if (sink->listen)
		fprintf(out, "metrics port\t%u\n", listen_port(sink->listen));
}

int sink_metrics_open(struct sink_metrics *sink, const struct metrics_file_options *file,
		      const struct listen_options *listening, bool by_container, struct agent_sink *sink_ret,
		      struct text_error *error_ret)
{
	struct metrics_options options = { .nr_rows = metrics_file_rows(file), .by = by_container ? "container" : "exe" };
	int error;

	*sink = (struct sink_metrics){ .path = file->path };
	if (!file->path && !listening->address)
		return 0;
	error = (file->path ? metrics_file_probe(file->path, error_ret) : 0) ?:
		(listening->address ? listen_start(&sink->listen, listening, error_ret) : 0);
	if (error)
		return error;
	if (by_container)
		options.containers = sink->containers = container_map_create(NULL, "");
	sink->metrics = !by_container || sink->containers ? metrics_create(&options) : NULL;
	if (!sink->metrics) {
		sink_metrics_close(sink);
		return text_fail(error_ret, -ENOMEM, "begin metrics: out of memory");
	}
	*sink_ret = (struct agent_sink){
		.name = "metrics", .self = sink, .take_table = take_table, .put_status = put_status,
	};
	return 1;
}

void sink_metrics_close(struct sink_metrics *sink)
{
	listen_stop(sink->listen);
	metrics_destroy(sink->metrics);
	container_map_destroy(sink->containers);
	*sink = (struct sink_metrics){ 0 };
}
