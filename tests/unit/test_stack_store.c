// SPDX-License-Identifier: GPL-2.0-only
/* The room for stacks that BPF counts keeps within its memory, however many CPUs there are: cli/bpf/stack_store.c. */
#include "unit.h"
#include "bpf/stack_store.h"

#define STACK_KIB	1984ull

static u32 room(u32 nr_possible, u64 kib)
{
	const struct counts_spec spec = {
		.by = COUNTS_BY_STACK, .nr_possible = nr_possible, .stack_bytes = kib << 10,
	};

	return stack_store_room(&spec);
}

/* Bytes of @nr stacks, as Linux 6.18 reports its maps (memlock in /proc/PID/fdinfo), and those of a harvest. */
static u64 bytes_of(u64 nr, u32 nr_possible)
{
	const u64 stacks = 8 * 2 * nr + (nr + 1) * (16 + 65 * 8);
	const u64 hash = 16 * nr + nr * (72 + 48ull * nr_possible);
	const u64 harvest = (nr + 1) * sizeof(struct counts_key) +
		nr * nr_possible * sizeof(struct counts_stack) + 2 * nr * sizeof(u32);

	return 2 * (stacks + hash) + harvest;
}

static void memory_is_kept(void **state)
{
	static const u32 cpus[] = { 1, 2, 3, 4, 8, 16, 64, 128, 256, 1024, 8192 };
	size_t i;

	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		u32 nr = room(cpus[i], STACK_KIB * cpus[i]);

		assert_true(bytes_of(nr, cpus[i]) <= cpus[i] * STACK_KIB << 10);
		/* half the memory is in use, not less */
		assert_true(nr * stack_store_cost(cpus[i]) > cpus[i] * STACK_KIB << 9);
	}
}

/* A machine with few CPUs has the room that it always had. */
static void few_cpus(void **state)
{
	assert_int_equal(room(1, STACK_KIB), 1024);
	assert_int_equal(room(2, 2 * STACK_KIB), 2048);
	assert_int_equal(room(4, 4 * STACK_KIB), 4096);
	assert_int_equal(room(4, 64), 1024);
	assert_int_equal(room(2, 2 * 65536), 65536);
}

static void many_cpus(void **state)
{
	assert_int_equal(room(64, 64 * STACK_KIB), 8192);
	assert_int_equal(room(256, 256 * STACK_KIB), 8192);
	assert_int_equal(room(8192, 8192 * STACK_KIB), 8192);
}

/* One of many CPUs is sampled: counters have a part for each of them all the same. */
static void one_of_many_cpus(void **state)
{
	assert_int_equal(room(64, STACK_KIB), 128);
	assert_true(bytes_of(room(64, STACK_KIB), 64) <= STACK_KIB << 10);
	assert_int_equal(room(8192, 64), 128);
}

/* The cost allows for all that the kernel reports. */
static void cost_is_not_too_low(void **state)
{
	u32 nr_possible;

	for (nr_possible = 1; nr_possible <= 8192; nr_possible *= 2)
		assert_true(4096 * stack_store_cost(nr_possible) >= bytes_of(4096, nr_possible));
}

/* By default an agent on a large machine keeps within its unit's memory, which other data needs too. */
static void the_default_is_bounded(void **state)
{
	u64 bytes;
	u32 cpus;

	for (cpus = 1; cpus <= 8192; cpus *= 2) {
		bytes = stack_store_bytes(0, cpus);
		assert_true(bytes <= 128 << 20);
		assert_true(bytes == cpus * STACK_KIB << 10 || bytes == 128 << 20);
		assert_true(stack_store_bytes(STACK_KIB, cpus) == cpus * STACK_KIB << 10);
	}
	assert_int_equal(room(256, stack_store_bytes(0, 256) >> 10), 2048);
}

/* The shares of stores that samples of all CPUs can fill between two looks. */
static void looks_come_before_stores_are_full(void **state)
{
	struct counts counts = { .nr_entries = 2048, .nr_cpus = 256 };
	u64 look_ns = counts_look_ns(&counts, 10000000);

	assert_true(look_ns >= 2000000 && look_ns * 256 / 10000000 <= stack_store_spills() / 4);
	counts.nr_cpus = 2;
	look_ns = counts_look_ns(&counts, 1000000);
	assert_true(look_ns > 50000000 && look_ns * 2 / 1000000 <= stack_store_spills() / 4);
	counts.nr_entries = 128;
	assert_int_equal(counts_look_ns(&counts, 1000000), 16000000);
	assert_int_equal(counts_look_ns(&counts, 1000), 2000000);
	assert_int_equal(counts_look_ns(&counts, 1000000000), 2000000000);
	/* Slots have no ring. */
	counts.slots = (void *)1;
	counts.nr_entries = 2048;
	assert_int_equal(counts_look_ns(&counts, 1000000), 256000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_kept),
		cmocka_unit_test(few_cpus),
		cmocka_unit_test(many_cpus),
		cmocka_unit_test(one_of_many_cpus),
		cmocka_unit_test(cost_is_not_too_low),
		cmocka_unit_test(the_default_is_bounded),
		cmocka_unit_test(looks_come_before_stores_are_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
