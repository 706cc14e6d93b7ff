/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code path of a trace, as in Figure 4 of McRae's paper: every call with its times, indented below its
 * caller, and the switches, interrupts and marks where they came. Memory grows with the part that is
 * shown, not with the trace.
 */
#ifndef TRACE_FLOW_H
#define TRACE_FLOW_H

#include "base/columns.h"
#include "trace/trace_account.h"

extern const struct column_list trace_flow_columns;

/** Choice of what is shown. */
struct trace_flow_options {
	bool is_wanted;
	u64 from_ns, to_ns;	/* 0: the end of the trace */
	u64 depth;		/* levels of calls; 0: all */
	u64 over_ns;		/* only calls that took so long, and what came in them */
	const char *longest;	/* glob: the slowest call of these functions; NULL: all */
};

/** trace_flow_time() - u64: ns from the beginning of the trace, or of a duration: 0.5, 500ms or 100us. */
option_parse_fn trace_flow_time;

extern const struct option_spec trace_flow_specs[];

enum trace_flow_kind { FLOW_CALL, FLOW_RETURN, FLOW_SWITCH, FLOW_WAKEUP, FLOW_FORK, FLOW_MARK };

#define FLOW_SHOWN	1u
#define FLOW_HAS_INNER	2u	/* something that is shown came before its return */
#define FLOW_PENDING	4u	/* it has not ended yet */
#define FLOW_EARLIER	8u	/* a return from a call that began before the part that is shown */

struct trace_flow_item {
	u64 ns;
	u64 net_ns;		/* of a call; of a return: since the last switch, 0: none since its begin */
	u64 total_ns;		/* of a call: time on a CPU; of a switch: how long the thread was away */
	u64 wall_ns;		/* of a call */
	const char *text;	/* of a mark */
	u32 node;		/* of a call or return */
	u32 tid;		/* current thread; of a switch the new one; TRACE_NONE: unknown */
	u32 other;		/* thread that left, was woken or forked; bytes of a mark; call of a return */
	u32 parent;		/* call that contains it, or TRACE_NONE */
	u32 cpu;		/* number */
	u16 depth;
	u8 kind;		/* enum trace_flow_kind */
	u8 flags;		/* FLOW_* */
	u8 how;			/* enum trace_how of a call; CPUPROBE_LEFT_* of a switch */
	u8 frame_flags;		/* TRACE_FRAME_* of a call */
};

struct trace_flow {
	const struct trace *trace;
	struct trace_account account;	/* for names */
	struct trace_flow_item *items;
	u32 nr_items;
	u32 nr_shown;
	u16 least_depth;
	bool has_one_task;
};

/**
 * trace_flow_init() - collect what is shown.
 * @choice: CPUs and task to show; NULL: all
 * -ENOENT with a reason: -longest finds no call. -errno with a reason: nothing to deinit.
 */
int trace_flow_init(struct trace_flow *flow, const struct trace *trace,
		    const struct trace_flow_options *options,
		    const struct trace_choice *choice, struct text_error *error_ret);

void trace_flow_deinit(struct trace_flow *flow);

/** trace_flow_name() - name of a call's function, or "". */
const char *trace_flow_name(const struct trace_flow *flow, const struct trace_flow_item *item);

/** trace_flow_task() - a thread as "name/number", "idle" or "?"; returns @text. */
const char *trace_flow_task(const struct trace_flow *flow, u32 tid, char *text, size_t len);

/** trace_flow_line() - an item as text without time, CPU and thread; returns @text. */
const char *trace_flow_line(const struct trace_flow *flow, const struct trace_flow_item *item, char *text,
			    size_t len);

/** trace_flow_show() - print the flow on @out. -errno with a reason: nothing was printed. */
int trace_flow_show(FILE *out, const struct trace_flow *flow, const struct output_options *output,
		    struct text_error *error_ret);

#endif
