/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks of open calls. A chain belongs to a thread, or to one CPU's softirqs, interrupts or NMIs; its
 * clocks stand still while something else runs. Frames are positions in a pool. Pure.
 */
#ifndef TRACE_CHAIN_H
#define TRACE_CHAIN_H

#include <stdbool.h>

#include "types.h"

#define TRACE_NONE	UINT32_MAX
#define TRACE_DEPTH_MAX	1024		/* no kernel stack holds so many calls */
#define TRACE_STACK_BYTES	16384	/* stack pointers further apart are of different stacks */
#define TRACE_USER_STACK_BYTES	(8u << 20)	/* the same of programs: the usual limit on a stack */
#define TRACE_USER_RETURNS_MAX	64	/* open calls of a thread whose return the kernel hooks */

#define TRACE_FRAME_RECURSIVE	1u	/* inside another call of the same function */
#define TRACE_FRAME_TAIL	2u	/* shares the return address of the call below */
#define TRACE_FRAME_CUT		4u	/* events are missing: no duration */
#define TRACE_FRAME_NO_SP	8u	/* a system call or interrupt */
#define TRACE_FRAME_UNCOUNTED	16u	/* an interrupt that the kernel handles without counting it as one */
#define TRACE_FRAME_USER	32u	/* a function of a program: on another stack than those of the kernel */

/** An open call; times are those of its chain's clocks when it began. */
struct trace_frame {
	u32 node;		/* position of its sums */
	u32 sp;			/* low half of the stack pointer */
	u32 below;		/* caller; TRACE_NONE: none */
	u32 item;		/* number for a struct trace_watch */
	u64 began_ns;		/* of the trace */
	u64 ran_ns, blocked_ns, preempted_ns;
	u64 callees_ns;		/* that ended calls made directly ran */
	u32 children, descendants;
	u32 nr_user;		/* open calls with TRACE_FRAME_USER from here down */
	u8 flags;		/* TRACE_FRAME_* */
	u8 resumes;		/* level that ran before */
};

struct trace_chain {
	u32 top;		/* TRACE_NONE: no open call */
	u32 depth;
	u64 ran_ns, blocked_ns, preempted_ns;
};

/** Begins as all zeros, except @free, which is TRACE_NONE. */
struct trace_pool {
	struct trace_frame *frames;
	u32 nr;
	u32 free;		/* linked by @below */
};

/**
 * trace_chain_push() - add an open call; the caller sets @began_ns and @resumes. Marks recursion and tail
 * calls. NULL: out of memory.
 */
struct trace_frame *trace_chain_push(struct trace_pool *pool, struct trace_chain *chain, u32 node, u32 sp,
				     u32 flags);

/** trace_chain_pop() - remove the innermost open call. */
void trace_chain_pop(struct trace_pool *pool, struct trace_chain *chain);

/** trace_chain_find() - number of calls above the one with this node and stack pointer; TRACE_NONE: none. */
u32 trace_chain_find(const struct trace_pool *pool, const struct trace_chain *chain, u32 node, u32 sp);

/**
 * trace_chain_left() - number of innermost calls that a new call with @sp shows to be gone, because the
 * stack has been unwound past them. @is_user: the call is one with TRACE_FRAME_USER
 */
u32 trace_chain_left(const struct trace_pool *pool, const struct trace_chain *chain, u32 sp, bool is_user);

/** trace_chain_above_user() - number of innermost calls without TRACE_FRAME_USER. */
u32 trace_chain_above_user(const struct trace_pool *pool, const struct trace_chain *chain);

/** trace_chain_cut() - mark all open calls: they have no duration. */
void trace_chain_cut(struct trace_pool *pool, struct trace_chain *chain);

#endif
