// SPDX-License-Identifier: GPL-2.0-only
/* Sessions that sample events: see overflows.h. */
#include <linux/cred.h>
#include <linux/perf_event.h>

#include "check.h"
#include "kind.h"
#include "overflow.h"
#include "overflows.h"
#include "timers.h"

/* One in this many samples of those that read the clock each time is timed; a power of two. */
#define TIMED		16

/* Tracepoints and breakpoints may lie inside this module's own code; time needs no counter. */
static bool is_refused_type(const struct cpuprobe_start *start)
{
	u32 type = start->event_type - 1;

	return type == PERF_TYPE_TRACEPOINT || type == PERF_TYPE_BREAKPOINT ||
		(type == PERF_TYPE_SOFTWARE && (start->event_config == PERF_COUNT_SW_CPU_CLOCK ||
						start->event_config == PERF_COUNT_SW_TASK_CLOCK));
}

int overflows_check(const struct session *session, struct cpuprobe_start *start)
{
	bool is_used = start->event_flags || start->event_config || start->event_config1 ||
		start->event_period;

	if (!start->event_type)
		return is_used ? check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL) : 0;
	if (start->event_flags > CPUPROBE_EVENT_NO_KERNEL || !start->event_period ||
	    start->event_period > CPUPROBE_EVENTS_MAX || start->jitter == CPUPROBE_JITTER_POISSON ||
	    start->flags & CPUPROBE_START_IDLE_SLEEP || is_refused_type(start) ||
	    (start->what == CPUPROBE_WHAT_LATE && !(start->flags & CPUPROBE_START_NMI)))
		return check_refuse(start, CPUPROBE_REASON_FIELD, -EINVAL);
	/* Counters see all tasks, and where in the kernel they were. */
	return check_kernel_access(session, start);
}

/*
 * Events until the next overflow that nobody can change any more. A counter of the processor is on its
 * way; one of the kernel's own is a number in memory, and has set out for nothing yet.
 */
static u64 events_to_go(const struct counter *counter, const struct perf_event *event)
{
	return counter->is_software ? 0 : local64_read(&event->hw.period_left);
}

/* Set the distance from that overflow to the next one. */
static void set_gap(const struct counter *counter, struct perf_event *event, u64 gap)
{
	if (!counter->is_software) {
		event->hw.sample_period = gap;
		return;
	}
	local64_set(&event->hw.period_left, -(s64)gap);
	/* With a period of 1 the kernel does not look at that number. */
	event->hw.sample_period = 2;
}

/* Events that have been counted since the overflow. */
static u64 events_since(const struct counter *counter, const struct perf_event *event, u64 to_go)
{
	return counter->is_software ? 0 : event->hw.last_period - to_go;
}

static void time_handler(struct cpu_sampler *sampler, u64 began_ns)
{
	struct bank *bank = sampler->active;
	u64 took_ns = ktime_get_mono_fast_ns() - began_ns;

	bank->timed++;
	bank->handler_ns += took_ns;
	bank->clipped_ns += min(took_ns, GUARD_CLIP * READ_ONCE(sampler->handler_limit_ns));
}

/*
 * Registers at the event, as far as they are known. The processor enters and leaves the kernel with interrupts
 * off, so that an overflow in one mode may interrupt the other, which the event leaves out.
 */
static struct pt_regs *regs_of_event(const struct counter *counter, struct pt_regs *regs)
{
	if (!regs || !overflow_is_left_out(counter, regs))
		return regs ?: &sample_no_regs;
	return user_mode(regs) ? &sample_no_regs : arch_entry_regs(regs);
}

static void take_sample(struct cpu_sampler *sampler, struct pt_regs *regs, u64 now_ns)
{
	struct counter *counter = &sampler->counter;
	struct sample sample = { .task = current, .now_ns = now_ns };

	sample.regs = regs_of_event(counter, regs);
	sample.mode = sample_mode(sample.task, sample.regs);
	if (sampler->session->counts_irqs_off)
		sampler->active->irqs_off += sample_is_irqs_off(&sample);
	sampler->session->kind->count(sampler, &sample);
	if (counter->pace.prepaid || !(counter->meter.random >> 32 & (TIMED - 1)))
		time_handler(sampler, now_ns);
}

/* Interrupts off, or an NMI. */
static void on_event(struct cpu_sampler *sampler, struct perf_event *event, struct pt_regs *regs)
{
	struct counter *counter = &sampler->counter;
	u64 now_ns = ktime_get_mono_fast_ns();
	u64 count = local64_read(&event->count), to_go = events_to_go(counter, event);
	struct meter_step step;

	if (event->hw.interrupts == INTERRUPTS_THROTTLED)
		counter->is_throttled = true;
	if (!pace_admits(&counter->pace, now_ns, counter->has_fast_path)) {
		set_gap(counter, event, counter->meter.period << counter->pace.skip);
		return;
	}
	step = meter_sample(&counter->meter, count - events_since(counter, event, to_go), count + to_go);
	set_gap(counter, event, step.gap);
	if (step.missed) {
		WRITE_ONCE(sampler->active->missed, sampler->active->missed + step.missed);
		sampler->missed_before += step.missed;
	}
	if (step.is_due)
		take_sample(sampler, regs, now_ns);
}

static void hold_and_count(struct cpu_sampler *sampler, struct perf_event *event, struct pt_regs *regs)
{
	struct counter *counter = &sampler->counter;

	if (READ_ONCE(counter->is_held) || READ_ONCE(counter->is_off))
		return;
	/* Not overflows_hold(): samples are paid here. The fast path cannot come in between. */
	WRITE_ONCE(counter->is_held, true);
	barrier();
	on_event(sampler, event, regs);
	barrier();
	WRITE_ONCE(counter->is_held, false);
}

void overflow_slow_path(struct cpu_sampler *sampler, struct perf_event *event, struct pt_regs *regs)
{
	unsigned long flags;

	if (in_nmi()) {
		hold_and_count(sampler, event, regs);
		return;
	}
	/*
	 * A page fault's event comes with interrupts on. The swap of the banks is an interrupt, and so is the end:
	 * @is_off is set by then.
	 */
	local_irq_save(flags);
	hold_and_count(sampler, event, regs);
	local_irq_restore(flags);
}

static void cpuprobe_overflow(struct perf_event *event, struct perf_sample_data *data,
			      struct pt_regs *regs)
{
	overflow_slow_path(event->overflow_handler_context, event, regs);
}

/* The fast path, of sessions that have one. It does not look whether interrupts were off. */
static perf_overflow_handler_t fast_path_of(const struct session *session)
{
	return session->counts_irqs_off ? NULL : session->kind->overflow;
}

/*
 * Whether a counter is of no use: it cannot interrupt, or is not what its type says. Probes of perf's are tracepoints made
 * at run time, and its clocks have types of their own.
 */
static bool is_refused_counter(const struct session *session, const struct perf_event *event)
{
	return event->pmu->capabilities & PERF_PMU_CAP_NO_INTERRUPT ||
		(session->event_type - 1 != PERF_TYPE_SOFTWARE && event->pmu->task_ctx_nr == perf_sw_context);
}

/* A counter of the session's event, disabled, which first overflows after @first events. ERR_PTR. */
static struct perf_event *create_counter(struct cpu_sampler *sampler, unsigned int cpu, u64 first)
{
	const struct session *session = sampler->session;
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = session->event_type - 1, .config = session->event_config,
		.config1 = session->event_config1, .disabled = 1, .sample_period = first,
		.exclude_user = !!(session->event_flags & CPUPROBE_EVENT_NO_USER),
		.exclude_kernel = !!(session->event_flags & CPUPROBE_EVENT_NO_KERNEL),
	};
	/* The kernel asks for the rights of the caller, but those of the opener count. */
	const struct cred *caller = override_creds(session->access.opener);
	struct perf_event *event = perf_event_create_kernel_counter(&attr, cpu, NULL,
								    fast_path_of(session) ?: cpuprobe_overflow,
								    sampler);

	revert_creds(caller);
	if (IS_ERR(event) || !is_refused_counter(session, event))
		return event;
	perf_event_release_kernel(event);
	return ERR_PTR(-EOPNOTSUPP);
}

/*
 * Whether a counter counts when it is enabled. The kernel drops the counters of a CPU that goes offline, for good. Between
 * timers_hold_cpus() and release_cpus, or under timers_sem: the CPU stays.
 */
static bool is_attached(const struct perf_event *event)
{
	return READ_ONCE(event->attach_state) & PERF_ATTACH_CONTEXT;
}

static void set_counter(struct cpu_sampler *sampler, struct perf_event *event)
{
	const struct session *session = sampler->session;
	struct counter *counter = &sampler->counter;

	counter->event = event;
	counter->is_off = true;
	counter->is_software = event->pmu->task_ctx_nr == perf_sw_context;
	counter->has_fast_path = !counter->is_software && fast_path_of(session);
	counter->left_out = counter->is_software ? 0 : session->event_flags;
}

/* As timers_time_up(). */
static u32 get_time_up(unsigned int cpu)
{
	u32 result;

	timers_hold_cpus();
	result = timers_time_up(cpu);
	timers_release_cpus();
	return result;
}

/*
 * While a CPU comes or goes it is online, but no counter can be made. It may have gone and come back before this is
 * looked at.
 */
int overflows_init_sampler(struct cpu_sampler *sampler, const struct cpuprobe_start *start,
			  unsigned int cpu)
{
	struct counter *counter = &sampler->counter;
	u32 time_up = get_time_up(cpu);
	struct perf_event *event;

	counter->pace.claimed_ns = start->period_ns;
	event = create_counter(sampler, cpu, meter_init(&counter->meter, start->event_period, start->jitter,
							sampler->session->seed, cpu));
	if (IS_ERR(event))
		return time_up && time_up == get_time_up(cpu) ? PTR_ERR(event) : 0;
	set_counter(sampler, event);
	return 0;
}

/* Whether the CPU is online and has no counter that counts. A CPU that goes at this moment has one until the next call. */
static bool lacks_counter(const struct counter *counter, unsigned int cpu)
{
	return get_time_up(cpu) && (!counter->event || counter->is_off);
}

/* The times of the next accounts go on from those of the counter that was lost. */
static void forget_times(struct counter *counter)
{
	u64 enabled_ns, running_ns;

	if (!counter->event)
		return;
	perf_event_read_value(counter->event, &enabled_ns, &running_ns);
	counter->enabled_reported_ns -= enabled_ns;
	counter->running_reported_ns -= running_ns;
}

void overflows_begin(struct cpu_sampler *sampler)
{
	struct counter *counter = &sampler->counter;

	if (!counter->event)
		return;
	counter->is_gone = !is_attached(counter->event);
	if (counter->is_gone)
		return;
	WRITE_ONCE(counter->is_off, false);
	perf_event_enable(counter->event);
}

void overflows_renew(struct cpu_sampler *sampler, unsigned int cpu)
{
	struct counter *counter = &sampler->counter;
	struct perf_event *lost = counter->event, *event;
	u64 events;

	if (!lacks_counter(counter, cpu))
		return;
	events = lost ? local64_read(&lost->count) : 0;
	event = create_counter(sampler, cpu, meter_go_on(&counter->meter, events));
	if (IS_ERR(event))
		return;
	/* The number of events goes on, and the grid with it. */
	local64_set(&event->count, events);
	timers_hold_cpus();
	if (timers_is_up(cpu) && is_attached(event)) {
		forget_times(counter);
		set_counter(sampler, event);
		counter->was_lost = true;
		counter->pace.skip = 0;
		overflows_begin(sampler);
		event = lost;
	}
	timers_release_cpus();
	if (event)
		perf_event_release_kernel(event);
}

/* NULL is allowed. Returns whether its handlers may have begun with interrupts on. */
static bool release_counter(struct cpu_sampler *sampler)
{
	if (!sampler || !sampler->counter.event)
		return false;
	perf_event_release_kernel(sampler->counter.event);
	sampler->counter.event = NULL;
	return sampler->counter.is_software;
}

/* A handler that was interrupted before it has turned interrupts off still reads the sampler. It is an RCU reader. */
void overflows_release(struct session *session)
{
	bool may_run = false;
	unsigned int cpu;

	for_each_cpu(cpu, &session->cpus)
		may_run |= release_counter(session->cpu[cpu]);
	if (may_run)
		synchronize_rcu();
}

/* Events counted so far. On the CPU with interrupts off the counter itself is read. */
static u64 events_now(const struct counter *counter)
{
	struct perf_event *event = counter->event;

	if (!event)
		return 0;
	if (!counter->is_off && READ_ONCE(event->oncpu) == smp_processor_id())
		event->pmu->read(event);
	return local64_read(&event->count);
}

void overflows_end(struct cpu_sampler *sampler)
{
	struct counter *counter = &sampler->counter;

	if (!counter->event || counter->is_off)
		return;
	WRITE_ONCE(counter->is_off, true);
	perf_event_disable(counter->event);
	sampler->active->missed += meter_end(&counter->meter, events_now(counter));
}

void overflows_leave(struct cpu_sampler *sampler)
{
	sampler->counter.is_gone = true;
}

void overflows_account(struct cpu_sampler *sampler)
{
	struct cpuprobe_account *account = &sampler->account;
	struct counter *counter = &sampler->counter;
	u64 events = events_now(counter), expected = meter_expected(&counter->meter, events);

	account->period_ns = counter->meter.period;
	account->events = events - counter->events_reported;
	account->expected = expected - sampler->expected_reported;
	account->pending = meter_pending(&counter->meter, events);
	if (counter->is_throttled)
		account->flags |= CPUPROBE_ACCOUNT_THROTTLED;
	if (counter->was_lost || !counter->event || counter->is_gone)
		account->flags |= CPUPROBE_ACCOUNT_UNCOUNTED;
	counter->is_throttled = counter->was_lost = false;
	counter->events_reported = events;
	sampler->expected_reported = expected;
}

void overflows_time(struct cpu_sampler *sampler)
{
	struct cpuprobe_account *account = &sampler->account;
	struct counter *counter = &sampler->counter;
	u64 enabled_ns, running_ns;

	if (!counter->event)
		return;
	perf_event_read_value(counter->event, &enabled_ns, &running_ns);
	account->enabled_ns = enabled_ns - counter->enabled_reported_ns;
	account->running_ns = running_ns - counter->running_reported_ns;
	counter->enabled_reported_ns = enabled_ns;
	counter->running_reported_ns = running_ns;
}
