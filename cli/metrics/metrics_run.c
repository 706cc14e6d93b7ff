// SPDX-License-Identifier: GPL-2.0-only
/* A run as a source of metrics, and the file that they are written to: see metrics_run.h. */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/option_values.h"
#include "base/outfile.h"
#include "metrics/metrics_run.h"

static int parse_metrics_path(const struct option_spec *spec, const char *value, void *at,
			      struct text_error *error_ret)
{
	if (!value[0])
		return text_fail(error_ret, -EINVAL, "the file name is empty");
	if (!strcmp(value, "-"))
		return text_fail(error_ret, -EINVAL, "metrics need a file: standard output has the table");
	*(const char **)at = value;
	return 0;
}

const struct option_spec metrics_file_specs[] = {
	{ "prom", "FILE", "write metrics for Prometheus after each table", parse_metrics_path,
	  offsetof(struct metrics_file_options, path) },
	{ "prom-rows", "N", "rows in the metrics; others count as 'other' (default 50)", option_range,
	  offsetof(struct metrics_file_options, nr_rows), .min = 1, .max = METRICS_ROWS_MAX },
	{ NULL }
};

size_t metrics_file_rows(const struct metrics_file_options *options)
{
	return options->nr_rows ? options->nr_rows : METRICS_ROWS;
}

int metrics_file_check(const struct metrics_file_options *options, bool listens, const char *save,
		       struct text_error *error_ret)
{
	if (options->nr_rows && !options->path && !listens)
		return text_fail(error_ret, -EINVAL, "-prom-rows needs -prom or -listen");
	if (save && options->path && outfile_is_same(save, options->path))
		return text_fail(error_ret, -EINVAL, "-save and -prom cannot write the same file '%s'", save);
	return 0;
}

int metrics_file_probe(const char *path, struct text_error *error_ret)
{
	struct outfile file;
	int error = outfile_open(&file, path, error_ret);

	outfile_abandon(&file);
	return error ? -EIO : 0;
}

int metrics_file_write(const char *path, const struct metrics *metrics, struct text_error *error_ret)
{
	struct outfile file;

	if (outfile_open(&file, path, error_ret))
		return -EIO;
	/* A slow disk must not hold up the harvests, and the next window writes another file. */
	file.is_volatile = true;
	/* The commit finds errors of writing. */
	metrics_write(metrics, file.file);
	return outfile_commit(&file, error_ret);
}

int metrics_add_run(struct metrics *metrics, const struct run *run, const struct fold *fold,
		    const struct run_result *result)
{
	u32 flags = run->receipt.flags;
	const struct metrics_window window = {
		.fold = fold, .result = result, .ended = clock_unix(),
		.cost_ns = flags & RECEIPT_NO_MODULE ? 0 : run->receipt.cost_ns,
		.knows_deferred = !(flags & RECEIPT_NO_MODULE), .lumped = receipt_lumped_modes(flags),
		.tool_cpu_seconds = clock_read(CLOCK_PROCESS_CPUTIME_ID),
		.engine = flags & RECEIPT_BPF ? "bpf" : flags & RECEIPT_PERF ? "perf" : "module",
	};

	return metrics_add(metrics, &window);
}
