// SPDX-License-Identifier: GPL-2.0-only
/* Options, CPU lists, foreign text: cli/base/options.c, option_values.c, text.c, run/cpus.c. */
#include <errno.h>

#include "unit.h"
#include "base/option_values.h"
#include "run/cpus.h"

static void seconds(void **state)
{
	static const struct { const char *text; double seconds; } good[] = {
		{ "10", 10 }, { "0.5", 0.5 }, { "90s", 90 }, { "2m", 120 }, { "1.5h", 5400 },
		{ "1e1", 10 },
	};
	static const char *const bad[] = { "", "0", "-1", "x", "1x", "1ms", "nan", "inf", "0x10",
					   "1e99", "9999h9", "100000h", " ", "1 m", "1s1",
					   "367h1", "8785h", "31622401" };
	double value;

	/* At most a year, in whatever unit. */
	assert_int_equal(option_seconds(NULL, "8784h", &value, NULL), 0);
	assert_true(value == 366 * 86400.0);
	assert_int_equal(option_seconds(NULL, "31622400", &value, NULL), 0);

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(option_seconds(NULL, good[i].text, &value, NULL), 0);
		assert_true(value == good[i].seconds);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (option_seconds(NULL, bad[i], &value, NULL) != -EINVAL)
			fail_msg("'%s' is accepted as a duration", bad[i]);
}

/* A time with its unit, to the nearest nanosecond; both sides of each limit. */
static void short_times(void **state)
{
	static const struct { const char *text; u64 ns; } good[] = {
		{ "20us", 20000 }, { "1.5ms", 1500000 }, { "1000ns", 1000 }, { "1us", 1000 },
		{ "1s", 1000000000 }, { "0.1ms", 100000 }, { "1234.6ns", 1235 },
	};
	static const struct { const char *text, *reason; } bad[] = {
		{ "20", "'20' is not a time with its unit" }, { "us", "'us' is not a time with its unit" },
		{ "", "'' is not a time with its unit" }, { "1m", "'1m' is not a time with its unit" },
		{ "20 us", "'20 us' is not a time with its unit" },
		{ "20usx", "'20usx' is not a time with its unit" },
		{ "nanus", "'nanus' is not a time with its unit" },
		{ "0us", "'0us' is not from 1us to 1s" }, { "-5us", "'-5us' is not from 1us to 1s" },
		{ "999ns", "'999ns' is not from 1us to 1s" }, { "1.1s", "'1.1s' is not from 1us to 1s" },
	};
	struct text_error error;
	u64 ns = 7;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(option_short_time(NULL, bad[i].text, &ns, &error), -EINVAL);
		assert_string_equal(error.what, bad[i].reason);
		assert_int_equal(ns, 7);
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(option_short_time(NULL, good[i].text, &ns, NULL), 0);
		assert_int_equal(ns, good[i].ns);
	}
}

static void rates(void **state)
{
	/* Rounded to the nearest nanosecond. */
	static const struct { const char *text; u64 period_ns; } good[] = {
		{ "1000", 1000000 }, { "120", 8333333 }, { "20000", 50000 }, { "1", 1000000000 },
		{ "15000", 66667 },
	};
	static const char *const bad[] = { "", "0", "-1", "0.5", "20001", "1k", "nan", "1e300",
					   "1 " };
	u64 period_ns;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(option_rate(NULL, good[i].text, &period_ns, NULL), 0);
		assert_int_equal(period_ns, good[i].period_ns);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (option_rate(NULL, bad[i], &period_ns, NULL) != -EINVAL)
			fail_msg("'%s' is accepted as a rate", bad[i]);
}

static void numbers(void **state)
{
	static const struct { const char *text; u64 value; } good[] = {
		{ "0x1f", 31 }, { "017", 17 }, { "010", 10 }, { "0xffffffffffffffff", UINT64_MAX },
	};
	static const char *const bad[] = { "0x1ffffffffffffffff", "-1", "1z", " 1", "" };
	u64 value;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(parse_u64(good[i].text, &value, NULL), 0);
		assert_int_equal(value, good[i].value);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (parse_u64(bad[i], &value, NULL) != -EINVAL)
			fail_msg("'%s' is accepted as a number", bad[i]);
	assert_int_equal(parse_c_number("017", &value, NULL), 0);
	assert_int_equal(value, 15);
	assert_int_equal(parse_c_number("0x1f", &value, NULL), 0);
	assert_int_equal(value, 31);
	assert_int_equal(parse_c_number("18", &value, NULL), 0);
	assert_int_equal(value, 18);
	assert_int_equal(parse_c_number("018", &value, NULL), -EINVAL);
}

/* Both sides of each limit. */
static void limits(void **state)
{
	static const char *const choices[] = { "grid", "poisson", "none", NULL };
	static const struct option_spec spec = { .choices = choices, .min = 3, .max = 16 };
	unsigned int index = 7;
	bool is_second = false;
	struct text_error error;
	u64 count;
	double value;

	assert_int_equal(option_percent(NULL, "0", &value, NULL), 0);
	assert_int_equal(option_percent(NULL, "100", &value, NULL), 0);
	assert_true(value == 100);
	assert_int_equal(option_percent(NULL, "100.1", &value, NULL), -EINVAL);
	assert_int_equal(option_percent(NULL, "-0.1", &value, NULL), -EINVAL);
	assert_int_equal(option_percent(NULL, "nan", &value, NULL), -EINVAL);
	assert_int_equal(option_percent(NULL, "", &value, NULL), -EINVAL);
	assert_int_equal(option_percent(NULL, "1x", &value, NULL), -EINVAL);
	assert_int_equal(option_points(NULL, "50", &value, NULL), 0);
	assert_true(value == 50);
	assert_int_equal(option_points(NULL, "0.01", &value, NULL), 0);
	assert_int_equal(option_points(NULL, "0", &value, NULL), -EINVAL);
	assert_int_equal(option_points(NULL, "50.1", &value, NULL), -EINVAL);
	assert_int_equal(option_points(NULL, "-1", &value, NULL), -EINVAL);
	assert_int_equal(option_count(NULL, "1", &count, NULL), 0);
	assert_int_equal(count, 1);
	assert_int_equal(option_count(NULL, "0", &count, &error), -EINVAL);
	assert_string_equal(error.what, "'0' is not above zero");
	assert_int_equal(option_count(NULL, "-5", &count, &error), -EINVAL);
	assert_string_equal(error.what, "'-5' is not above zero");
	assert_int_equal(option_count(NULL, "x", &count, &error), -EINVAL);
	assert_string_equal(error.what, "'x' is not a number");
	assert_int_equal(option_choice(&spec, "none", &index, NULL), 0);
	assert_int_equal(index, 2);
	assert_int_equal(option_choice(&spec, "gri", &index, &error), -EINVAL);
	assert_string_equal(error.what, "'gri' is not one of grid, poisson, none");
	assert_int_equal(index, 2);
	assert_int_equal(option_second_choice(&spec, "poisson", &is_second, NULL), 0);
	assert_true(is_second);
	assert_int_equal(option_second_choice(&spec, "x", &is_second, NULL), -EINVAL);
	assert_true(is_second);
	assert_int_equal(option_second_choice(&spec, "grid", &is_second, NULL), 0);
	assert_false(is_second);
	assert_int_equal(option_range(&spec, "3", &count, NULL), 0);
	assert_int_equal(count, 3);
	assert_int_equal(option_range(&spec, "0x10", &count, NULL), 0);
	assert_int_equal(count, 16);
	assert_int_equal(option_range(&spec, "2", &count, &error), -EINVAL);
	assert_string_equal(error.what, "'2' is not from 3 to 16");
	assert_int_equal(option_range(&spec, "17", &count, NULL), -EINVAL);
	assert_int_equal(option_range(&spec, "x", &count, NULL), -EINVAL);
	assert_int_equal(count, 16);
}

static void cpu_lists(void **state)
{
	static const char *const bad[] = { "", ",", "1,", "-1", "3-1", "a", "1-", "1--2", "9999",
					   "1,,2", "1-99999999999", "1\n" };
	struct cpus cpus;
	char last[16];

	assert_int_equal(cpus_parse("3-3", &cpus, NULL), 0);
	assert_int_equal(cpus.nr, 1);
	assert_int_equal(cpus.number[0], 3);
	cpus_deinit(&cpus);
	snprintf(last, sizeof(last), "%u", CPUS_MAX - 1);
	assert_int_equal(cpus_parse(last, &cpus, NULL), 0);
	assert_int_equal(cpus.number[0], CPUS_MAX - 1);
	cpus_deinit(&cpus);
	snprintf(last, sizeof(last), "%u", CPUS_MAX);
	assert_int_equal(cpus_parse(last, &cpus, NULL), -EINVAL);
	assert_int_equal(cpus_parse("5,0-2,1", &cpus, NULL), 0);
	assert_int_equal(cpus.nr, 4);
	assert_int_equal(cpus.number[2], 2);
	assert_int_equal(cpus.number[3], 5);
	cpus_deinit(&cpus);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (cpus_parse(bad[i], &cpus, NULL) != -EINVAL)
			fail_msg("'%s' is accepted as a list of CPUs", bad[i]);
}

/* A printed list is read back unchanged; a list without room is cut between numbers. */
static void cpu_lists_as_text(void **state)
{
	static const char start[] =
		"1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39,41,43,45";
	static const char *const lists[] = { "0", "0-1", "0,2-3,9", "8191", "1,3,5,7-8000" };
	u32 odd[64];
	struct cpus cpus = { .number = odd };
	char text[64];

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct cpus parsed;

		assert_int_equal(cpus_parse(lists[i], &parsed, NULL), 0);
		cpus_print(&parsed, text, sizeof(text));
		assert_string_equal(text, lists[i]);
		cpus_deinit(&parsed);
	}
	cpus_print(&cpus, text, sizeof(text));
	assert_string_equal(text, "");
	for (; cpus.nr < 64; cpus.nr++)
		odd[cpus.nr] = 2 * cpus.nr + 1;
	for (size_t len = 8; len <= sizeof(text); len++) {
		cpus_print(&cpus, text, len);
		assert_in_range(strlen(text), len - 5, len - 1);
		assert_string_equal(text + strlen(text) - 4, ",...");
		assert_int_equal(strncmp(text, start, strlen(text) - 4), 0);
	}
}

/* This machine's CPUs. */
static void all_cpus(void **state)
{
	struct cpus all, chosen, quiet;

	assert_int_equal(cpus_parse("all", &all, NULL), 0);
	assert_true(all.nr > 0);
	assert_int_equal(cpus_check(&all, NULL), 0);
	assert_int_equal(cpus_default(&chosen, &quiet, NULL), 0);
	assert_true(chosen.nr > 0);
	assert_int_equal(chosen.nr + quiet.nr, all.nr);
	cpus_deinit(&all);
	cpus_deinit(&chosen);
	cpus_deinit(&quiet);
}

struct form {
	double seconds;
	const char *sort;
	bool is_json;
};

struct report {
	char others[24];
	struct form form;
	u64 nr_rows;
};

static const struct option_spec form_list[] = {
	{ "sec", "T", "how long", option_seconds, offsetof(struct form, seconds) },
	{ "sort", "K", "", option_text, offsetof(struct form, sort) },
	{ "json", NULL, "", option_flag, offsetof(struct form, is_json) },
	{ NULL }
};

static const struct option_spec row_list[] = {
	{ "n", "N", "", option_count, offsetof(struct report, nr_rows) },
	{ NULL }
};

static const struct option_list lists[] = {
	{ form_list, offsetof(struct report, form) }, { row_list, 0 }, { NULL }
};

static void words(void **state)
{
	char *argv[] = { "sys", "-sec", "5", "task", "--sort=a=b", "-json", "-", "-sec=6", "--",
			 "ls", "-n", NULL };
	char *five[] = { "sys", "a", "b", "c", "d", "e", NULL };
	struct report report = { "" };
	struct options_rest rest;

	assert_int_equal(options_parse(argv, lists, &report, &rest, NULL), 0);
	assert_true(report.form.seconds == 6);
	assert_string_equal(report.form.sort, "a=b");
	assert_true(report.form.is_json);
	assert_int_equal(report.nr_rows, 0);
	assert_int_equal(rest.nr_args, 2);
	assert_string_equal(rest.args[0], "task");
	assert_string_equal(rest.args[1], "-");
	assert_null(rest.args[2]);
	assert_string_equal(rest.command[0], "ls");
	assert_string_equal(rest.command[1], "-n");
	assert_int_equal(rest.nr_given, 3);
	assert_true(options_given(&rest, "json"));
	assert_false(options_given(&rest, "n"));
	assert_string_equal(options_first(&rest, form_list), "sec");
	assert_null(options_first(&rest, row_list));
	/* A second parser of the same words finds them in their places. */
	assert_ptr_equal(rest.argv, argv);
	assert_string_equal(argv[0], "sys");
	/* Without a struct only the words are told apart. */
	report = (struct report){ "" };
	assert_int_equal(options_parse(argv, lists, NULL, &rest, NULL), 0);
	assert_string_equal(rest.args[0], "task");
	assert_null(report.form.sort);
	assert_string_equal(options_lack(&rest, &lists[1]), "sec");
	assert_null(options_lack(&rest, lists));
	assert_int_equal(options_parse(five, lists, &report, &rest, NULL), 0);
	assert_int_equal(rest.nr_args, 5);
	assert_string_equal(rest.args[3], "d");
	assert_null(rest.command);
}

/* All arguments, each with the option that begins its group. */
static void groups_of_words(void **state)
{
	static const char *const groups[] = { "json", NULL }, *const none[] = { NULL };
	char *argv[] = { "sys", "a", "-sort", "x", "b", "--json", "c", "-n", "5", "d", "-sort=y", "-", "f", "--",
			 "ls", NULL };
	struct report report = { "" };
	struct options_rest rest;
	struct options_arg *args;

	assert_int_equal(options_parse(argv, lists, &report, &rest, NULL), 0);
	assert_int_equal(rest.nr_args, 6);
	args = options_args(&rest, lists, groups);
	for (int i = 0; i < 6; i++) {
		assert_true(!strncmp(args[i].text, &"abcd-f"[i], 1) && !args[i].text[1]);
		if (i < 2)
			assert_null(args[i].group);
		else
			assert_true(args[i].group && !strcmp(args[i].group, "json"));
	}
	free(args);
	args = options_args(&rest, lists, none);
	assert_null(args[5].group);
	assert_string_equal(args[5].text, "f");
	free(args);
}

static void wrong_words(void **state)
{
	static const struct { char *argv[5]; const char *what; } cases[] = {
		{ { "sys", "-s", "5" }, "unknown option '-s'" },
		{ { "sys", "-sec", "--", "ls" }, "option -sec needs a value" },
		{ { "sys", "-sec" }, "option -sec needs a value" },
		{ { "sys", "-n" }, "option -n needs a value" },
		{ { "sys", "-json=yes" }, "option -json takes no value" },
		{ { "sys", "--" }, "no COMMAND after '--'" },
		{ { "sys", "-n", "0" }, "option -n: '0' is not above zero" },
		{ { "sys", "-sec=" }, "option -sec: '' is not a duration" },
	};
	struct report report = { "" };
	struct options_rest rest;
	struct text_error error;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(options_parse((char **)cases[i].argv, lists, &report, &rest,
					       &error), -EINVAL);
		assert_string_equal(error.what, cases[i].what);
	}
	assert_true(report.form.seconds == 0);
	assert_int_equal(report.nr_rows, 0);
}

static void suggestions(void **state)
{
	static const char *const names[] = { "flat", "late", "list", "help", "html", "width",
					     "version" };
	static const char *const short_names[] = { "o", "by" };
	static const struct { const char *typed, *meant; } cases[] = {
		{ "lat", "late" }, { "lits", "list" }, { "hepl", "help" }, { "h", "help" },
		{ "V", "version" },
		{ "widht", "width" }, { "wdth", "width" }, { "widtth", "width" },
		{ "widxx", "width" }, { "xidxx", NULL },
		{ "x", NULL }, { "xyat", "flat" }, { "zz", NULL },
		{ "nosuch", NULL }, { "", NULL },
		{ "a-word-of-more-letters-than-any-command-has", NULL },
	};
	size_t i;

	/* A word that needs as many edits as it has letters is not a typing error. */
	assert_string_equal(options_suggest("xy", short_names, 2), "by");
	assert_null(options_suggest("qq", short_names, 2));
	assert_null(options_suggest("x", short_names, 2));
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *near = options_suggest(cases[i].typed, names,
						   sizeof(names) / sizeof(names[0]));

		assert_string_equal(near ?: "(none)", cases[i].meant ?: "(none)");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seconds), cmocka_unit_test(short_times), cmocka_unit_test(rates),
		cmocka_unit_test(numbers), cmocka_unit_test(limits),
		cmocka_unit_test(cpu_lists), cmocka_unit_test(cpu_lists_as_text),
		cmocka_unit_test(all_cpus), cmocka_unit_test(words),
		cmocka_unit_test(groups_of_words), cmocka_unit_test(wrong_words), cmocka_unit_test(suggestions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
