// SPDX-License-Identifier: GPL-2.0-only
/* Sampling options: see sampling.h. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/option_values.h"
#include "events/event_find.h"
#include "events/pmu.h"
#include "run/device.h"
#include "run/receipt.h"
#include "run/sampling.h"

static const char *const jitters[] = { "grid", "poisson", "none", NULL };
static const char *const engines[] = { "auto", "module", "bpf", "perf", NULL };
static const char *const deferreds[] = { "show", "exclude", NULL };
static const char *const idles[] = { "sample", "sleep", NULL };

#define SAMPLING(field)	offsetof(struct sampling_options, field)

static int parse_cpus(const struct option_spec *spec, const char *value, void *at,
		      struct text_error *error_ret)
{
	struct cpus *cpus = at;

	cpus_deinit(cpus);
	return cpus_parse(value, cpus, error_ret);
}

#define SEC_SPECS(name, default_text) \
	const struct option_spec name[] = { \
		{ "sec", "T", "duration: 10, 2m or 1h (default" default_text ")", option_seconds, SAMPLING(seconds) }, \
		{ NULL } \
	}

SEC_SPECS(sec_specs, " 10 s; with COMMAND until it ends");
SEC_SPECS(sec_background_specs, " 10 s; with COMMAND until it ends; with -background no limit");
SEC_SPECS(sec_report_specs, " 10 s; with COMMAND until it ends; with -repeat, -within or -background no limit");
SEC_SPECS(sec_start_specs, ": no limit");

const struct option_spec sampling_specs[] = {
	{ "rate", "HZ", "samples per second and CPU, 1 to 20000 (default 1000)", option_rate,
	  SAMPLING(period_ns) },
	{ "jitter", "J", "sampling instants: grid, poisson or none (default grid)",
	  option_choice, SAMPLING(jitter), jitters },
	{ "seed", "N", "random seed; reuse it to repeat the sampling instants",
	  option_number, SAMPLING(seed) },
	{ "cpu", "LIST", "CPUs to sample: 0,2-3 or all (default: all except isolated ones)",
	  parse_cpus, SAMPLING(cpus) },
	{ "engine", "E", "what samples: auto, module, bpf or perf (default auto: the first that works; late, calls, "
	  "trace, mark and cost need the module)",
	  option_choice, SAMPLING(engine), engines },
	{ "deferred-over", "TIME", "a sample later than this is deferred (default 100us)",
	  option_short_time, SAMPLING(deferred_ns) },
	{ NULL }
};

static int parse_event(const struct option_spec *spec, const char *value, void *at,
		       struct text_error *error_ret)
{
	return event_find(PMU_ROOT, value, at, error_ret);
}

const struct option_spec event_specs[] = {
	{ "event", "EVENT", "sample on an event, not on time: a name of 'probe events', with :u or :k for a mode",
	  parse_event, SAMPLING(event) },
	{ "period", "N", "mean number of events between samples (default: depends on the event)",
	  option_range, SAMPLING(event_period), .min = 1, .max = CPUPROBE_EVENTS_MAX },
	{ NULL }
};

static int parse_events(const struct option_spec *spec, const char *value, void *at,
			struct text_error *error_ret)
{
	struct sampling_options *options = at;
	struct event events[EVENTS_MOST];
	unsigned int nr;
	int error = event_find_several(PMU_ROOT, value, events, &nr, error_ret);

	if (error)
		return error;
	options->event = events[0];
	options->nr_others = nr - 1;
	memcpy(options->others, &events[1], (nr - 1) * sizeof(*events));
	return 0;
}

/* One number, or numbers separated by commas. */
static int parse_periods(const struct option_spec *spec, const char *value, void *at,
			 struct text_error *error_ret)
{
	struct sampling_options *options = at;
	u64 periods[EVENTS_MOST];
	unsigned int nr = 0;
	char number[24];
	int error;

	for (;;) {
		const size_t len = strcspn(value, ",");

		if (nr == EVENTS_MOST)
			return text_fail(error_ret, -EINVAL, "a run has at most %d periods, one for each event",
					 EVENTS_MOST);
		if (len >= sizeof(number))
			return text_fail(error_ret, -EINVAL, "'%.*s' is too long for a number", (int)len, value);
		snprintf(number, sizeof(number), "%.*s", (int)len, value);
		error = option_range(spec, number, &periods[nr++], error_ret);
		if (error)
			return error;
		if (!value[len])
			break;
		value += len + 1;
	}
	options->event_period = periods[0];
	options->nr_periods = nr;
	memcpy(options->other_periods, &periods[1], (nr - 1) * sizeof(*periods));
	return 0;
}

const struct option_spec events_specs[] = {
	{ "event", "EVENT,...", "sample on events, not on time: names of 'probe events', with :u or :k for a mode",
	  parse_events, 0 },
	{ "period", "N,...", "mean number of events between samples, for all or for each (default: depends on the event)",
	  parse_periods, 0, .min = 1, .max = CPUPROBE_EVENTS_MAX },
	{ NULL }
};

/* On arm64 no CPU can send another one an NMI; but the counter of cycles may overflow by one. */
static int parse_nmi(const struct option_spec *spec, const char *value, void *at, struct text_error *error_ret)
{
	struct sampling_options *options = at;
	struct utsname host;

	options->uses_nmi = true;
	if (uname(&host) || strcmp(host.machine, "aarch64"))
		return 0;
	return event_find(PMU_ROOT, "cycles", &options->nmi_event, error_ret);
}

const struct option_spec nmi_specs[] = {
	{ "nmi", NULL, "take samples by NMI: they see code that keeps interrupts off", parse_nmi, 0 },
	{ NULL }
};

const struct option_spec report_specs[] = {
	{ "repeat", "T", "print a report every T seconds, until -sec, the end, or Ctrl-C",
	  option_seconds, SAMPLING(repeat_seconds) },
	{ "within", "P", "stop when shares are known to +- P points, or after -sec",
	  option_points, SAMPLING(within) },
	{ "idle", "HOW", "idle CPUs: sample, or let them sleep (default sample)",
	  option_second_choice, SAMPLING(lets_sleep), idles },
	{ "deferred", "HOW", "deferred samples: show or exclude (default show)",
	  option_second_choice, SAMPLING(excludes_deferred), deferreds },
	{ "save", "FILE", "save the run in FILE, for 'probe show'", option_file, SAMPLING(save) },
	{ NULL }
};

void sampling_init(struct sampling_options *options)
{
	memset(options, 0, sizeof(*options));
	options->period_ns = 1000000;
	options->deferred_ns = RECEIPT_DEFERRED_NS;
}

/* The option that is about time; NULL: there is none. */
static const char *find_option_of_time(const struct sampling_options *options)
{
	return options->lets_sleep ? "idle sleep" : options->excludes_deferred ? "deferred exclude" :
		options->deferred_ns != RECEIPT_DEFERRED_NS ? "deferred-over" :
		options->jitter == CPUPROBE_JITTER_POISSON ? "jitter poisson" : NULL;
}

static int check_event(const struct sampling_options *options, struct text_error *error_ret)
{
	const char *time = find_option_of_time(options);

	if (options->event_period && !event_is_sampled(&options->event))
		return text_fail(error_ret, -EINVAL, "-period needs -event");
	if (options->nr_periods > 1 && options->nr_periods != options->nr_others + 1)
		return text_fail(error_ret, -EINVAL, "-period has %u numbers, but -event has %u event%s",
				 options->nr_periods, options->nr_others + 1, options->nr_others ? "s" : "");
	return !event_is_sampled(&options->event) || !time ? 0 :
		text_fail(error_ret, -EINVAL, "-event cannot be combined with -%s", time);
}

/* The option that has no meaning if nothing delays a sample, or that only timers have; NULL: there is none. */
static const char *find_option_of_timers(const struct sampling_options *options)
{
	return event_is_sampled(&options->event) ? "event" : options->lets_sleep ? "idle sleep" :
		options->excludes_deferred ? "deferred exclude" :
		options->deferred_ns != RECEIPT_DEFERRED_NS ? "deferred-over" :
		event_is_sampled(&options->nmi_event) && options->jitter == CPUPROBE_JITTER_POISSON ? "jitter poisson" :
		options->engine > DEVICE_MODULE ? "engine" : NULL;
}

static int check_nmi(const struct sampling_options *options, struct text_error *error_ret)
{
	const char *timer = options->uses_nmi ? find_option_of_timers(options) : NULL;

	if (timer && !strcmp(timer, "engine"))
		return text_fail(error_ret, -EINVAL, "-nmi cannot be combined with -engine %s",
				 engines[options->engine]);
	return timer ? text_fail(error_ret, -EINVAL, "-nmi cannot be combined with -%s", timer) : 0;
}

int sampling_check(const struct sampling_options *options, struct text_error *error_ret)
{
	if (check_event(options, error_ret) || check_nmi(options, error_ret))
		return -EINVAL;
	if (options->save && options->repeat_seconds)
		return text_fail(error_ret, -EINVAL, "-save cannot be combined with -repeat");
	if (options->within > 0 && options->repeat_seconds)
		return text_fail(error_ret, -EINVAL, "-within cannot be combined with -repeat");
	if (options->lets_sleep && options->jitter == CPUPROBE_JITTER_POISSON)
		return text_fail(error_ret, -EINVAL,
				 "-idle sleep cannot be combined with -jitter poisson");
	return 0;
}

struct event sampling_event(const struct sampling_options *options)
{
	struct event event = options->uses_nmi ? options->nmi_event : options->event;

	if (options->event_period)
		event.period = options->event_period;
	return event;
}

void sampling_set_rate(const struct sampling_options *options, double hz, struct event *event)
{
	if (hz > 0)
		event->period = fmin(fmax(hz * options->period_ns / 1e9, 1), CPUPROBE_EVENTS_MAX);
}

void sampling_beside(const struct sampling_options *options, unsigned int at, struct sampling_options *beside_ret)
{
	*beside_ret = *options;
	beside_ret->event = options->others[at];
	if (options->nr_periods > 1)
		beside_ret->event_period = options->other_periods[at];
	beside_ret->nr_others = 0;
}

void sampling_turn(struct sampling_options *options)
{
	const unsigned int nr = options->nr_others, last = nr - 1;
	const struct event event = options->event;
	const u64 period = options->event_period;

	if (!nr)
		return;
	options->event = options->others[0];
	memmove(&options->others[0], &options->others[1], last * sizeof(options->others[0]));
	options->others[last] = event;
	if (options->nr_periods < 2)
		return;
	options->event_period = options->other_periods[0];
	memmove(&options->other_periods[0], &options->other_periods[1], last * sizeof(options->other_periods[0]));
	options->other_periods[last] = period;
}

void sampling_deinit(struct sampling_options *options)
{
	cpus_deinit(&options->cpus);
}
