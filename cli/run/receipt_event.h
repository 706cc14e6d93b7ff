/* SPDX-License-Identifier: GPL-2.0-only */
/* The receipt of a run that sampled an event: what was counted, and for how long. Plain data. */
#ifndef RECEIPT_EVENT_H
#define RECEIPT_EVENT_H

#include <stdio.h>

#include "cpuprobe.h"
#include "events/event.h"

/** A run whose samples are of an event. */
struct receipt_event {
	struct event event;	/* all 0: time was sampled */
	u64 least_ns;		/* shortest mean time between samples that was asked for */
	u64 counted;		/* events, while the counters ran */
	u64 enabled_ns;		/* sum over all CPUs: time in which the event was to be counted */
	u64 running_ns;		/* part of it in which the counters ran: events may take turns */
	u32 nr_throttled;	/* CPUs on which the kernel stopped the counter at times, until a tick */
	u32 nr_uncounted;	/* CPUs that had no counter for a time, as they were offline */
};

/** receipt_clean_event() - make numbers of a file valid. */
void receipt_clean_event(struct receipt_event *event);

/** receipt_add_event() - add the counts of an account. */
void receipt_add_event(struct receipt_event *event, const struct cpuprobe_account *account);

/** receipt_join_event() - add the counts of another run. */
void receipt_join_event(struct receipt_event *sum, const struct receipt_event *more);

/** receipt_events() - events of all the time: those counted and, at the same rate, those that passed while counters took turns. */
double receipt_events(const struct receipt_event *event);

/**
 * receipt_describe_event() - "page-faults with a period of 101 asked, at most 1000 Hz" and the like.
 * @by: " by NMI" if its overflows take samples at the rate that was asked for, else ""
 * @taken: samples
 */
void receipt_describe_event(const struct receipt_event *event, const char *by, u64 taken, char *text, size_t len);

/** receipt_event_unseen() - what samples of this event do not show. */
void receipt_event_unseen(const struct receipt_event *event, char *text, size_t len);

/** receipt_json_event() - print ", "event": { ... }". */
void receipt_json_event(FILE *out, const struct receipt_event *event);

/** receipt_warn_event() - warn on stderr of counters that took turns, and of samples that came too fast. */
void receipt_warn_event(const struct receipt_event *event, u64 taken);

#endif
