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

/* The name of a PMU's event: "inst_retired" of "armv8_pmuv3/inst_retired/u". Empty: it has fields, or is of no PMU. */
static void get_pmu_event(const struct event *event, char name[EVENT_NAME_LEN])
{
	const char *begin = strchr(event->name, '/'), *end = strrchr(event->name, '/');

	snprintf(name, EVENT_NAME_LEN, "%.*s", begin && end > begin ? (int)(end - begin - 1) : 0,
		 begin ? begin + 1 : "");
}

enum event_role event_role(const struct event *event)
{
	static const struct { const char *name; enum event_role role; } names[] = {
		{ "cpu-cycles", EVENT_CYCLES }, { "cpu_cycles", EVENT_CYCLES }, { "cycles", EVENT_CYCLES },
		{ "instructions", EVENT_INSTRUCTIONS }, { "inst_retired", EVENT_INSTRUCTIONS },
	};
	char name[EVENT_NAME_LEN];
	size_t i;

	if (event->type == PERF_TYPE_HARDWARE)
		return event->config == PERF_COUNT_HW_CPU_CYCLES ? EVENT_CYCLES :
			event->config == PERF_COUNT_HW_INSTRUCTIONS ? EVENT_INSTRUCTIONS : EVENT_OTHER;
	get_pmu_event(event, name);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].name, name))
			return names[i].role;
	return EVENT_OTHER;
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
