/* SPDX-License-Identifier: GPL-2.0-only */
/* Metrics as a sink of an agent: a file for a textfile collector, and HTTP on a local address. */
#ifndef SINK_METRICS_H
#define SINK_METRICS_H

#include "agent/agent_sink.h"
#include "metrics/listen.h"
#include "metrics/metrics_run.h"

struct sink_metrics {
	struct metrics *metrics;	/* NULL: none are wanted */
	struct container_map *containers;	/* of the table's rows; NULL: they are executables */
	struct listen *listen;		/* NULL: not listening */
	const char *path;		/* NULL: no file */
	u64 nr_written;			/* files */
	u64 nr_failed;
};

/**
 * sink_metrics_open() - begin, with counters at 0. Texts of the options must live as long.
 * Returns whether metrics are wanted; @sink_ret is then set. -errno with a reason.
 */
int sink_metrics_open(struct sink_metrics *sink, const struct metrics_file_options *file,
		      const struct listen_options *listening, bool by_container, struct agent_sink *sink_ret,
		      struct text_error *error_ret);

/** sink_metrics_close() - stop listening. All zero is allowed. */
void sink_metrics_close(struct sink_metrics *sink);

#endif
