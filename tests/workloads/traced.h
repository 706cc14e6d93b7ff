/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by programs that check sessions that follow calls: begin, end, and read all events. */
#ifndef TRACED_H
#define TRACED_H

#include <poll.h>
#include <sched.h>
#include <stddef.h>

#include "hooks.h"

#define EVENTS_MAX	262144
#define SLOTS_MAX	65536
#define CPUS_MAX	8

/** An event as a test looks at it. */
struct seen {
	__u64 ns;
	__u32 type, flags, what, data;
	__u32 cpu;
	__u32 tid;		/* of the running task */
	char text[CPUPROBE_MARK_MAX + 1];
};

static struct seen seen[EVENTS_MAX];
static int nr_seen;
static struct cpuprobe_events totals[CPUS_MAX];
static int nr_cpus;

/** TRACE() - a request for all tasks without triggers, with the given members. */
#define TRACE(...) REQUEST(trace, .exe_fd = -1, .cgroup_fd = -1, .start_function = CPUPROBE_NO_FUNCTION, \
	.stop_function = CPUPROBE_NO_FUNCTION, __VA_ARGS__)

/** stay_on() - run on one CPU from now on: events of one CPU are in order, whatever the clocks. */
static inline void stay_on(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	is("affinity", sched_setaffinity(0, sizeof(one), &one), 0);
}

static inline __u32 slots_of_text(const struct seen *event)
{
	if (event->type == CPUPROBE_EVENT_NAME)
		return 1;
	return event->type == CPUPROBE_EVENT_MARK ? (event->data + 15) / 16 : 0;
}

/** parse_event() - take an event from slots; returns the slots taken. */
static inline __u32 parse_event(const struct cpuprobe_event *slot, __u32 nr, struct seen *event, __u32 *tid)
{
	__u32 type = slot->head >> CPUPROBE_EVENT_TYPE_SHIFT & 0xff, text;

	*event = (struct seen){ .ns = slot->head >> CPUPROBE_EVENT_TIME_SHIFT, .type = type,
		.flags = slot->head & 0xff, .what = slot->what, .data = slot->data };
	if (type == CPUPROBE_EVENT_SWITCH)
		*tid = slot->what;
	if (type == CPUPROBE_EVENT_RUNNING) {
		if (*tid != ~0u && *tid != slot->what)
			is("the running task was known", *tid, slot->what);
		*tid = slot->what;
	}
	event->tid = *tid;
	text = slots_of_text(event);
	is("text is short", text <= 4, 1);
	is("text is whole", text < nr, 1);
	if (text < nr && text <= 4)
		memcpy(event->text, slot + 1, text * sizeof(*slot));
	return 1 + text;
}

/* Events of one CPU, and the promises that every event keeps. */
static inline void parse_slots(int cpu, const struct cpuprobe_event *slot)
{
	__u32 nr = totals[cpu].nr_slots, i = 0, tid = ~0u;
	__u64 last = 0;

	if (nr)
		is("the first event names the task", slot->head >> 8 & 0xff, CPUPROBE_EVENT_RUNNING);
	while (i < nr && nr_seen < EVENTS_MAX) {
		struct seen *event = &seen[nr_seen++];

		i += parse_event(slot + i, nr - i, event, &tid);
		event->cpu = cpu;
		is("a type", event->type >= CPUPROBE_EVENT_ENTRY && event->type <= CPUPROBE_EVENT_LOST, 1);
		is("time does not go back", event->ns >= last, 1);
		is("no event is later than the end", event->ns <= totals[cpu].traced_ns, 1);
		last = event->ns;
	}
}

/** read_events() - read all events after the end, CPU by CPU. */
static inline void read_events(int fd)
{
	static struct cpuprobe_event slot[SLOTS_MAX];
	int cpu;

	nr_seen = 0;
	nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		totals[cpu] = REQUEST(events, .cpu = cpu);
		is("EVENTS without events", call(fd, CPUPROBE_IOC_EVENTS, &totals[cpu]), 0);
		totals[cpu].from = totals[cpu].first;
		totals[cpu].buffer = (unsigned long)slot;
		totals[cpu].buffer_len = sizeof(slot);
		is("EVENTS", call(fd, CPUPROBE_IOC_EVENTS, &totals[cpu]), 0);
		is("slots", totals[cpu].nr_slots, totals[cpu].stored - totals[cpu].first);
		is("ended", totals[cpu].flags & CPUPROBE_EVENTS_ENDED, CPUPROBE_EVENTS_ENDED);
		parse_slots(cpu, slot);
	}
}

/** count_events() - events of a type, about something unless ~0, while a task ran unless ~0. */
static inline int count_events(__u32 type, __u32 what, __u32 tid)
{
	int i, nr = 0;

	for (i = 0; i < nr_seen; i++)
		nr += seen[i].type == type && (what == ~0u || seen[i].what == what) &&
			(tid == ~0u || seen[i].tid == tid);
	return nr;
}

/** find_event() - index of the first such event from @from on; -1: none. */
static inline int find_event(int from, __u32 type, __u32 what, __u32 tid)
{
	int i;

	for (i = from; i < nr_seen; i++)
		if (seen[i].type == type && (what == ~0u || seen[i].what == what) &&
		    (tid == ~0u || seen[i].tid == tid))
			return i;
	return -1;
}

static inline int begin_trace(struct cpuprobe_trace request)
{
	int fd = open_device();

	is("TRACE", call(fd, CPUPROBE_IOC_TRACE, &request), 0);
	is("its reason", request.reason, 0);
	is("hooked", request.nr_hooked, request.nr_functions);
	is("a cost", request.cost_ps > 0, 1);
	is("a part lies between the events", request.own_ps <= request.cost_ps, 1);
	is("the budget", request.budget_ppm > 0, 1);
	return fd;
}

/** end_trace() - end what nothing else has ended, read all events and close. */
static inline void end_trace(int fd)
{
	is("STOP", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	read_events(fd);
	is("why it ended", totals[0].flags & ~CPUPROBE_EVENTS_WAITING, CPUPROBE_EVENTS_ENDED);
	close(fd);
}

/** has_ended() - whether poll() says so. */
static inline int has_ended(int fd, int timeout_ms)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	return poll(&wait, 1, timeout_ms) == 1 && wait.revents & POLLIN;
}

#endif
