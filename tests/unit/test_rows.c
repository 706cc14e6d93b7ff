// SPDX-License-Identifier: GPL-2.0-only
/* From cells to rows, with their shares, order and limit: cli/sys/rows.c, rows_*.c, row_sums.c. */
#include <math.h>

#include "folds.h"

/* Equal rates and no missed periods: shares are the pooled counts. */
static void equal_cpus_pool(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 100, .taken = 100 };
	struct fold *fold = fold_create();
	struct cpuprobe_record records[2];
	struct rows rows;

	account.entries = 2;
	record_init(&records[0], 1, "a", 10, 0, 50);
	record_init(&records[1], 2, "b", 0, 5, 35);
	fold_add(fold, 0, &account, records);
	record_init(&records[0], 1, "a", 20, 0, 0);
	record_init(&records[1], 3, "c", 78, 0, 0);
	account.lost[CPUPROBE_MODE_USER] = 2;
	fold_add(fold, 3, &account, records);
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	assert_int_equal(rows.nr, 4);
	assert_true(fabs(find_row(&rows, "a")->total - 0.40) < 1e-12);
	assert_int_equal(find_row(&rows, "a")->hits[CPUPROBE_MODE_KERNEL], 30);
	assert_true(fabs(find_row(&rows, "c")->total - 0.39) < 1e-12);
	assert_true(fabs(find_row(&rows, "(lost)")->total - 0.01) < 1e-12);
	assert_true(fabs(find_row(&rows, "a")->interval.lo - stat_wilson(80, 200, 0).lo) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* A CPU that took a tenth of its samples still represents all of its time. */
static void shares_are_weighted_by_time(void **state)
{
	struct cpuprobe_account busy = { .period_ns = 1000, .expected = 1000, .taken = 100,
					 .entries = 1 };
	struct cpuprobe_account idle = { .period_ns = 1000, .expected = 1000, .taken = 1000,
					 .entries = 1 };
	struct cpuprobe_account slow = { .period_ns = 2000, .expected = 500, .taken = 500,
					 .entries = 1 };
	struct fold *fold = fold_create();
	struct cpuprobe_record record;
	struct rows rows;

	record_init(&record, 1, "work", 0, 0, 100);
	fold_add(fold, 0, &busy, &record);
	record_init(&record, 2, "IDLE", 1000, 0, 0);
	fold_add(fold, 1, &idle, &record);
	record_init(&record, 3, "slow", 0, 0, 500);
	fold_add(fold, 2, &slow, &record);
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	for (size_t i = 0; i < rows.nr; i++)
		assert_true(fabs(rows.row[i].total - 1.0 / 3) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* A single row beyond the limit is shown by its name; two are folded. */
static void a_single_row_is_not_folded(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 10, .taken = 10 };

	for (u32 nr = 4; nr <= 5; nr++) {
		struct fold *fold = fold_create();
		struct cpuprobe_record records[5];
		struct rows rows;

		for (u32 i = 0; i < nr; i++) {
			char name[2] = { 'a' + i };

			record_init(&records[i], i + 1, name, 0, 0, 10 - i);
		}
		account.taken = account.expected = nr == 4 ? 34 : 40;
		account.entries = nr;
		/* A missed period is not a sample: intervals do not count it. */
		records[3].missed = 9;
		fold_add(fold, 0, &account, records);
		assert_int_equal(rows_init(&rows, fold, 0), 0);
		rows_limit(&rows, ROWS_SORT_TOTAL, 3);
		assert_int_equal(rows.nr, 4);
		assert_string_equal(rows.row[2].name, "c");
		assert_string_equal(rows.row[3].name, nr == 4 ? "d" : "(2 others)");
		assert_true(fabs(rows.row[3].interval.lo -
				 stat_wilson(nr == 4 ? 7 : 13, account.taken, 0).lo) < 1e-12);
		assert_true(fabs(sum_of_totals(&rows) - 1) < 1e-12);
		rows_deinit(&rows);
		fold_destroy(fold);
	}
}

/* A process on three CPUs with a different share on each; the other processes have the rest. */
static void shares_of_each_cpu(void **state)
{
	static const u64 hits[] = { 10, 50, 90 };
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 100, .taken = 100,
					    .entries = 2 };
	struct fold *fold = fold_create();
	struct cpuprobe_record records[2];
	double shares[3];
	struct rows rows;

	for (u32 cpu = 0; cpu < 3; cpu++) {
		record_init(&records[0], 1, "a", hits[cpu], 0, 0);
		record_init(&records[1], 2, "b", 100 - hits[cpu], 0, 0);
		fold_add(fold, cpu, &account, records);
	}
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	assert_int_equal(rows.nr_cpus, 3);
	rows_cpu_shares(&rows, find_row(&rows, "a"), shares);
	for (int cpu = 0; cpu < 3; cpu++)
		assert_true(fabs(shares[cpu] - hits[cpu] / 100.0) < 1e-12);
	assert_true(fabs(find_row(&rows, "a")->total - 0.5) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* A folded row has, on each CPU, the sum of its rows there. */
static void shares_of_folded_rows(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 100, .taken = 100,
					    .entries = 5 };
	struct fold *fold = fold_create();
	struct cpuprobe_record records[5];
	double shares[3];
	struct rows rows;

	for (u32 cpu = 0; cpu < 3; cpu++) {
		record_init(&records[0], 1, "a", 70 + cpu, 0, 0);
		record_init(&records[1], 2, "b", 10 - cpu, 0, 0);
		record_init(&records[2], 3, "c", 9, 0, 0);
		record_init(&records[3], 4, "d", 8, 0, 0);
		record_init(&records[4], 5, "e", 3, 0, 0);
		fold_add(fold, cpu, &account, records);
	}
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	rows_limit(&rows, ROWS_SORT_TOTAL, 1);
	rows_cpu_shares(&rows, find_row(&rows, "(4 others)"), shares);
	for (int cpu = 0; cpu < 3; cpu++)
		assert_true(fabs(shares[cpu] - (30 - cpu) / 100.0) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* A process as the module reports it: @exe is 0 once the process has released its memory. */
static void process_init(struct cpuprobe_record *record, u32 pid, u32 exe,
			 u64 beginning, const char *name, u64 hits)
{
	record_init(record, (u64)pid << 32 | exe, name, hits, 0, 0);
	record->id[1] = beginning;
	record->kind = CPUPROBE_KIND_PROCESS;
}

/* With BPF, a process that is gone goes by its command name, unless that may have been cut to 15 bytes. */
static void gone_processes_join_their_executable(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1, .expected = 900, .taken = 900, .entries = 9 };
	static const char *const names[] = {
		"cc1", "cc1", "a_name_of_eighteen", "a_name_of_eight", "sh", "sh", "sh",
		"fifteen_letters", "fifteen_letters"
	};
	struct fold *fold = fold_create();
	struct cpuprobe_record records[9];
	struct rows rows;
	size_t i;

	for (i = 0; i < 9; i++)
		record_init(&records[i], i + 1, names[i], 0, 0, 100);
	records[1].kind = records[3].kind = records[6].kind = records[8].kind = CPUPROBE_KIND_EXITING;
	fold_add(fold, 0, &account, records);
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	/* Two executables are called sh: the one that is gone may be either. A command name of 15 bytes may be cut. */
	assert_int_equal(rows.nr, 8);
	assert_int_equal(row_hits(find_row(&rows, "cc1")), 200);
	assert_int_equal(row_hits(find_row(&rows, "a_name_of_eighteen")), 100);
	assert_int_equal(row_hits(find_row(&rows, "fifteen_letters")), 100);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* A dying process is matched by number, start and name; the top byte makes ids unique. */
static void exiting_processes_are_merged(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 105, .taken = 100,
					    .missed = 5, .entries = 9 };
	struct cpuprobe_record records[9];
	struct fold *fold = fold_create();
	const struct row *row;
	double shares[1];
	struct rows rows;

	process_init(&records[0], 7, 99, 0x1200000000000064, "sh", 30);
	process_init(&records[1], 7, 0, 0x3400000000000064, "sh", 10);
	records[1].missed = 5;
	records[1].deferred = 2;
	process_init(&records[2], 7, 0, 0x3400000000000065, "sh", 20);	/* another start */
	process_init(&records[3], 7, 0, 0x5600000000000064, "cc", 5);	/* another name */
	process_init(&records[4], 8, 0, 0x3400000000000064, "sh", 15);	/* another number */
	process_init(&records[5], 9, 1, 1, "x", 9);
	process_init(&records[6], 9, 2, 1, "x", 8);			/* both alive */
	process_init(&records[7], 10, 1, 1, "y", 1);
	process_init(&records[8], 10, 0, 2, "y", 2);			/* started later */
	fold_add(fold, 0, &account, records);
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	assert_int_equal(rows.nr, 8);
	row = &rows.row[0];
	assert_int_equal(row->pid, 7);
	assert_int_equal(row_hits(row), 40);
	assert_int_equal(row->missed, 5);
	assert_int_equal(row->deferred, 2);
	assert_true(fabs(row->total - 0.4) < 1e-12);
	assert_true(fabs(row->share[CPUPROBE_MODE_KERNEL] - 0.4) < 1e-12);
	assert_true(fabs(row->charged - 45.0 / 105) < 1e-12);
	rows_cpu_shares(&rows, row, shares);
	assert_true(fabs(shares[0] - 0.4) < 1e-12);
	assert_true(fabs(sum_of_totals(&rows) - 1) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/*
 * Rows in parentheses come last, in this order, however large they are. A process that is known by its command
 * name alone ("b") is a row like others.
 */
static void pseudo_rows_are_last(void **state)
{
	static const struct { enum rows_sort sort; size_t nr_keep; const char *names; } orders[] = {
		{ ROWS_SORT_TOTAL, 3, "b c a (2 others) (softirq) (exiting) (lost) " },
		{ ROWS_SORT_KERNEL, 2, "a e (3 others) (softirq) (exiting) (lost) " },
		/* Sorted by name, after the largest were selected. */
		{ ROWS_SORT_NAME, 2, "b c (3 others) (softirq) (exiting) (lost) " },
		{ ROWS_SORT_USER, 0, "b c d a e (softirq) (exiting) (lost) " },
	};
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 200, .taken = 200,
					    .entries = 7 };
	struct fold *fold = fold_create();
	struct cpuprobe_record records[7];
	struct rows rows;

	record_init(&records[0], 1, "a", 9, 0, 1);
	record_init(&records[1], 2, "b", 0, 0, 20);
	record_init(&records[2], 3, "c", 0, 0, 15);
	record_init(&records[3], 4, "d", 1, 0, 2);
	record_init(&records[4], 5, "e", 2, 0, 0);
	record_init(&records[5], 6, "(softirq)", 50, 0, 0);
	records[5].kind = CPUPROBE_KIND_SOFTIRQ;
	record_init(&records[6], 0, "(exiting)", 60, 0, 0);
	records[1].kind = records[6].kind = CPUPROBE_KIND_EXITING;
	account.lost[CPUPROBE_MODE_KERNEL] = 40;
	fold_add(fold, 0, &account, records);
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		char names[128] = "";

		assert_int_equal(rows_init(&rows, fold, 0), 0);
		rows_limit(&rows, orders[i].sort, orders[i].nr_keep);
		for (size_t at = 0; at < rows.nr; at++)
			snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s ",
				 rows.row[at].name);
		assert_string_equal(names, orders[i].names);
		if (!i)
			assert_true(fabs(rows.row[3].total - 5 / 200.0) < 1e-12);
		rows_deinit(&rows);
	}
	fold_destroy(fold);
}

static void many_processes(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1, .expected = 128, .taken = 128,
					    .entries = 128 };
	static struct cpuprobe_record records[128];
	struct fold *fold = fold_create();
	struct rows rows;

	for (int harvest = 0; harvest < 100; harvest++) {
		for (int i = 0; i < 128; i++)
			record_init(&records[i], harvest * 100 + i, "p", 0, 0, 1);
		fold_add(fold, harvest % 3, &account, records);
	}
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	assert_int_equal(rows.nr, 99 * 100 + 128);
	rows_limit(&rows, ROWS_SORT_TOTAL, 10);
	assert_int_equal(rows.nr, 11);
	assert_true(fabs(sum_of_totals(&rows) - 1) < 1e-9);
	rows_deinit(&rows);
	fold_destroy(fold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_cpus_pool), cmocka_unit_test(shares_are_weighted_by_time),
		cmocka_unit_test(a_single_row_is_not_folded), cmocka_unit_test(shares_of_each_cpu),
		cmocka_unit_test(shares_of_folded_rows),
		cmocka_unit_test(exiting_processes_are_merged),
		cmocka_unit_test(pseudo_rows_are_last), cmocka_unit_test(many_processes),
		cmocka_unit_test(gone_processes_join_their_executable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
