// SPDX-License-Identifier: GPL-2.0-only
/* Kinds of sessions and the sums of their accounts: cli/run/run_kind*.c. */
#include "unit.h"
#include "run/run_kind.h"

/* Excluded 1, elsewhere 2 + 3 + 4 + 5, lost 6: 21 samples that are in no entry. */
static const struct cpuprobe_account others = {
	.excluded = 1, .outside = 2, .other_mode = 3, .other_exe = 4, .other_task = 5,
	.lost = { [CPUPROBE_MODES - 1] = 6 },
};

static void systems(void **state)
{
	static const struct cpuprobe_record records[3] = {
		{ .hits = { [0] = 10, [CPUPROBE_MODES - 1] = 20 } }, { .hits = { [1] = 30 } },
		{ .hits = { [0] = 1000 } },
	};
	struct cpuprobe_account account = others;

	account.entries = 2;
	assert_int_equal(run_kind_system.sum(&account, records), 81);
	assert_null(run_kind_system.others_add_up);
}

static void processes(void **state)
{
	static const u64 counts[] = { 100, 200, 10, 20, 30, 1000 };
	struct cpuprobe_account account = others;

	account.objects = 2;
	account.entries = 5;
	assert_int_equal(run_kind_process.sum(&account, counts), 81);
	/* Excluded samples, samples of others, lost ones, and 300 in objects. */
	account.taken = 316;
	assert_true(run_kind_process.others_add_up(&account, counts));
	account.taken = 315;
	assert_false(run_kind_process.others_add_up(&account, counts));
	/* Fewer entries than objects count as none. */
	account.entries = 1;
	assert_int_equal(run_kind_process.sum(&account, counts), 21);
}

static void lateness(void **state)
{
	static const struct cpuprobe_lateness made = {
		.hits = { { [0] = 10 }, { [CPUPROBE_LATE_BINS - 1] = 20 } },
		.place = { { .hits = 3 }, { .hits = 4 }, { .hits = 1000 } },
	};
	struct cpuprobe_account account = { .entries = 2, .lost = { 5 }, .deferred = 12 };

	assert_int_equal(run_kind_late.sum(&account, &made), 30);
	assert_true(run_kind_late.others_add_up(&account, &made));
	account.deferred = 13;
	assert_false(run_kind_late.others_add_up(&account, &made));
}

/* An executable, then stacks of 1 + 2 frames and of none. */
static void stacks(void **state)
{
	static const size_t first_len = sizeof(struct cpuprobe_stack) + 3 * sizeof(u64);
	struct cpuprobe_account account = others;
	char *entries = calloc(1, 4096);
	struct cpuprobe_stack *a, *b;

	assert_non_null(entries);
	a = (struct cpuprobe_stack *)(entries + sizeof(struct cpuprobe_exe));
	b = (struct cpuprobe_stack *)((char *)a + first_len);
	a->nr_kernel = 1;
	a->nr_user = 2;
	a->hits = 10;
	b->hits = 20;
	account.objects = 1;
	account.bytes = sizeof(struct cpuprobe_exe) + first_len + sizeof(*b);
	assert_ptr_equal(run_kind_next_stack(&account, entries, NULL), a);
	assert_ptr_equal(run_kind_next_stack(&account, entries, a), b);
	assert_null(run_kind_next_stack(&account, entries, b));
	assert_int_equal(run_kind_stacks.sum(&account, entries), 51);
	account.bytes = sizeof(struct cpuprobe_exe);
	assert_null(run_kind_next_stack(&account, entries, NULL));
	free(entries);
}

/* The cost of a sample depends on its kind; an old module reports one cost for all kinds. */
static void costs(void **state)
{
	struct cpuprobe_info known = { .size = sizeof(known), .cost_ns = 1 };
	struct cpuprobe_start start = { .what = CPUPROBE_WHAT_SYSTEM };
	u32 frames;

	for (u32 i = 0; i < CPUPROBE_COSTS; i++)
		known.sample_cost_ns[i] = 100 + i;
	assert_int_equal(run_kind_cost_ns(&known, &start), 100);
	start.by = CPUPROBE_BY_CGROUP;
	assert_int_equal(run_kind_cost_ns(&known, &start), 101);
	start.what = CPUPROBE_WHAT_PROCESS;
	assert_int_equal(run_kind_cost_ns(&known, &start), 102);
	start.what = CPUPROBE_WHAT_LATE;
	assert_int_equal(run_kind_cost_ns(&known, &start), 103);
	start.what = CPUPROBE_WHAT_STACKS;
	for (frames = 1; frames <= 3; frames++) {
		start.frames = frames;
		assert_int_equal(run_kind_cost_ns(&known, &start), 103 + frames);
	}
	start.flags = CPUPROBE_START_UNWIND;
	assert_int_equal(run_kind_cost_ns(&known, &start), 108);
	start.frames = CPUPROBE_FRAMES_USER;
	assert_int_equal(run_kind_cost_ns(&known, &start), 107);
	/* Two interrupts of @cost_ns each: the sender's, and the NMI. */
	known.cost_ns = 50;
	start.flags = CPUPROBE_START_NMI;
	start.what = CPUPROBE_WHAT_LATE;
	assert_int_equal(run_kind_cost_ns(&known, &start), 203);
	start.flags = 0;
	known.cost_ns = 1;
	known.size = 64;
	assert_int_equal(run_kind_cost_ns(&known, &start), 1);
}

/* The module refuses a buffer that is too small, and every kind has a hint against losses. */
static void buffers(void **state)
{
	struct cpuprobe_start start = { .what = CPUPROBE_WHAT_STACKS };
	u32 what;

	assert_int_equal(run_kind_stacks.buffer_len(&start), CPUPROBE_STACK_KIB * 512);
	start.stack_kib = 64;
	assert_int_equal(run_kind_stacks.buffer_len(&start), 32768);
	assert_int_equal(run_kind_system.buffer_len(&start),
			 CPUPROBE_RECORDS * sizeof(struct cpuprobe_record));
	assert_int_equal(run_kind_process.buffer_len(&start),
			 (CPUPROBE_OBJECTS + CPUPROBE_SLOTS) * sizeof(u64));
	assert_int_equal(run_kind_late.buffer_len(&start), sizeof(struct cpuprobe_lateness));
	for (what = 0; what < 8; what++) {
		assert_non_null(run_kind_of(what)->loss_hint);
		assert_true(run_kind_of(what)->wake_seconds > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(systems), cmocka_unit_test(processes), cmocka_unit_test(lateness),
		cmocka_unit_test(stacks), cmocka_unit_test(costs), cmocka_unit_test(buffers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
