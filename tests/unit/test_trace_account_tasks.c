// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounting of traces: cli/trace/trace_account.h, calls beside switches, interrupts, system calls, and
 * gaps, and on several CPUs.
 */
#include "accounts.h"

static void blocked_and_preempted_time_is_apart(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 200 > b 4000\n"
	    "0 300 s 7 8 b\n"
	    "0 350 > a 5000\n"
	    "0 800 s 8 7 p\n"
	    "0 900 s 7 0 p\n"
	    "0 950 s 0 7 p\n"
	    "0 1000 < b 4000\n"
	    "0 1100 < a 5000\n"
	    "0 1200 s 7 8 b\n"
	    "0 1300 < a 5000\n", 2000);
	/* Thread 7: a 200 before, 100 + 150 after; thread 8: a 450 + 100. */
	expect("a", 2, 2, 450 + 550, 200 + 550);
	expect("b", 1, 1, 250, 250);
	assert_int_equal(sums_of("b")->blocked_ns, 500);
	assert_int_equal(sums_of("b")->preempted_ns, 50);
	assert_int_equal(sums_of("b")->wall_ns, 800);
	assert_int_equal(sums_of("a")->blocked_ns, 500);
	assert_int_equal(sums_of("a")->preempted_ns, 50 + 400);
	assert_int_equal(account.cpus[0].idle_ns, 50);
	assert_int_equal(account.tally.switches, 5);
	assert_int_equal(account.tally.strange, 0);
	end();
}

static void interrupts_are_in_no_call(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 200 i 24\n"
	    "0 250 > b 90000 2\n"
	    "0 300 < b 90000 2\n"
	    "0 320 I 24\n"
	    "0 330 o 3\n"
	    "0 340 > b 80000 1\n"
	    "0 360 i 25\n"
	    "0 370 > c 85000 3\n"
	    "0 380 < c 85000 3\n"
	    "0 390 I 25\n"
	    "0 400 < b 80000 1\n"
	    "0 420 O 3\n"
	    "0 500 < a 5000\n", 600);
	expect("a", 1, 1, 100 + 10 + 80, 190);
	expect("b", 2, 2, 50 + 30, 80);
	expect("c", 1, 1, 10, 10);
	expect("irq 24", 1, 1, 120, 70);
	expect("irq 25", 1, 1, 20, 20);
	expect("softirq NET_RX", 1, 1, 90 - 30, 60 - 30);
	assert_int_equal(sums_of("a")->interrupted_ns, 120 + 90);
	assert_int_equal(account.cpus[0].interrupts_ns, 70 + 20 + 30);
	assert_int_equal(account.cpus[0].net_ns, 190 + 80 + 10);
	end();
}

/* irq_exit() begins in the interrupt and ends in the thread; what it calls is the thread's to the kernel. */
static void calls_across_levels_end(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 200 > b 4000 2\n"
	    "0 250 > c 3000 0\n"
	    "0 300 < c 3000 0\n"
	    "0 400 < b 4000 0\n"
	    "0 500 < a 5000\n", 600);
	expect("a", 1, 1, 200, 200);
	expect("b", 1, 1, 200, 150);
	expect("c", 1, 1, 50, 50);
	end();
}

/* To the kernel a reschedule IPI and its functions belong to the thread. */
static void uncounted_interrupts_are_in_no_call(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 200 i 24 1\n"
	    "0 210 > b 4000\n"
	    "0 220 > c 3900\n"
	    "0 230 < c 3900\n"
	    "0 240 < b 4000\n"
	    "0 300 I 24 1\n"
	    "0 500 < a 5000\n", 600);
	expect("a", 1, 1, 300, 300);
	expect("irq 24", 1, 1, 100, 70);
	expect("b", 1, 1, 30, 20);
	expect("c", 1, 1, 10, 10);
	end();
}

/* The exit of an interrupt's function is missing. */
static void forgotten_interrupts_are_closed(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > b 90000 2\n"
	    "0 200 > a 5000\n"
	    "0 300 < a 5000\n"
	    "0 400 > d 90000 2\n"
	    "0 500 s 7 0 b\n", 1000);
	expect("b", 1, 0, 100, 100);
	expect("d", 1, 0, 100, 100);
	assert_int_equal(more_of("b")->unwound, 1);
	assert_int_equal(more_of("d")->unwound, 1);
	expect("a", 1, 1, 100, 100);
	assert_int_equal(account.cpus[0].idle_ns, 500);
	end();
}

static void system_calls_are_calls(void **state)
{
	run("0 0 r 7 7\n"
	    "0 50 Y 1 5\n"
	    "0 100 y 0\n"
	    "0 200 > a 5000\n"
	    "0 300 < a 5000\n"
	    "0 400 Y 0 -11\n"
	    "0 500 y 0\n"
	    "0 550 > a 5000\n"
	    "0 600 Y 0 7\n"
	    "0 700 > a 5000\n"
	    "0 800 y 1\n", 1000);
	expect("read", 2, 2, 400, 250);
	assert_int_equal(sums_of("read")->errors, 1);
	expect("write (older)", 1, 0, 0, 0);
	expect("write", 1, 0, 200, 200);
	/* Nothing of the kernel is open in user mode. */
	expect("a", 3, 1, 100 + 50 + 100, 250);
	assert_int_equal(more_of("a")->unwound, 2);
	end();
}

/* The registers that rt_sigreturn() restores have another number, or none. */
static void system_calls_may_end_with_another_number(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 y 15\n"
	    "0 200 Y 65535 -4\n"
	    "0 300 y 0\n"
	    "0 400 Y 0 1\n", 1000);
	expect("rt_sigreturn", 1, 1, 100, 100);
	expect("read", 1, 1, 100, 100);
	assert_int_equal(sums_of("rt_sigreturn")->errors, 1);
	assert_false(has_node("(no such number) (older)"));
	end();
}

static void children_begin_empty(void **state)
{
	run("0 0 r 7 7\n"
	    "0 50 y 56\n"
	    "0 100 > a 5000\n"
	    "0 150 k 9 9\n"
	    "0 200 s 7 9 p\n"
	    "0 250 Y 56 0\n"
	    "0 300 > a 5000\n"
	    "0 400 s 9 7 d\n"
	    "0 450 < a 5000\n"
	    "0 460 Y 56 9\n"
	    /* the number is used again */
	    "0 470 k 9 9\n"
	    "0 480 s 7 9 b\n"
	    "0 490 > b 5000\n"
	    "0 500 < b 5000\n"
	    "0 510 < a 5000\n", 600);
	expect("clone", 1, 1, 210, 60);
	expect("a", 2, 1, 150 + 100, 250);
	assert_int_equal(more_of("a")->open, 1);
	/* The thread's call ended when it died, not when its number was used again. */
	assert_int_equal(sums_of("a")->wall_ns, 350 + 100);
	expect("a (older)", 1, 0, 0, 0);
	assert_false(has_node("clone (older)"));
	expect("b", 1, 1, 10, 10);
	end();
}

static void threads_move_between_cpus(void **state)
{
	run_choice("0 0 r 7 7\n"
		   "1 0 r 0 0\n"
		   "0 100 > a 5000\n"
		   "0 200 s 7 0 p\n"
		   "1 300 s 0 7 p\n"
		   "1 400 > b 4000\n"
		   "1 450 < b 4000\n"
		   "1 500 < a 5000\n", 600, 2, NULL);
	expect("a", 1, 1, 300, 250);
	assert_int_equal(sums_of("a")->preempted_ns, 100);
	assert_int_equal(account.cpus[0].idle_ns, 400);
	assert_int_equal(account.cpus[1].idle_ns, 300);
	assert_int_equal(account.cpus[1].net_ns, 200);
	assert_int_equal(account.cpus[1].outside_ns, 100);
	assert_int_equal(account.tally.strange, 0);
	end();
}

/* The second CPU's clock is a little slow: the thread arrives there before it has left. */
static void small_clock_differences_do_no_harm(void **state)
{
	run_choice("0 0 r 7 7\n"
		   "1 0 r 0 0\n"
		   "0 100 > a 5000\n"
		   "1 195 s 0 7 p\n"
		   "0 200 s 7 0 p\n"
		   "1 500 < a 5000\n", 600, 2, NULL);
	assert_int_equal(account.tally.strange, 1);
	assert_int_equal(more_of("a")->cut, 1);
	assert_int_equal(account.cpus[0].idle_ns, 400);
	assert_int_equal(account.cpus[0].unknown_ns, 5);
	assert_int_equal(account.cpus[1].net_ns, 305);
	end();
}

static void calls_beside_a_gap_have_no_duration(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 150 i 24\n"
	    "0 200 l 3\n"
	    "0 210 r 7 7\n"
	    "0 300 > b 4000\n"
	    "0 400 < b 4000\n"
	    "0 500 < a 5000\n"
	    "0 600 > a 5000\n"
	    "0 650 l 0\n"
	    "0 700 < a 5000\n", 1000);
	expect("a", 2, 1, 50 + 300 + 100, 350);
	assert_int_equal(more_of("a")->cut, 1);
	assert_int_equal(sums_of("a")->max_ns, 100);
	expect("b", 1, 1, 100, 100);
	assert_int_equal(more_of("irq 24")->open, 1);
	assert_int_equal(account.tally.gaps, 1);
	end();
}

/* A switch is missing: no thread that was off a CPU has durations. */
static void missing_switches_are_found(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > a 5000\n"
	    "0 200 s 7 8 b\n"
	    "0 300 > b 5000\n"
	    "0 400 r 9 9\n"
	    "0 500 s 9 7 b\n"
	    "0 600 < a 5000\n"
	    "0 700 s 7 8 b\n"
	    "0 800 < b 5000\n", 1000);
	assert_int_equal(account.tally.gaps, 1);
	assert_int_equal(account.tally.strange, 1);
	expect("a", 1, 0, 200, 200);
	expect("b", 1, 0, 200, 200);
	assert_int_equal(more_of("a")->cut, 1);
	assert_int_equal(more_of("b")->cut, 1);
	end();
}

/* The oldest events of CPU 1 were overwritten; the thread may have run there before. */
static void overwritten_events_are_a_gap(void **state)
{
	struct trace_choice all = { .cpus = NULL };

	trace = trace_of("0 0 r 7 7\n"
			 "0 100 > a 5000\n"
			 "0 200 s 7 0 b\n"
			 "1 800 > b 4000\n"
			 "1 850 < b 4000\n"
			 "1 860 s 7 0 p\n"
			 "1 870 s 0 7 p\n"
			 "1 900 < a 5000\n", 1000, 2);
	trace->cpus[1].first = 4096;
	assert_int_equal(trace_account_init(&account, trace, &all, NULL), 0);
	assert_true(trace_account_holds(&account));
	assert_int_equal(account.cpus[0].covered_ns, 1000);
	assert_int_equal(account.cpus[1].covered_ns, 200);
	assert_int_equal(account.cpus[1].unknown_ns, 0);
	end();
}

static void cpus_are_chosen(void **state)
{
	const u32 one[] = { 1 };
	const struct trace_choice choice = { .cpus = one, .nr_cpus = 1 };

	run_choice("0 0 r 7 7\n"
		   "1 0 r 0 0\n"
		   "0 100 > a 5000\n"
		   "0 200 s 7 0 p\n"
		   "1 300 s 0 7 p\n"
		   "1 500 < a 5000\n", 600, 2, &choice);
	expect("a", 1, 1, 200, 200);
	assert_int_equal(account.cpus[0].covered_ns, 0);
	assert_int_equal(account.cpus[1].covered_ns, 600);
	end();
}

static void threads_are_chosen(void **state)
{
	static const char events[] = "0 0 r 7 6\n"
		"0 10 n 8 8 /bin/app\n"
		"0 100 > a 5000\n"
		"0 150 < a 5000\n"
		"0 200 s 7 8 p\n"
		"0 250 > a 5000\n"
		"0 270 < a 5000\n"
		"0 280 < b 5000\n";
	static const char *const words[] = { "7", "6", "8", "app", "none" };
	static const u32 calls[] = { 1, 1, 1, 0, 0 };
	u32 i;

	for (i = 0; i < 5; i++) {
		struct trace_choice choice = { .task = words[i] };

		run_choice(events, 400, 1, &choice);
		assert_int_equal(account.sums.nr_more ? sums_of("a")->calls : 0, calls[i]);
		end();
	}
}

/* A CPU that recorded nothing: its time is unknown. */
static void silent_cpus_are_unknown(void **state)
{
	run_choice("0 0 r 7 7\n", 600, 2, NULL);
	assert_int_equal(account.cpus[0].outside_ns, 600);
	assert_int_equal(account.cpus[1].unknown_ns, 600);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocked_and_preempted_time_is_apart),
		cmocka_unit_test(interrupts_are_in_no_call),
		cmocka_unit_test(calls_across_levels_end),
		cmocka_unit_test(uncounted_interrupts_are_in_no_call),
		cmocka_unit_test(forgotten_interrupts_are_closed),
		cmocka_unit_test(system_calls_are_calls),
		cmocka_unit_test(system_calls_may_end_with_another_number),
		cmocka_unit_test(children_begin_empty),
		cmocka_unit_test(threads_move_between_cpus),
		cmocka_unit_test(small_clock_differences_do_no_harm),
		cmocka_unit_test(calls_beside_a_gap_have_no_duration),
		cmocka_unit_test(missing_switches_are_found),
		cmocka_unit_test(overwritten_events_are_a_gap),
		cmocka_unit_test(cpus_are_chosen),
		cmocka_unit_test(threads_are_chosen),
		cmocka_unit_test(silent_cpus_are_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
