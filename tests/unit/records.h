/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers for tests of saved runs: a file, and runs to save in it. Groups of tests list make_file()
 * and remove_file().
 */
#ifndef RECORDS_H
#define RECORDS_H

#include <fcntl.h>
#include <unistd.h>

#include "inputs.h"
#include "run/run_save.h"
#include "sys/sys_save.h"
#include "proc/proc_save.h"

static char path[] = "/dev/shm/cpuprobe-record-XXXXXX";

static const struct run_result some_result = {
	.account = { .taken = 120, .missed = 4, .expected = 124, .lost = 20 },
	.nr_cpus = 2, .period_ns = 1000, .seed = 77, .began = 1e9, .elapsed_seconds = 1.5,
};

static inline int make_file(void **state)
{
	return close(mkstemp(path));
}

static inline int remove_file(void **state)
{
	return unlink(path);
}

/* Begin a saved run; record_commit() or record_reopen() finishes it. */
static inline void record_start(struct record_writer *writer)
{
	assert_int_equal(record_create(writer, path, NULL), 0);
}

/* Finish a saved run and read it; free with record_deinit(). */
static inline void record_reopen(struct record_writer *writer, struct record *record_ret)
{
	assert_int_equal(record_commit(writer, NULL), 0);
	assert_int_equal(record_read(path, record_ret, NULL), 0);
}

/* The result of run_load_receipt() on a file with the first @len bytes of @receipt. */
static inline struct receipt receipt_reload(const struct receipt *receipt, size_t len)
{
	struct record_writer writer;
	struct receipt loaded;
	struct record record;

	record_start(&writer);
	record_add(&writer, "RCPT", receipt, len);
	record_reopen(&writer, &record);
	assert_int_equal(run_load_receipt(&record, &loaded), 0);
	record_deinit(&record);
	return loaded;
}

static inline struct fold *some_fold(void)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 60, .taken = 60,
					    .entries = 2 };
	struct cpuprobe_record records[2] = {
		{ .id = { 1, 2 }, .kind = CPUPROBE_KIND_EXE, .hits = { 20, 1, 0, 9 },
		  .name = "one" },
		{ .id = { 3 }, .kind = CPUPROBE_KIND_KTHREAD, .hits = { 20 }, .missed = 4,
		  .name = "two\n" },
	};
	struct fold *fold = fold_create();

	account.lost[0] = 10;
	fold_add(fold, 0, &account, records);
	records[0].hits[2] = 20;
	records[1].hits[0] = 0;
	fold_add(fold, 5, &account, records);
	return fold;
}

static inline void fill_report(struct proc_report *report)
{
	memset(report, 0, sizeof(*report));
	report->result = some_result;
	snprintf(report->task, sizeof(report->task), "task");
	snprintf(report->object, sizeof(report->object), "lib.so");
	snprintf(report->verdict, sizeof(report->verdict), "Flat.");
	slots_layout_init(&report->layout, 0x1000, 0x1800);
	report->hits[3] = 30, report->hits[400] = 12;
	report->elsewhere.other_task = 78;
	report->objects[0] = (struct proc_object){ 42, "lib.so" };
	report->nr_objects = 1;
	report->steps[0] = (struct proc_step){ .low = 0x1000, .high = 0x1800, .slot_bytes = 4,
					       .hits = 42 };
	report->nr_steps = 1;
	report->executions = 9;
	report->missed = 3;
	report->mappings = (struct proc_mappings){ .nr_left_out = 2, .nr_mapped_max = 3, .is_unmapped = 1 };
}

/* Two CPUs that took 60 samples each, like those of some_fold(). */
static inline void fill_run(struct run *run)
{
	static struct receipt_cpu cpus[2] = {
		{ .cpu = 0, .expected = 64, .taken = 60, .missed = 4, .lost = 10,
		  .sampled_ns = 60000 },
		{ .cpu = 5, .flags = CPUPROBE_ACCOUNT_SLOWED, .expected = 60, .taken = 60,
		  .lost = 10, .sampled_ns = 60000 },
	};

	*run = (struct run){ .result = some_result, .cpus = cpus, .nr_cpus = 2 };
	run->receipt = (struct receipt){ .seed = 77, .period_ns = 1000,
					 .what = CPUPROBE_WHAT_SYSTEM,
					 .nr_skipped = 2, .skipped = "2-3" };
	receipt_add_up(&run->receipt, cpus, 2);
}

static inline void keep_sys(void)
{
	struct fold *fold = some_fold();
	struct record_writer writer;
	struct run run;

	fill_run(&run);
	record_start(&writer);
	sys_save(&writer, fold, &run);
	assert_int_equal(record_commit(&writer, NULL), 0);
	fold_destroy(fold);
}

static inline void keep_report(const struct proc_report *report)
{
	struct sym_index *symbols = symbols_of("0000000000001000 0000000000000010 T first\n"
					       "0000000000001600 0000000000000100 T second\n");
	static struct funcs funcs;
	struct record_writer writer;
	struct run run;

	fill_run(&run);
	record_start(&writer);
	funcs_init(&funcs, &report->layout, symbols, "lib.so");
	funcs_end_block(&funcs, report->hits, 120);
	funcs_finish(&funcs, &report->layout, report->hits);
	proc_save(&writer, report, &run, &funcs, symbols, false);
	assert_int_equal(record_commit(&writer, NULL), 0);
	sym_index_destroy(symbols);
}

static inline void keep_proc(void)
{
	static struct proc_report report;

	fill_report(&report);
	keep_report(&report);
}

#endif
