// SPDX-License-Identifier: GPL-2.0-only
/* The cost of sampling from pairs of times: cli/sys/costs.c, costs_view.c. */
#include <errno.h>
#include <math.h>

#include "unit.h"
#include "sys/costs.h"

/* The work takes 1% longer in one round and 3% in the other; 1000 samples a second are taken. */
static const struct cost_round two[] = {
	{ .plain_seconds = 1, .sampled_seconds = 1.01, .taken = 1100, .missed = 2,
	  .session_ns = 1100000000 },
	{ .plain_seconds = 2, .sampled_seconds = 2.06, .taken = 2200, .missed = 1,
	  .session_ns = 2200000000 },
};

static struct cost cost_of(const struct cost_round *rounds, size_t nr, u32 claim_ns)
{
	struct cost cost = { .kind = "sys", .cpu = 3, .period_ns = 1000000, .claim_ns = claim_ns };

	assert_int_equal(cost_compute(&cost, rounds, nr), 0);
	return cost;
}

static void assert_near(double a, double b)
{
	if (!(fabs(a - b) < 1e-6 * (1 + fabs(b))))
		fail_msg("%.9g instead of %.9g", a, b);
}

/* Two values 0.01 and 0.03: t is 12.7062 with 1 degree of freedom, the standard error is 0.01. */
static void rounds_are_paired(void **state)
{
	struct cost cost = cost_of(two, 2, 40000);

	assert_near(cost.slowdown, 0.02);
	assert_near(cost.slowdown_interval.lo, 0.02 - 0.127062047);
	assert_near(cost.slowdown_interval.hi, 0.02 + 0.127062047);
	/* 10 ms in 1010 samples, and 60 ms in 2060. */
	assert_near(cost.sample_ns, (1e7 / 1010 + 6e7 / 2060) / 2);
	/* 1000 samples of 40 us take 4%, the work gets 96%. */
	assert_near(cost.claim, 0.04 / 0.96);
	assert_near(cost.work_seconds, 1.5);
	assert_int_equal(cost.taken, 3300);
	assert_int_equal(cost.missed, 3);
	assert_int_equal(cost.nr_rounds, 2);
	assert_false(cost_is_shown(&cost));
	cost = cost_of(two, 2, 1000000);
	assert_true(isnan(cost.claim));
}

/* A drift of the machine's speed between rounds, which is no difference within them, is harmless. */
static void drift_is_harmless(void **state)
{
	struct cost_round rounds[20];
	struct cost cost;

	for (int i = 0; i < 20; i++)
		rounds[i] = (struct cost_round){
			.plain_seconds = 1 + i, .sampled_seconds = (1 + i) * (1.01 + i % 2 * 1e-3),
			.taken = 1000, .session_ns = 1000000000,
		};
	cost = cost_of(rounds, 20, 0);
	assert_near(cost.slowdown, 0.0105);
	/* t is 2.0930 with 19 degrees of freedom. */
	assert_near(cost.slowdown_interval.hi - 0.0105, 2.0930241 * 1e-3 * sqrt(5. / 19 / 20));
	assert_true(cost_is_shown(&cost));
	/* Work that is faster with sampling is a finding too. */
	for (int i = 0; i < 20; i++)
		rounds[i].plain_seconds *= 1.02;
	cost = cost_of(rounds, 20, 0);
	assert_true(cost.slowdown < 0 && cost_is_shown(&cost));
	rounds[7].taken = 0;
	assert_int_equal(cost_compute(&cost, rounds, 20), -ENODATA);
}

static char *shown(const struct cost *cost, enum output_format format)
{
	const struct output_options options = { .format = format };

	return WRITTEN(out, assert_int_equal(cost_show(out, cost, &options), 0));
}

static const struct cost clear = {
	.kind = "proc", .cpu = 3, .period_ns = 200000, .nr_rounds = 20, .work_seconds = 0.25,
	.taken = 25100, .missed = 4, .slowdown = 0.00515, .slowdown_interval = { 0.005, 0.0053 },
	.sample_ns = 1028, .sample_interval = { 1015, 1042 }, .claim_ns = 1412, .claim = 0.0071,
};

static void result_is_shown(void **state)
{
	struct cost cost = clear;
	char *text = shown(&cost, FORMAT_TEXT);

	assert_string_equal(text,
		"Work of 0.25 s, 20 times with and 20 times without sampling by 'probe proc' at\n"
		"5000 Hz on CPU 3 (25100 samples, 4 missed)\n\n"
		" Slower      95% interval    Claim    Sample        95% interval     Claim\n"
		"=======  =======  =======  =======  ========  ========  ========  ========\n"
		"  0.515    0.500    0.530    0.710   1.03 us   1.01 us   1.04 us   1.41 us\n\n"
		"A sample costs 0.73 of what the module claims (0.72 to 0.74).\n");
	free(text);
	text = shown(&cost, FORMAT_TSV);
	assert_string_equal(text, "kind\tcpu\trate\trounds\twork\tsamples\tmissed\tslowdown\tlo\thi\t"
		"claim\tsample_ns\tsample_lo_ns\tsample_hi_ns\tclaim_ns\tshown\n"
		"proc\t3\t5000\t20\t0.250000\t25100\t4\t0.5150\t0.5000\t0.5300\t0.7100\t1028\t1015\t"
		"1042\t1412\ttrue\n");
	free(text);
	cost.claim_ns = 0;
	text = shown(&cost, FORMAT_JSON);
	assert_non_null(strstr(text, "\"claim\": null, \"sample_ns\": 1028, "));
	assert_non_null(strstr(text, "\"claim_ns\": null, \"shown\": true}"));
	free(text);
	text = shown(&cost, FORMAT_TEXT);
	assert_non_null(strstr(text, "The module has no measurement of its own.\n"));
	free(text);
}

/* A difference smaller than the noise is not presented as a result. */
static void noise_is_admitted(void **state)
{
	struct cost cost = clear;
	char *text;

	cost.slowdown = -0.001;
	cost.slowdown_interval = (struct stat_interval){ -0.004, 0.002 };
	cost.sample_ns = -2000;
	text = shown(&cost, FORMAT_TEXT);
	assert_non_null(strstr(text, " -0.100   -0.400    0.200    0.710     -2 us "));
	assert_non_null(strstr(text, "No slowdown is shown: the interval contains 0. "));
	assert_null(strstr(text, "of what the module claims"));
	free(text);
	text = shown(&cost, FORMAT_JSON);
	assert_non_null(strstr(text, "\"shown\": false}"));
	free(text);
}

/* A warning, with a remedy, if even the lower bound is above the claim. */
static void claims_are_judged(void **state)
{
	struct cost cost = clear;
	char *text;

	cost.claim_ns = 1015;
	text = WRITTEN(out, cost_warn(out, &cost));
	assert_string_equal(text, "");
	free(text);
	cost.claim_ns = 1004;
	text = WRITTEN(out, cost_warn(out, &cost));
	assert_string_equal(text, "probe: warning: a sample costs more than the module claims: at "
			    "least 1.01 us, not 1 us\n"
			    "hint: the limits rely on the claim; load the module again while the "
			    "machine is idle\n");
	free(text);
	cost.claim_ns = 0;
	text = WRITTEN(out, cost_warn(out, &cost));
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds_are_paired), cmocka_unit_test(drift_is_harmless),
		cmocka_unit_test(result_is_shown), cmocka_unit_test(noise_is_admitted),
		cmocka_unit_test(claims_are_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
