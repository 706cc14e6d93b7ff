// SPDX-License-Identifier: GPL-2.0-only
/* Rates of events: see rates.h. */
#include <math.h>
#include <stdio.h>

#include "sys/rates.h"

/* Position of the first event of a role; RATES_EVENTS: there is none. */
static unsigned int find_role(const struct rates *rates, enum event_role role)
{
	unsigned int at = 0;

	while (at < rates->nr_events && event_role(&rates->event[at].event) != role)
		at++;
	return at < rates->nr_events ? at : RATES_EVENTS;
}

void rates_choose(struct rates *rates)
{
	const unsigned int cycles = find_role(rates, EVENT_CYCLES);
	const unsigned int instructions = find_role(rates, EVENT_INSTRUCTIONS);
	const unsigned int per = instructions < RATES_EVENTS ? instructions : 0;
	/* Cycles of user mode have instructions of user mode. */
	const bool has_ipc = cycles < RATES_EVENTS && instructions < RATES_EVENTS &&
		rates->event[cycles].event.flags == rates->event[instructions].event.flags;
	unsigned int at;

	rates->nr = 0;
	if (has_ipc)
		rates->rate[rates->nr++] = (struct rate){ instructions, cycles, 1, true };
	for (at = 0; at < rates->nr_events; at++)
		if (at != per && !(has_ipc && at == cycles))
			rates->rate[rates->nr++] = (struct rate){ at, per, 1000, false };
}

static double get_share(const struct row *row, unsigned int at)
{
	return at ? row->other[at - 1].share : row->total;
}

double rates_events(const struct rates *rates, const struct row *row, unsigned int at)
{
	return get_share(row, at) * rates->event[at].counted;
}

u64 rates_hits(const struct rates *rates, const struct row *row, unsigned int at)
{
	return at ? row->other[at - 1].hits : row_hits(row);
}

/* As a time: a share of samples that stand for all events, or a thousand of them. */
static struct stat_time get_time(const struct rates *rates, const struct row *row, unsigned int at, double times)
{
	const struct rate_event *event = &rates->event[at];

	return (struct stat_time){ fmin(get_share(row, at), 1), event->taken, event->counted * times, event->excess };
}

struct share rates_of(const struct rates *rates, const struct rate *rate, const struct row *row)
{
	const struct stat_time per = get_time(rates, row, rate->per, 1);
	const struct stat_time of = get_time(rates, row, rate->of, rate->times);
	struct share share = { NAN, NAN, 0, INFINITY, false };
	struct stat_ratio ratio;

	if (!(per.scale > 0))
		return share;
	ratio = stat_ratio_of_times(&per, &of);
	share.lo = ratio.interval.lo;
	share.hi = ratio.interval.hi;
	if (!rates_hits(rates, row, rate->per))
		return share;
	share.value = ratio.ratio;
	share.error = stat_margin(ratio.interval, ratio.ratio);
	/* An event that the counters never saw has a rate of 0. */
	share.is_bound = of.scale > 0 && rates_hits(rates, row, rate->of) < SHARE_FEW_HITS;
	return share;
}

double rates_total(const struct rates *rates, const struct rate *rate)
{
	const double per = rates->event[rate->per].counted;

	return per > 0 ? rate->times * rates->event[rate->of].counted / per : NAN;
}

const char *rates_key(const struct rate *rate, char *text, size_t len)
{
	if (rate->is_ipc)
		snprintf(text, len, "ipc");
	else
		snprintf(text, len, "rate%u", rate->of + 1);
	return text;
}

const char *rates_name(const struct rates *rates, const struct rate *rate, char *text, size_t len)
{
	snprintf(text, len, rate->is_ipc ? "instructions per cycle" : "%s per 1000 %s",
		 rates->event[rate->of].event.name, rates->event[rate->per].event.name);
	return text;
}
