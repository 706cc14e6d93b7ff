// SPDX-License-Identifier: GPL-2.0-only
/* Timed calls that have begun: see chain.h. */
#include "chain.h"

void chains_init(struct chains *chains, unsigned long *task, struct chain *chain, u32 nr)
{
	chains->task = task;
	chains->chain = chain;
	chains->mask = nr - 1;
}

void chains_forget(struct chains *chains)
{
	memset(chains->task, 0, (chains->mask + 1) * sizeof(*chains->task));
	memset(chains->chain, 0, (chains->mask + 1) * sizeof(*chains->chain));
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

struct chain *notrace chains_get(struct chains *chains, const void *task)
{
	struct chain *chain = chains_find(chains, task);
	u32 first, place;

	if (chain)
		return chain;
	first = chains_first(chains, task);
	place = claim_place(&chains->task[first], (unsigned long)task);
	return place < CHAINS_SEARCH ? &chains->chain[first + place] : NULL;
}

bool notrace chains_have(const struct chains *chains, const struct chain *chain)
{
	return chain >= chains->chain && chain <= chains->chain + chains->mask;
}

/* The calls of a dead task stay open. An NMI finds the next chain at this place before it is used. */
void notrace chains_leave(struct chains *chains, struct chain *chain)
{
	chain->innermost = NULL;
	chain->functions = 0;
	smp_store_release(&chains->task[chain - chains->chain], 0);
}

struct chain *notrace chain_below(struct chain *interrupt, u32 rank)
{
	while (rank--)
		if (interrupt[rank].innermost)
			return &interrupt[rank];
	return NULL;
}

void notrace chain_switch_in(struct chain *chain, u64 now)
{
	u64 away = now > chain->left ? now - chain->left : 0;

	if (unlikely(!chain->innermost))
		return;
	chain_mix(chain->innermost);
	if (chain->is_preempted)
		chain->innermost->away.preempted += away;
	else
		chain->innermost->away.blocked += away;
}

/* The calls are on one kernel stack, which bounds their number. Others may have set the bit. */
bool notrace chain_recurs(const struct open_call *call)
{
	const struct open_call *outer;

	for (outer = call->outer; outer; outer = outer->outer)
		if (outer->function == call->function)
			return true;
	return false;
}

static u64 notrace sum_of(const struct away *away)
{
	return away->blocked + away->preempted + away->interrupted;
}

u64 notrace chain_net(const struct open_call *call, u64 wall)
{
	return chain_less(wall, call->deeper + sum_of(&call->away));
}

void notrace chain_return(struct open_call *outer, struct open_call *call, u64 now)
{
	const struct away *away = &call->away;

	chain_mix(outer);
	chain_mix(call);
	outer->deeper += chain_less(chain_less(now, call->entered), sum_of(away));
	outer->children++;
	outer->descendants += 1 + call->descendants;
	outer->away.blocked += away->blocked;
	outer->away.preempted += away->preempted;
	/* Interrupts add to this sum. */
	local_add(away->interrupted, (local_t *)&outer->away.interrupted);
}
