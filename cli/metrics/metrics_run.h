/* SPDX-License-Identifier: GPL-2.0-only */
/* A run as a source of metrics, and the file that they are written to. */
#ifndef METRICS_RUN_H
#define METRICS_RUN_H

#include "base/options.h"
#include "metrics/metrics.h"
#include "run/run.h"

struct metrics_file_options {
	const char *path;	/* of the file; NULL: none */
	u64 nr_rows;		/* 0: not given; else as in struct metrics_options */
};

extern const struct option_spec metrics_file_specs[];

/** metrics_file_rows() - the number of rows: the one that was given, or the default. */
size_t metrics_file_rows(const struct metrics_file_options *options);

/**
 * metrics_file_check() - check combinations of options. -EINVAL.
 * @listens: the metrics can be read with -listen too
 * @save: file of -save; NULL: none
 */
int metrics_file_check(const struct metrics_file_options *options, bool listens, const char *save,
		       struct text_error *error_ret);

/** metrics_file_probe() - whether the file can be written: a file of that name stays as it is. -EIO. */
int metrics_file_probe(const char *path, struct text_error *error_ret);

/** metrics_file_write() - replace the file by the current metrics, at once: no reader sees a part. -EIO. */
int metrics_file_write(const char *path, const struct metrics *metrics, struct text_error *error_ret);

/**
 * metrics_add_run() - add a window of a run, which ends now. Errors as of metrics_add().
 * @result: of the window, as the hook run.interval gets it; or of the whole run
 */
int metrics_add_run(struct metrics *metrics, const struct run *run, const struct fold *fold,
		    const struct run_result *result);

#endif
