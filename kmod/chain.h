/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chains of timed calls that have begun and not ended: one for each task inside such a call, and one
 * for each CPU and rank of interrupt. The calls themselves live where their returns are hooked; a
 * chain knows the innermost.
 *
 * Times are in ticks of the caller's clock. A chain has one writer at a time: the CPU that its task
 * runs on, with preemption off, or the scheduler there. Interrupts of that CPU add to the time away of
 * the innermost call.
 *
 * The chains of tasks are in a table of fixed size. A task takes a place when it makes a timed call,
 * and leaves the place when it stops running outside of such calls, or when it dies.
 */
#ifndef CPUPROBE_CHAIN_H
#define CPUPROBE_CHAIN_H

#include "pure.h"

/* Places among which a task's chain is searched. */
#define CHAINS_SEARCH	8

/** Time in which a task that is inside timed calls did not run them. */
struct away {
	u64 blocked;
	u64 preempted;
	u64 interrupted;
};

struct chain;

/** A timed call that has begun. */
struct open_call {
	struct chain *chain;
	struct open_call *outer;	/* timed call in which it was made; NULL: none */
	u32 function;
	u32 node;
	u64 functions;			/* chain->functions before it */
	u64 entered;			/* when its hook began */
	u64 begun;			/* when its hook ended */
	struct away away;		/* since it began, as far as an inner call has not taken it */
	/* of @away only @interrupted has a value until @is_mixed; the rest has none */
	bool is_mixed;			/* it was switched out, or made a timed call that has ended */
	u64 deeper;			/* time of timed calls that it made, with their hooks */
	u64 children;			/* number of these */
	u64 descendants;		/* also of those that they made */
};

struct chain {
	struct open_call *innermost;	/* NULL: none */
	u64 functions;			/* a set of bits: running functions, by number modulo 64 */
	u64 left;			/* when the task was switched out */
	bool is_preempted;		/* and whether it was ready to run */
	struct open_call syscall;	/* used for system calls only */
};

/**
 * Interrupts of a CPU, in the order in which they interrupt each other: at its end a hard irq runs softirqs, and these
 * let hard irqs in again. A task has the rank RANKS.
 */
enum chain_rank { RANK_IRQ, RANK_SOFTIRQ, RANK_NESTED_IRQ, RANK_NMI, RANKS };

/** Chains of tasks. */
struct chains {
	unsigned long *task;	/* whose; 0: free */
	struct chain *chain;	/* by the same index */
	u32 mask;		/* number of places less one */
};

/**
 * chains_init() - make an empty table.
 * @task, @chain: zeroed memory of @nr places each; belongs to the caller
 * @nr: a power of two, from CHAINS_SEARCH on
 */
void chains_init(struct chains *chains, unsigned long *task, struct chain *chain, u32 nr);

/** chains_forget() - empty the table. While nobody uses it. */
void chains_forget(struct chains *chains);

/** chains_get() - find the chain of a task, or begin one. NULL: no room. By that task. */
struct chain *chains_get(struct chains *chains, const void *task);

/** chains_have() - whether a chain is in the table. */
bool chains_have(const struct chains *chains, const struct chain *chain);

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

/**
 * chain_rank() - the rank whose chain a call belongs to that begins. irq_exit_rcu() begins in a hard irq and ends
 * outside of it: until then all calls are its own.
 * @interrupt: the CPU's chains of interrupts, by rank
 * @rank: of the code that runs
 */
static __always_inline u32 chain_rank(const struct chain *interrupt, u32 rank)
{
	if (rank == RANKS && interrupt[RANK_IRQ].innermost)
		return RANK_IRQ;
	if (rank == RANK_SOFTIRQ && interrupt[RANK_NESTED_IRQ].innermost)
		return RANK_NESTED_IRQ;
	return rank;
}

/** chain_below() - of the chains that an interrupt may have interrupted, the last with a call. NULL: none has. */
struct chain *chain_below(struct chain *interrupt, u32 rank);

/** chain_switch_out() - the task of @chain stops running. @is_preempted: it would run on */
static inline void chain_switch_out(struct chain *chain, u64 now, bool is_preempted)
{
	chain->left = now;
	chain->is_preempted = is_preempted;
}

/** chain_switch_in() - the task of @chain runs again. */
void chain_switch_in(struct chain *chain, u64 now);

/** chain_interrupted() - the innermost call was interrupted for a time. In that interrupt. */
static __always_inline void chain_interrupted(struct chain *chain, u64 time)
{
	/* The interrupted handler may move the same sum to the outer call: one instruction. */
	local_add(time, (local_t *)&chain->innermost->away.interrupted);
}

/**
 * chain_push() - prepare a call; @call->node is set by the caller.
 * @call: memory that stays until chain_pop(); belongs to the caller
 * @entered: when the hook began
 */
static __always_inline void chain_push(struct chain *chain, struct open_call *call, u32 function,
				       u64 entered)
{
	call->chain = chain;
	call->outer = chain->innermost;
	call->function = function;
	call->functions = chain->functions;
	call->entered = entered;
	call->away.interrupted = 0;
	call->is_mixed = false;
	chain->functions |= 1ULL << (function & 63);
}

/** chain_begin() - begin a call that was prepared. @begun: when its hook ends, so now */
static __always_inline void chain_begin(struct open_call *call, u64 begun)
{
	call->begun = begun;
	/* From here on interrupts add to this call. */
	WRITE_ONCE(call->chain->innermost, call);
}

/* A clock that goes back makes a time 0, not huge. */
static __always_inline u64 chain_less(u64 from, u64 take)
{
	return from > take ? from - take : 0;
}

/** chain_wall() - time of the innermost call. @now: when the hook of its end began */
static __always_inline u64 chain_wall(const struct open_call *call, u64 now)
{
	return chain_less(now, call->begun);
}

/** chain_is_simple() - whether a call ran without a break, and without timed calls of its own. */
static __always_inline bool chain_is_simple(const struct open_call *call)
{
	return likely(!call->is_mixed && !call->away.interrupted);
}

/** chain_mix() - give the members that only some calls need their values. */
static __always_inline void chain_mix(struct open_call *call)
{
	if (call->is_mixed)
		return;
	call->away.blocked = call->away.preempted = 0;
	call->deeper = call->children = call->descendants = 0;
	call->is_mixed = true;
}

/** chain_net() - time of a call that is mixed, without timed calls and time away. @wall: its time */
u64 chain_net(const struct open_call *call, u64 wall);

/** chain_may_recur() - false: the function of a call runs in no outer call. */
static __always_inline bool chain_may_recur(const struct open_call *call)
{
	return unlikely(call->functions >> (call->function & 63) & 1);
}

/** chain_recurs() - whether the function of a call runs in an outer call too. */
bool chain_recurs(const struct open_call *call);

/** chain_return() - add the time of an inner call that has ended to @outer. Part of chain_pop(). */
void chain_return(struct open_call *outer, struct open_call *call, u64 now);

/** chain_pop() - end the innermost call. @now: when the hook of its end ends */
static __always_inline void chain_pop(struct open_call *call, u64 now)
{
	struct chain *chain = call->chain;

	/* From here on interrupts add to the outer call. */
	WRITE_ONCE(chain->innermost, call->outer);
	chain->functions = call->functions;
	if (call->outer)
		chain_return(call->outer, call, now);
}

#endif
