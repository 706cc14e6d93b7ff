/* SPDX-License-Identifier: GPL-2.0-only */
/* Sampling options, shared by all commands that measure. */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "base/options.h"
#include "cpuprobe.h"
#include "events/event.h"
#include "events/event_find.h"
#include "run/cpus.h"

#define SAMPLING_WITHIN_LEAST	0.01	/* -within applies to shares above this */

struct sampling_options {
	double seconds;		/* 0: not given */
	u64 period_ns;
	unsigned int jitter;	/* enum cpuprobe_jitter */
	unsigned int engine;	/* enum device_engine */
	u64 seed;		/* 0: not given */
	struct cpus cpus;	/* empty: not given */
	u64 deferred_ns;	/* samples later than this are deferred; at most 1 s */
	double repeat_seconds;	/* 0: one report at the end */
	const char *save;	/* file to save the run in; NULL: none */
	bool excludes_deferred;	/* leave deferred samples out */
	bool lets_sleep;	/* count idle time without waking the CPU */
	bool uses_nmi;		/* take samples by NMI */
	struct event nmi_event;	/* with uses_nmi: whose overflows are the NMIs; all 0: CPUs send each other NMIs */
	struct event event;	/* sampled instead of time; all 0: not given */
	u64 event_period;	/* mean number of events between samples; 0: not given */
	struct event others[EVENTS_MOST - 1];	/* sampled beside it, each in a run of its own */
	unsigned int nr_others;
	u64 other_periods[EVENTS_MOST - 1];	/* if each event was given one */
	unsigned int nr_periods;		/* given: none, one for all, or one each */
	bool has_exports;	/* files besides save are to be written; the command sets this */
	double within;	/* stop when half-widths are at most this many points; 0: not given */
};

/** -sec; also for commands with -background; with it, -repeat and -within; and for those without a limit. */
extern const struct option_spec sec_specs[], sec_background_specs[], sec_report_specs[], sec_start_specs[];
extern const struct option_spec sampling_specs[];	/* besides -sec */
/** -event and -period, for the commands that can count events instead of time. */
extern const struct option_spec event_specs[];
/** -event and -period of several events, at offset 0 of the options. */
extern const struct option_spec events_specs[];
/** -nmi, for the commands that can look into code that keeps interrupts off. */
extern const struct option_spec nmi_specs[];
extern const struct option_spec report_specs[];	/* for reports of shares, besides sampling_specs */

/** sampling_init() - set the defaults. */
void sampling_init(struct sampling_options *options);

/** sampling_check() - check options for conflicts. -EINVAL: two cannot be combined. */
int sampling_check(const struct sampling_options *options, struct text_error *error_ret);

/** sampling_event() - the event to sample, with its period; all 0: time is sampled. */
struct event sampling_event(const struct sampling_options *options);

/**
 * sampling_set_rate() - give the event by whose NMIs samples are taken the period that makes the rate asked for.
 * @hz: how often the event occurs in a second, on a busy CPU; 0: unknown
 */
void sampling_set_rate(const struct sampling_options *options, double hz, struct event *event);

/**
 * sampling_beside() - the options of the run that samples the @at-th other event. They share what these options
 * hold, and are not to be freed.
 */
void sampling_beside(const struct sampling_options *options, unsigned int at, struct sampling_options *beside_ret);

/** sampling_turn() - let the next event take the place of the sampled one, which becomes the last of the others. */
void sampling_turn(struct sampling_options *options);

/** sampling_deinit() - free what the options hold. */
void sampling_deinit(struct sampling_options *options);

#endif
