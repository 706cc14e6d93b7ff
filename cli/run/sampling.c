// SPDX-License-Identifier: GPL-2.0-only
/* Options of taking samples: see sampling.h. */
#include <errno.h>
#include <string.h>

#include "run/sampling.h"

static const char *const jitters[] = { "grid", "poisson", "none", NULL };
static const char *const deferreds[] = { "show", "exclude", NULL };
static const char *const idles[] = { "sample", "sleep", NULL };

const struct option_spec sampling_specs[] = {
	{ "sec", "T",
	  "how long: 10, 2m or 1h (default 10 s; with COMMAND until it ends; start: no limit)" },
	{ "rate", "HZ", "samples per second and CPU, 1 to 20000 (default 1000)" },
	{ "jitter", "J", "how instants are drawn: grid, poisson or none (default grid)", jitters },
	{ "seed", "N", "seed of the instants, to have the same ones in another run" },
	{ "cpu", "LIST", "CPUs to sample: 0,2-3 or all (default all but isolated ones)" },
	{ NULL, NULL, NULL }
};

const struct option_spec report_specs[] = {
	{ "repeat", "T", "a report every T seconds, until -sec, the end, or Ctrl-C" },
	{ "within", "P", "stop when shares are known to +- P points, or after -sec" },
	{ "idle", "HOW", "idle CPUs: sample, or let them sleep (default sample)", idles },
	{ "deferred", "HOW", "samples over 100 us late: show or exclude (default show)",
	  deferreds },
	{ "save", "FILE", "keep the run in FILE, for 'probe show'" },
	{ NULL, NULL, NULL }
};

void sampling_init(struct sampling_options *options)
{
	memset(options, 0, sizeof(*options));
	options->period_ns = 1000000;
}

int sampling_set(struct sampling_options *options, const char *name, const char *value,
		 struct text_error *error_ret)
{
	unsigned int choice = 0;
	int error;

	if (!strcmp(name, "sec"))
		return parse_seconds(value, &options->seconds, error_ret);
	if (!strcmp(name, "rate"))
		return parse_rate(value, &options->period_ns, error_ret);
	if (!strcmp(name, "jitter"))
		return parse_choice(value, jitters, &options->jitter, error_ret);
	if (!strcmp(name, "seed"))
		return parse_u64(value, &options->seed, error_ret);
	if (!strcmp(name, "cpu")) {
		cpus_deinit(&options->cpus);
		return cpus_parse(value, &options->cpus, error_ret);
	}
	if (!strcmp(name, "repeat"))
		return parse_seconds(value, &options->repeat_seconds, error_ret);
	if (!strcmp(name, "within"))
		return parse_points(value, &options->within, error_ret);
	if (!strcmp(name, "deferred")) {
		error = parse_choice(value, deferreds, &choice, error_ret);
		options->excludes_deferred = choice == 1;
		return error;
	}
	if (!strcmp(name, "idle")) {
		error = parse_choice(value, idles, &choice, error_ret);
		options->lets_sleep = choice == 1;
		return error;
	}
	if (strcmp(name, "save"))
		return 1;
	options->save = value;
	return 0;
}

int sampling_check(const struct sampling_options *options, struct text_error *error_ret)
{
	if (options->save && options->repeat_seconds)
		return text_fail(error_ret, -EINVAL, "-save keeps one report, -repeat makes many");
	if (options->within > 0 && options->repeat_seconds)
		return text_fail(error_ret, -EINVAL, "-within decides when one report is done, "
				 "-repeat makes many");
	if (options->lets_sleep && options->jitter == CPUPROBE_JITTER_POISSON)
		return text_fail(error_ret, -EINVAL, "-idle sleep counts the periods that a CPU "
				 "slept, -jitter poisson has none");
	return 0;
}

void sampling_deinit(struct sampling_options *options)
{
	cpus_deinit(&options->cpus);
}
