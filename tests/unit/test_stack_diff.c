// SPDX-License-Identifier: GPL-2.0-only
/* Runs with stacks compared: cli/report/stack_diff.c, stack_diff_view.c, cli/sys/diff.c. */
#include <linux/perf_event.h>
#include <math.h>

#include "unit.h"
#include "profiles.h"
#include "report/stack_diff.h"
#include "report/stack_diff_view.h"

/** Two runs compared. */
struct compared {
	struct stack_run runs[2];
	struct diff diff;
};

static void compare(struct compared *compared, const char *a, const char *b, u64 nr_a, u64 nr_b)
{
	compared->runs[0] = (struct stack_run){ .profile = profiles_of(a), .executions = nr_a };
	compared->runs[1] = (struct stack_run){ .profile = profiles_of(b), .executions = nr_b };
	compared->diff = (struct diff){ 0 };
	stack_diff_init(&compared->diff, compared->runs);
	assert_int_equal(stack_diff_add(&compared->diff, 0, &compared->runs[0]), 0);
	assert_int_equal(stack_diff_add(&compared->diff, 1, &compared->runs[1]), 0);
	assert_int_equal(stack_diff_finish(&compared->diff), 0);
}

static void drop_compared(struct compared *compared)
{
	diff_deinit(&compared->diff);
	profile_destroy(compared->runs[0].profile);
	profile_destroy(compared->runs[1].profile);
}

static const struct diff_row *find_row(const struct compared *compared, const char *name,
				       const char *object, bool is_total)
{
	u32 i;

	for (i = 0; i < compared->diff.nr; i++) {
		const struct diff_row *row = &compared->diff.row[i];

		if (!strcmp(row->name, name) && !strcmp(row->object, object) &&
		    row->is_total == is_total)
			return row;
	}
	return NULL;
}

static void assert_hits(const struct diff_row *row, u64 a, u64 b)
{
	assert_non_null(row);
	assert_int_equal(row->side[0].hits, a);
	assert_int_equal(row->side[1].hits, b);
	assert_true(row->is_in[0] == !!a && row->is_in[1] == !!b);
}

/* A recursive function, and two functions of one name, count once in each stack. */
static void stacks_count_once(void **state)
{
	struct compared compared;
	const struct diff_row *row;

	compare(&compared,
		"p 1 user main@p;f@p;g@p;f@p 60\np 2 user main@p;f@q 20\nlost 10\nother 10\n",
		"p 1 user main@p;f@p 30\nIDLE 0 kernel [idle] 70\n", 0, 0);
	assert_hits(find_row(&compared, "f", "p", false), 60, 30);
	assert_hits(find_row(&compared, "f", "p", true), 60, 30);
	assert_hits(find_row(&compared, "f", "q", true), 20, 0);
	assert_hits(find_row(&compared, "g", "p", true), 60, 0);
	assert_null(find_row(&compared, "g", "p", false));
	assert_hits(find_row(&compared, "main", "p", true), 80, 30);
	assert_hits(find_row(&compared, "(not idle)", "", true), 80, 30);
	assert_hits(find_row(&compared, "[idle]", "", false), 0, 70);
	assert_hits(find_row(&compared, "(lost)", "", false), 10, 0);
	assert_hits(find_row(&compared, "(other processes)", "", false), 10, 0);
	assert_true(find_row(&compared, "(other processes)", "", false)->is_pseudo);
	row = find_row(&compared, "main", "p", true);
	assert_float_equal(row->side[0].share, 0.8, 1e-12);
	assert_float_equal(row->found.difference, -0.5, 1e-12);
	assert_false(row->is_pseudo);
	assert_true(find_row(&compared, "[idle]", "", false)->is_pseudo);
	assert_true(find_row(&compared, "(not idle)", "", true)->is_pseudo);
	drop_compared(&compared);
}

/* Functions of one name and object at two addresses are one, and count once in a stack. */
static void equal_names_are_one(void **state)
{
	struct compared compared;
	struct profile *profile;
	u32 frames[2];

	compare(&compared, "p 1 user f@p 50\n", "p 1 user f@p 50\n", 0, 0);
	profile = compared.runs[1].profile;
	frames[0] = profile_add_frame(profile, &(struct profile_frame){
		.function = profile_add_function(profile, &(struct profile_function){
			.name = "f", .addr = 1, .object = 1 }) });
	frames[1] = PROFILE_MARK_COUNT;
	profile_add_stack(profile, 0, CPUPROBE_MODE_USER, frames, 2, 30, 30e6);
	diff_deinit(&compared.diff);
	compared.diff = (struct diff){ 0 };
	stack_diff_init(&compared.diff, compared.runs);
	assert_int_equal(stack_diff_add(&compared.diff, 1, &compared.runs[1]), 0);
	assert_int_equal(diff_finish(&compared.diff), 0);
	assert_hits(find_row(&compared, "f", "p", true), 0, 80);
	assert_hits(find_row(&compared, "f", "p", false), 0, 80);
	drop_compared(&compared);
}

/* Rows with few samples are not compared; nine in both together are few, ten are not. */
static void few_samples(void **state)
{
	struct compared compared;

	compare(&compared, "p 1 user f@p 5\np 1 user g@p 5\np 1 user h@p 90\n",
		"p 1 user f@p 4\np 1 user g@p 5\np 1 user h@p 91\n", 0, 0);
	assert_null(find_row(&compared, "f", "p", false));
	assert_null(find_row(&compared, "f", "p", true));
	assert_hits(find_row(&compared, "g", "p", false), 5, 5);
	assert_int_equal(compared.diff.nr_dropped, 2);
	drop_compared(&compared);
}

/* A small difference that is significant is above a larger one that is not. */
static void significant_first(void **state)
{
	struct compared compared;
	const struct diff *diff = &compared.diff;

	compare(&compared, "p 1 user f@p 500\np 1 user g@p 1\np 1 user h@p 499\n",
		"p 1 user f@p 530\np 1 user g@p 25\np 1 user h@p 445\n", 0, 0);
	assert_string_equal(diff->row[0].name, "g");
	assert_string_equal(diff->row[1].name, "g");
	assert_true(diff_is_significant(&diff->row[1]) && !diff_is_significant(&diff->row[2]));
	assert_string_equal(diff->row[2].name, "h");
	assert_true(fabs(diff->row[2].found.difference) > fabs(diff->row[0].found.difference));
	drop_compared(&compared);
}

/* f takes 1 ms per execution in both runs, though its share doubles: everything else became faster. */
static const char slow[] = "p 1 user main@p;f@p 1000\np 1 user main@p;g@p 3000\n";
static const char fast[] = "p 1 user main@p;f@p 1000\np 1 user main@p;g@p 1000\n";

static void per_execution(void **state)
{
	struct compared compared;
	const struct diff_row *f, *g;

	compare(&compared, slow, fast, 1000, 1000);
	f = find_row(&compared, "f", "p", false);
	g = find_row(&compared, "g", "p", false);
	assert_float_equal(f->found.difference, 0.25, 1e-12);
	assert_float_equal(f->execution.difference, 0, 1e-3);
	assert_false(diff_is_significant(f));
	assert_true(f->execution.interval.lo < 0 && f->execution.interval.hi > 0);
	assert_float_equal(g->execution.difference, -2e6, 1e-3);
	assert_true(diff_is_significant(g));
	/* significant rows are first, the largest of them at the top */
	assert_true(compared.diff.row[0].execution.difference == -2e6);
	assert_false(diff_is_significant(&compared.diff.row[compared.diff.nr - 1]));
	assert_null(diff_worst(&compared.diff, 0));
	drop_compared(&compared);
	/* 2 ms of the 2 ms of A */
	compare(&compared, fast, slow, 1000, 1000);
	assert_non_null(diff_worst(&compared.diff, 99));
	assert_null(diff_worst(&compared.diff, 101));
	assert_false(find_row(&compared, "(not idle)", "", true)->is_pseudo);
	drop_compared(&compared);
	/* by shares, f is what grew */
	compare(&compared, slow, fast, 0, 1000);
	assert_float_equal(find_row(&compared, "f", "p", false)->found.difference, 0.25, 1e-12);
	assert_true(diff_is_significant(find_row(&compared, "f", "p", false)));
	drop_compared(&compared);
}

/* The same shares vary in ten blocks: the test is Welch's, of times. */
static void per_execution_by_blocks(void **state)
{
	struct diff diff = { .taken = { 1000, 1000 }, .nr_blocks = { 10, 10 },
			     .execution_ns = { 2000, 500 } };
	const struct diff_key key = { .name = "f", .object = "p" };
	const struct diff_side before = { 0.2, 200, 2.0, 0.5 }, after = { 0.4, 400, 4.0, 1.7 };
	struct stat_mean a = { .mean = 400, .variance = 0.1 / 9 * 4e6, .nr = 10 };
	struct stat_mean b = { .mean = 200, .variance = 0.1 / 9 * 0.25e6, .nr = 10 };
	struct stat_difference wanted = stat_welch(&a, &b);

	assert_int_equal(diff_add_key(&diff, 0, &key, &before), 0);
	assert_int_equal(diff_add_key(&diff, 1, &key, &after), 0);
	assert_int_equal(diff_finish(&diff), 0);
	assert_float_equal(diff.row[0].execution.difference, -200, 1e-9);
	assert_float_equal(diff.row[0].execution.interval.lo, wanted.interval.lo, 1e-9);
	assert_float_equal(diff.row[0].execution.interval.hi, wanted.interval.hi, 1e-9);
	assert_float_equal(diff.row[0].found.p, wanted.p, 1e-12);
	assert_float_equal(diff.row[0].found.difference, 0.2, 1e-12);
	diff_deinit(&diff);
}

/* Functions without samples in one run, in blocks too: sums of a run come from its functions. */
static void blocks_of_functions(void **state)
{
	struct compared compared;
	const struct diff_row *row;

	compare(&compared, slow, slow, 0, 0);
	diff_deinit(&compared.diff);
	for (int side = 0; side < 2; side++) {
		assert_int_equal(blocks_add(&compared.runs[side].blocks,
					    compared.runs[side].profile, 0, 1000), 0);
		blocks_end(&compared.runs[side].blocks, 2000);
		blocks_end(&compared.runs[side].blocks, 4000);
	}
	compared.diff = (struct diff){ 0 };
	stack_diff_init(&compared.diff, compared.runs);
	assert_int_equal(stack_diff_add(&compared.diff, 0, &compared.runs[0]), 0);
	assert_int_equal(stack_diff_add(&compared.diff, 1, &compared.runs[1]), 0);
	assert_int_equal(diff_finish(&compared.diff), 0);
	assert_false(compared.diff.is_sampling_only);
	row = find_row(&compared, "f", "p", true);
	assert_float_equal(row->side[0].block_sum, 0.5, 1e-12);
	assert_float_equal(row->side[0].block_sum2, 0.25, 1e-12);
	row = find_row(&compared, "(not idle)", "", true);
	assert_float_equal(row->side[1].block_sum, 0.5, 1e-12);
	blocks_deinit(&compared.runs[0].blocks);
	blocks_deinit(&compared.runs[1].blocks);
	drop_compared(&compared);
}

static char *printed(struct compared *compared, const struct output_options *options, u64 nr)
{
	const char *const paths[] = { "before", "after" };
	const u64 executions[] = { compared->runs[0].executions, compared->runs[1].executions };

	return WRITTEN(out, assert_int_equal(stack_diff_view_show(
		out, &compared->diff, paths, executions, nr, options), 0));
}

static void as_text(void **state)
{
	const struct output_options options = { .cols = 80 };
	struct compared compared;
	char *text;

	compare(&compared, slow, fast, 1000, 500);
	text = printed(&compared, &options, 2);
	assert_string_equal(text,
"A: before, 4000 samples, 0 blocks, 1000 executions. B: after, 2000 samples, 0\n"
"blocks, 500 executions.\n"
"One execution: 4 ms in A, 4 in B. B / A: 1, 95% interval 0.9981 to 1.001. Speed\n"
"of B relative to A: 1, 95% interval 0.999 to 1.002.\n"
"\n"
"Self time, in a function itself\n"
"\n"
"Function        Object    A ms    B ms  B - A ms      95% interval       p\n"
"==============  ======  ======  ======  ========  =======  =======  ======\n"
"f               p        1.000   2.000    +1.000   +0.897   +1.102  <0.001 *\n"
"g               p        3.000   2.000    -1.000   -1.102   -0.897  <0.001 *\n"
"\n"
"Total time, in a function and in those that it called\n"
"\n"
"Function        Object    A ms    B ms  B - A ms      95% interval       p\n"
"==============  ======  ======  ======  ========  =======  =======  ======\n"
"f               p        1.000   2.000    +1.000   +0.897   +1.102  <0.001 *\n"
"g               p        3.000   2.000    -1.000   -1.102   -0.897  <0.001 *\n"
"(2 more)\n"
"\n"
"Times are of one execution. p: score test of the counts, without the workload's\n"
"own variation between runs, corrected for the number of rows (Holm). *: p is\n"
"below 0.05; these rows come first.\n");
	free(text);
	drop_compared(&compared);
}

/* f takes half as many cycles of an execution, g three times as many; in all 1.75 times as many, of 2000 and 3500. */
static void events_per_execution(void **state)
{
	static const char before[] = "p 1 user main@p;f@p 1000\np 1 user main@p;g@p 1000\n";
	static const char after[] = "p 1 user main@p;f@p 500\np 1 user main@p;g@p 3000\n";
	struct output_options options = { .cols = 100 };
	const struct stat_time a = { 0.5, 2000, 2e9 / 1000, 0 }, b = { 500.0 / 3500, 3500, 3.5e9 / 1000, 0 };
	const struct stat_ratio wanted = stat_ratio_of_times(&a, &b);
	struct compared compared;
	const struct diff_row *f;
	char *text;

	compare(&compared, before, after, 1000, 1000);
	f = find_row(&compared, "f", "p", false);
	assert_float_equal(f->ratio.ratio, 0.5, 1e-9);
	assert_float_equal(f->ratio.interval.lo, wanted.interval.lo, 1e-9);
	assert_float_equal(f->ratio.interval.hi, wanted.interval.hi, 1e-9);
	assert_float_equal(find_row(&compared, "g", "p", true)->ratio.ratio, 3, 1e-9);
	assert_float_equal(compared.diff.whole.ratio.ratio, 1.75, 1e-9);
	compared.diff.counts_events = true;
	compared.diff.event = (struct event){ .name = "cycles:u", .config = PERF_COUNT_HW_CPU_CYCLES, .period = 5 };
	text = printed(&compared, &options, 0);
	assert_non_null(strstr(text, "One execution: 2e+06 cycles:u in A, 3.5e+06 in B. B / A: 1.75, 95% interval 1.748 to "
			       "1.753. Speed of\nB relative to A: 0.5714, 95% interval 0.5703 to 0.5721.\n"));
	assert_non_null(strstr(text, "Function        Object  A events  B events     B/A    95% interval       p\n"));
	assert_non_null(strstr(text, "f               p        1000000    500000    0.50    0.46    0.55  <0.001 *\n"));
	free(text);
	/* Fewer of another event are no speed. */
	compared.diff.event.config = PERF_COUNT_HW_CACHE_MISSES;
	text = printed(&compared, &options, 0);
	assert_null(strstr(text, "Speed"));
	free(text);
	options.format = FORMAT_JSON;
	compared.diff.event.config = PERF_COUNT_HW_CPU_CYCLES;
	text = printed(&compared, &options, 0);
	assert_non_null(strstr(text, "  \"event\": \"cycles:u\",\n  \"a_execution_events\": 2e+06,\n"
			       "  \"b_execution_events\": 3.5e+06,\n  \"ratio\": 1.75,\n"));
	assert_non_null(strstr(text, "  \"speed\": 0.571429,\n"));
	assert_non_null(strstr(text, "\"ratio\": 0.5000, \"ratio_lo\": "));
	free(text);
	drop_compared(&compared);
}

/* Ratios have three digits after rounding too: 9.994, 9.996, 99.94 and 99.96. */
static void ratios_at_the_borders(void **state)
{
	static const struct {
		u64 hits;
		const char *text;
	} cases[] = { { 99940, " 9.99 " }, { 99960, " 10.0 " }, { 999400, " 99.9 " }, { 999600, " 100 " } };
	const struct output_options options = { .cols = 100 };
	struct compared compared;
	char after[64], *text;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(after, sizeof(after), "p 1 user f@p %llu\n", cases[i].hits);
		compare(&compared, "p 1 user f@p 10000\n", after, 1000, 1000);
		compared.diff.counts_events = true;
		compared.diff.event = (struct event){ .name = "cycles:u", .period = 1 };
		text = printed(&compared, &options, 0);
		assert_non_null(strstr(strstr(text, "\nf "), cases[i].text));
		free(text);
		drop_compared(&compared);
	}
}

static void as_data(void **state)
{
	struct output_options options = { .format = FORMAT_TSV };
	struct compared compared;
	char *text;

	compare(&compared, slow, fast, 0, 0);
	text = printed(&compared, &options, 1);
	assert_non_null(strstr(text, "name\tobject\ttime\ta\tb\tdifference\tlo\thi\t"
			       "a_execution_ns\tb_execution_ns\texecution_difference_ns\t"
			       "execution_lo_ns\texecution_hi_ns\tratio\tratio_lo\tratio_hi\tp\ta_hits\tb_hits\n"));
	assert_non_null(strstr(text, "\nf\tp\tself\t25.0000\t50.0000\t25.0000\t"));
	assert_non_null(strstr(text, "\tnull\tnull\tnull\tnull\tnull\tnull\tnull\tnull\t"));
	assert_non_null(strstr(text, "\nmain\tp\ttotal\t100.0000\t100.0000\t0.0000\t"));
	free(text);
	options.format = FORMAT_JSON;
	text = printed(&compared, &options, 1);
	assert_non_null(strstr(text, "{\n  \"report\": \"diff of stacks\",\n  \"a\": \"before\",\n"
			       "  \"a_samples\": 4000,\n  \"a_blocks\": 0,\n"
			       "  \"b\": \"after\",\n"));
	assert_non_null(strstr(text, "\"per_execution\": false,\n  \"not_compared\": 0,\n"));
	assert_non_null(strstr(text, "{\"name\": \"main\", \"object\": \"p\", \"time\": \"total\", "
			       "\"in_a\": true, \"in_b\": true, "));
	free(text);
	drop_compared(&compared);
}

/* No line is wider than asked for, whatever the names. */
static void lines_fit(void **state)
{
	static const int widths[] = { 40, 60, 80, 100, 200 };
	char profile_text[1024], *text, *line, *rest;
	struct output_options options = { .format = FORMAT_TEXT };
	struct compared compared;

	snprintf(profile_text, sizeof(profile_text),
		 "p 1 user main@p;a_name_that_is_%0200d_long@an_object_that_is_%0100d_long 100\n"
		 "p 1 user main@p 123456789\n", 0, 0);
	for (size_t i = 0; i < 2 * sizeof(widths) / sizeof(widths[0]); i++) {
		options.cols = widths[i / 2];
		compare(&compared, profile_text, slow, i % 2 * 100, 7);
		rest = text = printed(&compared, &options, 0);
		while ((line = strsep(&rest, "\n")))
			assert_true(text_width(line) <= widths[i / 2]);
		free(text);
		drop_compared(&compared);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_count_once),
		cmocka_unit_test(equal_names_are_one),
		cmocka_unit_test(few_samples),
		cmocka_unit_test(significant_first),
		cmocka_unit_test(per_execution),
		cmocka_unit_test(per_execution_by_blocks),
		cmocka_unit_test(blocks_of_functions),
		cmocka_unit_test(as_text),
		cmocka_unit_test(events_per_execution),
		cmocka_unit_test(ratios_at_the_borders),
		cmocka_unit_test(as_data),
		cmocka_unit_test(lines_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
