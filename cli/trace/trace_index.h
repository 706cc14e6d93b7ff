/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The index of a long trace: the state of the accounting every TRACE_INDEX_EVERY events, so that a part of the
 * code path needs no accounting of all events before it. Saved after the events; docs/format.md describes it.
 */
#ifndef TRACE_INDEX_H
#define TRACE_INDEX_H

#include "trace/trace_state.h"

#define TRACE_INDEX_EVERY	(1u << 20)

/** An index while it is made; begins as all zeros but @every. Free @bytes. */
struct trace_index {
	u32 every;		/* events */
	char *bytes;
	size_t len, room;
};

/** trace_index_add() - add the state before the next event of @merge. -ENOMEM. */
int trace_index_add(struct trace_index *index, const struct trace_state *state,
		    const struct trace_merge *merge);

/**
 * trace_index_seek() - restore the last state of the trace's index from before @from_ns, if there is one.
 * @state, @merge: as initialized
 * -EBADMSG: the index is damaged. -ENOMEM. After an error both can only be deinitialized.
 */
int trace_index_seek(struct trace_state *state, struct trace_merge *merge, u64 from_ns);

#endif
