// SPDX-License-Identifier: GPL-2.0-only
/* The event of a run in its receipt: see receipt_event.h. */
#include "base/text.h"
#include "run/receipt_event.h"

#define RUNNING_LEAST	0.99	/* counters that ran for less took turns */
#define RATE_MOST	1.5	/* of the rate that was asked for: more is not chance */

void receipt_clean_event(struct receipt_event *event)
{
	event_clean(&event->event);
	if (event->running_ns > event->enabled_ns)
		event->running_ns = event->enabled_ns;
}

void receipt_add_event(struct receipt_event *event, const struct cpuprobe_account *account)
{
	event->counted += account->events;
	event->enabled_ns += account->enabled_ns;
	event->running_ns += account->running_ns;
}

void receipt_join_event(struct receipt_event *sum, const struct receipt_event *more)
{
	sum->counted += more->counted;
	sum->enabled_ns += more->enabled_ns;
	sum->running_ns += more->running_ns;
	sum->nr_throttled += more->nr_throttled;
	sum->nr_uncounted += more->nr_uncounted;
}

/* Share of the time in which the counters ran, 0 to 1. */
static double running_share(const struct receipt_event *event)
{
	return event->enabled_ns ? (double)event->running_ns / event->enabled_ns : 0;
}

double receipt_events(const struct receipt_event *event)
{
	return event->running_ns ? event->counted / running_share(event) : event->counted;
}

/* Samples per second and CPU. */
static double compute_hz(const struct receipt_event *event, u64 taken)
{
	return event->enabled_ns ? 1e9 * taken / event->enabled_ns : 0;
}

static double compute_asked_hz(const struct receipt_event *event)
{
	return event->least_ns ? 1e9 / event->least_ns : 0;
}

/* ", counted for 48% of the time"; empty if the counters never stopped. */
static void describe_turns(const struct receipt_event *event, char *text, size_t len)
{
	text[0] = '\0';
	if (running_share(event) < RUNNING_LEAST)
		snprintf(text, len, " in the %.1f%% of the time in which the counters ran",
			 running_share(event) * 100);
}

void receipt_describe_event(const struct receipt_event *event, const char *by, u64 taken, char *text, size_t len)
{
	char turns[80];

	describe_turns(event, turns, sizeof(turns));
	snprintf(text, len, "%s%s with a period of %llu, %s%.6g Hz asked, %.6g Hz reached, "
		 "%llu events counted%s", event->event.name, by, event->event.period, by[0] ? "" : "at most ",
		 compute_asked_hz(event),
		 compute_hz(event, taken), event->counted, turns);
}

void receipt_event_unseen(const struct receipt_event *event, char *text, size_t len)
{
	snprintf(text, len, "%s%s",
		 event->event.flags & CPUPROBE_EVENT_NO_USER ? "events in user mode, " :
		 event->event.flags & CPUPROBE_EVENT_NO_KERNEL ? "events in the kernel, " : "",
		 event_is_software(&event->event) ?
		 "events that occur while the kernel handles another one" :
		 "the exact instruction (a sample may come some instructions after its event)");
}

void receipt_json_event(FILE *out, const struct receipt_event *event)
{
	fputs(",\n    \"event\": { \"name\": ", out);
	text_json(out, event->event.name);
	fprintf(out, ", \"period\": %llu, \"rate_at_most\": %.6g, \"counted\": %llu,\n      "
		"\"enabled_ns\": %llu, \"running_ns\": %llu, \"cpus_throttled\": %u, \"cpus_uncounted\": %u }",
		event->event.period, compute_asked_hz(event), event->counted, event->enabled_ns,
		event->running_ns, event->nr_throttled, event->nr_uncounted);
}

void receipt_warn_event(const struct receipt_event *event, u64 taken)
{
	if (event->enabled_ns && running_share(event) < RUNNING_LEAST)
		fprintf(stderr, "probe: warning: %s was counted for %.1f%% of the time: events took turns\n"
			"hint: the processor has fewer counters than events that are wanted now\n",
			event->event.name, running_share(event) * 100);
	if (event->nr_throttled)
		fprintf(stderr, "probe: warning: the kernel stopped counting %s at times, on %u CPU%s\n"
			"hint: events came too fast for it: a larger -period, or a higher "
			"kernel.perf_event_max_sample_rate\n", event->event.name, event->nr_throttled,
			event->nr_throttled == 1 ? "" : "s");
	if (event->nr_uncounted)
		fprintf(stderr, "probe: warning: %s: %u CPU%s had no counter for a part of the run\n"
			"hint: a CPU that was offline is counted again about a second after its return\n",
			event->event.name, event->nr_uncounted, event->nr_uncounted == 1 ? "" : "s");
	if (compute_hz(event, taken) > RATE_MOST * compute_asked_hz(event))
		fprintf(stderr, "probe: warning: %s: samples came at %.4g Hz, faster than the %.4g Hz of -rate\n"
			"hint: a larger -period takes fewer\n", event->event.name, compute_hz(event, taken),
			compute_asked_hz(event));
}
