/* SPDX-License-Identifier: GPL-2.0-only */
/* State of the accounting between two events: shared by trace_account.c and its parts. */
#ifndef TRACE_STATE_H
#define TRACE_STATE_H

#include "trace/trace_account.h"

/** A thread, or a CPU's idle task, or the unknown one that runs on a CPU. */
struct trace_runner {
	u32 tid;		/* TRACE_NONE: unknown */
	u32 cpu;		/* on which it runs; TRACE_NONE: none */
	struct trace_chain chain;
	u64 off_ns;		/* when it left a CPU, if @has_left */
	u8 left;		/* CPUPROBE_LEFT_* */
	bool has_left;
	bool is_chosen;		/* its calls are accounted */
	bool is_new;		/* was forked in this trace, and has not returned from that */
	bool has_execed;	/* the calls of its old program are to be closed */
};

struct trace_core {
	u32 runner;		/* position of the one that runs */
	u64 since_ns;		/* accounted until then */
	u64 switched_ns;	/* when the thread that runs arrived; 0: before the trace */
	u8 active;		/* level that runs */
	bool is_counted;
	bool has_begun;
	struct trace_chain chains[TRACE_LEVELS];	/* of softirqs and above */
};

/* The first runners are the idle tasks of all CPUs, and then the unknown ones. */
struct trace_state {
	const struct trace *trace;
	const struct trace_choice *choice;
	const struct trace_watch *watch;
	struct trace_account *account;
	struct trace_pool pool;
	struct trace_runner *runners;
	u32 nr_runners;
	struct intern index;	/* runners by tid */
	struct trace_core *cores;	/* by CPU */
	u64 gap_ns;		/* end of the last gap in which any thread may have run */
	bool is_exhausted;	/* out of memory */
};

/** trace_state_init(), trace_state_deinit() - -ENOMEM: deinit all the same. */
int trace_state_init(struct trace_state *state);
void trace_state_deinit(struct trace_state *state);

/** trace_state_runner() - the runner of a thread on a CPU; TRACE_NONE: out of memory. */
u32 trace_state_runner(struct trace_state *state, u32 tid, u32 cpu);

/** trace_state_current() - the runner on a CPU. */
struct trace_runner *trace_state_current(const struct trace_state *state, u32 cpu);

/** trace_state_chain() - the open calls of a level on a CPU. */
struct trace_chain *trace_state_chain(const struct trace_state *state, u32 cpu, u32 level);

/** trace_state_advance() - account the time of a CPU until @ns. */
void trace_state_advance(struct trace_state *state, u32 cpu, u64 ns);

/** trace_state_moment() - describe the present of a CPU for a watch. */
struct trace_moment trace_state_moment(const struct trace_state *state, u32 cpu);

/** trace_state_close() - end the @nr innermost calls of a level of a CPU. */
void trace_state_close(struct trace_state *state, u32 cpu, u32 level, u32 nr, enum trace_how how);

/** trace_state_close_runner() - end all calls of a thread. @cpu: for a watch */
void trace_state_close_runner(struct trace_state *state, u32 runner, u32 cpu, enum trace_how how);

/** trace_state_close_interrupts() - end all calls above threads on a CPU. */
void trace_state_close_interrupts(struct trace_state *state, u32 cpu, enum trace_how how);

/* trace_calls.c: the beginning and the end of calls */

/** trace_calls_event() - handle an event that begins or ends a call; false: it is another one. */
bool trace_calls_event(struct trace_state *state, const struct trace_event *event);

/**
 * trace_calls_end_program() - close the calls of a program that another one has replaced, once the kernel's
 * calls above them have ended.
 */
void trace_calls_end_program(struct trace_state *state, u32 cpu);

/* trace_switch.c: which thread runs, and missing events */

/** trace_switch_event() - handle an event about threads and gaps; false: it is another one. */
bool trace_switch_event(struct trace_state *state, const struct trace_event *event);

/** trace_switch_begin() - before the first event of a CPU: find out which thread runs there. */
void trace_switch_begin(struct trace_state *state, u32 cpu);

#endif
