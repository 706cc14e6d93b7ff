// SPDX-License-Identifier: GPL-2.0-only
/* kmod/credit.c: own NMIs and others, with a processor that holds one NMI while another is handled. */
#include "credit.h"
#include "unit.h"

/** A CPU as seen by senders. */
struct cpu {
	u64 sent;
	bool is_handling, is_waiting;	/* an NMI is being handled, another one waits */
	struct credit credit;
};

/* Count, then send; the processor merges the NMI if one waits already. */
static void send(struct cpu *cpu)
{
	cpu->sent++;
	if (cpu->is_handling)
		cpu->is_waiting = true;
	cpu->is_handling = true;
}

/* The handler of one NMI runs and returns; the one that waits comes next. */
static bool handle(struct cpu *cpu)
{
	bool is_ours = credit_claim(&cpu->credit, cpu->sent);

	cpu->is_handling = cpu->is_waiting;
	cpu->is_waiting = false;
	return is_ours;
}

static void each_nmi_is_claimed_once(void **state)
{
	struct cpu cpu = { 0 };
	int i;

	for (i = 0; i < 5; i++) {
		send(&cpu);
		assert_int_equal(credit_open(&cpu.credit, cpu.sent), 1);
		assert_true(handle(&cpu));
		assert_int_equal(credit_open(&cpu.credit, cpu.sent), 0);
		assert_false(credit_claim(&cpu.credit, cpu.sent));
	}
	assert_int_equal(cpu.credit.got, 5);
	assert_int_equal(cpu.credit.merged, 0);
}

/* Seven are sent during one handler: two arrive in all, and both are claimed. */
static void merged_ones_are_counted(void **state)
{
	struct cpu cpu = { 0 };
	int i;

	for (i = 0; i < 7; i++)
		send(&cpu);
	assert_true(handle(&cpu));
	assert_int_equal(cpu.credit.merged, 5);
	assert_int_equal(credit_open(&cpu.credit, cpu.sent), 1);
	assert_true(handle(&cpu));
	assert_false(cpu.is_handling);
	assert_int_equal(credit_open(&cpu.credit, cpu.sent), 0);
	assert_int_equal(cpu.credit.merged, 5);
}

/* Two on their way are not merged yet. */
static void two_are_believed(void **state)
{
	struct cpu cpu = { 0 };

	send(&cpu);
	send(&cpu);
	assert_true(handle(&cpu));
	assert_int_equal(cpu.credit.merged, 0);
	assert_true(handle(&cpu));
	assert_int_equal(cpu.credit.merged, 0);
}

/* Whatever the order, no NMI that was sent goes unclaimed, and the sums hold. */
static void none_is_refused(void **state)
{
	u64 random = 1, claimed = 0;
	struct cpu cpu = { 0 };
	int i;

	for (i = 0; i < 100000; i++) {
		random = random * 0xd1342543de82ef95ULL + 1;
		if (random >> 62) {
			send(&cpu);
		} else if (cpu.is_handling) {
			assert_true(handle(&cpu));
			claimed++;
		}
		assert_int_equal(cpu.credit.got, claimed + cpu.credit.merged);
	}
	assert_in_range(claimed, 1000, 99999);
	assert_true(cpu.credit.merged > 1000);
}

/* At most two NMIs of somebody else are taken for ours after the last that was sent. */
static void others_are_few(void **state)
{
	struct cpu cpu = { .sent = 9 };

	assert_true(credit_claim(&cpu.credit, cpu.sent));
	assert_true(credit_claim(&cpu.credit, cpu.sent));
	assert_false(credit_claim(&cpu.credit, cpu.sent));
}

static void the_end_settles_all(void **state)
{
	struct cpu cpu = { .sent = 12, .credit = { .got = 9, .merged = 4 } };

	credit_settle(&cpu.credit, cpu.sent);
	assert_int_equal(cpu.credit.merged, 7);
	assert_int_equal(cpu.credit.got, 12);
	assert_false(credit_claim(&cpu.credit, cpu.sent));
	cpu.sent++;
	assert_true(credit_claim(&cpu.credit, cpu.sent));
	assert_int_equal(cpu.credit.merged, 7);
}

/* One more than the processor can hold: exactly that one has merged. */
static void the_third_merges(void **state)
{
	struct credit credit = { 0 };

	assert_true(credit_claim(&credit, CREDIT_MAX + 1));
	assert_int_equal(credit.merged, 1);
	assert_true(credit_claim(&credit, CREDIT_MAX + 1));
	assert_false(credit_claim(&credit, CREDIT_MAX + 1));
	assert_int_equal(credit.merged, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_third_merges),
		cmocka_unit_test(each_nmi_is_claimed_once),
		cmocka_unit_test(merged_ones_are_counted),
		cmocka_unit_test(two_are_believed),
		cmocka_unit_test(none_is_refused),
		cmocka_unit_test(others_are_few),
		cmocka_unit_test(the_end_settles_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
