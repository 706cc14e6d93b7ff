// SPDX-License-Identifier: GPL-2.0-only
/* Limits of rows' shares: cli/sys/alarm.c. */
#include <errno.h>
#include <math.h>

#include "folds.h"
#include "sys/alarm.h"

static void limits_are_parsed(void **state)
{
	static const struct { const char *text, *name; bool is_upper; double percent; } good[] = {
		{ "nginx>80", "nginx", true, 80 }, { "IDLE<2.5", "IDLE", false, 2.5 },
		{ "a b>0", "a b", true, 0 }, { "x<y>100", "x<y", true, 100 },
		{ "->1", "-", true, 1 },
	};
	static const struct { const char *text, *reason; } bad[] = {
		{ "nginx", "'nginx' is not a row and a limit" },
		{ "", "'' is not a row and a limit" },
		{ ">80", "'>80' is not a row and a limit" },
		{ "nginx>", "'' is not from 0 to 100" },
		{ "nginx>80%", "'80%' is not from 0 to 100" },
		{ "nginx>101", "'101' is not from 0 to 100" },
		{ "nginx>-1", "'-1' is not from 0 to 100" },
		{ "nginx>=80", "'=80' is not from 0 to 100" },
	};
	struct alarm_limits limits = { 0 };
	struct text_error error;
	char name[300];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(alarm_parse(NULL, bad[i].text, &limits, &error), -EINVAL);
		assert_string_equal(error.what, bad[i].reason);
	}
	assert_int_equal(limits.nr, 0);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(alarm_parse(NULL, good[i].text, &limits, &error), 0);
		assert_int_equal(limits.nr, i + 1);
		assert_string_equal(limits.limit[i].name, good[i].name);
		assert_int_equal(limits.limit[i].is_upper, good[i].is_upper);
		assert_true(limits.limit[i].percent == good[i].percent);
	}
	/* A name of the greatest length, and one that is longer. */
	memset(name, 'n', sizeof(name));
	strcpy(name + FOLD_NAME_LEN - 1, ">5");
	assert_int_equal(alarm_parse(NULL, name, &limits, &error), 0);
	assert_int_equal(strlen(limits.limit[limits.nr - 1].name), FOLD_NAME_LEN - 1);
	strcpy(name + FOLD_NAME_LEN - 1, "n>5");
	assert_int_equal(alarm_parse(NULL, name, &limits, &error), -EINVAL);
	assert_non_null(strstr(error.what, "is too long"));
	while (limits.nr < ALARMS_MAX)
		assert_int_equal(alarm_parse(NULL, "a>1", &limits, &error), 0);
	assert_int_equal(alarm_parse(NULL, "a>1", &limits, &error), -EINVAL);
	assert_string_equal(error.what, "more than 16 alarms");
}

/* Adds one CPU's samples: 400 of 1000 are a's, 30 and 20 those of two executables called twin. */
static struct fold *alarming_fold(void)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 1000, .taken = 1000,
					    .entries = 4 };
	struct cpuprobe_record records[4];
	struct fold *fold = fold_create();

	record_init(&records[0], 1, "a", 100, 0, 300);
	record_init(&records[1], 2, "twin", 30, 0, 0);
	record_init(&records[2], 3, "twin", 0, 0, 20);
	record_init(&records[3], 4, "IDLE", 550, 0, 0);
	fold_add(fold, 0, &account, records);
	return fold;
}

static bool is_raised(const struct rows *rows, const char *text, enum output_ci ci,
		      struct share *share_ret)
{
	struct alarm_limits limits = { 0 };

	assert_int_equal(alarm_parse(NULL, text, &limits, NULL), 0);
	return alarm_judge(&limits.limit[0], rows, ci, share_ret);
}

/* The bound of the interval decides, not the share: 40% are 37.01 to 43.07. */
static void intervals_decide(void **state)
{
	static const struct { const char *text; bool is_raised; } cases[] = {
		{ "a>37", true }, { "a>37.1", false }, { "a>40", false }, { "a<40", false },
		{ "a<43", false }, { "a<43.1", true }, { "IDLE>51", true }, { "IDLE<50", false },
		/* rows that do not exist: up to 0.38% */
		{ "b>0", false }, { "b<0.38", false }, { "b<0.39", true }, { "A>0", false },
		/* two executables of one name together, 3.81 to 6.53%, and one of them alone */
		{ "twin>3.8", true }, { "twin>3.9", false }, { "twi>0", false },
		{ "twin (inode>0", false },
	};
	struct fold *fold = alarming_fold();
	struct rows rows;
	struct share share;

	assert_int_equal(rows_init(&rows, fold, 0), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (is_raised(&rows, cases[i].text, CI_WILSON, &share) != cases[i].is_raised)
			fail_msg("%s: %.2f to %.2f", cases[i].text, share.lo, share.hi);
	is_raised(&rows, "a>0", CI_WILSON, &share);
	assert_true(fabs(share.value - 40) < 1e-9);
	assert_true(fabs(share.lo - 100 * stat_wilson(400, 1000, 0).lo) < 1e-9);
	is_raised(&rows, "a>0", CI_PAPER, &share);
	assert_true(fabs(share.lo - 40 + 100 * stat_paper_halfwidth(400, 1000, 0)) < 1e-9);
	rows_deinit(&rows);
	fold_destroy(fold);
}

/* Without samples everything is possible. */
static void no_samples_no_alarm(void **state)
{
	const struct rows rows = { .nr = 0 };
	struct share share;

	assert_false(is_raised(&rows, "a>0", CI_WILSON, &share));
	assert_false(is_raised(&rows, "a<100", CI_WILSON, &share));
	assert_false(is_raised(&rows, "a<100", CI_PAPER, &share));
}

static void alarms_are_told(void **state)
{
	const struct alarm_limit limit = { .name = "x\033y", .is_upper = true, .percent = 80.5 };
	const struct share share = { .value = 85.3, .lo = 82.149, .hi = 88 };
	char *text;

	setenv("TZ", "UTC", 1);
	text = WRITTEN(out, alarm_print(out, &limit, &share, 86400));
	assert_string_equal(text, "probe: alarm: x?y: 85.30% (95% interval 82.15 to 88.00) is "
			    "above 80.5%, since 1970-01-02 00:00:00\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_parsed), cmocka_unit_test(intervals_decide),
		cmocka_unit_test(no_samples_no_alarm), cmocka_unit_test(alarms_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
