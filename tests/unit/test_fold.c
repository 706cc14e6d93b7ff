// SPDX-License-Identifier: GPL-2.0-only
/* From records to cells and sums of processes: cli/sys/fold.c. */
#include <math.h>

#include "folds.h"

/* Samples that were left out are in no record: shares are of the rest. */
static void left_out_samples(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 125, .taken = 110,
					    .missed = 15, .deferred = 10, .excluded = 10,
					    .entries = 2 };
	struct fold *fold = fold_create();
	struct cpuprobe_record records[2];
	const struct fold_process *processes;
	const struct fold_cpu *cpus;
	struct rows rows;
	size_t nr;

	record_init(&records[0], 1, "a", 10, 0, 50);
	record_init(&records[1], 2, "b", 0, 5, 35);
	fold_add(fold, 1, &account, records);
	fold_end_block(fold);
	assert_int_equal(fold_taken(fold), 100);
	cpus = fold_cpus(fold, &nr);
	assert_int_equal(nr, 2);
	assert_int_equal(cpus[1].taken_ns, 100 * 1000);
	assert_int_equal(cpus[1].sampled_ns, 125 * 1000);
	processes = fold_processes(fold, &nr);
	assert_true(fabs(processes[0].sum + processes[1].sum - 1) < 1e-12);
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	assert_true(fabs(sum_of_totals(&rows) - 1) < 1e-12);
	assert_true(fabs(find_row(&rows, "a")->total - 0.6) < 1e-12);
	assert_int_equal(rows.taken, 100);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* A CPU without samples says nothing about its load: the other CPU counts as the whole machine. */
static void a_cpu_without_samples(void **state)
{
	struct cpuprobe_account none = { .period_ns = 1000, .expected = 100, .missed = 100 };
	struct cpuprobe_account all = { .period_ns = 1000, .expected = 100, .taken = 100,
					.entries = 1 };
	struct fold *fold = fold_create();
	struct cpuprobe_record record;
	struct rows rows;

	record_init(&record, 1, "a", 60, 0, 40);
	fold_add(fold, 0, &none, NULL);
	fold_add(fold, 1, &all, &record);
	assert_false(fold_has_cpu(fold, 0));
	assert_true(fold_has_cpu(fold, 1));
	assert_false(fold_has_cpu(fold, 2));
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	assert_true(fabs(sum_of_totals(&rows) - 1) < 1e-12);
	assert_true(fabs(find_row(&rows, "a")->charged - 1) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* Equal numbers of an executable and of a kernel thread make two rows, on each CPU. */
static void kinds_are_told_apart(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 30, .taken = 30,
					    .entries = 2 };
	struct fold *fold = fold_create();
	struct cpuprobe_record records[2];
	const struct fold_cell *cells;
	size_t nr;

	record_init(&records[0], 1, "a", 10, 0, 0);
	record_init(&records[1], 1, "b", 20, 0, 0);
	records[1].kind = CPUPROBE_KIND_KTHREAD;
	records[0].missed = records[1].deferred = 5;
	fold_add(fold, 0, &account, records);
	fold_add(fold, 0, &account, records);
	cells = fold_cells(fold, &nr);
	assert_int_equal(nr, 2);
	assert_int_equal(cells[0].hits[CPUPROBE_MODE_KERNEL], 20);
	assert_int_equal(cells[0].time_ns[CPUPROBE_MODE_KERNEL], 20000);
	assert_int_equal(cells[0].missed, 10);
	assert_int_equal(cells[0].deferred, 0);
	assert_int_equal(cells[1].hits[CPUPROBE_MODE_KERNEL], 40);
	assert_int_equal(cells[1].missed, 0);
	assert_int_equal(cells[1].deferred, 10);
	fold_processes(fold, &nr);
	assert_int_equal(nr, 2);
	fold_destroy(fold);
}

/* Executables and kernel threads with equal numbers on two CPUs: each has its own cell. */
static void many_identities_with_one_number(void **state)
{
	enum { NR = 500 };
	struct cpuprobe_account account = { .period_ns = 1, .expected = 2 * NR, .taken = 2 * NR,
					    .entries = 2 * NR };
	static struct cpuprobe_record records[2 * NR];
	struct fold *fold = fold_create();
	const struct fold_cell *cells;
	size_t nr;

	for (int i = 0; i < NR; i++) {
		record_init(&records[i], i + 1, "a", 1, 0, 0);
		record_init(&records[NR + i], i + 1, "b", 1, 0, 0);
		records[NR + i].kind = CPUPROBE_KIND_KTHREAD;
	}
	fold_add(fold, 0, &account, records);
	fold_add(fold, 1, &account, records);
	cells = fold_cells(fold, &nr);
	assert_int_equal(nr, 4 * NR);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(cells[i].hits[CPUPROBE_MODE_KERNEL], 1);
	fold_processes(fold, &nr);
	assert_int_equal(nr, 2 * NR);
	fold_destroy(fold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(left_out_samples), cmocka_unit_test(a_cpu_without_samples),
		cmocka_unit_test(kinds_are_told_apart),
		cmocka_unit_test(many_identities_with_one_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
