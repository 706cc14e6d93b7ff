// SPDX-License-Identifier: GPL-2.0-only
/* Saved runs with correct checksums and senseless content: the readers of sections in each room. */
#include <errno.h>
#include <math.h>

#include "records.h"
#include "proc/proc_page.h"
#include "sys/sys_page.h"
#include "verify/verify.h"

/* An invalid share of time is unknown. */
static void a_senseless_steal_is_unknown(void **state)
{
	const struct { double kept, loaded; } shares[] = {
		{ 0, 0 }, { 0.5, 0.5 }, { 1, 1 }, { NAN, NAN }, { -NAN, NAN }, { -0.1, NAN },
		{ 1.1, NAN }, { INFINITY, NAN }, { -INFINITY, NAN },
	};

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		struct receipt receipt = { .period_ns = 1, .steal = shares[i].kept };

		receipt = receipt_reload(&receipt, sizeof(receipt));
		if (isnan(shares[i].loaded))
			assert_true(isnan(receipt.steal));
		else
			assert_true(receipt.steal == shares[i].loaded);
	}
}

static void invalid_times_of_steps_are_refused(void **state)
{
	static struct proc_report report;
	const struct { double seconds; bool is_good; } steps[] = {
		{ 0, true }, { 1.5, true }, { NAN, false }, { -1, false },
		{ INFINITY, false }, { -INFINITY, false },
	};

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
		assert_int_equal(proc_load(&record, &report, &symbols, &error),
				 steps[i].is_good ? 0 : -EBADMSG);
		if (!steps[i].is_good)
			assert_string_equal(error.what, "its section 'STEP' is malformed");
		sym_index_destroy(symbols);
		record_deinit(&record);
	}
}

/* The totals of a saved run, with more samples left out than deferred, and with invalid times. */
static void senseless_results_are_refused(void **state)
{
	static const struct { u64 deferred, excluded; double began, seconds; bool is_good; }
	cases[] = {
		{ 6, 5, 1e9, 1.5, true }, { 5, 5, 1e9, 1.5, true }, { 4, 5, 1e9, 1.5, false },
		{ 121, 120, 1e9, 1.5, true }, { 121, 121, 1e9, 1.5, false },
		{ 6, 5, 1e11, 1e11, true }, { 6, 5, -1e11, -1e11, true },
		{ 6, 5, 1e9, 1.1e11, false }, { 6, 5, 1e9, -1.1e11, false },
		{ 6, 5, 1.1e11, 1, false }, { 6, 5, -1.1e11, 1, false }, { 6, 5, NAN, 1, false },
		{ 6, 5, 1e9, NAN, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run_result result = some_result, loaded;
		struct record_writer writer;
		struct record record;

		result.account.deferred = cases[i].deferred;
		result.account.excluded = cases[i].excluded;
		result.began = cases[i].began;
		result.elapsed_seconds = cases[i].seconds;
		record_start(&writer);
		record_add_result(&writer, &result);
		record_reopen(&writer, &record);
		assert_int_equal(record_get_result(&record, &loaded, NULL),
				 cases[i].is_good ? 0 : -EBADMSG);
		if (cases[i].is_good)
			assert_memory_equal(&loaded, &result, sizeof(result));
		record_deinit(&record);
	}
}

/* A receipt with more samples left out than taken: all were left out. */
static void more_left_out_than_taken(void **state)
{
	static const struct { u64 taken, deferred, excluded, loaded; } cases[] = {
		{ 100, 10, 10, 10 }, { 100, 5, 10, 10 }, { 100, 200, 101, 100 }, { 0, 0, 7, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct receipt receipt = { .taken = cases[i].taken, .deferred = cases[i].deferred,
					   .excluded = cases[i].excluded };

		receipt = receipt_reload(&receipt, sizeof(receipt));
		assert_int_equal(receipt.excluded, cases[i].loaded);
		assert_int_equal(receipt.period_ns, 1);
	}
}

/* A process on a CPU that the file does not have, or of an unknown kind. */
static void cells_of_unknown_cpus_are_refused(void **state)
{
	struct fold_cell cell = { .kind = CPUPROBE_KIND_EXE, .cpu = 2, .name = "a",
				  .hits = { 120 } };
	struct fold_cpu cpus[2] = { { 1, 1 }, { 1, 1 } };
	struct text_error error;
	struct record_writer writer;
	struct run_result result;
	struct record record;
	struct fold *fold;

	for (int round = 0; round < 6; round++) {
		const u32 kinds[] = { CPUPROBE_KIND_EXE, CPUPROBE_KIND_EXE, FOLD_KIND_LOST,
					   CPUPROBE_KIND_CGROUP, CPUPROBE_KIND_FREE,
					   CPUPROBE_KIND_CGROUP + 1 };
		bool is_good = round > 0 && round < 4;

		cell.kind = kinds[round];
		cell.cpu = round ? 1 : 2;
		record_start(&writer);
		record_add_result(&writer, &some_result);
		record_add(&writer, "CPUS", cpus, sizeof(cpus));
		record_add(&writer, "CELL", &cell, sizeof(cell));
		record_reopen(&writer, &record);
		fold = sys_load(&record, &result, &error);
		assert_int_equal(fold != NULL, is_good);
		fold_destroy(fold);
		record_deinit(&record);
	}
}

/* Samples that were left out are not shown: the counts are of the others. */
static void more_counts_than_samples(void **state)
{
	static struct proc_report report;
	struct text_error error;
	struct record record;
	struct run_result result;
	struct sym_index *symbols = NULL;

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
		record_start(&writer);
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
			assert_int_equal(proc_load(&record, &report, &symbols, &error), -EBADMSG);
		else
			assert_null(sys_load(&record, &result, &error));
		assert_string_equal(error.what, "its counts are more than its samples");
		record_deinit(&record);
	}
}

static u64 xorshift(u64 *state)
{
	*state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
	return *state;
}

/* The sections of a saved run, each with three bytes changed; some are cut, some dropped. */
static void add_damaged(struct record_writer *writer, const struct record *record, u64 *random)
{
	static const char *const tags[] = { "RUN ", "CPUS", "CELL", "TASK", "SLOT", "OBJS", "STEP",
					    "SYMS", "RCPT", "ACCT", "BLKS", "NAME", "FUNC" };

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		size_t part_len = 0;
		char *part = (char *)record_find(record, tags[i], &part_len);
		u64 x = xorshift(random);

		if (!part || x % 23 == 0)
			continue;
		for (int k = 0; k < 3 && part_len; k++) {
			x = xorshift(random);
			part[(x >> 8) % part_len] = x;
		}
		record_add(writer, tags[i], part, x % 17 ? part_len : x % (part_len + 1));
	}
}

/* A page with one of these in its data is unreadable for a browser. */
static void write_page(const struct proc_page *proc_page)
{
	static const char *const words[] = { ": nan", ": -nan", ": inf", ": -inf" };
	char *page = WRITTEN(out, proc_page_write(out, proc_page));

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_null(strstr(page, words[i]));
	free(page);
}

/* Sections with correct checksums and senseless content: an error or a report, never a crash. */
static void senseless_content(void **state)
{
	static struct proc_report report;
	static struct funcs funcs;
	static const struct table_options table = { .has_cpus = true };
	static const struct proc_view_options view = { .shows_all = true };
	struct verify_result verified;
	struct receipt receipt;
	u64 x = 88172645463325252ULL;
	int nr_found = 0;

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
		record_start(&writer);
		add_damaged(&writer, &record, &x);
		assert_int_equal(record_commit(&writer, NULL), 0);
		record_deinit(&record);
		assert_int_equal(record_read(path, &copy, NULL), 0);
		fold = sys_load(&copy, &result, NULL);
		if (fold && !table_show(out, fold, &result, NULL, &table, NULL, false))
			sys_page_write(out, &(struct sys_page){
				.fold = fold, .result = &result, .options = &table,
			});
		fold_destroy(fold);
		if (!proc_load(&copy, &report, &symbols, NULL)) {
			proc_view_show(out, &report, NULL, symbols, &view, false);
			write_page(&(struct proc_page){
				.report = &report, .symbols = symbols, .options = &view,
			});
		}
		sym_index_destroy(symbols);
		if (!run_load_receipt(&copy, &receipt)) {
			receipt_print(out, &receipt, 80);
			receipt_json(out, &receipt);
		}
		proc_load_funcs(&copy, &funcs);
		verify_record(&copy, out, &verified, NULL);
		nr_found += verified.nr_wrong > 0;
		record_deinit(&copy);
		fclose(out);
	}
	/* The sums expose many of them. */
	assert_true(nr_found > 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_senseless_steal_is_unknown),
		cmocka_unit_test(invalid_times_of_steps_are_refused),
		cmocka_unit_test(senseless_results_are_refused),
		cmocka_unit_test(more_left_out_than_taken),
		cmocka_unit_test(cells_of_unknown_cpus_are_refused),
		cmocka_unit_test(more_counts_than_samples),
		cmocka_unit_test(senseless_content),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
