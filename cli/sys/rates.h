/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rates of events in the rows of a table: a ratio of two events that were sampled at the same time.
 * Instructions per cycle, if both are there; each other event per thousand instructions or, without
 * instructions, per thousand of the first event. Pure.
 *
 * The number of events of a row is its share of the samples, times all events that the kernel counted. This
 * total is exact, so that the interval of a rate follows from those of both shares
 * (stat_ratio_of_times(); docs/statistics.md).
 */
#ifndef RATES_H
#define RATES_H

#include "base/share.h"
#include "events/event.h"
#include "sys/rows.h"

#define RATES_EVENTS	(1 + ROWS_OTHERS)

/** One of the events that a rate is made of. */
struct rate_event {
	struct event event;
	u64 taken;		/* samples */
	double counted;		/* events, those included that passed while its counters took turns */
	double excess;		/* of its samples, as in stat.h */
};

/** A rate: events @of for each event @per, or for a thousand of them. */
struct rate {
	unsigned int of, per;	/* positions of the events */
	double times;		/* 1 or 1000 */
	bool is_ipc;		/* instructions per cycle */
};

struct rates {
	struct rate_event event[RATES_EVENTS];
	unsigned int nr_events;	/* 0 or 1: there are no rates */
	struct rate rate[RATES_EVENTS];	/* instructions per cycle come first */
	unsigned int nr;
};

/** rates_choose() - choose the rates that make sense for the events, which are set. */
void rates_choose(struct rates *rates);

/** rates_events() - number of events in a row; @at: position of the event. */
double rates_events(const struct rates *rates, const struct row *row, unsigned int at);

/** rates_hits() - samples of this event in a row. */
u64 rates_hits(const struct rates *rates, const struct row *row, unsigned int at);

/**
 * rates_of() - a rate of a row with its 95% interval. NAN: no sample of the event below the line; its upper end
 * may be INFINITY.
 */
struct share rates_of(const struct rates *rates, const struct rate *rate, const struct row *row);

/** rates_total() - a rate of the whole machine: exact, as both numbers were counted. NAN: unknown. */
double rates_total(const struct rates *rates, const struct rate *rate);

/** rates_key() - key of its column: "ipc", or "rate3" if it is about the third event; returns @text. */
const char *rates_key(const struct rate *rate, char *text, size_t len);

/** rates_name() - "instructions per cycle", "cache-misses per 1000 instructions" in @text; returns @text. */
const char *rates_name(const struct rates *rates, const struct rate *rate, char *text, size_t len);

#endif
