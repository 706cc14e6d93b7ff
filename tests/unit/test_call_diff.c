// SPDX-License-Identifier: GPL-2.0-only
/* Runs with calls compared: cli/calls/call_diff.c, call_diff_view.c. */
#include <math.h>

#include "unit.h"
#include "calls/call_diff_view.h"
#include "profiles.h"

#define SECOND_NS	1000000000ULL

/** Two runs compared. */
struct compared {
	struct profile *profile[2];
	struct call_counts *counts[2];
	struct stack_run stacks[2];
	struct call_run runs[2];
	struct call_diff diff;
};

/*
 * Counts as text: "NAME CALLS" on each line; MODULE:NAME is of a module, and a function of the
 * profile has its address there.
 */
static struct call_counts *counts_of(const struct profile *profile, const char *text)
{
	struct call_counts *counts = call_counts_create();
	u32 nobody = call_counts_function(counts, "", "nobody", 0x10, CALL_CALLER), i;
	char *copy = strdup(text), *rest = copy, *line, *name, *calls;

	while ((line = strsep(&rest, "\n")) && line[0]) {
		const char *module = "";
		u64 addr = 0x100000 + counts->nr_functions;

		name = strsep(&line, " ");
		calls = line;
		if (strchr(name, ':'))
			module = strsep(&name, ":");
		for (i = 0; i < profile->nr_functions; i++)
			if (!strcmp(profile->functions[i].name, name))
				addr = profile->functions[i].addr;
		call_counts_add(counts, call_counts_function(counts, module, name, addr, CALL_HOOKED),
				nobody, (u64[]){ strtoull(calls, NULL, 10), 0, 0 });
	}
	counts->totals.counted_ns = 10 * SECOND_NS;
	free(copy);
	return counts;
}

static void load(struct compared *compared, const char *const profiles[2],
		 const char *const counts[2])
{
	memset(compared, 0, sizeof(*compared));
	for (int side = 0; side < 2; side++) {
		compared->profile[side] = profiles_of(profiles[side]);
		compared->counts[side] = counts_of(compared->profile[side], counts[side]);
		compared->stacks[side].profile = compared->profile[side];
		compared->stacks[side].result.elapsed_seconds = 10;
		compared->runs[side] = (struct call_run){
			compared->counts[side], &compared->stacks[side]
		};
	}
}

static void compare(struct compared *compared, const char *const profiles[2],
		    const char *const counts[2])
{
	load(compared, profiles, counts);
	assert_int_equal(call_diff_init(&compared->diff, compared->runs, false), 0);
}

static void drop(struct compared *compared)
{
	call_diff_deinit(&compared->diff);
	for (int side = 0; side < 2; side++) {
		blocks_deinit(&compared->stacks[side].blocks);
		call_counts_destroy(compared->counts[side]);
		profile_destroy(compared->profile[side]);
	}
}

static const struct call_diff_row *row_of(const struct compared *compared, const char *name,
					  const char *module)
{
	for (u32 i = 0; i < compared->diff.nr; i++)
		if (!strcmp(compared->diff.row[i].name, name) &&
		    !strcmp(compared->diff.row[i].module, module))
			return &compared->diff.row[i];
	return NULL;
}

/*
 * namei of McKusick's paper, 24.2 ms and then 15.6 ms a call, of which 14.3 and 9.5 ms in itself, in
 * 10 s of one CPU. open takes as long as before, and is called three times as often; stat is both
 * slower and called less often; the others have not changed.
 */
static const char *const namei[2] = {
	"sh 1 kernel creat@kernel;namei@kernel 1430\n"
	"sh 1 kernel creat@kernel;namei@kernel;bread@kernel 990\n"
	"sh 1 kernel stat@kernel 400\nsh 1 kernel open@kernel 1000\nsh 1 kernel same@kernel 2000\n"
	"sh 1 kernel rare@kernel 4\nsh 1 user main@sh 4176\n",
	"sh 1 kernel creat@kernel;namei@kernel 950\n"
	"sh 1 kernel creat@kernel;namei@kernel;bread@kernel 610\n"
	"sh 1 kernel stat@kernel 400\nsh 1 kernel open@kernel 3000\nsh 1 kernel same@kernel 2000\n"
	"sh 1 kernel rare@kernel 5\nsh 1 user main@sh 3035\n",
};
static const char *const namei_calls[2] = {
	"namei 100\nbread 100\nopen 1000\nstat 400\nsame 1000\nrare 100\nold 50\nunused 0\n",
	"namei 100\nbread 100\nopen 3000\nstat 200\nsame 1050\nrare 100\nnew 60\nunused 0\n",
};

static void namei_is_faster(void **state)
{
	struct compared compared;
	const struct call_diff_row *row;

	compare(&compared, namei, namei_calls);
	row = row_of(&compared, "namei", "");
	assert_float_equal(row->total.side[0].ns, 24.2e6, 1e-3);
	assert_float_equal(row->total.side[1].ns, 15.6e6, 1e-3);
	assert_float_equal(row->self.side[0].ns, 14.3e6, 1e-3);
	assert_float_equal(row->self.side[1].ns, 9.5e6, 1e-3);
	assert_float_equal(row->total.ratio.ratio, 15.6 / 24.2, 1e-9);
	assert_true(row->total.ratio.interval.lo < 15.6 / 24.2);
	assert_true(row->total.ratio.interval.hi > 15.6 / 24.2 && row->total.ratio.interval.hi < 0.7);
	assert_true(row->total.p < 1e-9 && row->self.p < 1e-9);
	assert_float_equal(row->calls_s[0], 10, 1e-9);
	assert_string_equal(call_diff_time_word(&row->total), "faster");
	assert_string_equal(call_diff_calls_word(row), "");
	/* 8.6 ms less in each of 10 calls a second */
	assert_float_equal(row->by_time, -0.086, 1e-9);
	assert_float_equal(row->by_calls, 0, 1e-9);
	drop(&compared);
}

static void more_calls_and_both(void **state)
{
	struct compared compared;
	const struct call_diff_row *row;

	compare(&compared, namei, namei_calls);
	row = row_of(&compared, "stat", "");
	assert_string_equal(call_diff_time_word(&row->total), "slower");
	assert_string_equal(call_diff_calls_word(row), "fewer calls");
	/* Its share of the machine has not changed: 1 ms x 40 and 2 ms x 20 a second. */
	assert_float_equal(row->by_time, 0.03, 1e-9);
	assert_float_equal(row->by_calls, -0.03, 1e-9);
	row = row_of(&compared, "open", "");
	assert_string_equal(call_diff_time_word(&row->total), "");
	assert_string_equal(call_diff_calls_word(row), "more calls");
	row = row_of(&compared, "same", "");
	assert_string_equal(call_diff_time_word(&row->total), "");
	assert_string_equal(call_diff_calls_word(row), "");
	assert_int_equal(call_diff_only_in(row), -1);
	drop(&compared);
}

static void few_samples_and_few_functions(void **state)
{
	struct compared compared;
	const struct call_diff_row *row;

	compare(&compared, namei, namei_calls);
	row = row_of(&compared, "rare", "");
	assert_true(isnan(row->total.p) && isnan(row->total.ratio.ratio));
	assert_float_equal(row->total.side[0].ns, 0.04e6, 1e-3);
	row = row_of(&compared, "old", "");
	assert_true(row->is_in[0] && !row->is_in[1]);
	assert_int_equal(call_diff_only_in(row), 0);
	assert_true(isnan(row->total.side[1].ns));
	assert_int_equal(call_diff_only_in(row_of(&compared, "new", "")), 1);
	assert_null(row_of(&compared, "unused", ""));
	assert_null(row_of(&compared, "nobody", ""));
	drop(&compared);
}

/* Significant changes come first, the largest of them at the top; only what is slower is worse. */
static void order_and_worst(void **state)
{
	struct compared compared;
	u32 nr = 0;

	compare(&compared, namei, namei_calls);
	while (nr < compared.diff.nr && (call_diff_is_significant(&compared.diff.row[nr].total) ||
					 call_diff_is_significant(&compared.diff.row[nr].self)))
		nr++;
	assert_int_equal(nr, 3);
	for (; nr < compared.diff.nr; nr++)
		assert_false(call_diff_is_significant(&compared.diff.row[nr].total));
	assert_string_equal(compared.diff.row[0].name, "namei");
	assert_ptr_equal(call_diff_worst(&compared.diff, 99), row_of(&compared, "stat", ""));
	assert_null(call_diff_worst(&compared.diff, 101));
	drop(&compared);
}

/* All tests are corrected together: with Holm, the smallest of six p is taken six times. */
static void corrected_for_tests(void **state)
{
	const char *const profiles[2] = {
		"a 1 kernel f@kernel 100\na 1 kernel g@kernel 100\na 1 kernel h@kernel 100\n"
		"a 1 user main@a 700\n",
		"a 1 kernel f@kernel 130\na 1 kernel g@kernel 101\na 1 kernel h@kernel 100\n"
		"a 1 user main@a 669\n",
	};
	const char *const counts[2] = { "f 10\ng 10\nh 10\n", "f 10\ng 10\nh 10\n" };
	const struct stat_time a = { 0.1, 1000, 1e8 }, b = { 0.13, 1000, 1e8 };
	struct compared compared;

	compare(&compared, profiles, counts);
	assert_float_equal(row_of(&compared, "f", "")->total.p, 6 * stat_two_times(&a, &b).p, 1e-9);
	assert_string_equal(call_diff_time_word(&row_of(&compared, "f", "")->total), "");
	drop(&compared);
}

/* Functions of equal names in one module are one; in two modules they are two. */
static void names_and_modules(void **state)
{
	const char *const profiles[2] = { "a 1 user main@a 100\n", "a 1 user main@a 100\n" };
	const char *const counts[2] = { "f 10\nf 20\next4:f 5\n", "ext4:f 5\nf 7\n" };
	struct compared compared;

	compare(&compared, profiles, counts);
	assert_int_equal(compared.diff.nr, 2);
	assert_int_equal(row_of(&compared, "f", "")->calls[0], 30);
	assert_int_equal(row_of(&compared, "f", "")->calls[1], 7);
	assert_int_equal(row_of(&compared, "f", "ext4")->calls[0], 5);
	drop(&compared);
}

/* With blocks the test is Welch's, of the variation from block to block, times the time per call. */
static void by_blocks(void **state)
{
	static const char *const profiles[2] = {
		"a 1 kernel f@kernel 200\na 1 user main@a 800\n",
		"a 1 kernel f@kernel 400\na 1 user main@a 600\n",
	};
	static const char *const counts[2] = { "f 100\n", "f 50\n" };
	struct stat_mean a = { .mean = 2e6, .nr = 2 }, b = { .mean = 8e6, .nr = 3 };
	const struct call_diff_row *row;
	struct stat_ratio wanted;
	struct compared compared;

	load(&compared, profiles, counts);
	for (int side = 0; side < 2; side++) {
		struct blocks *blocks = &compared.stacks[side].blocks;
		u64 hits = 100 * (side + 1);

		/* shares of hits: half as many in the first block as in the second */
		assert_int_equal(blocks_add(blocks, compared.profile[side], 0, hits / 2), 0);
		blocks_end(blocks, 500);
		assert_int_equal(blocks_add(blocks, compared.profile[side], 0, 3 * hits / 2), 0);
		blocks_end(blocks, 1000);
	}
	/* a third block in one run, with its mean share */
	assert_int_equal(blocks_add(&compared.stacks[1].blocks, compared.profile[1], 0, 200), 0);
	blocks_end(&compared.stacks[1].blocks, 1500);
	assert_int_equal(call_diff_init(&compared.diff, compared.runs, false), 0);
	assert_false(compared.diff.is_sampling_only);
	row = row_of(&compared, "f", "");
	a.variance = 2 * pow(0.1 * 1e7, 2);
	b.variance = pow(0.2 * 2e7, 2);
	wanted = stat_ratio_of_means(&a, &b);
	/* two tests, total and self */
	assert_float_equal(row->total.p, 2 * stat_welch(&a, &b).p, 1e-9);
	assert_float_equal(row->self.p, 2 * stat_welch(&a, &b).p, 1e-9);
	assert_float_equal(row->total.ratio.ratio, 4, 1e-9);
	assert_float_equal(row->total.ratio.interval.lo, wanted.interval.lo, 1e-9);
	call_diff_deinit(&compared.diff);
	assert_int_equal(call_diff_init(&compared.diff, compared.runs, true), 0);
	assert_true(row_of(&compared, "f", "")->total.p < 1e-9);
	drop(&compared);
}

/* A function and the part moved out of it are one: the square of the sum of their shares is at most that of 0.3. */
static void blocks_of_one_name(void **state)
{
	static const char *const profiles[2] = {
		"a 1 kernel f@kernel 100\na 1 kernel f.cold@kernel 200\na 1 user main@a 700\n",
		"a 1 kernel f@kernel 100\na 1 user main@a 900\n",
	};
	static const char *const counts[2] = { "f 100\n", "f 100\n" };
	const struct call_diff_row *row;
	struct compared compared;
	struct blocks *blocks;

	load(&compared, profiles, counts);
	blocks = &compared.stacks[0].blocks;
	assert_int_equal(blocks_add(blocks, compared.profile[0], 0, 100), 0);
	assert_int_equal(blocks_add(blocks, compared.profile[0], 1, 200), 0);
	blocks_end(blocks, 1000);
	assert_int_equal(call_diff_init(&compared.diff, compared.runs, false), 0);
	row = row_of(&compared, "f", "");
	assert_float_equal(row->total.side[0].block_sum, 0.3, 1e-12);
	assert_float_equal(row->total.side[0].block_sum2, 0.09, 1e-12);
	assert_float_equal(row->self.side[0].block_sum2, 0.09, 1e-12);
	drop(&compared);
}

static char *shown(struct compared *compared, const struct output_options *options, u64 nr)
{
	const char *const paths[] = { "before", "after" };
	struct text_error error;

	return WRITTEN(out, assert_int_equal(call_diff_view_show(
		out, &compared->diff, compared->runs, paths, nr, options, &error), 0));
}

static void as_text(void **state)
{
	const struct output_options options = { .cols = 80 };
	struct compared compared;
	char *text;

	compare(&compared, namei, namei_calls);
	text = shown(&compared, &options, 7);
	assert_string_equal(text,
"A: before, 2750 calls in 10.0 s, 10000 samples, 0 blocks. B: after, 4610 calls\n"
"in 10.0 s, 10000 samples, 0 blocks.\n"
"\n"
"Function         Calls/s A, B    Time/call A, B   B/A  95% interval  Change\n"
"=============  ======  ======  =======  =======  ====  ====  ====  =============\n"
"namei              10      10  24.2 ms  15.6 ms  0.64  0.61  0.68  faster\n"
"stat               40      20     1 ms     2 ms  2.00  1.75  2.29  slower, fewer\n"
"bread              10      10   9.9 ms   6.1 ms  0.62  0.56  0.68  faster\n"
"open              100     300     1 ms     1 ms  1.00  0.94  1.07  more calls\n"
"same              100     105     2 ms   1.9 ms  0.95  0.90  1.01\n"
"rare               10      10  <103 us    50 us     -     -     -\n"
"new                 -     6.0        -   <64 us     -     -     -  only in B\n"
"(1 more)\n"
"\n"
"Times are of one call, with all that it called. slower, faster: p is below 0.05\n"
"by the score test of the samples, without the workload's own variation,\n"
"corrected for the number of tests (Holm); these rows come first. more, fewer:\n"
"calls per second differ by 10% or more; calls are exact.\n");
	free(text);
	drop(&compared);
}

static void as_data(void **state)
{
	struct output_options options = { .format = FORMAT_TSV };
	struct compared compared;
	char *text;

	compare(&compared, namei, namei_calls);
	text = shown(&compared, &options, 1);
	assert_non_null(strstr(text, "name\tobject\tin_a\tin_b\ta_calls\tb_calls\ta_calls_s\tb_calls_s\t"
			       "a_total_ns\tb_total_ns\tratio\tratio_lo\tratio_hi\tp\ttime_change\t"
			       "calls_change\tby_time\tby_calls\ta_self_ns\tb_self_ns\tself_ratio\t"
			       "self_ratio_lo\tself_ratio_hi\tself_p\tself_change\n"));
	assert_non_null(strstr(text, "\nstat\tkernel\ttrue\ttrue\t400\t200\t40\t20\t1000000\t2000000\t2"));
	assert_non_null(strstr(text, "\nold\tkernel\ttrue\tfalse\t50\tnull\t5\tnull\t"));
	free(text);
	options.format = FORMAT_JSON;
	text = shown(&compared, &options, 1);
	assert_non_null(strstr(text, "{\n  \"report\": \"diff of calls\",\n  \"a\": \"before\",\n"
			       "  \"a_calls\": 2750,\n  \"a_counted_ns\": 10000000000,\n"));
	assert_non_null(strstr(text, "\"time_change\": \"slower\", \"calls_change\": \"fewer calls\""));
	assert_non_null(strstr(text, "\"calls_change\": \"only in B\""));
	free(text);
	drop(&compared);
}

/* No line is wider than asked for, whatever the names and the numbers. */
static void lines_fit(void **state)
{
	static const int widths[] = { 40, 60, 80, 100, 200 };
	char calls[256], *text, *line, *rest;
	const char *const counts[2] = { calls, calls };
	struct compared compared;

	snprintf(calls, sizeof(calls), "some_module:a_name_that_is_%0100d_long 123456789012\n"
		 "namei 98765432109\n", 0);
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		const struct output_options options = { .cols = widths[i] };

		compare(&compared, namei, counts);
		rest = text = shown(&compared, &options, 0);
		while ((line = strsep(&rest, "\n")))
			assert_true(text_width(line) <= widths[i]);
		free(text);
		drop(&compared);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(namei_is_faster),
		cmocka_unit_test(more_calls_and_both),
		cmocka_unit_test(few_samples_and_few_functions),
		cmocka_unit_test(order_and_worst),
		cmocka_unit_test(corrected_for_tests),
		cmocka_unit_test(names_and_modules),
		cmocka_unit_test(by_blocks),
		cmocka_unit_test(blocks_of_one_name),
		cmocka_unit_test(as_text),
		cmocka_unit_test(as_data),
		cmocka_unit_test(lines_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
