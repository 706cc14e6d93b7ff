// SPDX-License-Identifier: GPL-2.0-only
/* The part of `probe diff` about events: see diff_command.h. */
#include <errno.h>

#include "diff_command.h"

int diff_check_events(const char *a, const struct receipt *of_a, const char *b, const struct receipt *of_b,
		      struct text_error *error_ret)
{
	const struct event *event_a = &of_a->event.event, *event_b = &of_b->event.event;

	return event_are_equal(event_a, event_b) ? 0 :
		text_fail(error_ret, -EINVAL, "compare %s with %s: one sampled %s, the other %s", a, b,
			  event_is_sampled(event_a) ? event_a->name : "time",
			  event_is_sampled(event_b) ? event_b->name : "time");
}
