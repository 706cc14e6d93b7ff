// SPDX-License-Identifier: GPL-2.0-only
/* The expectation of a trace: see trace_expect.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "run/device_trace.h"
#include "trace/trace_expect.h"

struct trace_expect trace_expect_from(const u64 *events, const u64 *others, u32 nr, u64 traced_ns, u32 cost_ps,
				      u64 slots)
{
	struct trace_expect expect = { .seconds = 0 };
	double seconds = traced_ns / 1e9, most = 0;
	u32 i;

	if (!traced_ns)
		return expect;
	for (i = 0; i < nr; i++) {
		/* Two events share the cost of a call; a call that is left out costs no more. */
		double pct = 100 * (events[i] / 2.0 + others[i]) * (cost_ps / 1e12) / seconds;

		expect.events_hz += events[i] / seconds;
		if (pct > expect.busiest_pct)
			expect.busiest_pct = pct;
		if (events[i] > most)
			most = events[i];
	}
	expect.calls_hz = expect.events_hz / 2;
	if (slots && most > 0)
		expect.seconds = slots / (most / seconds);
	return expect;
}

/* Slots that a CPU has room for; 0: any number, since the oldest are overwritten. */
static u64 find_room(const struct trace_session *session)
{
	const struct cpuprobe_trace *request = &session->request;
	u64 kib = request->buffer_kib ?: CPUPROBE_TRACE_KIB, room = 1024 / sizeof(struct cpuprobe_event);

	if (request->flags & CPUPROBE_TRACE_WRAP)
		return 0;
	/* The module rounds down to a power of two. */
	while (kib & (kib - 1))
		kib &= kib - 1;
	room *= kib;
	return request->max_events && request->max_events < room ? request->max_events : room;
}

/* Reads the totals of all CPUs; 0: it does not record. */
static u64 read_totals(const struct device *device, u64 *events, u64 *others)
{
	struct cpuprobe_events totals;
	u64 traced_ns = 0;
	u32 cpu;

	for (cpu = 0; cpu < device->info.nr_cpu_ids; cpu++) {
		int error = device_copy_events(device, cpu, 0, NULL, 0, &totals);

		if (error && error != -EBUSY)
			continue;
		if (totals.flags & (CPUPROBE_EVENTS_ENDED | CPUPROBE_EVENTS_WAITING))
			return 0;
		events[cpu] = totals.stored;
		others[cpu] = totals.others;
		traced_ns = totals.traced_ns;
	}
	return traced_ns;
}

static void print(const struct trace_expect *expect, double planned_seconds)
{
	fprintf(stderr, "probe: some %.0f events a second, or %.0f calls, which take %.2f%% of the busiest CPU\n",
		expect->events_hz, expect->calls_hz, expect->busiest_pct);
	if (expect->seconds > 0 && (!planned_seconds || expect->seconds < planned_seconds))
		fprintf(stderr, "probe: its memory is full %.1f s after the begin: -memory enlarges it\n",
			expect->seconds);
}

void trace_expect_tell(const struct trace_session *session, double planned_seconds)
{
	const struct device *device = &session->calls.device;
	u32 nr = device->info.nr_cpu_ids;
	u64 *events = calloc(nr, sizeof(*events)), *others = calloc(nr, sizeof(*others));
	u64 traced_ns = events && others ? read_totals(device, events, others) : 0;
	struct trace_expect expect;

	if (traced_ns) {
		expect = trace_expect_from(events, others, nr, traced_ns, session->request.cost_ps,
					   find_room(session));
		print(&expect, planned_seconds);
	}
	free(events);
	free(others);
}
