/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hooks of a session that follows calls, and what they write: one event each, into the memory of
 * the CPU they run on (events.h).
 *
 * Handlers run in any context, with preemption off. They take no lock and allocate nothing. The gate is
 * open from the time when the hooks are in place, so that the budget covers them also while recording
 * has not begun. It is closed by STOP, by the budget, or by the event that ends recording.
 */
#ifndef CPUPROBE_TRACER_H
#define CPUPROBE_TRACER_H

#include "events.h"
#include "gate.h"
#include "levels.h"
#include "returns.h"
#include "ticks.h"
#include "user_hooks.h"

/* The scale of a counter of 1 kHz fits 64 bits; at 3 GHz it makes a second 0.2 ps too short. */
#define TRACER_SCALE_SHIFT	44

/* The cost of a call's two events, in units of the gate's cost; that of other events is one unit. */
#define CALL_UNITS	4

struct tracer_cpu {
	struct gate_cpu gate;
	struct events events;
};

enum tracer_state { TRACER_WAITING, TRACER_BEGINNING, TRACER_RECORDING };

/** Cost of the two events of a call, in picoseconds: see struct cpuprobe_trace. */
struct tracer_cost {
	u32 cost_ps;
	u32 own_ps;
};

struct tracer {
	struct gate gate;
	struct tracer_cpu __percpu *cpu;
	struct ticks ticks;
	u64 scale;			/* nanoseconds of a tick, times 2^TRACER_SCALE_SHIFT */
	u64 began;			/* ticks */
	u64 began_ns;			/* CLOCK_MONOTONIC */
	u64 ended;			/* ticks; 0: not yet */
	u32 state;			/* enum tracer_state */
	u32 ended_by;			/* CPUPROBE_EVENTS_FULL, _TRIGGERED or 0 */
	bool is_filtered;
	u32 flags;			/* CPUPROBE_TRACE_* */
	u32 nr_functions;		/* the last function of @returns is the module's own */
	u32 start_function;
	atomic_t start_left;		/* calls of it until recording begins */
	u32 stop_function;
	char start_mark[CPUPROBE_MARK_START];
	struct returns returns;
	struct user_hooks users;	/* their numbers begin with @nr_functions */
	u32 user_units;			/* cost of a call of theirs, in units of the gate's cost */
	const struct task_struct *measured;	/* its calls of tracer_own() are measured; NULL: none */
	u64 points;			/* a set of bits: tracepoints that are hooked */
	struct tracer_cost cost;	/* see tracer_prepare() */
};

/** tracer_memory() - bytes of each CPU's events for @buffer_kib, which is valid. */
u64 tracer_memory(u32 buffer_kib);

/**
 * tracer_prepare() - allocate memory, and measure @tracer->cost. May sleep; interrupts every CPU. The gate
 * has its filter. On failure tracer_detach() and tracer_free() must still be called. -ENOMEM; -ENODEV:
 * the kernel lacks hooks; -ERANGE: the clock is too coarse.
 */
int tracer_prepare(struct tracer *tracer, const struct cpuprobe_trace *request);

/**
 * tracer_attach() - hook functions and tracepoints; nothing is recorded yet. May sleep long.
 * @function: sets the state of each that has not been refused
 * @nr_missing_ret: kinds of interrupt that the kernel cannot tell
 * Returns the number of hooked functions; -EINTR, -ENODEV, -ENOMEM.
 */
int tracer_attach(struct tracer *tracer, struct cpuprobe_function *function, u32 *nr_missing_ret);

/** tracer_set_user_cost() - the cost of a call of user functions; that of the gate is known. */
void tracer_set_user_cost(struct tracer *tracer, u32 cost_ps);

/**
 * tracer_attach_user() - hook the functions of programs, whose files are known. May sleep long.
 * @function: sets the state of each
 * Returns the number of hooked functions; -EINTR, -ENOMEM.
 */
int tracer_attach_user(struct tracer *tracer, struct cpuprobe_user_function *function);

/** tracer_arm() - begin to record, or to wait for a trigger. The gate's budget and cost are known. */
void tracer_arm(struct tracer *tracer);

/** tracer_stop() - end recording. False: it had ended. May not run in NMIs. */
bool tracer_stop(struct tracer *tracer);

/** tracer_settle() - if the budget has ended recording, note when. Any context but NMI. */
void tracer_settle(struct tracer *tracer);

/** tracer_detach() - remove the hooks, if there are any, and wait for CPUs. May sleep long. */
void tracer_detach(struct tracer *tracer);

/** tracer_free() - free all memory. No hook may be in place. May sleep. */
void tracer_free(struct tracer *tracer);

/** tracer_mark() - record a mark of the current task, and begin if it is the mark waited for. */
void tracer_mark(struct tracer *tracer, const char *text, u32 bytes);

/** tracer_ns() - nanoseconds from the beginning of recording to @ticks. */
static __always_inline u64 tracer_ns(const struct tracer *tracer, u64 ticks)
{
	/* CPUs may differ a little. */
	u64 elapsed = ticks > tracer->began ? ticks - tracer->began : 0;

	return (unsigned __int128)elapsed * tracer->scale >> TRACER_SCALE_SHIFT;
}

/** tracer_level() - CPUPROBE_EVENT_LEVEL of what runs now. */
static __always_inline u32 tracer_level(void)
{
	/* Tasks have level 0. */
	return (current_level() + 1) % (LEVELS + 1);
}

/** tracer_put_slowly() - tracer_put() in any case, with text. @text: @bytes, 0: none */
bool tracer_put_slowly(struct tracer *tracer, struct events *events, u32 kind, u32 what, u32 data,
		       const char *text, u32 bytes);

/**
 * tracer_put() - record an event. @kind: type << 8 | flags; the level is added here.
 * False: it is not recorded.
 */
static __always_inline bool tracer_put(struct tracer *tracer, struct events *events, u32 kind, u32 what,
				       u32 data)
{
	long pos = local_read(&events->next);
	u64 now;

	if (unlikely((u64)pos >= READ_ONCE(events->until)))
		return tracer_put_slowly(tracer, events, kind, what, data, NULL, 0);
	now = ticks_now(&tracer->ticks);
	if (unlikely(!events_take(events, pos, 1)))
		return tracer_put_slowly(tracer, events, kind, what, data, NULL, 0);
	if (events_is_ours(events, pos))
		events_write(events_slot(events, pos),
			     events_head(tracer_ns(tracer, now), kind | tracer_level()), what, data);
	return true;
}

/** tracer_lets() - whether calls of the current task are recorded. Counts the others. Preemption off. */
bool tracer_lets(struct tracer *tracer, struct tracer_cpu *here);

/** tracer_belongs() - whether the current task is a chosen one. Any context. */
bool tracer_belongs(const struct tracer *tracer);

/** tracer_count_start() - a call of the function that begins recording. Preemption off. */
void tracer_count_start(struct tracer *tracer);

/** tracer_end_by_call() - end recording at the end of a call. Preemption off. */
void tracer_end_by_call(struct tracer *tracer);

/** tracer_hook_points() - hook the tracepoints. May sleep. -ENODEV, -ENOMEM. @nr_missing_ret: as above */
int tracer_hook_points(struct tracer *tracer, u32 *nr_missing_ret);

/** tracer_unhook_points() - remove these hooks, and wait until no CPU runs a handler. May sleep. */
void tracer_unhook_points(struct tracer *tracer);

/**
 * tracer_measure() - measure the cost. tracer_own() alone is hooked, as the last function; nothing is
 * recorded yet, and nothing remains. May sleep. -ENODEV: calls were not recorded; -ERANGE: coarse clock.
 */
int tracer_measure(struct tracer *tracer);

/** tracer_own() - the function of this module that tracer_measure() calls. */
unsigned long tracer_own(void);

#endif
