// SPDX-License-Identifier: GPL-2.0-only
/* Stacks of open calls: see trace_chain.h. */
#include <stddef.h>

#include "base/array.h"
#include "trace/trace_chain.h"

static u32 take_frame(struct trace_pool *pool)
{
	u32 at = pool->free;

	if (at != TRACE_NONE) {
		pool->free = pool->frames[at].below;
		return at;
	}
	if (!array_has_room(&pool->frames, pool->nr, sizeof(*pool->frames)))
		return TRACE_NONE;
	return pool->nr++;
}

static bool has_node(const struct trace_pool *pool, const struct trace_chain *chain, u32 node)
{
	u32 at = chain->top;

	while (at != TRACE_NONE && pool->frames[at].node != node)
		at = pool->frames[at].below;
	return at != TRACE_NONE;
}

struct trace_frame *trace_chain_push(struct trace_pool *pool, struct trace_chain *chain, u32 node, u32 sp,
				     u32 flags)
{
	const struct trace_frame *below = chain->top == TRACE_NONE ? NULL : &pool->frames[chain->top];
	u32 at, nr_user = below ? below->nr_user : 0;

	if (has_node(pool, chain, node))
		flags |= TRACE_FRAME_RECURSIVE;
	at = take_frame(pool);
	if (at == TRACE_NONE)
		return NULL;
	if (chain->top != TRACE_NONE && !(flags & TRACE_FRAME_NO_SP)) {
		/* Taking a frame may have moved them. */
		below = &pool->frames[chain->top];
		if (below->sp == sp && !((below->flags ^ flags) & (TRACE_FRAME_NO_SP | TRACE_FRAME_USER)))
			flags |= TRACE_FRAME_TAIL;
	}
	pool->frames[at] = (struct trace_frame){
		.node = node, .sp = sp, .below = chain->top, .flags = flags, .ran_ns = chain->ran_ns,
		.blocked_ns = chain->blocked_ns, .preempted_ns = chain->preempted_ns, .item = TRACE_NONE,
		.nr_user = nr_user + !!(flags & TRACE_FRAME_USER),
	};
	chain->top = at;
	chain->depth++;
	return &pool->frames[at];
}

void trace_chain_pop(struct trace_pool *pool, struct trace_chain *chain)
{
	u32 at = chain->top;

	chain->top = pool->frames[at].below;
	chain->depth--;
	pool->frames[at].below = pool->free;
	pool->free = at;
}

u32 trace_chain_find(const struct trace_pool *pool, const struct trace_chain *chain, u32 node, u32 sp)
{
	u32 at, above = 0;

	for (at = chain->top; at != TRACE_NONE; at = pool->frames[at].below, above++)
		if (pool->frames[at].node == node &&
		    (pool->frames[at].sp == sp || pool->frames[at].flags & TRACE_FRAME_NO_SP))
			return above;
	return TRACE_NONE;
}

u32 trace_chain_left(const struct trace_pool *pool, const struct trace_chain *chain, u32 sp, bool is_user)
{
	u32 stack_bytes = is_user ? TRACE_USER_STACK_BYTES : TRACE_STACK_BYTES, at, nr = 0;

	/* The stack grows down: an open call has a higher stack pointer than what it calls. */
	for (at = chain->top; at != TRACE_NONE; at = pool->frames[at].below, nr++)
		if (pool->frames[at].flags & TRACE_FRAME_NO_SP ||
		    !(pool->frames[at].flags & TRACE_FRAME_USER) == is_user ||
		    sp - pool->frames[at].sp - 1 >= stack_bytes)
			break;
	return nr;
}

u32 trace_chain_above_user(const struct trace_pool *pool, const struct trace_chain *chain)
{
	u32 at, nr = 0;

	for (at = chain->top; at != TRACE_NONE; at = pool->frames[at].below, nr++)
		if (pool->frames[at].flags & TRACE_FRAME_USER)
			break;
	return nr;
}

void trace_chain_cut(struct trace_pool *pool, struct trace_chain *chain)
{
	u32 at;

	for (at = chain->top; at != TRACE_NONE; at = pool->frames[at].below)
		pool->frames[at].flags |= TRACE_FRAME_CUT;
}
