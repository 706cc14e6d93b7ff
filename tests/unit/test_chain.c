// SPDX-License-Identifier: GPL-2.0-only
/* Timed calls that have begun: kmod/chain.c. */
#include "unit.h"
#include "chain.h"

#define PLACES	16

static unsigned long task[PLACES];
static struct chain chain_memory[PLACES];
static struct chains chains;

static void begin(void)
{
	memset(task, 0, sizeof(task));
	memset(chain_memory, 0, sizeof(chain_memory));
	chains_init(&chains, task, chain_memory, PLACES);
}

/* The call begins: its hook takes from @entered to @begun. */
static void push(struct chain *chain, struct open_call *call, u32 function, u64 entered, u64 begun)
{
	chain_push(chain, call, function, entered);
	chain_begin(call, begun);
}

/** Times of a call that has ended. */
struct ended {
	u64 wall, net;
	struct away away;
	bool is_recursive;
};

/* The call ends: its hook takes from @ended to @left. */
static struct ended pop(struct open_call *call, u64 ended, u64 left)
{
	bool is_simple = chain_is_simple(call);
	struct ended time = { .wall = chain_wall(call, ended) };

	if (!is_simple)
		chain_mix(call);
	time.net = is_simple ? time.wall : chain_net(call, time.wall);
	if (!is_simple)
		time.away = call->away;
	time.is_recursive = chain_may_recur(call) && chain_recurs(call);
	chain_pop(call, left);
	return time;
}

/* The loop of MINIX's profiler: the probe's own time is in no function's net time. */
static void hooks_are_in_no_net_time(void **state)
{
	struct open_call a, b;
	struct ended time;
	struct chain *chain;

	begin();
	chain = chains_get(&chains, &a);
	push(chain, &a, 1, 1000, 1010);
	push(chain, &b, 2, 1110, 1120);
	time = pop(&b, 1170, 1180);
	assert_int_equal(time.wall, 50);
	assert_int_equal(time.net, 50);
	assert_int_equal(a.deeper, 70);
	push(chain, &b, 2, 1200, 1210);
	pop(&b, 1240, 1250);
	time = pop(&a, 1300, 1310);
	assert_int_equal(time.wall, 290);
	assert_int_equal(time.net, 290 - 70 - 50);
	assert_int_equal(a.children, 2);
	assert_null(chain->innermost);
}

static void descendants_are_all_inner_calls(void **state)
{
	struct open_call call[4];
	struct chain *chain;
	u32 i;

	begin();
	chain = chains_get(&chains, call);
	for (i = 0; i < 4; i++)
		push(chain, &call[i], i, 10 * i, 10 * i);
	pop(&call[3], 40, 40);
	push(chain, &call[3], 3, 50, 50);
	for (i = 3; i < 4; i--)
		pop(&call[i], 90 - 10 * i, 90 - 10 * i);
	assert_int_equal(call[2].children, 2);
	assert_int_equal(call[0].children, 1);
	assert_int_equal(call[0].descendants, 4);
}

static void time_away_is_told_apart(void **state)
{
	struct open_call outer, inner;
	struct ended time;
	struct chain *chain;

	begin();
	chain = chains_get(&chains, &outer);
	push(chain, &outer, 1, 0, 0);
	chain_switch_out(chain, 100, true);
	chain_switch_in(chain, 130);
	push(chain, &inner, 2, 200, 200);
	chain_switch_out(chain, 210, false);
	chain_switch_in(chain, 1210);
	chain_interrupted(chain, 7);
	time = pop(&inner, 1300, 1300);
	assert_int_equal(time.wall, 1100);
	assert_int_equal(time.away.blocked, 1000);
	assert_int_equal(time.away.preempted, 0);
	assert_int_equal(time.away.interrupted, 7);
	assert_int_equal(time.net, 93);
	time = pop(&outer, 1400, 1400);
	assert_int_equal(time.wall, 1400);
	assert_int_equal(time.away.blocked, 1000);
	assert_int_equal(time.away.preempted, 30);
	assert_int_equal(time.net, 1400 - 1000 - 30 - 7 - 93);
}

/* Numbers that share a bit are not taken for each other. */
static void recursion_is_seen(void **state)
{
	struct open_call call[3];
	struct chain *chain;

	begin();
	chain = chains_get(&chains, call);
	push(chain, &call[0], 5, 0, 0);
	push(chain, &call[1], 5 + 64, 1, 1);
	push(chain, &call[2], 5, 2, 2);
	assert_true(pop(&call[2], 3, 3).is_recursive);
	assert_false(pop(&call[1], 4, 4).is_recursive);
	push(chain, &call[1], 6, 5, 5);
	assert_false(pop(&call[1], 6, 6).is_recursive);
	/* Nothing is left of a call that has ended: the next one needs no search. */
	push(chain, &call[1], 6, 6, 6);
	assert_false(chain_may_recur(&call[1]));
	assert_false(pop(&call[1], 6, 6).is_recursive);
	assert_false(pop(&call[0], 7, 7).is_recursive);
	push(chain, &call[0], 5, 8, 8);
	assert_false(pop(&call[0], 9, 9).is_recursive);
}

/* A clock that goes back. */
static void no_time_is_negative(void **state)
{
	struct open_call outer, inner;
	struct chain *chain;
	struct ended time;

	begin();
	chain = chains_get(&chains, &outer);
	push(chain, &outer, 1, 100, 100);
	push(chain, &inner, 2, 110, 110);
	time = pop(&inner, 90, 90);
	assert_int_equal(time.wall, 0);
	assert_int_equal(time.net, 0);
	chain_switch_out(chain, 120, false);
	chain_switch_in(chain, 110);
	time = pop(&outer, 130, 130);
	assert_int_equal(time.net, 30);
}

/* A task keeps its place until it leaves; a new chain is empty. */
static void tasks_take_and_leave_places(void **state)
{
	struct open_call call;
	struct chain *chain, others;
	u32 i, nr = 0;

	begin();
	assert_null(chains_find(&chains, &task[0]));
	chain = chains_get(&chains, &task[0]);
	assert_ptr_equal(chains_get(&chains, &task[0]), chain);
	assert_ptr_equal(chains_find(&chains, &task[0]), chain);
	assert_true(chains_have(&chains, chain));
	push(chain, &call, 3, 0, 0);
	chains_leave(&chains, chain);
	assert_null(chains_find(&chains, &task[0]));
	chain = chains_get(&chains, &task[0]);
	assert_null(chain->innermost);
	assert_int_equal(chain->functions, 0);
	for (i = 0; i < 1000; i++)
		nr += !!chains_get(&chains, &chains + i);
	assert_int_equal(nr, PLACES - 1);
	assert_true(chains_have(&chains, &chain_memory[PLACES - 1]));
	assert_false(chains_have(&chains, &chain_memory[PLACES]));
	assert_false(chains_have(&chains, &others));
	for (i = 0; i < PLACES; i++)
		assert_ptr_equal(chains_find(&chains, (void *)task[i]), &chain_memory[i]);
	chains_forget(&chains);
	for (i = 0; i < PLACES; i++)
		assert_int_equal(task[i], 0);
}

/* A call that begins now, in code of this rank. */
static struct chain *interrupt(struct chain *interrupts, struct open_call *call, u32 rank, u64 now)
{
	struct chain *chain = &interrupts[chain_rank(interrupts, rank)];

	push(chain, call, rank, now, now);
	return chain;
}

/* The outermost call of an interrupt ends: its time is not the interrupted call's. Returns that call. */
static struct open_call *leave(struct chain *interrupts, struct open_call *call, u64 now)
{
	struct chain *chain = call->chain, *below = chain_below(interrupts, chain - interrupts);

	pop(call, now, now);
	assert_null(chain->innermost);
	if (!below)
		return NULL;
	chain_interrupted(below, now - call->entered);
	return below->innermost;
}

/* irq_exit_rcu() runs softirqs at task level; hard irqs and an NMI interrupt these. */
static void interrupts_nest(void **state)
{
	struct open_call irq_exit, do_softirq, softirq, nested_exit, tick, nmi;
	struct chain interrupts[RANKS] = { { .innermost = NULL } };
	struct ended time;

	assert_int_equal(chain_rank(interrupts, RANKS), RANKS);
	assert_int_equal(chain_rank(interrupts, RANK_SOFTIRQ), RANK_SOFTIRQ);
	assert_null(chain_below(interrupts, RANKS));
	interrupt(interrupts, &irq_exit, RANK_IRQ, 100);
	assert_int_equal(chain_rank(interrupts, RANKS), RANK_IRQ);
	assert_ptr_equal(interrupt(interrupts, &do_softirq, RANKS, 110), irq_exit.chain);
	assert_ptr_equal(do_softirq.outer, &irq_exit);
	assert_ptr_not_equal(interrupt(interrupts, &softirq, RANK_SOFTIRQ, 120), irq_exit.chain);
	assert_null(softirq.outer);
	interrupt(interrupts, &nested_exit, RANK_NESTED_IRQ, 130);
	assert_null(nested_exit.outer);
	assert_ptr_equal(interrupt(interrupts, &tick, RANK_SOFTIRQ, 140), nested_exit.chain);
	assert_ptr_equal(tick.outer, &nested_exit);
	interrupt(interrupts, &nmi, RANK_NMI, 150);
	assert_null(nmi.outer);
	assert_ptr_equal(leave(interrupts, &nmi, 157), &tick);
	time = pop(&tick, 160, 160);
	assert_int_equal(time.net, 20 - 7);
	assert_ptr_equal(leave(interrupts, &nested_exit, 170), &softirq);
	interrupt(interrupts, &nmi, RANK_NMI, 180);
	assert_ptr_equal(leave(interrupts, &nmi, 183), &softirq);
	assert_int_equal(softirq.away.interrupted, 40 + 3);
	assert_ptr_equal(leave(interrupts, &softirq, 200), &do_softirq);
	time = pop(&do_softirq, 210, 210);
	assert_int_equal(time.away.interrupted, 80);
	assert_int_equal(time.net, 20);
	assert_int_equal(irq_exit.children, 1);
	assert_null(leave(interrupts, &irq_exit, 220));
	assert_int_equal(irq_exit.deeper, 20);
	assert_int_equal(irq_exit.away.interrupted, 80);
	assert_int_equal(chain_rank(interrupts, RANKS), RANKS);
}

/* A softirq that no timed call of a hard irq runs. */
static void tasks_run_softirqs(void **state)
{
	struct chain interrupts[RANKS] = { { .innermost = NULL } };
	struct open_call softirq, irq;

	interrupt(interrupts, &softirq, RANK_SOFTIRQ, 10);
	assert_int_equal(chain_rank(interrupts, RANK_NMI), RANK_NMI);
	interrupt(interrupts, &irq, RANK_NESTED_IRQ, 20);
	assert_ptr_equal(leave(interrupts, &irq, 25), &softirq);
	assert_null(leave(interrupts, &softirq, 30));
	assert_int_equal(softirq.away.interrupted, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hooks_are_in_no_net_time),
		cmocka_unit_test(descendants_are_all_inner_calls),
		cmocka_unit_test(time_away_is_told_apart),
		cmocka_unit_test(recursion_is_seen),
		cmocka_unit_test(no_time_is_negative),
		cmocka_unit_test(tasks_take_and_leave_places),
		cmocka_unit_test(interrupts_nest),
		cmocka_unit_test(tasks_run_softirqs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
