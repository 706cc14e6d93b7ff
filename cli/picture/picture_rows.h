/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of a picture while it is drawn: shared by the files of this directory that draw it. */
#ifndef PICTURE_ROWS_H
#define PICTURE_ROWS_H

#include "picture/picture.h"

/** A call older than the trace. */
struct picture_older {
	u32 node;
	u32 next;		/* one of the row that ends earlier; TRACE_NONE: none */
};

struct picture_cpu {
	u64 seen_ns;		/* of its last event */
	u64 lost;		/* events so far */
	u32 tid;		/* its thread, if @has_task */
	u8 type;		/* of its last event; 0: none yet */
	bool has_task;
};

struct picture_row {
	u32 top;		/* innermost open span; TRACE_NONE: none */
	u32 older;		/* the last one that ends; TRACE_NONE: none */
	u32 nr_olders;
	u64 ns;			/* of its last beginning or end */
	bool is_seen;		/* its thread ran */
	bool has_gap;		/* events of it may be missing */
	bool is_used;		/* in the whole trace */
};

/** picture_row_of() - the row of a thread on a CPU. @cpu: position */
u32 picture_row_of(const struct picture *picture, u32 tid, u32 cpu);

/**
 * picture_open() - begin a span in its row, above all that are open there.
 * Returns its position; TRACE_NONE: out of memory.
 */
u32 picture_open(struct picture *picture, struct picture_span span);

/** picture_close() - end an open span, and all above it as unwound. */
void picture_close(struct picture *picture, u32 at, struct picture_end end);

/** picture_release() - forget a span that is closed. */
void picture_release(struct picture *picture, u32 at);

/** picture_put() - an instant, if it is in the part that is drawn. */
void picture_put(struct picture *picture, struct picture_instant instant);

/** picture_enter_window() - the first time in the part that is drawn: draw what is open. */
void picture_enter_window(struct picture *picture);

#endif
