// SPDX-License-Identifier: GPL-2.0-only
/* The end of a run, and messages about it: see run.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "run/run.h"

void run_tell_precision(const struct run *run)
{
	if (!run->is_precise || run->end == RUN_PRECISE || !(run->seconds_left > 0))
		return;
	fprintf(stderr, "probe: ended before +-%g points were reached\nhint: about %.0f s "
		"more would be enough\n", run->options->within, ceil(run->seconds_left));
}

void run_deinit(struct run *run)
{
	free(run->cpus);
	run->cpus = NULL;
	run->nr_cpus = 0;
}

int run_no_samples(const struct run_result *result)
{
	struct text_error error;

	if (event_is_sampled(&result->event))
		text_fail(&error, 0, "no sample of %s was taken in %.3g s", result->event.name, result->elapsed_seconds);
	else
		text_fail(&error, 0, "no sample was taken in %.3g s", result->elapsed_seconds);
	text_hint(&error, event_is_sampled(&result->event) ? "sample longer (-sec), or more often (-period)" :
		  "sample longer (-sec) or faster (-rate)");
	text_report(&error);
	return -ENODATA;
}

/* Whether a COMMAND was measured, but ended too soon for a sample. A file that was asked for is then missing. */
static bool was_too_short(const struct run *run, int error)
{
	return error == -ENODATA && run->whole_seconds > 0 && !run->result.account.taken && !run->options->save &&
		!run->options->has_exports;
}

int run_exit_status(const struct run *run, int error)
{
	if (!run->command)
		return error ? 1 : 0;
	if (!error || was_too_short(run, error))
		return run->command_status;
	if (!run->command_error)
		return 125;
	return run->command_error == -ENOENT ? 127 : 126;
}
