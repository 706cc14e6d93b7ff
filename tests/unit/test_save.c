// SPDX-License-Identifier: GPL-2.0-only
/* Saved runs are read back unchanged: cli/run/record.c and the sections of each room. */
#include <math.h>

#include "records.h"
#include "sys/table_view.h"

/* The table of the saved run equals the table of the run, byte for byte. */
static void table_is_read_unchanged(void **state)
{
	struct table_options options = { .has_cpus = true, .output.cols = 120 };
	struct run_result result = some_result, loaded;
	struct fold *fold = some_fold();
	struct record record;
	char *live, *shown;

	keep_sys();
	live = WRITTEN(out, assert_int_equal(table_show(out, fold, &result, NULL, &options, NULL, false),
					     0));
	fold_destroy(fold);
	assert_int_equal(record_read(path, &record, NULL), 0);
	fold = sys_load(&record, &loaded, NULL);
	assert_non_null(fold);
	assert_true(loaded.seed == 77 && loaded.elapsed_seconds == 1.5 && loaded.began == 1e9);
	shown = WRITTEN(out, assert_int_equal(table_show(out, fold, &loaded, NULL, &options, NULL, false),
					      0));
	assert_string_equal(live, shown);
	assert_non_null(strstr(shown, "CPU0    CPU5"));
	/* 30 and 50 of 60 samples; then 20 and none */
	assert_non_null(strstr(shown, "    50.0    83.3\n"));
	assert_non_null(strstr(shown, "    33.3     0.0\n"));
	fold_destroy(fold);
	record_deinit(&record);
	free(live);
	free(shown);
}

static void report_is_read_unchanged(void **state)
{
	static struct proc_report report, loaded;
	struct sym_index *symbols;
	struct record record;

	keep_proc();
	fill_report(&report);
	assert_int_equal(record_read(path, &record, NULL), 0);
	assert_int_equal(proc_load(&record, &loaded, &symbols, NULL), 0);
	assert_memory_equal(&loaded, &report, sizeof(report));
	assert_string_equal(sym_index_find(symbols, 0x1645)->name, "second");
	sym_index_destroy(symbols);
	record_deinit(&record);
}

/* Sums over blocks are read back with their processes; so is a long name. */
static void blocks_are_read_unchanged(void **state)
{
	static const __u64 id[2] = { 1, 2 };
	const struct fold_process *processes;
	struct fold *fold = some_fold();
	struct run_result loaded;
	struct record_writer writer;
	struct record record;
	struct run run;
	size_t nr;

	fill_run(&run);
	fold_keep_process(fold, id, CPUPROBE_KIND_EXE, 0.75, 0.5, "a long name");
	fold_keep_blocks(fold, 3);
	record_start(&writer);
	sys_save(&writer, fold, &run);
	record_reopen(&writer, &record);
	fold_destroy(fold);
	fold = sys_load(&record, &loaded, NULL);
	assert_non_null(fold);
	assert_int_equal(fold_nr_blocks(fold), 3);
	processes = fold_processes(fold, &nr);
	assert_int_equal(nr, 3);
	assert_true(processes[0].sum == 0.75 && processes[0].sum2 == 0.5);
	assert_string_equal(processes[0].long_name, "a long name");
	assert_true(processes[1].sum == 0 && !processes[1].long_name);
	fold_destroy(fold);
	record_deinit(&record);
}

/* The saved symbols: those of slots with hits or all of them, each function once and complete. */
static void symbols_are_saved(void **state)
{
	struct sym_index *symbols = symbols_of("0000000000001000 0000000000000100 T outer\n"
					       "0000000000001010 0000000000000010 T inner\n"
					       "0000000000001100 0000000000000100 T unhit\n"
					       "0000000000001200 0000000000000100 T last\n");
	static struct proc_report report;
	static struct funcs funcs;
	char kept[256];
	size_t part_len = 0;
	const char *part;

	for (int is_all = 0; is_all < 2; is_all++) {
		struct record_writer writer;
		struct record record;
		struct run run;

		fill_run(&run);
		fill_report(&report);
		/* Outer begins before the range and continues after inner, outside of the range. */
		slots_layout_init(&report.layout, 0x1020, 0x1300);
		memset(report.hits, 0, sizeof(report.hits));
		report.hits[(0x1030 - 0x1020) / 2] = 1;
		report.hits[(0x1080 - 0x1020) / 2] = 1;
		report.hits[(0x1200 - 0x1020) / 2] = 1;
		record_start(&writer);
		proc_save(&writer, &report, &run, &funcs, symbols, is_all);
		record_reopen(&writer, &record);
		part = record_find(&record, "SYMS", &part_len);
		assert_non_null(part);
		snprintf(kept, sizeof(kept), "%.*s", (int)part_len, part);
		assert_string_equal(kept, is_all ?
			"0000000000001000 0000000000000100 T outer\n"
			"0000000000001100 0000000000000100 T unhit\n"
			"0000000000001200 0000000000000100 T last\n" :
			"0000000000001000 0000000000000100 T outer\n"
			"0000000000001200 0000000000000100 T last\n");
		record_deinit(&record);
	}
	sym_index_destroy(symbols);
}

/*
 * Receipts have grown: the first ended before the list of CPUs left alone, later ones before the
 * time paused, and then before the ends of user stacks.
 */
static void old_receipts_are_read(void **state)
{
	const size_t ends[] = { offsetof(struct receipt, skipped),
				offsetof(struct receipt, paused_seconds),
				offsetof(struct receipt, stacks), offsetof(struct receipt, event),
				sizeof(struct receipt) };
	struct receipt receipt;
	struct run run;

	fill_run(&run);
	run.receipt.paused_seconds = 2.5;
	run.receipt.stacks.nr_stale = 9;
	run.receipt.event = (struct receipt_event){
		.event = { .name = "cycles\33", .period = 7 }, .enabled_ns = 5, .running_ns = 6,
	};
	memset(run.receipt.stacks.object[0].name, '\33', sizeof(run.receipt.stacks.object[0].name));
	for (int age = 0; age < 5; age++) {
		receipt = receipt_reload(&run.receipt, ends[age]);
		assert_int_equal(receipt.seed, 77);
		assert_int_equal(receipt.nr_skipped, 2);
		assert_string_equal(receipt.skipped, age ? "2-3" : "");
		assert_int_equal(receipt.nr_slowed, age > 0);
		assert_true(receipt.paused_seconds == (age >= 2 ? 2.5 : 0));
		assert_int_equal(receipt.stacks.nr_stale, age >= 3 ? 9 : 0);
		assert_int_equal(receipt_has_event(&receipt), age == 4);
		assert_null(strchr(receipt.event.event.name, '\33'));
		assert_int_equal(receipt.event.running_ns, age == 4 ? 5 : 0);
		assert_null(strchr(receipt.stacks.object[0].name, '\33'));
	}
	run.receipt.paused_seconds = NAN;
	assert_true(receipt_reload(&run.receipt, ends[3]).paused_seconds == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_read_unchanged),
		cmocka_unit_test(report_is_read_unchanged),
		cmocka_unit_test(blocks_are_read_unchanged), cmocka_unit_test(symbols_are_saved),
		cmocka_unit_test(old_receipts_are_read),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
