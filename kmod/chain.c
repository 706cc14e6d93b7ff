// SPDX-License-Identifier: GPL-2.0-only
/* Timed calls that have begun: see chain.h. */
#include "chain.h"

void chains_init(struct chains *chains, unsigned long *task, struct chain *chain, u32 nr)
{
	chains->task = task;
	chains->chain = chain;
	chains->mask = nr - 1;
}

/* A free place of those in which the task is searched, or CHAINS_SEARCH. */
static u32 notrace claim_place(unsigned long *place, unsigned long key)
{
	u32 i;

	for (i = 0; i < CHAINS_SEARCH; i++)
		if (!READ_ONCE(place[i]) && !cmpxchg(&place[i], 0, key))
			break;
	return i;
}

static void notrace clear_chain(struct chain *chain)
{
	chain->innermost = NULL;
	chain->functions = 0;
	chain->away = (struct away){ .blocked_ns = 0 };
}

struct chain *notrace chains_get(struct chains *chains, const void *task)
{
	struct chain *chain = chains_find(chains, task);
	u32 first, place;

	if (chain)
		return chain;
	first = chains_first(chains, task);
	place = claim_place(&chains->task[first], (unsigned long)task);
	if (place == CHAINS_SEARCH)
		return NULL;
	chain = &chains->chain[first + place];
	clear_chain(chain);
	return chain;
}

void notrace chains_leave(struct chains *chains, struct chain *chain)
{
	smp_store_release(&chains->task[chain - chains->chain], 0);
}

void notrace chain_switch_in(struct chain *chain, u64 now_ns)
{
	u64 away_ns = now_ns > chain->left_ns ? now_ns - chain->left_ns : 0;

	if (chain->is_preempted)
		chain->away.preempted_ns += away_ns;
	else
		chain->away.blocked_ns += away_ns;
}

/*
 * The bit of a function that is not running may be set by another function. The calls are on one
 * kernel stack, which bounds their number.
 */
static bool notrace is_running(const struct open_call *outer, u64 functions, u32 function)
{
	if (!(functions >> (function & 63) & 1))
		return false;
	for (; outer; outer = outer->outer)
		if (outer->function == function)
			return true;
	return false;
}

static u64 notrace sum_of(const struct away *away)
{
	return away->blocked_ns + away->preempted_ns + away->interrupted_ns;
}

static struct away notrace away_since(const struct open_call *call)
{
	const struct away *now = &call->chain->away;

	return (struct away){
		.blocked_ns = now->blocked_ns - call->away.blocked_ns,
		.preempted_ns = now->preempted_ns - call->away.preempted_ns,
		.interrupted_ns = now->interrupted_ns - call->away.interrupted_ns,
	};
}

/* A clock that goes back makes a time 0, not huge. */
static u64 notrace less(u64 from, u64 take)
{
	return from > take ? from - take : 0;
}

void notrace chain_measure(const struct open_call *call, u64 now_ns, struct call_time *time)
{
	time->away = away_since(call);
	time->wall_ns = less(now_ns, call->begun_ns);
	time->net_ns = less(less(time->wall_ns, sum_of(&time->away)), call->deeper_ns);
	time->is_recursive = is_running(call->outer, call->functions, call->function);
}

void notrace chain_pop(const struct open_call *call, u64 now_ns)
{
	struct open_call *outer = call->outer;
	struct away away = away_since(call);

	call->chain->innermost = outer;
	call->chain->functions = call->functions;
	if (!outer)
		return;
	outer->deeper_ns += less(less(now_ns, call->entered_ns), sum_of(&away));
	outer->children++;
	outer->descendants += 1 + call->descendants;
}
