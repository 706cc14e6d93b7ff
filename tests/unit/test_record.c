// SPDX-License-Identifier: GPL-2.0-only
/* Runs kept in files: cli/record.c and cli/save.c. Every file is hostile. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"
#include "proc_page.h"
#include "save.h"
#include "sys_page.h"
#include "verify.h"

static char path[] = "/dev/shm/cpuprobe-record-XXXXXX";
static char bytes[1 << 16];
static size_t len;

static struct fold *some_fold(void)
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

static const struct run_result some_result = {
	.account = { .taken = 120, .missed = 4, .expected = 124, .lost = 20 },
	.nr_cpus = 2, .period_ns = 1000, .seed = 77, .began = 1e9, .elapsed_seconds = 1.5,
};

static void fill_report(struct proc_report *report)
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
}

/* Two CPUs that took 60 samples each, as some_fold() has it. */
static void fill_run(struct run *run)
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

static void keep_sys(void)
{
	struct fold *fold = some_fold();
	struct record_writer writer;
	struct run run;

	fill_run(&run);
	assert_int_equal(record_create(&writer, path, NULL), 0);
	save_sys(&writer, fold, &run);
	assert_int_equal(record_commit(&writer, NULL), 0);
	fold_destroy(fold);
}

static void keep_report(const struct proc_report *report)
{
	static const char text[] = "0000000000001000 0000000000000010 T first\n"
				   "0000000000001600 0000000000000100 T second\n";
	static struct funcs funcs;
	struct run run;
	int fd = memfd_create("symbols", 0);
	struct record_writer writer;
	struct sym_index *symbols;

	assert_int_equal(write(fd, text, sizeof(text) - 1), (ssize_t)sizeof(text) - 1);
	assert_int_equal(sym_index_create_text(fd, &symbols, NULL), 0);
	close(fd);
	fill_run(&run);
	assert_int_equal(record_create(&writer, path, NULL), 0);
	funcs_init(&funcs, &report->layout, symbols, "lib.so");
	funcs_end_block(&funcs, report->hits, 120);
	funcs_finish(&funcs, &report->layout, report->hits);
	save_proc(&writer, report, &run, &funcs, symbols, false);
	assert_int_equal(record_commit(&writer, NULL), 0);
	sym_index_destroy(symbols);
}

static void keep_proc(void)
{
	static struct proc_report report;

	fill_report(&report);
	keep_report(&report);
}

static void read_bytes(void)
{
	int fd = open(path, O_RDONLY);

	len = read(fd, bytes, sizeof(bytes));
	close(fd);
	assert_in_range(len, 100, sizeof(bytes) - 1);
}

static void write_bytes(const char *from, size_t nr)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, from, nr), (ssize_t)nr);
	close(fd);
}

static int read_record(void)
{
	struct text_error error = { "", "" };
	struct record record;
	int result = record_read(path, &record, &error);

	if (result)
		assert_true(error.what[0]);
	else
		record_deinit(&record);
	return result;
}

/* The table of what was kept is the table of what was folded, to the letter. */
static void table_comes_back(void **state)
{
	struct table_options options = { .has_cpus = true, .output.cols = 120 };
	struct run_result result = some_result, loaded;
	struct fold *fold = some_fold();
	char *live = NULL, *shown = NULL;
	struct record record;
	size_t live_len, shown_len;
	FILE *out;

	(void)state;
	keep_sys();
	out = open_memstream(&live, &live_len);
	assert_int_equal(table_show(out, fold, &result, NULL, &options, false), 0);
	fclose(out);
	fold_destroy(fold);
	assert_int_equal(record_read(path, &record, NULL), 0);
	fold = load_fold(&record, &loaded, NULL);
	assert_non_null(fold);
	assert_true(loaded.seed == 77 && loaded.elapsed_seconds == 1.5 && loaded.began == 1e9);
	out = open_memstream(&shown, &shown_len);
	assert_int_equal(table_show(out, fold, &loaded, NULL, &options, false), 0);
	fclose(out);
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

/* A receipt of the first files ends before the list of CPUs left alone. */
static void old_receipts_are_read(void **state)
{
	const size_t ends[] = { offsetof(struct receipt, skipped), sizeof(struct receipt) };
	struct receipt receipt;
	struct record record;

	(void)state;
	for (int is_whole = 0; is_whole < 2; is_whole++) {
		struct record_writer writer;
		struct run run;

		fill_run(&run);
		assert_int_equal(record_create(&writer, path, NULL), 0);
		record_add(&writer, "RCPT", &run.receipt, ends[is_whole]);
		assert_int_equal(record_commit(&writer, NULL), 0);
		assert_int_equal(record_read(path, &record, NULL), 0);
		assert_int_equal(load_receipt(&record, &receipt), 0);
		assert_int_equal(receipt.seed, 77);
		assert_int_equal(receipt.nr_skipped, 2);
		assert_string_equal(receipt.skipped, is_whole ? "2-3" : "");
		assert_int_equal(receipt.nr_slowed, is_whole);
		record_deinit(&record);
	}
}

static void report_comes_back(void **state)
{
	static struct proc_report report, loaded;
	struct sym_index *symbols;
	struct record record;

	(void)state;
	keep_proc();
	fill_report(&report);
	assert_int_equal(record_read(path, &record, NULL), 0);
	assert_int_equal(load_proc(&record, &loaded, &symbols, NULL), 0);
	assert_memory_equal(&loaded, &report, sizeof(report));
	assert_string_equal(sym_index_find(symbols, 0x1645)->name, "second");
	sym_index_destroy(symbols);
	record_deinit(&record);
}

/* A share of time that is none is one that nobody knows. */
static void a_senseless_steal_is_unknown(void **state)
{
	const struct { double kept, loaded; } shares[] = {
		{ 0, 0 }, { 0.5, 0.5 }, { 1, 1 }, { NAN, NAN }, { -NAN, NAN }, { -0.1, NAN },
		{ 1.1, NAN }, { INFINITY, NAN }, { -INFINITY, NAN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		struct receipt receipt = { .period_ns = 1, .steal = shares[i].kept };
		struct record_writer writer;
		struct record record;

		assert_int_equal(record_create(&writer, path, NULL), 0);
		record_add(&writer, "RCPT", &receipt, sizeof(receipt));
		assert_int_equal(record_commit(&writer, NULL), 0);
		assert_int_equal(record_read(path, &record, NULL), 0);
		assert_int_equal(load_receipt(&record, &receipt), 0);
		if (isnan(shares[i].loaded))
			assert_true(isnan(receipt.steal));
		else
			assert_true(receipt.steal == shares[i].loaded);
		record_deinit(&record);
	}
}

static void a_step_takes_a_time_that_is_one(void **state)
{
	static struct proc_report report;
	const struct { double seconds; bool is_good; } steps[] = {
		{ 0, true }, { 1.5, true }, { NAN, false }, { -1, false },
		{ INFINITY, false }, { -INFINITY, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct sym_index *symbols = NULL;
		struct text_error error;
		struct record record;

		fill_report(&report);
		report.steps[1] = report.steps[0];
		report.steps[1].seconds = steps[i].seconds;
		report.nr_steps = 2;
		keep_report(&report);
		assert_int_equal(record_read(path, &record, NULL), 0);
		assert_int_equal(load_proc(&record, &report, &symbols, &error),
				 steps[i].is_good ? 0 : -EBADMSG);
		if (!steps[i].is_good)
			assert_string_equal(error.what, "its section 'STEP' is senseless");
		sym_index_destroy(symbols);
		record_deinit(&record);
	}
}

static void every_truncation_is_told(void **state)
{
	(void)state;
	keep_proc();
	read_bytes();
	assert_int_equal(read_record(), 0);
	for (size_t cut = 0; cut < len; cut++) {
		write_bytes(bytes, cut);
		assert_int_equal(read_record(), cut < 16 ? -ENOEXEC : -EBADMSG);
	}
}

/* Each byte of the sections' content is covered by a sum; the format's version is known. */
static void every_damage_is_told(void **state)
{
	static char other[sizeof(bytes)];
	int accepted = 0;

	(void)state;
	keep_sys();
	read_bytes();
	for (size_t i = 0; i < len; i++) {
		memcpy(other, bytes, len);
		other[i] ^= 0x10;
		write_bytes(other, len);
		accepted += read_record() == 0;
	}
	/* a reserved word of the head, the tags, and the zeros between sections remain */
	assert_in_range(accepted, 4, 40);
	memcpy(other, bytes, len);
	other[8] = RECORD_VERSION + 1;
	write_bytes(other, len);
	assert_int_equal(read_record(), -EPROTO);
	write_bytes("#!/bin/sh\nexit 0\n and so on\n", 29);
	assert_int_equal(read_record(), -ENOEXEC);
}

static void unknown_sections_are_skipped(void **state)
{
	struct record_writer writer;
	struct record record;
	size_t found_len = 9;

	(void)state;
	assert_int_equal(record_create(&writer, path, NULL), 0);
	record_add(&writer, "XTRA", "future", 6);
	record_add(&writer, "KEPT", "abc", 3);
	record_add(&writer, "NONE", NULL, 0);
	assert_int_equal(record_commit(&writer, NULL), 0);
	assert_int_equal(record_read(path, &record, NULL), 0);
	assert_memory_equal(record_find(&record, "KEPT", &found_len), "abc", 3);
	assert_int_equal(found_len, 3);
	assert_non_null(record_find(&record, "NONE", &found_len));
	assert_int_equal(found_len, 0);
	assert_null(record_find(&record, "LOST", &found_len));
	record_deinit(&record);
}

static uint64_t xorshift(uint64_t *state)
{
	*state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
	return *state;
}

/* The sections of a kept run, with three bytes of each changed; some cut, some left out. */
static void add_damaged(struct record_writer *writer, const struct record *record, uint64_t *random)
{
	static const char *const tags[] = { "RUN ", "CPUS", "CELL", "TASK", "SLOT", "OBJS", "STEP",
					    "SYMS",
		"RCPT", "ACCT", "BLKS", "NAME", "FUNC" };

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		size_t part_len = 0;
		char *part = (char *)record_find(record, tags[i], &part_len);
		uint64_t x = xorshift(random);

		if (!part || x % 23 == 0)
			continue;
		for (int k = 0; k < 3 && part_len; k++) {
			x = xorshift(random);
			part[(x >> 8) % part_len] = x;
		}
		record_add(writer, tags[i], part, x % 17 ? part_len : x % (part_len + 1));
	}
}

/* A browser reads no page at all that has these in its data. */
static void write_page(const struct proc_page *proc_page)
{
	static const char *const words[] = { ": nan", ": -nan", ": inf", ": -inf" };
	char *page = NULL;
	size_t page_len;
	FILE *out = open_memstream(&page, &page_len);

	proc_page_write(out, proc_page);
	fclose(out);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_null(strstr(page, words[i]));
	free(page);
}

/* Sections whose sums are right and whose content is not: an error or a report, never a crash. */
static void senseless_content(void **state)
{
	static struct proc_report report;
	static struct funcs funcs;
	static const struct table_options table = { .has_cpus = true };
	static const struct proc_view_options view = { .shows_all = true };
	struct verify_result verified;
	struct receipt receipt;
	uint64_t x = 88172645463325252ULL;
	int nr_found = 0;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct record_writer writer;
		struct run_result result;
		struct sym_index *symbols = NULL;
		struct record record, copy;
		struct fold *fold;
		FILE *out = fopen("/dev/null", "w");

		if (round % 2)
			keep_sys();
		else
			keep_proc();
		assert_int_equal(record_read(path, &record, NULL), 0);
		assert_int_equal(record_create(&writer, path, NULL), 0);
		add_damaged(&writer, &record, &x);
		assert_int_equal(record_commit(&writer, NULL), 0);
		record_deinit(&record);
		assert_int_equal(record_read(path, &copy, NULL), 0);
		fold = load_fold(&copy, &result, NULL);
		if (fold && !table_show(out, fold, &result, NULL, &table, false))
			sys_page_write(out, &(struct sys_page){
				.fold = fold, .result = &result, .options = &table,
			});
		fold_destroy(fold);
		if (!load_proc(&copy, &report, &symbols, NULL)) {
			proc_view_show(out, &report, NULL, symbols, &view, false);
			write_page(&(struct proc_page){
				.report = &report, .symbols = symbols, .options = &view,
			});
		}
		sym_index_destroy(symbols);
		if (!load_receipt(&copy, &receipt)) {
			receipt_print(out, &receipt, 80);
			receipt_json(out, &receipt);
		}
		load_funcs(&copy, &funcs);
		verify_record(&copy, out, &verified, NULL);
		nr_found += verified.nr_wrong > 0;
		record_deinit(&copy);
		fclose(out);
	}
	/* Sums give most of them away. */
	assert_true(nr_found > 300);
}

/* Of samples that were left out nothing is shown: the counts are of the others. */
static void more_counts_than_samples(void **state)
{
	static struct proc_report report;
	struct text_error error;
	struct record record;
	struct run_result result;
	struct sym_index *symbols = NULL;

	(void)state;
	for (int is_proc = 0; is_proc < 2; is_proc++) {
		static const char *const tags[2][2] = { { "CPUS", "CELL" }, { "TASK", "SLOT" } };
		struct run_result one_out = some_result;
		struct record_writer writer;

		if (is_proc)
			keep_proc();
		else
			keep_sys();
		assert_int_equal(record_read(path, &record, NULL), 0);
		one_out.account.deferred = one_out.account.excluded = 80;
		assert_int_equal(record_create(&writer, path, NULL), 0);
		record_add_result(&writer, &one_out);
		for (int i = 0; i < 2; i++) {
			size_t part_len = 0;
			const void *part = record_find(&record, tags[is_proc][i], &part_len);

			record_add(&writer, tags[is_proc][i], part, part_len);
		}
		assert_int_equal(record_commit(&writer, NULL), 0);
		record_deinit(&record);
		assert_int_equal(record_read(path, &record, NULL), 0);
		if (is_proc)
			assert_int_equal(load_proc(&record, &report, &symbols, &error), -EBADMSG);
		else
			assert_null(load_fold(&record, &result, &error));
		assert_string_equal(error.what, "its counts are more than its samples");
		record_deinit(&record);
	}
}

/* Sums over blocks come back with their processes; a long name too. */
static void blocks_come_back(void **state)
{
	static const __u64 id[2] = { 1, 2 };
	const struct fold_process *processes;
	struct fold *fold = some_fold();
	struct run_result loaded;
	struct record_writer writer;
	struct record record;
	struct run run;
	size_t nr;

	(void)state;
	fill_run(&run);
	fold_keep_process(fold, id, CPUPROBE_KIND_EXE, 0.75, 0.5, "a long name");
	fold_keep_blocks(fold, 3);
	assert_int_equal(record_create(&writer, path, NULL), 0);
	save_sys(&writer, fold, &run);
	assert_int_equal(record_commit(&writer, NULL), 0);
	fold_destroy(fold);
	assert_int_equal(record_read(path, &record, NULL), 0);
	fold = load_fold(&record, &loaded, NULL);
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

/* A saved run's totals, with more samples left out than deferred, and with invalid times. */
static void results_that_make_sense(void **state)
{
	static const struct { uint64_t deferred, excluded; double began, seconds; bool is_good; }
	cases[] = {
		{ 6, 5, 1e9, 1.5, true }, { 5, 5, 1e9, 1.5, true }, { 4, 5, 1e9, 1.5, false },
		{ 121, 120, 1e9, 1.5, true }, { 121, 121, 1e9, 1.5, false },
		{ 6, 5, 1e11, 1e11, true }, { 6, 5, -1e11, -1e11, true },
		{ 6, 5, 1e9, 1.1e11, false }, { 6, 5, 1e9, -1.1e11, false },
		{ 6, 5, 1.1e11, 1, false }, { 6, 5, -1.1e11, 1, false }, { 6, 5, NAN, 1, false },
		{ 6, 5, 1e9, NAN, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run_result result = some_result, loaded;
		struct record_writer writer;
		struct record record;

		result.account.deferred = cases[i].deferred;
		result.account.excluded = cases[i].excluded;
		result.began = cases[i].began;
		result.elapsed_seconds = cases[i].seconds;
		assert_int_equal(record_create(&writer, path, NULL), 0);
		record_add_result(&writer, &result);
		assert_int_equal(record_commit(&writer, NULL), 0);
		assert_int_equal(record_read(path, &record, NULL), 0);
		assert_int_equal(record_get_result(&record, &loaded, NULL),
				 cases[i].is_good ? 0 : -EBADMSG);
		if (cases[i].is_good)
			assert_memory_equal(&loaded, &result, sizeof(result));
		record_deinit(&record);
	}
}

/* A section may be shorter than what is known of it, or longer, but not than what it must have. */
static void sections_may_grow(void **state)
{
	uint32_t kept[4] = { 1, 2, 3, 4 }, loaded[4] = { 9, 9, 9, 9 };
	struct record_writer writer;
	struct text_error error;
	struct record record;

	(void)state;
	assert_int_equal(record_create(&writer, path, NULL), 0);
	record_add(&writer, "PART", kept, 12);
	record_add(&writer, "MORE", kept, sizeof(kept));
	record_add(&writer, "EVEN", kept, 8);
	assert_int_equal(record_commit(&writer, NULL), 0);
	assert_int_equal(record_read(path, &record, NULL), 0);
	assert_int_equal(record_get(&record, "PART", loaded, sizeof(loaded), 16, &error), -EBADMSG);
	assert_string_equal(error.what, "its section 'PART' is missing or too short");
	assert_int_equal(record_get(&record, "PART", loaded, sizeof(loaded), 12, NULL), 0);
	assert_int_equal(loaded[2], 3);
	assert_int_equal(loaded[3], 0);
	assert_int_equal(record_get(&record, "MORE", loaded, 8, 4, NULL), 0);
	assert_int_equal(loaded[1], 2);
	assert_int_equal(loaded[2], 3);
	assert_int_equal(record_get(&record, "EVEN", loaded, sizeof(loaded), 4, NULL), 0);
	assert_int_equal(loaded[1], 2);
	assert_int_equal(record_get(&record, "NONE", loaded, sizeof(loaded), 0, NULL), -EBADMSG);
	record_deinit(&record);
}

/* A receipt with more samples left out than taken: all were left out. */
static void all_that_was_left_out(void **state)
{
	static const struct { uint64_t taken, deferred, excluded, loaded; } cases[] = {
		{ 100, 10, 10, 10 }, { 100, 5, 10, 10 }, { 100, 200, 101, 100 }, { 0, 0, 7, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct receipt receipt = { .taken = cases[i].taken, .deferred = cases[i].deferred,
					   .excluded = cases[i].excluded };
		struct record_writer writer;
		struct record record;

		assert_int_equal(record_create(&writer, path, NULL), 0);
		record_add(&writer, "RCPT", &receipt, sizeof(receipt));
		assert_int_equal(record_commit(&writer, NULL), 0);
		assert_int_equal(record_read(path, &record, NULL), 0);
		assert_int_equal(load_receipt(&record, &receipt), 0);
		assert_int_equal(receipt.excluded, cases[i].loaded);
		assert_int_equal(receipt.period_ns, 1);
		record_deinit(&record);
	}
}

/* The symbols that are kept: of slots with hits or of all, each function once and as a whole. */
static void symbols_are_kept(void **state)
{
	static const char text[] = "0000000000001000 0000000000000100 T outer\n"
		"0000000000001010 0000000000000010 T inner\n"
		"0000000000001100 0000000000000100 T unhit\n"
		"0000000000001200 0000000000000100 T last\n";
	static struct proc_report report;
	static struct funcs funcs;
	int fd = memfd_create("symbols", 0);
	struct sym_index *symbols;
	size_t part_len = 0;
	const char *part;

	(void)state;
	assert_int_equal(write(fd, text, sizeof(text) - 1), (ssize_t)sizeof(text) - 1);
	assert_int_equal(sym_index_create_text(fd, &symbols, NULL), 0);
	close(fd);
	for (int is_all = 0; is_all < 2; is_all++) {
		struct record_writer writer;
		struct record record;
		struct run run;

		fill_run(&run);
		fill_report(&report);
		/* Outer begins before the range and goes on behind inner, which is not in it. */
		slots_layout_init(&report.layout, 0x1020, 0x1300);
		memset(report.hits, 0, sizeof(report.hits));
		report.hits[(0x1030 - 0x1020) / 2] = 1;
		report.hits[(0x1080 - 0x1020) / 2] = 1;
		report.hits[(0x1200 - 0x1020) / 2] = 1;
		assert_int_equal(record_create(&writer, path, NULL), 0);
		save_proc(&writer, &report, &run, &funcs, symbols, is_all);
		assert_int_equal(record_commit(&writer, NULL), 0);
		assert_int_equal(record_read(path, &record, NULL), 0);
		part = record_find(&record, "SYMS", &part_len);
		assert_non_null(part);
		snprintf(bytes, sizeof(bytes), "%.*s", (int)part_len, part);
		assert_string_equal(bytes, is_all ?
			"0000000000001000 0000000000000100 T outer\n"
			"0000000000001100 0000000000000100 T unhit\n"
			"0000000000001200 0000000000000100 T last\n" :
			"0000000000001000 0000000000000100 T outer\n"
			"0000000000001200 0000000000000100 T last\n");
		record_deinit(&record);
	}
	sym_index_destroy(symbols);
}

/* A process on a CPU that the file does not have, or of no kind. */
static void a_cell_of_no_cpu(void **state)
{
	struct fold_cell cell = { .kind = CPUPROBE_KIND_EXE, .cpu = 2, .name = "a",
				  .hits = { 120 } };
	struct fold_cpu cpus[2] = { { 1, 1 }, { 1, 1 } };
	struct text_error error;
	struct record_writer writer;
	struct run_result result;
	struct record record;
	struct fold *fold;

	(void)state;
	for (int round = 0; round < 6; round++) {
		const uint32_t kinds[] = { CPUPROBE_KIND_EXE, CPUPROBE_KIND_EXE, FOLD_KIND_LOST,
					   CPUPROBE_KIND_CGROUP, CPUPROBE_KIND_FREE,
					   CPUPROBE_KIND_CGROUP + 1 };
		bool is_good = round > 0 && round < 4;

		cell.kind = kinds[round];
		cell.cpu = round ? 1 : 2;
		assert_int_equal(record_create(&writer, path, NULL), 0);
		record_add_result(&writer, &some_result);
		record_add(&writer, "CPUS", cpus, sizeof(cpus));
		record_add(&writer, "CELL", &cell, sizeof(cell));
		assert_int_equal(record_commit(&writer, NULL), 0);
		assert_int_equal(record_read(path, &record, NULL), 0);
		fold = load_fold(&record, &result, &error);
		assert_int_equal(fold != NULL, is_good);
		fold_destroy(fold);
		record_deinit(&record);
	}
}

/* What was there stays until the new file is whole. */
static void nothing_is_lost(void **state)
{
	struct text_error error;
	struct record_writer writer;
	struct stat info;

	(void)state;
	keep_sys();
	assert_int_equal(record_create(&writer, path, NULL), 0);
	record_add(&writer, "PART", "x", 1);
	record_abandon(&writer);
	record_abandon(&writer);
	assert_int_equal(stat(writer.out.temporary, &info), -1);
	assert_int_equal(read_record(), 0);
	assert_int_equal(record_create(&writer, "/proc/none/x", &error), -ENOENT);
	assert_int_equal(record_create(&writer, "/dev/full", NULL), 0);
	record_add(&writer, "PART", bytes, sizeof(bytes));
	/* What fails before the end says why, too. */
	assert_int_equal(setvbuf(writer.out.file, NULL, _IONBF, 0), 0);
	record_add(&writer, "PART", bytes, sizeof(bytes));
	assert_int_equal(record_commit(&writer, &error), -EIO);
	assert_string_equal(error.what, "write /dev/full: No space left on device");
	assert_int_equal(stat("/dev/full", &info), 0);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static int make_file(void **state)
{
	(void)state;
	return close(mkstemp(path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_comes_back), cmocka_unit_test(report_comes_back),
		cmocka_unit_test(old_receipts_are_read),
		cmocka_unit_test(a_senseless_steal_is_unknown),
		cmocka_unit_test(a_step_takes_a_time_that_is_one),
		cmocka_unit_test(every_truncation_is_told), cmocka_unit_test(every_damage_is_told),
		cmocka_unit_test(unknown_sections_are_skipped), cmocka_unit_test(senseless_content),
		cmocka_unit_test(a_cell_of_no_cpu), cmocka_unit_test(more_counts_than_samples),
		cmocka_unit_test(blocks_come_back), cmocka_unit_test(results_that_make_sense),
		cmocka_unit_test(sections_may_grow), cmocka_unit_test(all_that_was_left_out),
		cmocka_unit_test(symbols_are_kept),
		cmocka_unit_test(nothing_is_lost),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
