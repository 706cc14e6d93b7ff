// SPDX-License-Identifier: GPL-2.0-only
/* Calls joined with samples: cli/calls/call_rows.c, call_view.c and call_save.c. */
#include <math.h>
#include <unistd.h>

#include "unit.h"
#include "calls/call_rows.h"
#include "calls/call_save.h"
#include "calls/call_view.h"
#include "profiles.h"

/* 100 samples, a millisecond each: read and copy call each other. */
static struct profile *make_profile(void)
{
	return profiles_of("app 1 kernel loop@kernel;read@kernel;copy@kernel 30\n"
			   "app 1 kernel loop@kernel;read@kernel;copy@kernel;read@kernel 10\n"
			   "app 1 kernel loop@kernel;read@kernel;copy.cold@kernel 20\n"
			   "app 1 kernel loop@kernel 15\n"
			   "app 1 user main@app 25\n");
}

static u64 addr_of(const struct profile *profile, const char *name)
{
	u32 i;

	for (i = 0; i < profile->nr_functions; i++)
		if (!strcmp(profile->functions[i].name, name))
			return profile->functions[i].addr;
	fail();
	return 0;
}

static u32 function(struct call_counts *counts, const struct profile *profile, const char *name,
		    enum call_state state)
{
	return call_counts_function(counts, "", name, addr_of(profile, name), state);
}

static struct call_counts *make_counts(const struct profile *profile)
{
	struct call_counts *counts = call_counts_create();
	u32 read = function(counts, profile, "read", CALL_HOOKED);
	u32 copy = function(counts, profile, "copy", CALL_HOOKED);
	u32 idle = call_counts_function(counts, "ext4", "idle", 0x40, CALL_HOOKED);
	u32 lost = call_counts_function(counts, "", "inlined", 0x9000, CALL_UNHOOKABLE);
	u32 loop = function(counts, profile, "loop", CALL_CALLER);

	assert_int_not_equal(idle, lost);
	call_counts_add(counts, read, loop, (u64[]){ 900, 60, 40 });
	call_counts_add(counts, read, copy, (u64[]){ 100, 0, 0 });
	call_counts_add(counts, copy, read, (u64[]){ 400, 0, 0 });
	call_counts_add(counts, copy, read, (u64[]){ 100, 0, 0 });
	counts->totals = (struct call_totals){
		.counted_ns = 50000000, .cost_ps = 20000, .budget_ppm = 25000, .nr_cpus = 2,
	};
	return counts;
}

static const struct call_row *row_of(const struct call_rows *rows, const char *name,
				     const char *caller)
{
	u32 i;

	for (i = 0; i < rows->nr; i++) {
		const struct call_row *row = &rows->row[i];

		if (strcmp(call_counts_name(rows->counts, row->function), name))
			continue;
		if (!caller || !strcmp(call_counts_name(rows->counts, row->caller), caller))
			return row;
	}
	return NULL;
}

/** A run of both; the sampled time is as long as the counted one. */
struct both {
	struct profile *profile;
	struct call_counts *counts;
	struct call_rows rows;
};

static struct both begin(bool by_arc, bool never)
{
	struct both both = { .profile = make_profile() };

	both.counts = make_counts(both.profile);
	assert_int_equal(call_rows_init(&both.rows, both.counts, both.profile, 5e7, 0, by_arc, never),
			 0);
	return both;
}

static void end(struct both *both)
{
	call_rows_deinit(&both->rows);
	call_counts_destroy(both->counts);
	profile_destroy(both->profile);
}

static void functions_have_calls_and_samples(void **state)
{
	struct both both = begin(false, false);
	const struct call_row *row = row_of(&both.rows, "read", NULL);

	assert_int_equal(both.rows.nr, 2);
	assert_int_equal(row->nr, 1100);
	assert_int_equal(row->calls[CPUPROBE_CONTEXT_PROCESS], 1000);
	assert_int_equal(row->calls[CPUPROBE_CONTEXT_SOFTIRQ], 60);
	assert_int_equal(row->calls[CPUPROBE_CONTEXT_IRQ], 40);
	assert_int_equal(row->self_hits, 10);
	/* A stack with the function twice counts once. */
	assert_int_equal(row->total_hits, 60);
	row = row_of(&both.rows, "copy", NULL);
	assert_int_equal(row->nr, 500);
	/* Its part that was moved away counts too. */
	assert_int_equal(row->self_hits, 50);
	assert_int_equal(row->total_hits, 60);
	end(&both);
}

static void arcs_have_calls_and_samples(void **state)
{
	struct both both = begin(true, false);

	assert_int_equal(both.rows.nr, 3);
	assert_int_equal(row_of(&both.rows, "read", "loop")->nr, 1000);
	assert_int_equal(row_of(&both.rows, "read", "loop")->total_hits, 60);
	assert_int_equal(row_of(&both.rows, "read", "loop")->self_hits, 0);
	assert_int_equal(row_of(&both.rows, "read", "copy")->nr, 100);
	assert_int_equal(row_of(&both.rows, "read", "copy")->self_hits, 10);
	assert_int_equal(row_of(&both.rows, "copy", "read")->nr, 500);
	end(&both);
}

/* The same arcs twice, whatever the order of the functions. */
static void parts_are_added(void **state)
{
	struct both both = begin(false, false);
	struct call_counts *whole = call_counts_create();
	u32 i;

	call_counts_function(whole, "other", "first", 4096, CALL_CALLER);
	assert_int_equal(call_counts_merge(whole, both.counts, NULL), 0);
	assert_int_equal(call_counts_merge(whole, both.counts, NULL), 0);
	assert_int_equal(whole->nr_functions, both.counts->nr_functions + 1);
	assert_int_equal(whole->nr_arcs, both.counts->nr_arcs);
	assert_int_equal(call_counts_sum(whole), 2 * call_counts_sum(both.counts));
	for (i = 0; i < whole->nr_arcs; i++)
		assert_string_equal(call_counts_name(whole, whole->arcs[i].function),
				    call_counts_name(both.counts, both.counts->arcs[i].function));
	assert_int_equal(whole->totals.counted_ns, 2 * both.counts->totals.counted_ns);
	assert_int_equal(whole->totals.nr_cpus, both.counts->totals.nr_cpus);
	call_counts_destroy(whole);
	end(&both);
}

static void functions_never_called(void **state)
{
	struct both both = begin(false, true);

	assert_int_equal(both.rows.nr, 1);
	assert_non_null(row_of(&both.rows, "idle", NULL));
	end(&both);
}

/* Time per call = share x time sampled / calls; the ends are those of Wilson's interval. */
static void time_of_a_call(void **state)
{
	struct both both = begin(false, false);
	const struct call_row *row = row_of(&both.rows, "copy", NULL);
	struct share time = call_row_time(&both.rows, row, row->self_hits);
	struct stat_interval interval = stat_wilson(50, 100, 0);

	assert_true(fabs(time.value - 0.5 * 1e8 / 500) < 1e-6);
	assert_true(fabs(time.lo - interval.lo * 1e8 / 500) < 1e-6);
	assert_true(fabs(time.hi - interval.hi * 1e8 / 500) < 1e-6);
	assert_false(time.is_bound);
	call_rows_deinit(&both.rows);
	/* Counted for half of the time that was sampled, until the budget was passed. */
	both.counts->totals.is_over = 1;
	assert_int_equal(call_rows_init(&both.rows, both.counts, both.profile, 1e8, 0, false, false), 0);
	row = row_of(&both.rows, "copy", NULL);
	time = call_row_time(&both.rows, row, row->self_hits);
	assert_true(fabs(time.value - 0.5 * 5e7 / 500) < 1e-6);
	call_rows_deinit(&both.rows);
	/* A sample of 1 ms took 0.1 ms of it. */
	assert_int_equal(call_rows_init(&both.rows, both.counts, both.profile, 5e7, 1e5, false, false),
			 0);
	row = row_of(&both.rows, "copy", NULL);
	time = call_row_time(&both.rows, row, row->self_hits);
	assert_true(fabs(time.value - 0.5 * 9e7 / 500) < 1e-6);
	end(&both);
}

static void rows_are_sorted(void **state)
{
	struct both both = begin(false, false);

	call_rows_sort(&both.rows, CALLS_BY_TOTAL);	/* equal: by calls */
	assert_ptr_equal(row_of(&both.rows, "read", NULL), &both.rows.row[0]);
	call_rows_sort(&both.rows, CALLS_BY_SELF);
	assert_ptr_equal(row_of(&both.rows, "copy", NULL), &both.rows.row[0]);
	call_rows_sort(&both.rows, CALLS_BY_CALLS);
	assert_ptr_equal(row_of(&both.rows, "read", NULL), &both.rows.row[0]);
	call_rows_sort(&both.rows, CALLS_BY_NAME);
	assert_ptr_equal(row_of(&both.rows, "copy", NULL), &both.rows.row[0]);
	end(&both);
}

/* read itself has 10 of 100 samples, and 60 with all that it called. */
static void self_and_total_have_shares(void **state)
{
	struct both both = begin(false, false);
	struct call_view view = {
		.output = { .format = FORMAT_TSV, .columns = "function,calls_s,samples,self_share,share" },
		.nr_rows = 1,
	};
	const struct call_report report = { both.counts, both.profile, NULL, 0.05 };
	struct text_error error;
	char *text = WRITTEN(out, assert_int_equal(call_view_show(out, &report, &view, &error), 0));

	assert_non_null(strstr(text, "\nread\t22000\t60\t10.0000\t60.0000\n"));
	free(text);
	end(&both);
}

static void reports(void **state)
{
	struct both both = begin(false, false);
	struct call_view view = { .output = { .cols = 80 } };
	const struct call_report report = { both.counts, both.profile, NULL, 0.05 };
	struct text_error error;
	char *text;

	both.counts->totals.lost = 3;
	both.counts->totals.others = 7;
	text = WRITTEN(out, assert_int_equal(call_view_show(out, &report, &view, &error), 0));
	assert_string_equal(text,
		"Calls of Kernel Functions\n"
		"(3 functions, 1600 calls in 0.050 s, 3 lost; 100 samples are 100%)\n\n"
		"Function             Calls  Calls/s      Self       +-     Total       +-  Share\n"
		"================  ========  =======  ========  =======  ========  =======  =====\n"
		"read                  1100    22000   9.09 us  6.76 us   54.5 us  8.91 us   60.0\n"
		"copy                   500    10000    100 us  19.2 us    120 us  19.6 us   60.0\n"
		"\n"
		"Counting cost about 20 ns a call, 0.03% of all CPUs (budget 2.50% of each); 7\n"
		"calls by other tasks not counted\n");
	free(text);
	/* A narrow line omits calls per second, which follow from the calls. */
	view.output.cols = 75;
	text = WRITTEN(out, assert_int_equal(call_view_show(out, &report, &view, &error), 0));
	assert_non_null(strstr(text, "(No room for calls_s: "));
	free(text);
	view.output.format = FORMAT_TSV;
	view.output.columns = "function,caller,calls,self_ns,total_ns_hi";
	view.by_arc = true;
	view.nr_rows = 1;
	text = WRITTEN(out, assert_int_equal(call_view_show(out, &report, &view, &error), 0));
	assert_string_equal(text, "function\tcaller\tcalls\tself_ns\ttotal_ns_hi\n"
			    "read\tloop\t1000\t0\t69060\n");
	free(text);
	view.output = (struct output_options){ .cols = 80 };
	view.by_arc = false;
	view.never = true;
	text = WRITTEN(out, assert_int_equal(call_view_show(out, &report, &view, &error), 0));
	assert_non_null(strstr(text, "may have been among them"));
	assert_non_null(strstr(text, "idle"));
	free(text);
	end(&both);
}

/* Saves the counts and loads them again. NULL: they are refused. The caller destroys them. */
static struct call_counts *save_and_load(const struct call_counts *counts)
{
	char path[] = "/tmp/cpuprobe-calls-XXXXXX";
	const struct run_result result = { .period_ns = 1000000 };
	struct record_writer writer;
	struct text_error error;
	struct call_counts *loaded;
	struct record record;

	close(mkstemp(path));
	assert_int_equal(record_create(&writer, path, &error), 0);
	record_add_result(&writer, &result);
	call_save(&writer, counts);
	assert_int_equal(record_commit(&writer, &error), 0);
	assert_int_equal(record_read(path, &record, &error), 0);
	unlink(path);
	assert_true(call_is_kept(&record));
	loaded = call_load(&record, &error);
	record_deinit(&record);
	return loaded;
}

static void saved_calls_are_the_same(void **state)
{
	struct both both = begin(false, false);
	struct call_counts *loaded = save_and_load(both.counts);

	assert_non_null(loaded);
	assert_memory_equal(&loaded->totals, &both.counts->totals, sizeof(loaded->totals));
	assert_int_equal(loaded->nr_arcs, 3);
	assert_int_equal(call_counts_sum(loaded), 1600);
	assert_string_equal(call_counts_name(loaded, 2), "idle");
	assert_string_equal(call_counts_module(loaded, 2), "ext4");
	assert_int_equal(loaded->functions[3].state, CALL_UNHOOKABLE);
	call_counts_destroy(loaded);
	end(&both);
}

static bool is_refused(const struct call_counts *counts)
{
	struct call_counts *loaded = save_and_load(counts);

	call_counts_destroy(loaded);
	return !loaded;
}

static void senseless_calls_are_refused(void **state)
{
	struct both both = begin(false, false);
	struct call_counts *counts = both.counts;
	u32 name = counts->functions[0].name;

	assert_false(is_refused(counts));
	counts->functions[0].name = counts->texts_len;
	assert_true(is_refused(counts));
	counts->functions[0].name = name;
	counts->functions[1].state = CALL_STATES;
	assert_true(is_refused(counts));
	counts->functions[1].state = CALL_CALLER;	/* it has calls */
	assert_true(is_refused(counts));
	counts->functions[1].state = CALL_HOOKED;
	counts->arcs[0].caller = counts->nr_functions;
	assert_true(is_refused(counts));
	counts->arcs[0].caller = 0;
	counts->arcs[0].calls[0] = counts->arcs[1].calls[0] = UINT64_MAX / 2;
	assert_true(is_refused(counts));
	counts->arcs[0].calls[0] = counts->arcs[1].calls[0] = 1;
	counts->texts[counts->texts_len - 1] = 'x';
	assert_true(is_refused(counts));
	end(&both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_have_calls_and_samples),
		cmocka_unit_test(arcs_have_calls_and_samples),
		cmocka_unit_test(parts_are_added),
		cmocka_unit_test(functions_never_called),
		cmocka_unit_test(time_of_a_call),
		cmocka_unit_test(rows_are_sorted),
		cmocka_unit_test(self_and_total_have_shares),
		cmocka_unit_test(reports),
		cmocka_unit_test(saved_calls_are_the_same),
		cmocka_unit_test(senseless_calls_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
