/* SPDX-License-Identifier: GPL-2.0-only */
/* How often an event occurs at least, on a CPU that is busy. */
#ifndef EVENT_RATE_H
#define EVENT_RATE_H

#include "base/text.h"
#include "events/event.h"

#define EVENT_RATE_MOST	20000	/* samples per second and CPU: more would be a storm */

/**
 * event_rate() - events per second while this thread computes, measured in two milliseconds. A busy CPU causes so
 * many at the least. 0: none, or unknown, as this user may not count it.
 */
double event_rate(const struct event *event);

/**
 * event_check_rate() - whether each busy CPU would take more than EVENT_RATE_MOST samples a second, if it causes
 * @rate events a second.
 * @wanted_hz: the most samples per second that are wanted, for the hint
 * -EINVAL with the rate that the period implies.
 */
int event_check_rate(const struct event *event, double rate, double wanted_hz, struct text_error *error_ret);

#endif
