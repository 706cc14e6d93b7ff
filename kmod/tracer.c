// SPDX-License-Identifier: GPL-2.0-only
/* Hooks that record calls, and the memory of their events: see tracer.h. */
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>

#include "rounds.h"
#include "session.h"
#include "tracer.h"

/* Much memory: rather none than that others are killed for it. */
#define EVENTS_GFP	(SESSION_GFP | __GFP_ZERO | __GFP_RETRY_MAYFAIL)
/* How often an event tries to take a slot, while interrupts take them. */
#define TRIES	16

static bool notrace begin(struct tracer *tracer)
{
	if (cmpxchg(&tracer->state, TRACER_WAITING, TRACER_BEGINNING) != TRACER_WAITING)
		return false;
	tracer->began_ns = ktime_get_mono_fast_ns();
	tracer->began = ticks_now(&tracer->ticks);
	smp_store_release(&tracer->state, TRACER_RECORDING);
	return true;
}

/* End recording at an instant, once. */
static bool notrace end(struct tracer *tracer, u64 now, u32 ended_by)
{
	if (!gate_close(&tracer->gate))
		return false;
	tracer->ended_by = ended_by;
	/* A session that has not begun ends too. */
	smp_store_release(&tracer->ended, now ?: 1);
	return true;
}

static void notrace end_by_event(struct tracer *tracer, u64 now, u32 ended_by)
{
	if (end(tracer, now, ended_by))
		irq_work_queue(tracer->gate.over);
}

/* Name the running task in slot @pos, if it is still free. */
static void notrace put_running(struct tracer *tracer, struct events *events, u64 pos)
{
	u64 now = ticks_now(&tracer->ticks);

	if (!events_take(events, pos, 1))
		return;
	if (events_is_ours(events, pos))
		events_write(events_slot(events, pos),
			     events_head(tracer_ns(tracer, now), CPUPROBE_EVENT_RUNNING << 8 | tracer_level()),
			     task_pid_nr(current), task_tgid_nr(current));
	events_raise(events, pos);
}

/* Fill the rest of a block that is too short for text. */
static void notrace put_padding(struct tracer *tracer, struct events *events, u64 pos, u32 nr)
{
	u64 now = ticks_now(&tracer->ticks);

	if (!events_take(events, pos, nr))
		return;
	for (; nr; nr--, pos++)
		if (events_is_ours(events, pos))
			events_write(events_slot(events, pos),
				     events_head(tracer_ns(tracer, now), CPUPROBE_EVENT_LOST << 8), 0, 0);
}

/* Write an event and its text, which one block holds. */
static void notrace write_whole(struct events *events, u64 pos, u64 head, u32 what, u32 data,
				const char *text, u32 bytes)
{
	u32 nr = DIV_ROUND_UP(bytes, sizeof(struct cpuprobe_event)), i;
	struct cpuprobe_event *slot = events_slot(events, pos);

	if (!events_is_ours(events, pos))
		return;
	events_write(slot, head, what, data);
	memset(slot + 1, 0, nr * sizeof(*slot));
	for (i = 0; i < bytes; i++)
		((char *)(slot + 1))[i] = text[i];
}

bool notrace tracer_put_slowly(struct tracer *tracer, struct events *events, u32 kind, u32 what, u32 data,
			       const char *text, u32 bytes)
{
	u32 nr = 1 + DIV_ROUND_UP(bytes, sizeof(struct cpuprobe_event)), padding, tries;
	u64 pos, now;

	if (smp_load_acquire(&tracer->state) != TRACER_RECORDING)
		return false;
	for (tries = 0; tries < TRIES; tries++) {
		pos = local_read(&events->next);
		now = ticks_now(&tracer->ticks);
		if (pos >= events->limit) {
			end_by_event(tracer, now, CPUPROBE_EVENTS_FULL);
			return false;
		}
		padding = events_padding(events, pos, nr);
		if (events_must_name(events, pos)) {
			put_running(tracer, events, pos);
		} else if (padding) {
			put_padding(tracer, events, pos, padding);
		} else if (events_take(events, pos, nr)) {
			write_whole(events, pos, events_head(tracer_ns(tracer, now), kind | tracer_level()),
				    what, data, text, bytes);
			if (pos + nr >= events->limit)
				end_by_event(tracer, now, CPUPROBE_EVENTS_FULL);
			return true;
		}
	}
	local_inc(&events->lost);
	return false;
}

bool notrace tracer_belongs(const struct tracer *tracer)
{
	/* Only full access can follow calls. */
	static const struct access full_access = { .is_full = true };

	return !tracer->is_filtered || filter_belongs(&tracer->gate.filter, &full_access, current) == TARGET;
}

bool notrace tracer_lets(struct tracer *tracer, struct tracer_cpu *here)
{
	bool is_recording = READ_ONCE(tracer->state) == TRACER_RECORDING;

	if (!tracer->is_filtered)
		return true;
	/* The measurement includes the cost of asking. */
	return is_recording && (gate_lets(&tracer->gate, &here->gate) || tracer->measured == current);
}

static int notrace on_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct hooked_function *function = returns_function(instance);
	struct tracer *tracer;
	struct tracer_cpu *here;
	u32 sp = arch_sp(regs);

	if (unlikely(!function))
		return 1;
	tracer = function->owner;
	if (!gate_is_open(&tracer->gate))
		return 1;
	here = this_cpu_ptr(tracer->cpu);
	if (unlikely(gate_spend_units(&here->gate, CALL_UNITS)))
		gate_judge(&tracer->gate, &here->gate);
	if (unlikely(tracer->is_filtered) && !tracer_lets(tracer, here))
		return 1;
	*(u32 *)instance->data = sp;
	return !tracer_put(tracer, &here->events, CPUPROBE_EVENT_ENTRY << 8, function->number, sp);
}

/* The end of a call. @ends: and of the recording */
static __always_inline void record_return(struct kretprobe_instance *instance, bool ends)
{
	const struct hooked_function *function = returns_function(instance);
	struct tracer *tracer;
	bool was_busy;

	if (unlikely(!function))
		return;
	tracer = function->owner;
	was_busy = returns_enter();
	if (gate_is_open(&tracer->gate)) {
		tracer_put(tracer, &this_cpu_ptr(tracer->cpu)->events, CPUPROBE_EVENT_EXIT << 8,
			   function->number, *(u32 *)instance->data);
		if (ends)
			tracer_end_by_call(tracer);
	}
	returns_leave(was_busy);
}

static int notrace on_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	record_return(instance, false);
	return 0;
}

/* A call of the module's own function, by the measurement of this session or of another one. */
static int notrace on_own_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct hooked_function *function = returns_function(instance);
	const struct tracer *tracer;

	if (unlikely(!function))
		return 1;
	tracer = function->owner;
	return READ_ONCE(tracer->measured) == current ? on_entry(instance, regs) : 1;
}

void notrace tracer_count_start(struct tracer *tracer)
{
	if (READ_ONCE(tracer->state) == TRACER_WAITING && tracer_belongs(tracer) &&
	    atomic_dec_and_test(&tracer->start_left))
		begin(tracer);
}

void notrace tracer_end_by_call(struct tracer *tracer)
{
	end_by_event(tracer, ticks_now(&tracer->ticks), CPUPROBE_EVENTS_TRIGGERED);
}

/* A call of the function that begins recording. */
static int notrace on_start_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct hooked_function *function = returns_function(instance);
	struct tracer *tracer;

	if (unlikely(!function))
		return 1;
	tracer = function->owner;
	if (gate_is_open(&tracer->gate))
		tracer_count_start(tracer);
	return on_entry(instance, regs);
}

/* The end of a call of the function that ends recording. */
static int notrace on_stop_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	record_return(instance, true);
	return 0;
}

/* Returns the state of the function; -ENOMEM. */
static int add_function(struct tracer *tracer, u32 number, unsigned long address)
{
	if (number == tracer->nr_functions)
		return returns_add(&tracer->returns, number, address, tracer, on_own_entry, on_return);
	return returns_add(&tracer->returns, number, address, tracer,
			   number == tracer->start_function ? on_start_entry : on_entry,
			   number == tracer->stop_function ? on_stop_return : on_return);
}

void tracer_mark(struct tracer *tracer, const char *text, u32 bytes)
{
	u32 wanted = strnlen(tracer->start_mark, sizeof(tracer->start_mark));
	struct tracer_cpu *here;

	preempt_disable_notrace();
	here = this_cpu_ptr(tracer->cpu);
	if (gate_is_open(&tracer->gate) && tracer_belongs(tracer)) {
		if (wanted && bytes == wanted && !memcmp(text, tracer->start_mark, wanted))
			begin(tracer);
		if (gate_spend(&here->gate))
			gate_judge(&tracer->gate, &here->gate);
		tracer_put_slowly(tracer, &here->events, CPUPROBE_EVENT_MARK << 8, task_pid_nr(current),
				  bytes, text, bytes);
	}
	preempt_enable_notrace();
}

u64 tracer_memory(u32 buffer_kib)
{
	return rounddown_pow_of_two(buffer_kib ?: CPUPROBE_TRACE_KIB) * (u64)SZ_1K;
}

static int allocate_cpus(struct tracer *tracer, u64 bytes)
{
	unsigned int cpu;

	tracer->cpu = alloc_percpu_gfp(struct tracer_cpu, SESSION_GFP);
	if (!tracer->cpu)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct cpuprobe_event *slot = __vmalloc(bytes, EVENTS_GFP);

		if (!slot)
			return -ENOMEM;
		events_init(&per_cpu_ptr(tracer->cpu, cpu)->events, slot, bytes / sizeof(*slot), false, 0);
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return 0;
}

/* Forget what the measurement left. */
static void clear_cpus(struct tracer *tracer, const struct cpuprobe_trace *request)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct tracer_cpu *here = per_cpu_ptr(tracer->cpu, cpu);

		events_init(&here->events, here->events.slot, here->events.mask + 1,
			    request->flags & CPUPROBE_TRACE_WRAP, request->max_events);
		local_set(&here->gate.others, 0);
	}
}

static void copy_properties(struct tracer *tracer, const struct cpuprobe_trace *request)
{
	u32 khz;

	ticks_init(&tracer->ticks);
	khz = tracer->ticks.is_counter ? arch_counter_khz() : NSEC_PER_MSEC;
	tracer->scale = div_u64((u64)NSEC_PER_MSEC << TRACER_SCALE_SHIFT, khz);
	tracer->is_filtered = !filter_is_everybody(&tracer->gate.filter);
	tracer->flags = request->flags;
	tracer->nr_functions = request->nr_functions;
	tracer->start_function = request->start_function;
	atomic_set(&tracer->start_left, request->start_count);
	tracer->stop_function = request->stop_function;
	memcpy(tracer->start_mark, request->start_mark, sizeof(tracer->start_mark));
}

/* Measure the cost of a call, after rounds_begin(). */
static int measure(struct tracer *tracer)
{
	int error = add_function(tracer, tracer->nr_functions, tracer_own()) ?: returns_arm(&tracer->returns);

	if (!error)
		error = tracer_measure(tracer);
	else if (error != -ENOMEM)
		error = -ENODEV;
	return returns_disarm(&tracer->returns, tracer->nr_functions) ?: error;
}

int tracer_prepare(struct tracer *tracer, const struct cpuprobe_trace *request)
{
	int error;

	gate_prepare(&tracer->gate);
	copy_properties(tracer, request);
	error = allocate_cpus(tracer, tracer_memory(request->buffer_kib)) ?:
		returns_allocate(&tracer->returns, &tracer->gate, tracer->nr_functions + 1, sizeof(u32)) ?:
		user_hooks_allocate(&tracer->users, request->nr_user_functions);
	if (error)
		return error;
	error = rounds_begin();
	if (error)
		return error;
	error = measure(tracer);
	rounds_end();
	clear_cpus(tracer, request);
	return error;
}

int tracer_attach(struct tracer *tracer, struct cpuprobe_function *function, u32 *nr_missing_ret)
{
	u32 i, nr_hooked = 0;
	int error = tracer_hook_points(tracer, nr_missing_ret), state;

	if (error)
		return error;
	for (i = 0; i < tracer->nr_functions; i++) {
		state = function[i].state;
		if (state == CPUPROBE_FUNCTION_HOOKED)
			state = add_function(tracer, i, function[i].address);
		if (state < 0)
			return state;
		function[i].state = state;
		nr_hooked += state == CPUPROBE_FUNCTION_HOOKED;
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return returns_arm(&tracer->returns) ?: nr_hooked;
}

void tracer_arm(struct tracer *tracer)
{
	gate_open(&tracer->gate, &tracer->cpu->gate);
	if (!(tracer->flags & CPUPROBE_TRACE_WAIT))
		begin(tracer);
}

bool tracer_stop(struct tracer *tracer)
{
	return end(tracer, ticks_now(&tracer->ticks), 0);
}

void tracer_settle(struct tracer *tracer)
{
	if (READ_ONCE(tracer->gate.is_over))
		cmpxchg(&tracer->ended, 0, ticks_now(&tracer->ticks));
}

void tracer_detach(struct tracer *tracer)
{
	tracer_unhook_points(tracer);
	returns_unhook(&tracer->returns);
	user_hooks_unhook(&tracer->users);
}

void tracer_free(struct tracer *tracer)
{
	unsigned int cpu;

	if (tracer->cpu)
		for_each_possible_cpu(cpu)
			vfree(per_cpu_ptr(tracer->cpu, cpu)->events.slot);
	free_percpu(tracer->cpu);
	tracer->cpu = NULL;
	returns_free(&tracer->returns);
	user_hooks_free(&tracer->users);
}
