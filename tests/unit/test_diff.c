// SPDX-License-Identifier: GPL-2.0-only
/* Comparing runs: cli/sys/diff.c, with blocks of cli/sys/fold.c and rows of cli/sys/rows.c. */
#include <math.h>

#include "inputs.h"
#include "chance.h"
#include "sys/diff.h"
#include "sys/fold.h"
#include "proc/funcs.h"
#include "sys/rows.h"

#define NR_TASKS 12

/*
 * A run of ten seconds with 200 samples. Each task's share varies from second to second by
 * @variation of the share: a variation of the workload, not a difference between runs.
 */
static struct fold *run(double variation, double growth)
{
	struct fold *fold = fold_create();

	for (int second = 0; second < 10; second++) {
		struct cpuprobe_account account = { .period_ns = 5000000, .expected = 200,
						    .taken = 200 };
		struct cpuprobe_record records[NR_TASKS] = { { .kind = CPUPROBE_KIND_IDLE,
							       .name = "IDLE" } };
		u64 left = 200;
		double left_share = 1;

		for (int i = 1; i < NR_TASKS; i++) {
			double share = 0.4 / i * (1 + variation * (2 * chance_uniform() - 1)) *
				(i == 2 ? 1 + growth : 1) / 1.7;
			u64 hits = chance_binomial(left, fmin(share / left_share, 1));

			records[i] = (struct cpuprobe_record){ .id = { i },
							       .kind = CPUPROBE_KIND_EXE };
			snprintf(records[i].name, sizeof(records[i].name), "task%d", i);
			records[i].hits[CPUPROBE_MODE_USER] = hits;
			left -= hits;
			left_share -= share;
		}
		records[0].hits[CPUPROBE_MODE_KERNEL] = left;
		account.entries = NR_TASKS;
		fold_add(fold, 0, &account, records);
		fold_end_block(fold);
	}
	return fold;
}

static void add_run(struct diff *diff, int side, struct fold *fold)
{
	struct rows rows;

	assert_int_equal(rows_init(&rows, fold, 0), 0);
	diff->taken[side] = rows.taken;
	diff->nr_blocks[side] = rows.nr_blocks;
	for (size_t i = 0; i < rows.nr; i++) {
		const struct row *row = &rows.row[i];
		struct diff_side said = { row->total, row_hits(row), row->block_sum,
					  row->block_sum2 };

		assert_int_equal(diff_add(diff, side, row->name, row->kind == CPUPROBE_KIND_IDLE,
					  &said), 0);
	}
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* The number of pairs, out of 1,000, that raise an alarm in any row. */
static int alarms(double variation, double growth, bool is_sampling_only)
{
	int nr = 0;

	chance_seed(12345);
	for (int pair = 0; pair < 1000; pair++) {
		struct diff diff = { .is_sampling_only = is_sampling_only };
		bool is_alarm = false;

		add_run(&diff, 0, run(variation, 0));
		add_run(&diff, 1, run(variation, growth));
		assert_int_equal(diff_finish(&diff), 0);
		for (size_t i = 0; i < diff.nr; i++)
			is_alarm = is_alarm || diff_is_significant(&diff.row[i]);
		nr += is_alarm;
		diff_deinit(&diff);
	}
	return nr;
}

/* 5% of 1,000 plus three standard deviations: 71. */
static void no_false_alarms(void **state)
{
	int still = alarms(0, 0, false), varying = alarms(0.9, 0, false),
		counts = alarms(0, 0, true);

	print_message("false alarms of 1000: %d steady, %d varying, %d by counts\n", still, varying,
		      counts);
	assert_true(still <= 71 && varying <= 71 && counts <= 71);
	/* A comparison by counts alone mistakes the workload's own variation for a difference. */
	assert_true(alarms(0.9, 0, true) > 71);
}

#define NR_RARE		40
#define BLOCK_SAMPLES	200

/* A side of @nr_blocks blocks, in each of which rare rows take their samples by chance, each with this @share. */
static void add_rare_run(struct diff *diff, int side, u32 nr_blocks, double share)
{
	struct diff_side rows[NR_RARE + 1] = { 0 };
	char name[16];

	for (u32 block = 0; block < nr_blocks; block++) {
		u32 hits[NR_RARE + 1] = { 0 };

		for (int i = 0; i < BLOCK_SAMPLES; i++)
			hits[(int)fmin(chance_uniform() / share, NR_RARE)]++;
		for (int i = 0; i <= NR_RARE; i++) {
			double in_block = (double)hits[i] / BLOCK_SAMPLES;

			rows[i].hits += hits[i];
			rows[i].block_sum += in_block;
			rows[i].block_sum2 += in_block * in_block;
		}
	}
	diff->taken[side] = (u64)nr_blocks * BLOCK_SAMPLES;
	diff->nr_blocks[side] = nr_blocks;
	for (int i = 0; i <= NR_RARE; i++) {
		if (!rows[i].hits)
			continue;
		rows[i].share = (double)rows[i].hits / diff->taken[side];
		snprintf(name, sizeof(name), "row%d", i);
		assert_int_equal(diff_add(diff, side, name, false, &rows[i]), 0);
	}
}

/*
 * A row without hits in the short run says little about its share, however many the long run has. 5 of 100 pairs may
 * raise an alarm, plus three standard deviations; 99 did when the variance of sampling was that of the own share.
 */
static void lengths_may_differ(void **state)
{
	static const struct {
		u32 nr_blocks[2];
		double share;		/* of each rare row: one or more samples in ten blocks */
		double execution_ns;	/* 0: shares are compared */
	} cases[] = {
		{ { 10, 100 }, 0.0005, 0 }, { { 100, 10 }, 0.0005, 0 }, { { 10, 300 }, 0.0005, 1000 },
		{ { 10, 100 }, 0.003, 0 }, { { 10, 100 }, 0.015, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int nr = 0, misses = 0, rows = 0;

		chance_seed(i + 1);
		for (int pair = 0; pair < 100; pair++) {
			struct diff diff = { .is_sampling_only = false };
			bool is_alarm = false;

			for (int side = 0; side < 2; side++) {
				add_rare_run(&diff, side, cases[i].nr_blocks[side], cases[i].share);
				diff.execution_ns[side] = cases[i].execution_ns;
			}
			assert_int_equal(diff_finish(&diff), 0);
			for (size_t j = 0; j < diff.nr; j++) {
				const struct stat_interval *in = &diff.row[j].found.interval;

				is_alarm = is_alarm || diff_is_significant(&diff.row[j]);
				misses += in->lo > 0 || in->hi < 0;
			}
			nr += is_alarm;
			rows += diff.nr;
			diff_deinit(&diff);
		}
		print_message("false alarms of 100, %u and %u blocks: %d; %.1f%% of the intervals miss\n",
			      cases[i].nr_blocks[0], cases[i].nr_blocks[1], nr, 100.0 * misses / rows);
		assert_true(nr <= 11);
		assert_true(misses <= 0.05 * rows);
	}
}

static void true_alarms(void **state)
{
	int still = alarms(0, 0.6, false), counts = alarms(0, 0.6, true);

	print_message("true alarms of 1000: %d by blocks, %d by counts\n", still, counts);
	assert_true(still > 800 && counts > 800);
}

static void growth_is_worse(void **state)
{
	struct diff diff = { .is_sampling_only = true };
	struct diff_side none = { 0, 0, 0, 0 }, some = { 0.2, 2000, 0, 0 },
		more = { 0.3, 3000, 0, 0 };

	diff.taken[0] = diff.taken[1] = 10000;
	assert_int_equal(diff_add(&diff, 0, "grown", false, &some), 0);
	assert_int_equal(diff_add(&diff, 1, "grown", false, &more), 0);
	assert_int_equal(diff_add(&diff, 0, "shrunk", false, &more), 0);
	assert_int_equal(diff_add(&diff, 1, "shrunk", false, &none), 0);
	assert_int_equal(diff_add(&diff, 1, "IDLE", true, &more), 0);
	assert_int_equal(diff_finish(&diff), 0);
	assert_int_equal(diff.nr, 3);
	assert_string_equal(diff.row[0].name, "IDLE");
	assert_string_equal(diff.row[1].name, "shrunk");
	assert_string_equal(diff.row[2].name, "grown");
	assert_true(fabs(diff.row[1].found.difference + 0.3) < 1e-12);
	assert_non_null(diff_worst(&diff, 5));
	assert_string_equal(diff_worst(&diff, 5)->name, "grown");
	assert_null(diff_worst(&diff, 10.1));
	assert_non_null(diff_worst(&diff, 9.9));
	assert_null(diff_worst(&diff, 11));
	for (size_t i = 0; i < diff.nr; i++)
		assert_true(diff.row[i].is_in[0] == !!strcmp(diff.row[i].name, "IDLE") &&
			    diff.row[i].is_in[1]);
	diff_deinit(&diff);
}

/*
 * 10% against 12% of 1,000 samples in ten equal blocks each: only sampling error remains. By hand, with the common
 * share 0.11: sqrt(2 0.11 0.89 / 1000) = 0.01399, t = 1.429 with 18 degrees of freedom. The interval, with the shares
 * (100 + 1.92) / 1003.84 and (120 + 1.92) / 1003.84: sqrt(0.1015 0.8985 / 1000 + 0.1215 0.8785 / 1000) = 0.01407.
 */
static void equal_blocks_by_hand(void **state)
{
	struct diff diff = { .taken = { 1000, 1000 }, .nr_blocks = { 10, 10 } };
	const struct diff_side before = { 0.10, 100, 1.0, 0.1 }, after = { 0.12, 120, 1.2, 0.144 };

	assert_int_equal(diff_add(&diff, 0, "a", false, &before), 0);
	assert_int_equal(diff_add(&diff, 1, "a", false, &after), 0);
	assert_int_equal(diff_finish(&diff), 0);
	assert_false(diff.is_sampling_only);
	assert_true(fabs(diff.row[0].found.difference - 0.02) < 1e-12);
	assert_true(fabs(diff.row[0].found.p - 0.170) < 0.001);
	assert_true(fabs(diff.row[0].found.interval.lo - (0.02 - 2.102 * 0.014069)) < 1e-5);
	assert_true(fabs(diff.row[0].found.interval.hi - (0.02 + 2.102 * 0.014069)) < 1e-5);
	diff_deinit(&diff);
}

/*
 * Blocks that vary by more than sampling does: the variance of alternating 0.1 and 0.3 is 0.01 10 /
 * 9, the variance of sampling is 0.16 / 1000 10; nothing is added to the former.
 */
static void varying_blocks_by_hand(void **state)
{
	struct diff diff = { .taken = { 1000, 1000 }, .nr_blocks = { 10, 10 } };
	const struct diff_side before = { 0.2, 200, 2.0, 0.5 }, after = { 0.4, 400, 4.0, 1.7 };
	struct stat_mean a = { .mean = 0.2, .variance = 0.1 / 9, .nr = 10 };
	struct stat_mean b = { .mean = 0.4, .variance = 0.1 / 9, .nr = 10 };
	struct stat_difference wanted = stat_welch(&a, &b);

	assert_int_equal(diff_add(&diff, 0, "a", false, &before), 0);
	assert_int_equal(diff_add(&diff, 1, "a", false, &after), 0);
	assert_int_equal(diff_finish(&diff), 0);
	assert_true(fabs(diff.row[0].found.p - wanted.p) < 1e-12);
	assert_true(fabs(diff.row[0].found.interval.lo - wanted.interval.lo) < 1e-12);
	diff_deinit(&diff);
}

/* The same blocks as times of an execution, of 10 ns in one run and 20 in the other. */
static void executions_by_blocks(void **state)
{
	struct diff diff = { .taken = { 1000, 1000 }, .nr_blocks = { 10, 10 }, .execution_ns = { 10, 20 } };
	const struct diff_side before = { 0.2, 200, 2.0, 0.5 }, after = { 0.4, 400, 4.0, 1.7 };
	const struct stat_mean a = { .mean = 2, .variance = 100 * 0.1 / 9, .nr = 10 };
	const struct stat_mean b = { .mean = 8, .variance = 400 * 0.1 / 9, .nr = 10 };
	const struct stat_difference wanted = stat_welch(&a, &b);
	const struct stat_ratio ratio = stat_ratio_of_means(&a, &b);

	assert_int_equal(diff_add(&diff, 0, "a", false, &before), 0);
	assert_int_equal(diff_add(&diff, 1, "a", false, &after), 0);
	assert_int_equal(diff_finish(&diff), 0);
	assert_true(fabs(diff.row[0].execution.interval.lo - wanted.interval.lo) < 1e-9);
	assert_true(fabs(diff.row[0].execution.interval.hi - wanted.interval.hi) < 1e-9);
	assert_true(fabs(diff.row[0].ratio.interval.lo - ratio.interval.lo) < 1e-9);
	assert_true(fabs(diff.row[0].ratio.interval.hi - ratio.interval.hi) < 1e-9);
	diff_deinit(&diff);
}

/* Shares of two rows with one name add up; the square of their sum is an upper bound. */
static void names_add_up(void **state)
{
	struct diff diff = { .taken = { 1000, 1000 }, .nr_blocks = { 4, 4 } };
	const struct diff_side one = { 0.1, 100, 0.4, 0.04 }, two = { 0.2, 200, 0.8, 0.16 },
		other = { 0.5, 500, 2.0, 1.0 };

	assert_int_equal(diff_add(&diff, 0, "a", false, &one), 0);
	assert_int_equal(diff_add(&diff, 1, "a", false, &other), 0);
	assert_int_equal(diff_add(&diff, 0, "a", false, &two), 0);
	assert_int_equal(diff_finish(&diff), 0);
	assert_int_equal(diff.nr, 1);
	assert_int_equal(diff.row[0].side[0].hits, 300);
	assert_true(fabs(diff.row[0].side[0].share - 0.3) < 1e-12);
	assert_true(fabs(diff.row[0].side[0].block_sum - 1.2) < 1e-12);
	/* (0.1 + 0.2)^2 in each of four blocks */
	assert_true(fabs(diff.row[0].side[0].block_sum2 - 4 * 0.09) < 1e-12);
	assert_int_equal(diff.row[0].side[1].hits, 500);
	assert_true(fabs(diff.row[0].side[1].block_sum2 - 1.0) < 1e-12);
	diff_deinit(&diff);
}

/* A sample may count for parts of rows: the interval belongs to the share, and not to whole hits. */
static void shares_are_not_rounded(void **state)
{
	const struct diff_side before = { 0.104, 10, 0, 0 }, after = { 0.106, 11, 0, 0 };
	const struct stat_time a = { 0.104, 100, 1, 0 }, b = { 0.106, 100, 1, 0 };
	struct diff diff = { .is_sampling_only = true, .taken = { 100, 100 } };
	struct stat_difference wanted = stat_two_times(&a, &b);

	assert_int_equal(diff_add(&diff, 0, "a", false, &before), 0);
	assert_int_equal(diff_add(&diff, 1, "a", false, &after), 0);
	assert_int_equal(diff_finish(&diff), 0);
	assert_true(fabs(diff.row[0].found.difference - 0.002) < 1e-12);
	assert_true(fabs(diff.row[0].found.interval.lo - wanted.interval.lo) < 1e-12);
	assert_true(fabs(diff.row[0].found.interval.hi - wanted.interval.hi) < 1e-12);
	diff_deinit(&diff);
}

/* A single block in either run says nothing about its variation. */
static void too_few_blocks(void **state)
{
	const struct diff_side some = { 0.1, 100, 0.1, 0.01 };

	for (int side = 0; side < 2; side++) {
		struct diff diff = { .taken = { 1000, 1000 }, .nr_blocks = { 5, 5 } };

		diff.nr_blocks[side] = 1;
		assert_int_equal(diff_add(&diff, side, "a", false, &some), 0);
		assert_int_equal(diff_finish(&diff), 0);
		assert_true(diff.is_sampling_only);
		assert_true(fabs(diff.row[0].found.difference - (side ? 0.1 : -0.1)) < 1e-12);
		diff_deinit(&diff);
	}
}

/* Slots of 4 bytes; the first has 1 byte of one and 3 of two, the second belongs to two. */
static void functions_share_slots(void **state)
{
	struct sym_index *symbols = symbols_of("1000 1 T one\n1001 7 T two\n1008 2 T half\n"
					       "100c 2 T first\n100e 2 T second\n");
	static struct funcs funcs;
	struct slots_layout layout;
	u64 hits[CPUPROBE_SLOTS] = { 5, 10, 20, 40, 80 };

	assert_int_equal(slots_layout_init(&layout, 0x1000, 0x1800), 0);
	assert_int_equal(layout.shift, 2);
	funcs_init(&funcs, &layout, symbols, "object");
	funcs_finish(&funcs, &layout, hits);
	/*
	 * A slot goes to the first of functions of equal size, and to a function that covers only a
	 * part of the slot if there is no other.
	 */
	assert_int_equal(funcs.nr, 4);
	assert_string_equal(funcs.func[0].name, "two");
	assert_int_equal(funcs.func[0].hits, 15);
	assert_string_equal(funcs.func[1].name, "half");
	assert_int_equal(funcs.func[1].hits, 20);
	assert_string_equal(funcs.func[2].name, "first");
	assert_int_equal(funcs.func[2].hits, 40);
	assert_string_equal(funcs.func[3].name, "[object]");
	assert_int_equal(funcs.func[3].hits, 80);
	assert_int_equal(funcs.shared_hits, 5 + 40);
	sym_index_destroy(symbols);
}

/* Names of C++ and Rust are longer than those of a saved run: what is cut off still tells functions apart. */
static void functions_with_long_names(void **state)
{
	char text[512], long_name[120];
	struct sym_index *symbols;
	static struct funcs funcs;
	struct slots_layout layout;
	u64 hits[CPUPROBE_SLOTS] = { 5, 10, 20 };

	memset(long_name, 'n', sizeof(long_name));
	snprintf(text, sizeof(text), "1000 4 T %.*s::one\n1004 4 T %.*s::two\n1008 4 T %.*s::one\n",
		 120, long_name, 120, long_name, 120, long_name);
	symbols = symbols_of(text);
	assert_int_equal(slots_layout_init(&layout, 0x1000, 0x1800), 0);
	assert_int_equal(layout.shift, 2);
	funcs_init(&funcs, &layout, symbols, "object");
	funcs_finish(&funcs, &layout, hits);
	assert_int_equal(funcs.nr, 3);
	assert_int_equal(funcs.func[0].hits, 25);
	assert_int_equal(funcs.func[1].hits, 10);
	assert_memory_equal(funcs.func[0].name, long_name, 94);
	assert_int_equal(funcs.func[0].name[94], '~');
	assert_string_not_equal(funcs.func[0].name, funcs.func[1].name);
	sym_index_destroy(symbols);
}

/* Blocks by hand: the two blocks have shares 0.1 and 0.3. An empty block does not count. */
static void blocks_by_hand(void **state)
{
	struct cpuprobe_account account = { .period_ns = 10, .expected = 100, .taken = 100,
					    .entries = 1 };
	struct cpuprobe_record record = { .id = { 7 }, .kind = CPUPROBE_KIND_EXE, .name = "a" };
	struct fold *fold = fold_create();
	const struct fold_process *processes;
	size_t nr;

	record.hits[0] = 10;
	account.lost[0] = 90;
	fold_add(fold, 0, &account, &record);
	fold_end_block(fold);
	fold_end_block(fold);
	record.hits[0] = 30;
	account.lost[0] = 70;
	fold_add(fold, 0, &account, &record);
	fold_end_block(fold);
	processes = fold_processes(fold, &nr);
	assert_int_equal(nr, 2);
	assert_int_equal(fold_nr_blocks(fold), 2);
	assert_true(fabs(processes[0].sum - 0.4) < 1e-12 && fabs(processes[0].sum2 - 0.1) < 1e-12);
	fold_destroy(fold);
}

/* Equal names of executables are shown with their directories and, if these are equal, inodes. */
static void names_are_told_apart(void **state)
{
	static const char *const names[] = { "x\0one", "x\0two", "x\0one", "y\0one", "z" };
	static const char *const shown[] = { "x (one, inode 10)", "x (two)", "x (one, inode 12)",
					     "y", "z" };
	struct cpuprobe_account account = { .period_ns = 1, .expected = 5, .taken = 5,
					    .entries = 5 };
	struct cpuprobe_record records[5];
	struct fold *fold = fold_create();
	struct rows rows;

	memset(records, 0, sizeof(records));
	for (int i = 0; i < 5; i++) {
		/* the inode's generation is in both words */
		records[i].id[0] = (10 + i) * CPUPROBE_INODE_FACTOR ^ 0xabcd;
		records[i].id[1] = 0x80000abcd;
		records[i].kind = CPUPROBE_KIND_EXE;
		records[i].hits[0] = 1;
		memcpy(records[i].name, names[i], i < 4 ? 5 : 1);
	}
	fold_add(fold, 0, &account, records);
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	assert_int_equal(rows.nr, 5);
	for (int i = 0; i < 5; i++)
		assert_string_equal(rows.row[i].name, shown[i]);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* Missed periods are charged to the late sample's record: 30 + 60 of 100 + 60. */
static void missed_is_charged(void **state)
{
	struct cpuprobe_account account = { .period_ns = 10, .expected = 160, .taken = 100,
					    .missed = 60,
					    .entries = 3 };
	struct cpuprobe_record records[3] = {
		{ .id = { 1 }, .kind = CPUPROBE_KIND_EXE, .hits = { 30 }, .missed = 60,
		  .name = "late" },
		{ .id = { 2 }, .kind = CPUPROBE_KIND_EXE, .hits = { 70 }, .name = "prompt" },
		/* a record whose only sample was deferred and left out */
		{ .id = { 3 }, .kind = CPUPROBE_KIND_EXE, .name = "nothing" },
	};
	struct fold *fold = fold_create();
	struct rows rows;

	fold_add(fold, 0, &account, records);
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	assert_int_equal(rows.nr, 2);
	assert_true(fabs(rows.row[0].total - 0.3) < 1e-12 &&
		    fabs(rows.row[0].charged - 0.5625) < 1e-12);
	assert_true(fabs(rows.row[1].charged - 0.4375) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* Without symbols the object is one function. A block without new samples does not count. */
static void functions_of_slots(void **state)
{
	static struct funcs funcs;
	struct slots_layout layout;
	u64 hits[CPUPROBE_SLOTS] = { 5, 10 };

	assert_int_equal(slots_layout_init(&layout, 0x1000, 0x1400), 0);
	funcs_init(&funcs, &layout, NULL, "object");
	assert_int_equal(funcs.nr, 1);
	assert_string_equal(funcs.func[0].name, "[object]");
	funcs_end_block(&funcs, hits, 100);
	hits[0] = 25;
	funcs_end_block(&funcs, hits, 200);
	funcs_end_block(&funcs, hits, 200);
	funcs_finish(&funcs, &layout, hits);
	assert_int_equal(funcs.nr_blocks, 2);
	assert_int_equal(funcs.func[0].hits, 35);
	assert_true(fabs(funcs.func[0].sum - 0.35) < 1e-12);
	assert_true(fabs(funcs.func[0].sum2 - (0.15 * 0.15 + 0.2 * 0.2)) < 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_false_alarms), cmocka_unit_test(true_alarms),
		cmocka_unit_test(lengths_may_differ), cmocka_unit_test(executions_by_blocks),
		cmocka_unit_test(growth_is_worse), cmocka_unit_test(blocks_by_hand),
		cmocka_unit_test(equal_blocks_by_hand), cmocka_unit_test(varying_blocks_by_hand),
		cmocka_unit_test(names_add_up), cmocka_unit_test(too_few_blocks),
		cmocka_unit_test(shares_are_not_rounded),
		cmocka_unit_test(functions_share_slots), cmocka_unit_test(functions_with_long_names),
		cmocka_unit_test(names_are_told_apart), cmocka_unit_test(missed_is_charged),
		cmocka_unit_test(functions_of_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
