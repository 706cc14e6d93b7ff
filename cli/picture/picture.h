/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace as rows of nested spans: a row for each CPU (which task ran, and the interrupts in it) and a row
 * for each task (its calls, from begin to end). A drawing is told of beginnings and ends in order of time,
 * as the accounting of the trace goes on. Memory grows with rows and open calls, not with events. Pure.
 *
 * Rows by number: CPUs, then the threads of the trace, then the idle task and the unknown one of each CPU.
 * The spans of a row are strictly nested, and its times never go back.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "base/text.h"
#include "trace/trace_account.h"

enum picture_kind {
	PICTURE_TASK,		/* a task runs on a CPU */
	PICTURE_CALL,		/* a call of a function, system call, interrupt or softirq */
	PICTURE_LOST,		/* events are missing */
};

struct picture_span {
	enum picture_kind kind;
	u32 row;
	u32 node;		/* of a call; of a task: its number; TRACE_NONE: unknown */
	u64 lost;		/* missing events */
	u64 began_ns;		/* where it is drawn from */
	bool is_early;		/* it began before that */
	bool is_open, is_drawn;
	u32 below;		/* what contains it; TRACE_NONE: nothing */
};

/** How a span ended. */
struct picture_end {
	u64 ns;
	bool is_clipped;	/* it did not end there */
	bool is_unwound;
	bool has_times;		/* the times are known */
	u8 flags;		/* TRACE_FRAME_* */
	u8 left;		/* of a task: CPUPROBE_LEFT_* */
	u64 elapsed_ns, net_ns;	/* as in struct trace_call */
	u64 blocked_ns, preempted_ns;
};

enum picture_instant_kind {
	PICTURE_MARK, PICTURE_WAKEUP, PICTURE_WOKEN, PICTURE_FORK, PICTURE_EXEC, PICTURE_NAME, PICTURE_EXIT,
	PICTURE_OLDER,
};

struct picture_instant {
	enum picture_instant_kind kind;
	u32 row;
	u64 ns;
	u32 other;		/* thread woken or forked, or that woke; node of the end of an older call */
	const char *text;	/* of a mark or name; not terminated */
	u32 text_len;
	u64 arrow;		/* of a wake-up: number that arrived() gets; 0: none */
};

/** Callbacks of a drawing; all get @context. */
struct picture_drawing {
	void *context;
	void (*begin)(void *context, const struct picture_span *span);
	void (*end)(void *context, const struct picture_span *span, const struct picture_end *end);
	void (*instant)(void *context, const struct picture_instant *instant);
	/* A woken thread runs. @row: of the CPU. NULL: arrows are not drawn */
	void (*arrived)(void *context, u32 row, u64 ns, u64 arrow);
	/* Whether no more fits: what follows is left out. NULL: never */
	bool (*is_full)(void *context);
};

/** Choice of what is drawn; all zero: everything. */
struct picture_options {
	u64 from_ns, to_ns;	/* 0: the end of the trace */
	const char *task;	/* only calls of threads of this pid or name; NULL: all */
};

struct picture_cpu;
struct picture_older;
struct picture_row;

struct picture {
	const struct trace *trace;
	struct picture_options options;
	struct trace_choice choice;
	struct trace_account account;	/* of the whole trace: for names and sums */
	struct picture_row *rows;
	u32 nr_rows;
	struct picture_older *olders;	/* calls older than the trace that end in it */
	u32 nr_olders;
	u64 from_ns, to_ns;		/* the part that is drawn; @to_ns less if a drawing was full */
	bool is_cut;			/* the drawing was full */
	bool has_begun;
	/* while it is drawn */
	const struct picture_drawing *drawing;	/* NULL: only rows and older calls are collected */
	struct picture_span *spans;
	u32 nr_spans, free;
	u64 nr_arrows;
	u64 *arrows;			/* by row of a thread: that its wake-up began; 0: none */
	struct picture_cpu *cpus;
	bool is_exhausted;		/* out of memory */
};

/**
 * picture_init() - find out the rows of a trace.
 * @trace: must live as long as the picture
 * -errno with a reason: nothing to deinit.
 */
int picture_init(struct picture *picture, const struct trace *trace, const struct picture_options *options,
		 struct text_error *error_ret);

void picture_deinit(struct picture *picture);

/** picture_draw() - tell a drawing everything; may be called several times. -ENOMEM. */
int picture_draw(struct picture *picture, const struct picture_drawing *drawing);

/** picture_row_is_used() - whether anything of the trace is in a row. */
bool picture_row_is_used(const struct picture *picture, u32 row);

/* picture_names.c */

enum picture_row_kind { PICTURE_CPU_ROW, PICTURE_TASK_ROW, PICTURE_IDLE_ROW, PICTURE_UNKNOWN_ROW };

/** picture_row_kind() - kind of a row; @of_ret: number of its CPU, or position of its thread. */
enum picture_row_kind picture_row_kind(const struct picture *picture, u32 row, u32 *of_ret);

/** picture_row_name() - "CPU 3", "name/number", "idle of CPU 3"; returns @text. */
const char *picture_row_name(const struct picture *picture, u32 row, char *text, size_t len);

/** picture_span_name() - name of a span; returns @text or a text of the trace. */
const char *picture_span_name(const struct picture *picture, const struct picture_span *span, char *text,
			      size_t len);

/**
 * picture_name_of() - number of a span's name, below picture_nr_names(): equal names have one number.
 * Calls have the number of their node.
 */
u32 picture_name_of(const struct picture *picture, const struct picture_span *span);
u32 picture_nr_names(const struct picture *picture);

/** picture_name_at() - the name with a number; returns @text or a text of the trace. */
const char *picture_name_at(const struct picture *picture, u32 number, char *text, size_t len);

/** picture_instant_name() - an instant as text; returns @text. */
const char *picture_instant_name(const struct picture *picture, const struct picture_instant *instant,
				 char *text, size_t len);

#endif
