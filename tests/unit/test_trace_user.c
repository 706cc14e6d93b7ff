// SPDX-License-Identifier: GPL-2.0-only
/* Accounting of calls of programs: cli/trace/trace_account.h. They are below the kernel's calls of a thread. */
#include "trace_texts.h"
#include "trace/trace_account.h"

static struct trace *trace;
static struct trace_account account;

static void run(const char *text, u64 traced_ns)
{
	trace = trace_of(text, traced_ns, 1);
	assert_int_equal(trace_account_init(&account, trace, NULL, NULL), 0);
	assert_true(trace_account_holds(&account));
}

static void end(void)
{
	trace_account_deinit(&account);
	trace_destroy(trace);
}

/* The node of a name; there must be one. */
static u32 node_of(const char *name)
{
	const struct time_counts *counts = account.sums.counts;
	u32 i;

	for (i = 0; i < counts->nr_nodes; i++)
		if (!strcmp(time_counts_name(counts, &counts->nodes[i]), name))
			return i;
	fail_msg("no %s", name);
	return 0;
}

static void expect(const char *name, u64 calls, u64 ended, u64 unwound, u64 net_ns)
{
	const struct time_sums *sums = &account.sums.counts->nodes[node_of(name)].sums;
	const struct trace_more *more = &account.sums.more[node_of(name)];

	if (sums->calls != calls || sums->ended != ended || more->unwound != unwound || sums->net_ns != net_ns)
		fail_msg("%s: %llu calls, %llu ended, %llu unwound, %llu net", name, sums->calls, sums->ended,
			 more->unwound, sums->net_ns);
}

/* A system call ends no call of the program that makes it; the kernel's stack is another one. */
static void kernel_calls_are_inside(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > u 5000\n"
	    "0 200 > v 4000\n"
	    "0 300 y 1 0\n"
	    "0 400 > a 9000\n"
	    "0 450 < a 9000\n"
	    "0 500 Y 1 0\n"
	    "0 600 y 1 0\n"
	    "0 650 Y 1 0\n"
	    "0 700 < v 4000\n"
	    "0 800 < u 5000\n", 1000);
	expect("u", 1, 1, 0, 200);
	expect("v", 1, 1, 0, 250);
	expect("a", 1, 1, 0, 50);
	assert_int_equal(account.cpus[0].outside_ns, 300);
	end();
}

/* The kernel hooks returns with a system call that has no beginning. rt_sigreturn() ends with its number. */
static void hooks_are_no_system_calls(void **state)
{
	run("0 0 r 7 7\n"
	    "0 50 Y 65535 5\n"
	    "0 100 > u 5000\n"
	    "0 200 > v 4000\n"
	    "0 300 < v 4000\n"
	    "0 350 Y 65535 5\n"
	    "0 400 y 15 0\n"
	    "0 450 Y 65535 5\n"
	    "0 500 < u 5000\n"
	    "0 550 Y 65535 5\n", 600);
	expect("u", 1, 1, 0, 250);
	expect("v", 1, 1, 0, 100);
	expect("rt_sigreturn", 1, 1, 0, 50);
	assert_int_equal(account.sums.counts->nr_nodes, 3);
	assert_int_equal(account.cpus[0].outside_ns, 200);
	end();
}

/* A thread that calls a function of its program has left the kernel. */
static void user_calls_end_kernel_calls(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > u 5000\n"
	    "0 200 > a 9000\n"
	    "0 300 > v 4000\n"
	    "0 400 < v 4000\n"
	    "0 500 < u 5000\n", 600);
	expect("a", 1, 0, 1, 100);
	expect("u", 1, 1, 0, 200);
	expect("v", 1, 1, 0, 100);
	end();
}

/* longjmp(): the next call, or the next return, shows which calls it has left; frames may be large. */
static void jumps_close_calls(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > u 500000\n"
	    "0 200 > v 400000\n"
	    "0 300 > w 100000\n"
	    "0 400 > x 490000\n"
	    "0 500 < x 490000\n"
	    "0 600 > v 400000\n"
	    "0 700 < u 500000\n", 1000);
	expect("u", 1, 1, 0, 200);
	expect("v", 2, 0, 2, 200);
	expect("w", 1, 0, 1, 100);
	expect("x", 1, 1, 0, 100);
	end();
}

static void repeated_jumps_close_calls(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > u 5000\n"
	    "0 200 > v 4000\n"
	    "0 300 > u 5000\n"
	    "0 400 > u 5000\n"
	    "0 500 < u 5000\n", 1000);
	expect("u", 3, 1, 2, 300);
	expect("v", 1, 0, 1, 100);
	assert_int_equal(account.sums.more[node_of("u")].tails, 0);
	end();
}

static void stacks_are_not_confused(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > u 5000\n"
	    "0 200 > a 5000\n"
	    "0 300 > b 5008\n"
	    "0 400 < b 5008\n"
	    "0 600 < u 5000\n", 1000);
	assert_int_equal(account.sums.more[node_of("a")].tails, 0);
	expect("u", 1, 1, 0, 300);
	expect("a", 1, 0, 1, 100);
	expect("b", 1, 1, 0, 100);
	end();
}

static void tail_calls_end_together(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > u 5000\n"
	    "0 200 > v 5000\n"
	    "0 300 < v 5000\n"
	    "0 300 < u 5000\n", 1000);
	assert_int_equal(account.sums.more[node_of("v")].tails, 1);
	expect("u", 1, 1, 0, 100);
	expect("v", 1, 1, 0, 100);
	end();
}

/* The calls of the old program end when the kernel's calls above them have ended. */
static void exec_ends_calls(void **state)
{
	run("0 0 r 7 7\n"
	    "0 100 > u 5000\n"
	    "0 200 y 59 0\n"
	    "0 300 e 7 7\n"
	    "0 400 Y 59 0\n"
	    "0 600 > v 4000\n"
	    "0 700 < v 4000\n"
	    "0 800 e 7 7\n", 1000);
	assert_int_equal(account.sums.more[node_of("u")].open, 1);
	expect("u", 1, 0, 0, 100);
	expect("v", 1, 1, 0, 100);
	assert_int_equal(account.cpus[0].outside_ns, 600);
	end();
}

/* The kernel hooks the returns of 64 nested calls. */
static void deep_calls_have_no_end(void **state)
{
	static char text[20000];
	u32 i, used = sprintf(text, "0 0 r 7 7\n");

	for (i = 0; i < 70; i++)
		used += sprintf(text + used, "0 %u > u %u\n", 100 + 10 * i, 9000 - 16 * i);
	for (i = 64; i--; )
		used += sprintf(text + used, "0 %u < u %u\n", 2000 - 10 * i, 9000 - 16 * i);
	run(text, 3000);
	assert_int_equal(account.tally.endless, 6);
	expect("u", 70, 64, 6, 1900);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_calls_are_inside),
		cmocka_unit_test(hooks_are_no_system_calls),
		cmocka_unit_test(user_calls_end_kernel_calls),
		cmocka_unit_test(jumps_close_calls),
		cmocka_unit_test(repeated_jumps_close_calls),
		cmocka_unit_test(stacks_are_not_confused),
		cmocka_unit_test(tail_calls_end_together),
		cmocka_unit_test(exec_ends_calls),
		cmocka_unit_test(deep_calls_have_no_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
