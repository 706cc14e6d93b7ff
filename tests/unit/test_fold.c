// SPDX-License-Identifier: GPL-2.0-only
/* Records to rows: cli/fold.c. And Figure 3 as table_view.c prints it. */
#include <math.h>

#include "unit.h"
#include "fold.h"
#include "rows.h"
#include "table_view.h"

static void record_init(struct cpuprobe_record *record, uint64_t id, const char *name,
			uint64_t kernel, uint64_t softirq, uint64_t user)
{
	memset(record, 0, sizeof(*record));
	record->id[0] = id;
	record->kind = CPUPROBE_KIND_EXE;
	record->hits[CPUPROBE_MODE_KERNEL] = kernel;
	record->hits[CPUPROBE_MODE_SOFTIRQ] = softirq;
	record->hits[CPUPROBE_MODE_USER] = user;
	snprintf(record->name, sizeof(record->name), "%s", name);
}

static struct row *find(const struct rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->nr; i++)
		if (!strcmp(rows->row[i].name, name))
			return &rows->row[i];
	fail_msg("no row %s", name);
	return NULL;
}

/* Equal rates, nothing missed: shares are the pooled counts. */
static void equal_cpus_pool(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 100, .taken = 100 };
	struct fold *fold = fold_create();
	struct cpuprobe_record records[2];
	struct rows rows;

	(void)state;
	account.entries = 2;
	record_init(&records[0], 1, "a", 10, 0, 50);
	record_init(&records[1], 2, "b", 0, 5, 35);
	fold_add(fold, 0, &account, records);
	record_init(&records[0], 1, "a", 20, 0, 0);
	record_init(&records[1], 3, "c", 78, 0, 0);
	account.lost[CPUPROBE_MODE_USER] = 2;
	fold_add(fold, 3, &account, records);
	assert_int_equal(rows_init(&rows, fold), 0);
	assert_int_equal(rows.nr, 4);
	assert_true(fabs(find(&rows, "a")->total - 0.40) < 1e-12);
	assert_int_equal(find(&rows, "a")->hits[CPUPROBE_MODE_KERNEL], 30);
	assert_true(fabs(find(&rows, "c")->total - 0.39) < 1e-12);
	assert_true(fabs(find(&rows, "(lost)")->total - 0.01) < 1e-12);
	assert_true(fabs(find(&rows, "a")->interval.lo - stat_wilson(80, 200).lo) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* A CPU that took a tenth of its samples still stands for all of its time. */
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

	(void)state;
	record_init(&record, 1, "work", 0, 0, 100);
	fold_add(fold, 0, &busy, &record);
	record_init(&record, 2, "IDLE", 1000, 0, 0);
	fold_add(fold, 1, &idle, &record);
	record_init(&record, 3, "slow", 0, 0, 500);
	fold_add(fold, 2, &slow, &record);
	assert_int_equal(rows_init(&rows, fold), 0);
	for (size_t i = 0; i < rows.nr; i++)
		assert_true(fabs(rows.row[i].total - 1.0 / 3) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

static double sum_of_totals(const struct rows *rows)
{
	double sum = 0;

	for (size_t i = 0; i < rows->nr; i++)
		sum += rows->row[i].total;
	return sum;
}

/* Samples that were left out are in no record: what is left is all there is. */
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

	(void)state;
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
	assert_int_equal(rows_init(&rows, fold), 0);
	assert_true(fabs(sum_of_totals(&rows) - 1) < 1e-12);
	assert_true(fabs(find(&rows, "a")->total - 0.6) < 1e-12);
	assert_int_equal(rows.taken, 100);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* A CPU that took nothing says nothing about what ran on it: the other one is the machine. */
static void a_cpu_without_samples(void **state)
{
	struct cpuprobe_account none = { .period_ns = 1000, .expected = 100, .missed = 100 };
	struct cpuprobe_account all = { .period_ns = 1000, .expected = 100, .taken = 100,
					.entries = 1 };
	struct fold *fold = fold_create();
	struct cpuprobe_record record;
	struct rows rows;

	(void)state;
	record_init(&record, 1, "a", 60, 0, 40);
	fold_add(fold, 0, &none, NULL);
	fold_add(fold, 1, &all, &record);
	assert_false(fold_has_cpu(fold, 0));
	assert_true(fold_has_cpu(fold, 1));
	assert_false(fold_has_cpu(fold, 2));
	assert_int_equal(rows_init(&rows, fold), 0);
	assert_true(fabs(sum_of_totals(&rows) - 1) < 1e-12);
	assert_true(fabs(find(&rows, "a")->charged - 1) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* One row more than is kept keeps its name; of two more both are folded. */
static void a_single_row_is_not_folded(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 10, .taken = 10 };

	(void)state;
	for (uint32_t nr = 4; nr <= 5; nr++) {
		struct fold *fold = fold_create();
		struct cpuprobe_record records[5];
		struct rows rows;

		for (uint32_t i = 0; i < nr; i++) {
			char name[2] = { 'a' + i };

			record_init(&records[i], i + 1, name, 0, 0, 10 - i);
		}
		account.taken = account.expected = nr == 4 ? 34 : 40;
		account.entries = nr;
		/* A missed period is no sample: intervals do not count it. */
		records[3].missed = 9;
		fold_add(fold, 0, &account, records);
		assert_int_equal(rows_init(&rows, fold), 0);
		rows_limit(&rows, ROWS_SORT_TOTAL, 3);
		assert_int_equal(rows.nr, 4);
		assert_string_equal(rows.row[2].name, "c");
		assert_string_equal(rows.row[3].name, nr == 4 ? "d" : "(2 others)");
		assert_true(fabs(rows.row[3].interval.lo -
				 stat_wilson(nr == 4 ? 7 : 13, account.taken).lo) < 1e-12);
		assert_true(fabs(sum_of_totals(&rows) - 1) < 1e-12);
		rows_deinit(&rows);
		fold_destroy(fold);
	}
}

/* One number as an executable's and as a kernel thread's is two rows, on each CPU. */
static void kinds_are_told_apart(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 30, .taken = 30,
					    .entries = 2 };
	struct fold *fold = fold_create();
	struct cpuprobe_record records[2];
	const struct fold_cell *cells;
	size_t nr;

	(void)state;
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

/*
 * Searches for one pass by the others of its number: 300 folds, each with a key of its own, of 15
 * executables and as many kernel threads on two CPUs. A third of the folds would mix some up.
 */
static void many_of_one_number(void **state)
{
	enum { NR = 15 };
	struct cpuprobe_account account = { .period_ns = 1, .expected = 2 * NR, .taken = 2 * NR,
					    .entries = 2 * NR };
	struct cpuprobe_record records[2 * NR];
	const struct fold_cell *cells;
	size_t nr;

	(void)state;
	for (int i = 0; i < NR; i++) {
		record_init(&records[i], i + 1, "a", 1, 0, 0);
		record_init(&records[NR + i], i + 1, "b", 1, 0, 0);
		records[NR + i].kind = CPUPROBE_KIND_KTHREAD;
	}
	for (int round = 0; round < 300; round++) {
		struct fold *fold = fold_create();

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
}

/* A process on three CPUs of which each has its own share; the others have the rest. */
static void shares_of_each_cpu(void **state)
{
	static const uint64_t hits[] = { 10, 50, 90 };
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 100, .taken = 100,
					    .entries = 2 };
	struct fold *fold = fold_create();
	struct cpuprobe_record records[2];
	double shares[3];
	struct rows rows;

	(void)state;
	for (uint32_t cpu = 0; cpu < 3; cpu++) {
		record_init(&records[0], 1, "a", hits[cpu], 0, 0);
		record_init(&records[1], 2, "b", 100 - hits[cpu], 0, 0);
		fold_add(fold, cpu, &account, records);
	}
	assert_int_equal(rows_init(&rows, fold), 0);
	assert_int_equal(rows.nr_cpus, 3);
	rows_cpu_shares(&rows, find(&rows, "a"), shares);
	for (int cpu = 0; cpu < 3; cpu++)
		assert_true(fabs(shares[cpu] - hits[cpu] / 100.0) < 1e-12);
	assert_true(fabs(find(&rows, "a")->total - 0.5) < 1e-12);
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

	(void)state;
	for (uint32_t cpu = 0; cpu < 3; cpu++) {
		record_init(&records[0], 1, "a", 70 + cpu, 0, 0);
		record_init(&records[1], 2, "b", 10 - cpu, 0, 0);
		record_init(&records[2], 3, "c", 9, 0, 0);
		record_init(&records[3], 4, "d", 8, 0, 0);
		record_init(&records[4], 5, "e", 3, 0, 0);
		fold_add(fold, cpu, &account, records);
	}
	assert_int_equal(rows_init(&rows, fold), 0);
	rows_limit(&rows, ROWS_SORT_TOTAL, 1);
	rows_cpu_shares(&rows, find(&rows, "(4 others)"), shares);
	for (int cpu = 0; cpu < 3; cpu++)
		assert_true(fabs(shares[cpu] - (30 - cpu) / 100.0) < 1e-12);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* A process as the module tells it: @exe is 0 once it has given up its memory. */
static void process_init(struct cpuprobe_record *record, uint32_t pid, uint32_t exe,
			 uint64_t beginning, const char *name, uint64_t hits)
{
	record_init(record, (uint64_t)pid << 32 | exe, name, hits, 0, 0);
	record->id[1] = beginning;
	record->kind = CPUPROBE_KIND_PROCESS;
}

/* A dying process is the one of its number, beginning and name; the top byte makes ids unique. */
static void the_dying_are_merged(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 105, .taken = 100,
					    .missed = 5, .entries = 9 };
	struct cpuprobe_record records[9];
	struct fold *fold = fold_create();
	const struct row *row;
	double shares[1];
	struct rows rows;

	(void)state;
	process_init(&records[0], 7, 99, 0x1200000000000064, "sh", 30);
	process_init(&records[1], 7, 0, 0x3400000000000064, "sh", 10);
	records[1].missed = 5;
	records[1].deferred = 2;
	process_init(&records[2], 7, 0, 0x3400000000000065, "sh", 20);	/* another began later */
	process_init(&records[3], 7, 0, 0x5600000000000064, "cc", 5);	/* another name */
	process_init(&records[4], 8, 0, 0x3400000000000064, "sh", 15);	/* another number */
	process_init(&records[5], 9, 1, 1, "x", 9);
	process_init(&records[6], 9, 2, 1, "x", 8);			/* both live */
	process_init(&records[7], 10, 1, 1, "y", 1);
	process_init(&records[8], 10, 0, 2, "y", 2);			/* began later */
	fold_add(fold, 0, &account, records);
	assert_int_equal(rows_init(&rows, fold), 0);
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

/* Those in parentheses come last, in this order, however large they are. */
static void pseudo_rows_are_last(void **state)
{
	static const char *const order[] = {
		"b", "c", "a", "(2 others)", "(softirq)", "(exiting)", "(lost)",
	};
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 200, .taken = 200,
					    .entries = 7 };
	struct fold *fold = fold_create();
	struct cpuprobe_record records[7];
	struct rows rows;

	(void)state;
	record_init(&records[0], 1, "a", 9, 0, 1);
	record_init(&records[1], 2, "b", 0, 0, 20);
	record_init(&records[2], 3, "c", 0, 0, 15);
	record_init(&records[3], 4, "d", 1, 0, 2);
	record_init(&records[4], 5, "e", 2, 0, 0);
	record_init(&records[5], 6, "(softirq)", 50, 0, 0);
	records[5].kind = CPUPROBE_KIND_SOFTIRQ;
	record_init(&records[6], 7, "(exiting)", 60, 0, 0);
	records[6].kind = CPUPROBE_KIND_EXITING;
	account.lost[CPUPROBE_MODE_KERNEL] = 40;
	fold_add(fold, 0, &account, records);
	assert_int_equal(rows_init(&rows, fold), 0);
	rows_limit(&rows, ROWS_SORT_TOTAL, 3);
	assert_int_equal(rows.nr, 7);
	for (size_t i = 0; i < 7; i++)
		assert_string_equal(rows.row[i].name, order[i]);
	assert_true(fabs(rows.row[3].total - 5 / 200.0) < 1e-12);
	rows_deinit(&rows);
	/* By another column, and by name, of which the largest are kept. */
	assert_int_equal(rows_init(&rows, fold), 0);
	rows_limit(&rows, ROWS_SORT_KERNEL, 2);
	assert_string_equal(rows.row[0].name, "a");
	assert_string_equal(rows.row[1].name, "e");
	assert_string_equal(rows.row[2].name, "(3 others)");
	rows_deinit(&rows);
	assert_int_equal(rows_init(&rows, fold), 0);
	rows_limit(&rows, ROWS_SORT_NAME, 2);
	assert_string_equal(rows.row[0].name, "b");
	assert_string_equal(rows.row[1].name, "c");
	assert_string_equal(rows.row[2].name, "(3 others)");
	rows_deinit(&rows);
	assert_int_equal(rows_init(&rows, fold), 0);
	rows_limit(&rows, ROWS_SORT_USER, 0);
	assert_int_equal(rows.nr, 8);
	assert_string_equal(rows.row[0].name, "b");
	assert_string_equal(rows.row[4].name, "e");
	rows_deinit(&rows);
	fold_destroy(fold);
}

static void many_processes(void **state)
{
	struct cpuprobe_account account = { .period_ns = 1, .expected = 128, .taken = 128,
					    .entries = 128 };
	static struct cpuprobe_record records[128];
	struct fold *fold = fold_create();
	struct rows rows;
	double sum = 0;

	(void)state;
	for (int harvest = 0; harvest < 100; harvest++) {
		for (int i = 0; i < 128; i++)
			record_init(&records[i], harvest * 100 + i, "p", 0, 0, 1);
		fold_add(fold, harvest % 3, &account, records);
	}
	assert_int_equal(rows_init(&rows, fold), 0);
	assert_int_equal(rows.nr, 99 * 100 + 128);
	rows_limit(&rows, ROWS_SORT_TOTAL, 10);
	assert_int_equal(rows.nr, 11);
	for (size_t i = 0; i < rows.nr; i++)
		sum += rows.row[i].total;
	assert_true(fabs(sum - 1) < 1e-9);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* What the documentation's example counts: three tasks of the paper's Figure 3, and 31 others. */
static struct fold *figure3_fold(void)
{
	struct cpuprobe_account account = { .period_ns = 8333333, .expected = 7200, .taken = 7200,
					    .entries = 34 };
	static struct cpuprobe_record records[34];
	uint64_t left_kernel = 1678, left_softirq = 425, left_user = 1231;
	struct fold *fold = fold_create();

	record_init(&records[0], 1, "IDLE", 202, 0, 0);
	record_init(&records[1], 2, "gzip", 216, 122, 202);
	record_init(&records[2], 3, "rogue", 2549, 0, 562);
	for (int i = 3; i < 34; i++) {
		char name[16];
		int rest = 34 - i;

		snprintf(name, sizeof(name), "t%d", i);
		record_init(&records[i], i + 1, name, left_kernel / rest, left_softirq / rest,
			    left_user / rest);
		left_kernel -= records[i].hits[CPUPROBE_MODE_KERNEL];
		left_softirq -= records[i].hits[CPUPROBE_MODE_SOFTIRQ];
		left_user -= records[i].hits[CPUPROBE_MODE_USER];
	}
	account.lost[CPUPROBE_MODE_KERNEL] = 7200 - (202 + 540 + 3111 + 1678 + 425 + 1231);
	fold_add(fold, 0, &account, records);
	return fold;
}

static void assert_table(const struct fold *fold, const struct table_options *options,
			 bool is_repeated, const char *expected)
{
	const struct run_result result = { .account = { .taken = 7200, .lost = 8 }, .nr_cpus = 1 };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(table_show(out, fold, &result, NULL, options, is_repeated), 0);
	fclose(out);
	assert_non_null(strstr(text, expected));
	free(text);
}

/* The example of the documentation: the paper's Figure 3 cut to three rows, byte for byte. */
static void figure3_on_linux(void **state)
{
	struct table_options options = { .sort = ROWS_SORT_NAME, .nr_rows = 3 };
	struct fold *fold = figure3_fold();

	(void)state;
	assert_table(fold, &options, false, "Percentage CPU Utilization\n"
		     "(7200 samples, 8 lost, 0 missed)\n\n"
		"Task Name       Kernel  Softirq    User   Total     +-\n"
		"==============  ======  =======  ======  ======  =====\n"
		"IDLE               2.8      0.0     0.0     2.8   0.41\n"
		"gzip               3.0      1.7     2.8     7.5   0.63\n"
		"rogue             35.4      0.0     7.8    43.2   1.15\n"
		"(31 others)       23.3      5.9    17.1    46.3   1.15\n"
		"(lost)             0.2      0.0     0.0     0.2   0.13\n"
		"--------------  ------  -------  ------  ------  -----\n"
		"Total             64.7      7.6    27.7   100.0\n");
	/* Other columns of the same rows, and one CPU's by name. */
	options.output.columns = "name,total,lo,hi,missed";
	options.has_cpus = true;
	assert_table(fold, &options, false,
		"Task Name        Total    95% interval   Missed    CPU0\n"
		"==============  ======  ======  ======  =======  ======\n"
		"IDLE               2.8    2.45    3.21        0     2.8\n"
		"gzip               7.5    6.91    8.13        0     7.5\n"
		"rogue             43.2   42.07   44.36        0    43.2\n"
		"(31 others)       46.3   45.16   47.46        0    46.3\n"
		"(lost)             0.2    0.11    0.31        0     0.2\n"
		"--------------  ------  ------  ------  -------  ------\n"
		"Total            100.0                        0   100.0\n");
	options.output = (struct output_options){ .columns = "-lo,-hi,-user_hits",
						  .format = FORMAT_TSV };
	assert_table(fold, &options, true,
		     "name\tpid\tkernel\tsoftirq\tguest\tuser\ttotal\terror\tcharged\t"
		"kernel_hits\tsoftirq_hits\tguest_hits\tmissed\tdeferred\tcpu0\ttime\nIDLE\t0\t");
	fold_destroy(fold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_cpus_pool), cmocka_unit_test(shares_are_weighted_by_time),
		cmocka_unit_test(left_out_samples), cmocka_unit_test(a_cpu_without_samples),
		cmocka_unit_test(a_single_row_is_not_folded),
		cmocka_unit_test(kinds_are_told_apart), cmocka_unit_test(shares_of_each_cpu),
		cmocka_unit_test(many_of_one_number), cmocka_unit_test(shares_of_folded_rows),
		cmocka_unit_test(the_dying_are_merged), cmocka_unit_test(pseudo_rows_are_last),
		cmocka_unit_test(many_processes), cmocka_unit_test(figure3_on_linux),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
