/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chains of timed calls that have begun and not ended: one for each task inside such a call, and one
 * for each CPU and kind of interrupt. The calls themselves live where their returns are hooked; a
 * chain knows the innermost.
 *
 * A chain has one writer at a time: the CPU that its task runs on, with preemption off, or the
 * scheduler there. Only @interrupted_ns is added to by interrupts of that CPU too.
 *
 * The chains of tasks are in a table of fixed size. A task takes a place when its first call begins
 * and leaves the place when its last one ends, or when it dies.
 */
#ifndef CPUPROBE_CHAIN_H
#define CPUPROBE_CHAIN_H

#include "pure.h"

/* Places among which a task's chain is searched. */
#define CHAINS_SEARCH	8

/** Time in which a task that is inside timed calls did not run them. */
struct away {
	u64 blocked_ns;
	u64 preempted_ns;
	u64 interrupted_ns;
};

struct chain;

/** A timed call that has begun. */
struct open_call {
	struct chain *chain;
	struct open_call *outer;	/* timed call in which it was made; NULL: none */
	u32 function;
	u32 node;
	u64 functions;			/* chain->functions before it */
	u64 entered_ns;			/* when its hook began */
	u64 begun_ns;			/* when its hook ended */
	struct away away;		/* chain->away when it began */
	u64 deeper_ns;			/* time of timed calls that it made, with their hooks */
	u64 children;			/* number of these */
	u64 descendants;		/* also of those that they made */
};

struct chain {
	struct open_call *innermost;	/* NULL: none */
	u64 functions;			/* a set of bits: running functions, by number modulo 64 */
	struct away away;
	u64 left_ns;			/* when the task was switched out */
	bool is_preempted;		/* and whether it was ready to run */
	struct open_call syscall;	/* used for system calls only */
};

/** Chains of tasks. */
struct chains {
	unsigned long *task;	/* whose; 0: free */
	struct chain *chain;	/* by the same index */
	u32 mask;		/* number of places less one */
};

/** Time of a call that ends: chain_measure(). */
struct call_time {
	u64 wall_ns;
	struct away away;
	u64 net_ns;
	bool is_recursive;	/* its function is running in an outer call too */
};

/**
 * chains_init() - make an empty table.
 * @task, @chain: zeroed memory of @nr places each; belongs to the caller
 * @nr: a power of two, from CHAINS_SEARCH on
 */
void chains_init(struct chains *chains, unsigned long *task, struct chain *chain, u32 nr);

/** chains_get() - find the chain of a task, or begin one. NULL: no room. By that task. */
struct chain *chains_get(struct chains *chains, const void *task);

/** chains_leave() - give the place of @chain back. By its task, or when that is dead. */
void chains_leave(struct chains *chains, struct chain *chain);

/** chains_first() - the first place of those in which a task's chain is searched. */
static __always_inline u32 chains_first(const struct chains *chains, const void *task)
{
	/* Multiplicative hashing (Knuth, volume 3, section 6.4). */
	return ((unsigned long)task * 0x9e3779b97f4a7c15 >> 32) & chains->mask & ~(CHAINS_SEARCH - 1);
}

/** chains_find() - find the chain of a task. NULL: it has none. Any context. */
static __always_inline struct chain *chains_find(const struct chains *chains, const void *task)
{
	unsigned long key = (unsigned long)task;
	u32 first = chains_first(chains, task), i;

	for (i = 0; i < CHAINS_SEARCH; i++)
		if (READ_ONCE(chains->task[first + i]) == key)
			return &chains->chain[first + i];
	return NULL;
}

/** chain_switch_out() - the task of @chain stops running. @is_preempted: it would run on */
static inline void chain_switch_out(struct chain *chain, u64 now_ns, bool is_preempted)
{
	chain->left_ns = now_ns;
	chain->is_preempted = is_preempted;
}

/** chain_switch_in() - the task of @chain runs again. */
void chain_switch_in(struct chain *chain, u64 now_ns);

/**
 * chain_push() - begin a call; @call->node is set by the caller.
 * @call: memory that stays until chain_pop(); belongs to the caller
 * @entered_ns: when the hook began
 * The caller sets @call->begun_ns when its hook ends.
 */
static __always_inline void chain_push(struct chain *chain, struct open_call *call, u32 function,
				       u64 entered_ns)
{
	call->chain = chain;
	call->outer = chain->innermost;
	call->function = function;
	call->functions = chain->functions;
	call->entered_ns = entered_ns;
	call->away = chain->away;
	call->deeper_ns = 0;
	call->children = 0;
	call->descendants = 0;
	chain->innermost = call;
	chain->functions |= 1ULL << (function & 63);
}

/**
 * chain_measure() - measure the innermost call.
 * @now_ns: when the hook of its end began
 */
void chain_measure(const struct open_call *call, u64 now_ns, struct call_time *time);

/** chain_pop() - end the innermost call. @now_ns: when the hook of its end ends */
void chain_pop(const struct open_call *call, u64 now_ns);

#endif
