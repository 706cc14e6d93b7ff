// SPDX-License-Identifier: GPL-2.0-only
/* An event that the kernel counts: see event.h. */
#include <linux/perf_event.h>
#include <string.h>

#include "base/text.h"
#include "cpuprobe.h"
#include "events/event.h"

bool event_is_software(const struct event *event)
{
	return event->type == PERF_TYPE_SOFTWARE;
}

void event_clean(struct event *event)
{
	event->name[sizeof(event->name) - 1] = '\0';
	text_clean(event->name);
	event->flags &= CPUPROBE_EVENT_NO_USER | CPUPROBE_EVENT_NO_KERNEL;
	if (!event->name[0] || !event->period || event->period > CPUPROBE_EVENTS_MAX)
		memset(event, 0, sizeof(*event));
}

bool event_are_equal(const struct event *a, const struct event *b)
{
	if (!event_is_sampled(a) || !event_is_sampled(b))
		return event_is_sampled(a) == event_is_sampled(b);
	return a->type == b->type && a->flags == b->flags && a->config == b->config &&
		a->config1 == b->config1 && !strcmp(a->name, b->name);
}

void event_json(FILE *out, const struct event *event)
{
	if (!event_is_sampled(event))
		return;
	fputs("  \"event\": ", out);
	text_json(out, event->name);
	fputs(",\n", out);
}

const char *event_heading(const struct event *event, char *text, size_t len)
{
	snprintf(text, len, "Counted %s with a period of %llu", event->name, event->period);
	return text;
}
