// SPDX-License-Identifier: GPL-2.0-only
/* Events for the reader of a session that follows calls: see traces.h. */
#include <linux/nospec.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "trace.h"
#include "traces.h"

/* Slots copied at a time. */
#define SLOTS_COPIED	4096

/* The kernel may have been locked down since TRACE. */
static int check_copy(const struct session *session)
{
	if (!session->trace)
		return -EINVAL;
	return access_kernel(&session->access) ? -EPERM : 0;
}

/* Nanoseconds of the recording until now, or until its end. */
static u64 traced_ns(const struct tracer *tracer, u64 ended)
{
	if (smp_load_acquire(&tracer->state) != TRACER_RECORDING)
		return 0;
	return tracer_ns(tracer, ended ?: ticks_now(&tracer->ticks));
}

static u32 flags_of(const struct tracer *tracer, u64 ended)
{
	u32 flags = 0;

	if (READ_ONCE(tracer->state) != TRACER_RECORDING)
		flags |= CPUPROBE_EVENTS_WAITING;
	if (!ticks_is_stable(&tracer->ticks))
		flags |= CPUPROBE_EVENTS_UNSTABLE;
	if (!ended)
		return flags;
	flags |= CPUPROBE_EVENTS_ENDED | tracer->ended_by;
	return tracer->gate.is_over ? flags | CPUPROBE_EVENTS_OVER : flags;
}

/* Wait, once, until no handler that began before the end is still writing. */
static void settle(struct trace *trace)
{
	if (trace->is_settled)
		return;
	synchronize_rcu();
	trace->is_settled = true;
}

static void fill_totals(struct trace *trace, const struct tracer_cpu *cpu, struct cpuprobe_events *request)
{
	const struct tracer *tracer = &trace->tracer;
	u64 ended = smp_load_acquire(&tracer->ended), next;

	if (ended)
		settle(trace);
	next = local_read(&cpu->events.next);
	request->flags = flags_of(tracer, ended);
	request->flags |= returns_were_switched_off(&trace->tracer.returns) ? CPUPROBE_EVENTS_SWITCHED_OFF : 0;
	request->traced_ns = traced_ns(tracer, ended);
	request->began_ns = request->flags & CPUPROBE_EVENTS_WAITING ? 0 : tracer->began_ns;
	request->first = events_first(&cpu->events, next);
	request->stored = ended ? events_end(&cpu->events, request->traced_ns) : next;
	request->lost = local_read(&cpu->events.lost);
	request->others = local_read(&cpu->gate.others);
	request->nr_slots = 0;
}

static int copy_slots(const struct events *events, struct cpuprobe_events *request)
{
	struct cpuprobe_event __user *to = u64_to_user_ptr(request->buffer);
	u64 room = request->buffer_len / sizeof(*to), from = request->from;

	while (from < request->stored && room) {
		u64 nr = min3(room, request->stored - from, events->mask + 1 - (from & events->mask));

		nr = min_t(u64, nr, SLOTS_COPIED);
		if (copy_to_user(to, events_slot(events, from), nr * sizeof(*to)))
			return -EFAULT;
		to += nr;
		from += nr;
		room -= nr;
		request->nr_slots += nr;
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return 0;
}

int traces_copy(struct session *session, struct cpuprobe_events *request)
{
	const struct tracer_cpu *cpu;
	int error = check_copy(session);

	if (error)
		return error;
	if (request->cpu >= nr_cpu_ids || !cpu_possible(request->cpu))
		return -ENODEV;
	cpu = per_cpu_ptr(session->trace->tracer.cpu, array_index_nospec(request->cpu, nr_cpu_ids));
	fill_totals(session->trace, cpu, request);
	if (!(request->flags & CPUPROBE_EVENTS_ENDED))
		return -EBUSY;
	if (!request->buffer)
		return 0;
	if (request->from < request->first || request->from > request->stored)
		return -EINVAL;
	return copy_slots(&cpu->events, request);
}

int traces_copy_missed(struct session *session, struct cpuprobe_missed *request)
{
	u64 __user *to = u64_to_user_ptr(request->buffer);
	u32 room = request->nr_functions, i;
	const struct tracer *tracer;
	int error = check_copy(session);
	u64 missed;

	if (error)
		return error;
	if (request->reserved)
		return -EINVAL;
	tracer = &session->trace->tracer;
	request->nr_functions = tracer->nr_functions + tracer->users.nr;
	if (room < request->nr_functions)
		return -ENOSPC;
	for (i = 0; i < request->nr_functions; i++) {
		/* The kernel does not count calls of user functions whose return it did not hook. */
		missed = i < tracer->nr_functions ? returns_missed(&tracer->returns, i) : 0;
		if (put_user(missed, to + i))
			return -EFAULT;
		cond_resched();
	}
	return 0;
}
