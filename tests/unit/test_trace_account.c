// SPDX-License-Identifier: GPL-2.0-only
/* Accounting of traces: cli/trace/trace_account.h, the calls of one thread. */
#include "accounts.h"

static void calls_nest(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 200 > b 4000\n"
	    "0 300 > c 3000\n"
	    "0 350 < c 3000\n"
	    "0 500 < b 4000\n"
	    "0 600 > b 4000\n"
	    "0 700 < b 4000\n"
	    "0 1000 < a 5000\n", 2000);
	expect("a", 1, 1, 900, 500);
	expect("b", 2, 2, 400, 350);
	expect("c", 1, 1, 50, 50);
	assert_int_equal(sums_of("b")->min_ns, 100);
	assert_int_equal(sums_of("b")->max_ns, 300);
	assert_int_equal(more_of("b")->net_max_ns, 250);
	assert_int_equal(more_of("b")->net_min_ns, 100);
	assert_int_equal(more_of("b")->net_ns, 350);
	assert_int_equal(sums_of("b")->bins[7], 1);
	assert_int_equal(sums_of("b")->bins[9], 1);
	assert_int_equal(account.cpus[0].net_ns, 900);
	assert_int_equal(account.cpus[0].outside_ns, 1100);
	assert_int_equal(account.cpus[0].covered_ns, 2000);
	end();
}

static void costs_are_taken_out(void **state)
{
	trace = trace_of("0 0 r 7 7\n"
			 "0 1000 > a 5000\n"
			 "0 2000 > b 4000\n"
			 "0 2100 > c 3000\n"
			 "0 2900 < c 3000\n"
			 "0 3000 < b 4000\n"
			 "0 5000 < a 5000\n", 6000, 1);
	trace->totals.cost_ps = 500000;
	trace->totals.own_ps = trace->totals.seen_ps = 100000;
	assert_int_equal(trace_account_init(&account, trace, NULL, NULL), 0);
	/* a: 100 ns of its own, 500 ns each of b and c; its net has the 400 ns of b that are outside of b. */
	assert_int_equal(sums_of("a")->max_ns, 4000 - 100 - 1000);
	assert_int_equal(more_of("a")->net_max_ns, 3000 - 100 - 400);
	assert_int_equal(sums_of("b")->max_ns, 1000 - 100 - 500);
	assert_int_equal(more_of("b")->net_max_ns, 0);
	assert_int_equal(sums_of("c")->max_ns, 700);
	assert_float_equal(elapsed_of("a"), 2900, 1e-6);
	assert_float_equal(net_of("a"), 2500, 1e-6);
	assert_int_equal(sums_of("a")->net_ns, 3000);
	end();
}

/* Half a nanosecond and more is a whole one. */
static void costs_are_rounded(void **state)
{
	trace = trace_of("0 0 r 7 7\n0 100 > a 5000\n0 200 < a 5000\n", 300, 1);
	trace->totals.own_ps = 1500;
	assert_int_equal(trace_account_init(&account, trace, NULL, NULL), 0);
	assert_int_equal(sums_of("a")->max_ns, 98);
	trace_account_deinit(&account);
	trace->totals.own_ps = 1499;
	assert_int_equal(trace_account_init(&account, trace, NULL, NULL), 0);
	assert_int_equal(sums_of("a")->max_ns, 99);
	end();
}

/* The times of all calls of function a. */
struct times_of_a {
	u64 nr, elapsed_ns, net_ns;
};

static u32 ignore_entry(void *context, const struct trace_moment *moment, u32 node, u32 flags)
{
	return 0;
}

static void add_call(void *context, const struct trace_moment *moment, const struct trace_call *call)
{
	struct times_of_a *times = context;

	/* Its calls begin the trace. */
	if (call->node)
		return;
	times->nr++;
	times->elapsed_ns += call->elapsed_ns;
	times->net_ns += call->net_ns;
}

static void ignore_event(void *context, const struct trace_moment *moment, const struct trace_event *event,
			 u64 away_ns)
{
}

/* A call that ended, one that was unwound, one with a gap, and one that is open at the end. */
static void calls_add_up_to_their_sums(void **state)
{
	struct times_of_a times = { 0 };
	const struct trace_watch watch = { &times, ignore_entry, add_call, ignore_event };

	trace = trace_of("0 0 r 7 7\n"
			 "0 10000 > a 4000\n0 12000 > c 3000\n0 13000 < c 3000\n0 20000 < a 4000\n"
			 "0 30000 > b 5000\n0 31000 > a 4000\n0 32000 > c 3000\n0 33000 < c 3000\n"
			 "0 40000 < b 5000\n"
			 "0 50000 > a 4000\n0 51000 l 3\n0 52000 r 7 7\n0 60000 < a 4000\n"
			 "0 70000 > a 4000\n0 71000 > c 3000\n0 72000 < c 3000\n", 80000, 1);
	trace->totals.cost_ps = 500000;
	trace->totals.own_ps = 200000;
	trace->totals.seen_ps = 300000;
	assert_int_equal(trace_account_init(&account, trace, NULL, &watch), 0);
	assert_int_equal(node_of("a"), 0);
	assert_int_equal(more_of("a")->open + more_of("a")->unwound + more_of("a")->cut, 3);
	assert_int_equal(times.nr, 4);
	assert_float_equal(elapsed_of("a"), times.elapsed_ns, 1e-6);
	assert_float_equal(net_of("a"), times.net_ns, 1e-6);
	assert_int_equal(times.elapsed_ns, 10000 + 9000 + 10000 + 10000 - 200 - 3 * 500);
	end();
}

static void older_and_open_calls_have_no_duration(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 < a 5000\n"
	    "0 200 < a 6000\n"
	    "0 300 > b 5000\n"
	    "0 400 > c 4000\n"
	    "0 450 < c 4000\n", 1000);
	expect("a (older)", 2, 0, 0, 0);
	expect("b", 1, 0, 700, 650);
	assert_int_equal(more_of("b")->open, 1);
	assert_int_equal(sums_of("b")->max_ns, 0);
	expect("c", 1, 1, 50, 50);
	end();
}

static void unwound_calls_are_closed_by_an_exit(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 200 > b 4000\n"
	    "0 300 > c 3000\n"
	    "0 600 < a 5000\n"
	    "0 700 > d 5000\n"
	    "0 800 < d 5000\n", 1000);
	expect("a", 1, 1, 500, 100);
	expect("b", 1, 0, 400, 100);
	expect("c", 1, 0, 300, 300);
	assert_int_equal(more_of("b")->unwound, 1);
	assert_int_equal(more_of("c")->unwound, 1);
	expect("d", 1, 1, 100, 100);
	end();
}

/* The landing frame calls something else: its stack pointer is above those that are gone. */
static void unwound_calls_are_closed_by_an_entry(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 200 > b 4000\n"
	    "0 300 > c 3000\n"
	    "0 400 > d 4500\n"
	    "0 500 < d 4500\n"
	    "0 600 < a 5000\n", 1000);
	expect("a", 1, 1, 500, 200);
	expect("b", 1, 0, 200, 100);
	expect("c", 1, 0, 100, 100);
	expect("d", 1, 1, 100, 100);
	assert_int_equal(more_of("c")->unwound, 1);
	end();
}

/* Stack pointers that are far apart are of different stacks, and the low half may wrap. */
static void other_stacks_nest(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 200 > b 905000\n"
	    "0 300 < b 905000\n"
	    "0 400 < a 5000\n"
	    "0 500 > a 100\n"
	    "0 600 > b 4294967200\n"
	    "0 700 < b 4294967200\n"
	    "0 800 < a 100\n", 1000);
	expect("a", 2, 2, 600, 400);
	expect("b", 2, 2, 200, 200);
	end();
}

static void tail_calls_are_marked(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 200 > b 5000\n"
	    "0 400 < b 5000\n"
	    "0 410 < a 5000\n", 1000);
	expect("a", 1, 1, 310, 110);
	expect("b", 1, 1, 200, 200);
	assert_int_equal(more_of("b")->tails, 1);
	assert_int_equal(more_of("a")->tails, 0);
	end();
}

static void recursion_counts_time_once(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 200 > b 4000\n"
	    "0 300 > a 3000\n"
	    "0 400 > a 2000\n"
	    "0 500 < a 2000\n"
	    "0 600 < a 3000\n"
	    "0 700 < b 4000\n"
	    "0 800 < a 5000\n", 1000);
	expect("a", 3, 3, 700, 500);
	expect("b", 1, 1, 500, 200);
	assert_int_equal(sums_of("a")->recursive, 2);
	assert_int_equal(sums_of("a")->min_ns, 700);
	assert_int_equal(more_of("a")->net_min_ns, 100);
	end();
}

static void nonsense_is_counted(void **state)
{
	run("0 500 > a 5000\n"
	    "0 400 > { 5000\n"
	    "0 600 < a 5000\n"
	    "0 600 ? 1 2\n", 300);
	assert_int_equal(account.tally.invalid, 2);
	assert_int_equal(account.tally.backward, 1);
	assert_int_equal(account.tally.events, 4);
	expect("a", 1, 1, 100, 100);
	assert_int_equal(account.cpus[0].unknown_ns, 500);
	assert_int_equal(account.end_ns, 600);
	end();
}

/* Events without sense, from a generator that always begins alike: all time is in one sum. */
static char *any_events(u32 *seed)
{
	static char text[20000];
	u32 i, used = 0, ns = 0;

	for (i = 0; i < 300; i++) {
		u32 random = *seed = *seed * 1103515245 + 12345, cpu = random >> 20 & 1, a = random >> 8 & 3;

		ns += random >> 24;
		used += snprintf(text + used, sizeof(text) - used, "%u %u %c ", cpu, ns,
				 "><><>srwiIoOyYkl"[random >> 12 & 15]);
		if (strchr("><", text[used - 2]))
			used += snprintf(text + used, sizeof(text) - used, "%c %u %u\n", 'a' + a,
					 5000 + 8 * (random >> 16 & 3),
					 random >> 18 & 3);
		else
			used += snprintf(text + used, sizeof(text) - used, "%u %u%s\n", a, random >> 16 & 3,
					 text[used - 2] != 's' ? "" : random & 64 ? " b" :
						 random & 128 ? " d" : " p");
	}
	return text;
}

static void any_events_hold(void **state)
{
	u32 seed = 1, i;

	for (i = 0; i < 300; i++) {
		run_choice(any_events(&seed), 20000, 2, NULL);
		assert_int_equal(account.cpus[0].covered_ns, account.end_ns);
		end();
	}
}

static void deep_calls_are_refused(void **state)
{
	struct trace_pool pool = { .free = TRACE_NONE };
	struct trace_chain chain = { .top = TRACE_NONE };
	u32 i;

	for (i = 0; i < 3; i++)
		assert_non_null(trace_chain_push(&pool, &chain, i, 5000 - i, 0));
	assert_int_equal(chain.depth, 3);
	assert_int_equal(trace_chain_find(&pool, &chain, 0, 5000), 2);
	assert_int_equal(trace_chain_find(&pool, &chain, 0, 5001), TRACE_NONE);
	assert_int_equal(trace_chain_left(&pool, &chain, 4999, false), 1);
	assert_int_equal(trace_chain_left(&pool, &chain, 4998, false), 0);
	assert_int_equal(trace_chain_left(&pool, &chain, 4998 + TRACE_STACK_BYTES, false), 3);
	assert_int_equal(trace_chain_left(&pool, &chain, 4999 + TRACE_STACK_BYTES, false), 0);
	trace_chain_pop(&pool, &chain);
	assert_non_null(trace_chain_push(&pool, &chain, 1, 4000, 0));
	assert_int_equal(pool.nr, 3);
	assert_true(pool.frames[chain.top].flags & TRACE_FRAME_RECURSIVE);
	free(pool.frames);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_nest),
		cmocka_unit_test(costs_are_taken_out),
		cmocka_unit_test(costs_are_rounded),
		cmocka_unit_test(calls_add_up_to_their_sums),
		cmocka_unit_test(older_and_open_calls_have_no_duration),
		cmocka_unit_test(unwound_calls_are_closed_by_an_exit),
		cmocka_unit_test(unwound_calls_are_closed_by_an_entry),
		cmocka_unit_test(other_stacks_nest),
		cmocka_unit_test(tail_calls_are_marked),
		cmocka_unit_test(recursion_counts_time_once),
		cmocka_unit_test(nonsense_is_counted),
		cmocka_unit_test(any_events_hold),
		cmocka_unit_test(deep_calls_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
