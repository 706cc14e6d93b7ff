// SPDX-License-Identifier: GPL-2.0-only
/* Traces beside samples: cli/trace/trace_beside*.c. */
#include <errno.h>
#include <string.h>

#include "trace_texts.h"
#include "records.h"
#include "trace/trace_beside_view.h"
#include "trace/trace_save.h"
#include "verify/verify.h"

/* In a millisecond a runs for 400 us and calls b, which runs for 100 us. */
static const char events[] =
	"0 0 r 7 7\n"
	"0 100000 > a 5000\n"
	"0 200000 > b 4000\n"
	"0 300000 < b 4000\n"
	"0 600000 < a 5000\n";

/* The same times, but two calls of b. */
static const char two_calls[] =
	"0 0 r 7 7\n"
	"0 100000 > a 5000\n"
	"0 200000 > b 4000\n"
	"0 250000 < b 4000\n"
	"0 300000 > b 4000\n"
	"0 350000 < b 4000\n"
	"0 600000 < a 5000\n";

/* The samples of a, b and the hooks; the others of @taken are elsewhere. */
static struct trace *make_trace_of(const char *text, u64 a, u64 b, u64 hooks, u64 taken)
{
	struct trace *trace = trace_of(text, 1000000, 1);

	trace->totals.cost_ps = 20000000;
	trace->totals.own_ps = 10000000;
	trace->totals.seen_ps = 5000000;
	trace->beside = trace_beside_create(trace->nr_functions);
	assert_non_null(trace->beside);
	trace->beside->samples[0] = a;
	trace->beside->samples[1] = b;
	trace->beside->totals = (struct trace_beside_totals){
		.taken = taken, .hooks = hooks, .outside = taken - a - b - hooks, .period_ns = 1000,
		.sampled_ns = 1000000,
	};
	return trace;
}

static struct trace *make_trace(u64 a, u64 b, u64 hooks, u64 taken)
{
	return make_trace_of(events, a, b, hooks, taken);
}

/* A trace and its rows. */
struct comparison {
	struct trace *trace;
	struct trace_account account;
	struct trace_rows rows;
	struct beside_rows beside;
};

static void begin_comparison(struct comparison *comparison, struct trace *trace)
{
	comparison->trace = trace;
	assert_int_equal(trace_account_init(&comparison->account, trace, NULL, NULL), 0);
	assert_int_equal(trace_rows_init(&comparison->rows, &comparison->account, TRACE_BY_NET, NULL), 0);
	assert_int_equal(beside_rows_init(&comparison->beside, &comparison->rows), 0);
}

static void end_comparison(struct comparison *comparison)
{
	beside_rows_deinit(&comparison->beside);
	trace_rows_deinit(&comparison->rows);
	trace_account_deinit(&comparison->account);
	trace_destroy(comparison->trace);
}

static char *compare(const struct trace *trace, enum output_format format)
{
	const struct trace_view view = { .output = { .cols = 80, .format = format } };
	struct trace_account account;
	struct text_error error = { "", "" };
	char *text;
	int failed = 0;

	assert_int_equal(trace_account_init(&account, trace, NULL, NULL), 0);
	text = WRITTEN(out, failed = trace_beside_show(out, &account, &view, &error));
	assert_int_equal(failed, 0);
	trace_account_deinit(&account);
	return text;
}

static void expect_part(char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

/* a: 400 us without 10 us of its own and 15 us of its callee; b: 100 us without 10 us. The hooks have their 4%. */
static void expect_verdicts(u64 a, u64 b, u64 taken, enum beside_verdict of_a, enum beside_verdict of_b)
{
	const u64 hooks = taken / 25;
	struct comparison c;

	begin_comparison(&c, make_trace(a, b, hooks, taken));
	assert_int_equal(c.beside.nr, 4);
	assert_string_equal(c.beside.row[0].name, "a");
	assert_true(c.beside.row[0].raw_frac > 0.399 && c.beside.row[0].raw_frac < 0.401);
	assert_true(c.beside.row[0].traced_frac > 0.374 && c.beside.row[0].traced_frac < 0.376);
	assert_int_equal(c.beside.row[0].verdict, of_a);
	assert_string_equal(c.beside.row[1].name, "b");
	assert_true(c.beside.row[1].traced_frac > 0.089 && c.beside.row[1].traced_frac < 0.091);
	assert_int_equal(c.beside.row[1].verdict, of_b);
	assert_string_equal(c.beside.row[2].name, "(hooks)");
	assert_int_equal(c.beside.row[2].samples, hooks);
	assert_true(c.beside.row[2].traced_frac > 0.039 && c.beside.row[2].traced_frac < 0.041);
	assert_string_equal(c.beside.row[3].name, "(outside)");
	assert_int_equal(c.beside.nr_judged, (of_a != BESIDE_FEW) + (of_b != BESIDE_FEW));
	assert_int_equal(c.beside.nr_within, (of_a == BESIDE_WITHIN) + (of_b == BESIDE_WITHIN));
	end_comparison(&c);
}

static void shares_are_judged(void **state)
{
	expect_verdicts(37500, 9000, 100000, BESIDE_WITHIN, BESIDE_WITHIN);
	/* Both are above the traced share, and below the raw one. */
	expect_verdicts(38500, 9700, 100000, BESIDE_HOOKS, BESIDE_HOOKS);
	expect_verdicts(42000, 12000, 100000, BESIDE_DIFFERS, BESIDE_DIFFERS);
	/* A smaller cost cannot explain fewer samples. */
	expect_verdicts(36000, 8000, 100000, BESIDE_DIFFERS, BESIDE_DIFFERS);
	expect_verdicts(24, 25, 300, BESIDE_FEW, BESIDE_WITHIN);
}

/* The traced shares of a, b and the hooks, if so many of 100,000 samples found the hooks. */
static void expect_traced(u64 hooks, double a, double b, double of_hooks, double hidden)
{
	struct comparison c;

	begin_comparison(&c, make_trace(100000 * a, 100000 * b, hooks, 100000));
	assert_float_equal(c.beside.row[0].traced_frac, a, 1e-9);
	assert_float_equal(c.beside.row[1].traced_frac, b, 1e-9);
	assert_float_equal(c.beside.row[2].traced_frac, of_hooks, 1e-9);
	assert_float_equal(c.beside.row[3].traced_frac, 1 - a - b - of_hooks, 1e-9);
	assert_float_equal(c.beside.hidden_frac, hidden, 1e-9);
	assert_int_equal(c.beside.nr_within, 2);
	end_comparison(&c);
}

/*
 * No sample falls into hooks that keep interrupts off. The time of those of entries is in the functions entered: a and
 * b, once each. If returns are hidden too, it is where the raw time is.
 */
static void hidden_cost_remains(void **state)
{
	expect_traced(4000, 0.375, 0.09, 0.04, 0);
	expect_traced(3600, 0.375, 0.09, 0.04, 0);
	expect_traced(0, 0.4, 0.1, 0, 1);
	expect_traced(300, 0.4, 0.1, 0.003, 0.925);
	expect_traced(1000, 0.39, 0.105, 0.01, 0.75);
	/* dearer than was measured */
	expect_traced(9000, 0.375, 0.09, 0.04, 0);
}

static void hidden_cost_is_shared_by_calls(void **state)
{
	struct comparison c;

	/* 6% of cost, a quarter found: 1.5% for each of three calls */
	begin_comparison(&c, make_trace_of(two_calls, 37500, 11000, 1500, 100000));
	assert_float_equal(c.beside.hidden_frac, 0.75, 1e-9);
	assert_float_equal(c.beside.row[0].traced_frac, 0.375, 1e-9);
	assert_float_equal(c.beside.row[1].traced_frac, 0.11, 1e-9);
	end_comparison(&c);
}

/* The traced share of b is above its raw one, since b has more of the hidden cost. The samples lie between the two. */
static void hidden_cost_may_explain_samples(void **state)
{
	struct comparison c;

	begin_comparison(&c, make_trace(39800, 10250, 1000, 100000));
	assert_int_equal(c.beside.row[0].verdict, BESIDE_HOOKS);
	assert_int_equal(c.beside.row[1].verdict, BESIDE_HOOKS);
	end_comparison(&c);
}

/* A few samples do not tell whether the hooks have any. */
static void few_samples_hide_nothing(void **state)
{
	struct trace *trace = make_trace(15, 4, 0, 40);
	char *text = compare(trace, FORMAT_JSON);

	expect_part(text, "\"hidden_cost\": 0.0000");
	free(text);
	trace_destroy(trace);
}

static void hidden_cost_is_told(void **state)
{
	struct trace *trace = make_trace(39000, 10500, 1000, 100000);
	char *text = compare(trace, FORMAT_TEXT);

	expect_part(text, "Samples found 25% of the cost of tracing in the hooks,");
	free(text);
	text = compare(trace, FORMAT_JSON);
	expect_part(text, "\"hidden_cost\": 0.7500");
	free(text);
	trace_destroy(trace);
}

static void comparisons_are_printed(void **state)
{
	struct trace *trace = make_trace(375, 120, 40, 1000);
	char *text = compare(trace, FORMAT_TEXT);

	expect_part(text, "1 of 2 functions with 25 samples or more have a traced share in the");
	expect_part(text, "(hooks)");
	free(text);
	text = compare(trace, FORMAT_TSV);
	expect_part(text, "raw\ttraced\tsampled\tsampled_lo\tsampled_hi\tsamples\tverdict\tcalls\tfunction\tobject\n");
	expect_part(text, "\t375\twithin\t1\ta\tkernel\n");
	expect_part(text, "\t120\tdiffers\t1\tb\tkernel\n");
	expect_part(text, "\t40\t\t2\t(hooks)\t\n");
	expect_part(text, "\t465\t\t0\t(outside)\t\n");
	free(text);
	text = compare(trace, FORMAT_JSON);
	expect_part(text, "\"judged\": 2, \"within\": 1, \"sampled_ns\": 1000000, \"traced_ns\": 1000000");
	free(text);
	trace_destroy(trace);
}

static void keep(const struct trace *trace)
{
	const struct run_result result = { .nr_cpus = 1, .began = 1e9, .elapsed_seconds = 1 };
	struct record_writer writer;

	record_start(&writer);
	record_add_result(&writer, &result);
	trace_save(&writer, trace);
	assert_int_equal(record_commit(&writer, NULL), 0);
}

/* A crafted file may have samples of a trace without any time: JSON has no number for a part of nothing. */
static void traces_without_time_have_no_shares(void **state)
{
	struct trace *trace = make_trace_of("", 375, 90, 40, 1000);
	char *text;

	trace->totals.traced_ns = 0;
	text = compare(trace, FORMAT_JSON);
	expect_part(text, "\"hidden_cost\": 0.0000");
	if (strstr(text, "nan") || strstr(text, "inf"))
		fail_msg("not a number in:\n%s", text);
	free(text);
	text = compare(trace, FORMAT_TEXT);
	if (strstr(text, "nan") || strstr(text, "inf "))
		fail_msg("not a number in:\n%s", text);
	free(text);
	trace_destroy(trace);
}

static void samples_are_kept(void **state)
{
	struct trace *trace = make_trace(375, 90, 40, 1000), *loaded;
	struct verify_result result;
	struct record record;

	keep(trace);
	assert_int_equal(record_read(path, &record, NULL), 0);
	loaded = trace_load(&record, NULL);
	assert_non_null(loaded);
	assert_non_null(loaded->beside);
	assert_memory_equal(&loaded->beside->totals, &trace->beside->totals, sizeof(loaded->beside->totals));
	assert_memory_equal(loaded->beside->samples, trace->beside->samples, 26 * sizeof(u64));
	assert_int_equal(verify_record(&record, stdout, &result, NULL), 0);
	assert_int_equal(result.nr_wrong, 0);
	trace_destroy(loaded);
	record_deinit(&record);

	/* Sums that do not hold; sections of another length. */
	trace->beside->samples[0]++;
	keep(trace);
	assert_int_equal(record_read(path, &record, NULL), 0);
	assert_int_equal(verify_record(&record, stdout, &result, NULL), 0);
	assert_int_equal(result.nr_wrong, 1);
	record_deinit(&record);
	trace->nr_functions--;
	trace->beside->samples[0] = UINT64_MAX;
	assert_false(trace_beside_holds(trace->beside));
	trace_destroy(trace);
}

static void traces_without_samples_are_not_compared(void **state)
{
	struct trace *trace = trace_of(events, 1000000, 1);
	const struct trace_view view = { .nr_rows = 0 };
	struct trace_account account;
	struct text_error error;

	assert_int_equal(trace_account_init(&account, trace, NULL, NULL), 0);
	assert_int_equal(trace_beside_show(stdout, &account, &view, &error), -ENODATA);
	assert_string_equal(error.what, "compare with samples: the trace has none");
	trace_account_deinit(&account);
	trace_destroy(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_judged),
		cmocka_unit_test(hidden_cost_remains),
		cmocka_unit_test(hidden_cost_is_shared_by_calls),
		cmocka_unit_test(hidden_cost_may_explain_samples),
		cmocka_unit_test(few_samples_hide_nothing),
		cmocka_unit_test(hidden_cost_is_told),
		cmocka_unit_test(comparisons_are_printed),
		cmocka_unit_test(traces_without_time_have_no_shares),
		cmocka_unit_test(samples_are_kept),
		cmocka_unit_test(traces_without_samples_are_not_compared),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
