// SPDX-License-Identifier: GPL-2.0-only
/* Metrics: rows with places, counters that never go back, the text format: cli/metrics/. */
#include <math.h>

#include "folds.h"
#include "metrics/metrics.h"
#include "metrics/metrics_label.h"
#include "metrics/metrics_rows.h"

/** A fold being filled, on one CPU with periods of 1 ms. */
struct window {
	struct fold *fold;
	struct run_result result;
	unsigned int lumped;
};

static struct window window_init(void)
{
	return (struct window){ .fold = fold_create(), .result = { .nr_cpus = 1, .elapsed_seconds = 1 } };
}

/* @id: tells executables of one name apart */
static void add_numbered(struct window *window, u32 kind, const char *name, u64 id, u64 kernel, u64 user)
{
	struct cpuprobe_account account = { .period_ns = 1000000, .expected = kernel + user,
					    .taken = kernel + user, .entries = 1 };
	struct cpuprobe_record record;

	record_init(&record, id, name, kernel, 0, user);
	for (const char *at = name; *at; at++)
		record.id[0] = record.id[0] * 131 + (unsigned char)*at;
	record.kind = kind;
	fold_add(window->fold, 0, &account, &record);
	window->result.account.taken += kernel + user;
	window->result.account.expected += kernel + user;
}

static void add(struct window *window, u32 kind, const char *name, u64 kernel, u64 user)
{
	add_numbered(window, kind, name, 0, kernel, user);
}

static void add_missed(struct window *window, u64 nr)
{
	struct cpuprobe_account account = { .period_ns = 1000000, .expected = nr, .missed = nr };

	fold_add(window->fold, 0, &account, NULL);
	window->result.account.missed += nr;
	window->result.account.expected += nr;
}

static void end(struct metrics *metrics, struct window *window)
{
	const struct metrics_window given = {
		.fold = window->fold, .result = &window->result, .ended = 1700000000.25, .cost_ns = 2000,
		.knows_deferred = true, .lumped = window->lumped, .tool_cpu_seconds = 0.5, .engine = "module",
	};

	assert_int_equal(metrics_add(metrics, &given), 0);
	fold_destroy(window->fold);
}

static struct metrics *create(size_t nr_rows)
{
	const struct metrics_options options = { .nr_rows = nr_rows, .by = "exe" };

	return metrics_create(&options);
}

/* The value of the line that begins with @start and a blank; NAN: there is none. */
static double get_value(const char *text, const char *start)
{
	size_t len = strlen(start);

	for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL)
		if (!strncmp(text, start, len) && text[len] == ' ')
			return strtod(text + len, NULL);
	return NAN;
}

static double get_counter(const char *text, const char *name, const char *kind, const char *mode)
{
	char start[512];

	snprintf(start, sizeof(start), "cpuprobe_samples_total{by=\"exe\",name=\"%s\",kind=\"%s\",mode=\"%s\"}",
		 name, kind, mode);
	return get_value(text, start);
}

/* The sum of all lines that begin with @start. */
static double get_sum(const char *text, const char *start)
{
	double sum = 0;

	for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL)
		if (!strncmp(text, start, strlen(start)))
			sum += strtod(strrchr(strndupa(text, strcspn(text, "\n")), ' '), NULL);
	return sum;
}

#define TEXT(metrics) WRITTEN(out, assert_int_equal(metrics_write(metrics, out), 0))

/* A mode that the engine does not tell apart has no counter: 0 would be a claim. */
static void an_unknown_mode_is_left_out(void **state)
{
	struct metrics *metrics = create(2);
	struct window window = window_init();
	char *text;

	add(&window, CPUPROBE_KIND_EXE, "big", 10, 20);
	window.lumped = 1u << CPUPROBE_MODE_SOFTIRQ;
	end(metrics, &window);
	text = TEXT(metrics);
	assert_true(isnan(get_counter(text, "big", "exe", "softirq")));
	assert_true(get_counter(text, "big", "exe", "guest") == 0);
	assert_true(get_sum(text, "cpuprobe_samples_total{") == 30);
	free(text);
	metrics_destroy(metrics);
}

/* One run: what the table says. */
static void one_window_is_the_table(void **state)
{
	struct metrics *metrics = create(2);
	struct window window = window_init();
	struct stat_interval interval = stat_wilson(30, 100, 0);
	char *text;

	add(&window, CPUPROBE_KIND_EXE, "big", 10, 20);
	add(&window, CPUPROBE_KIND_EXE, "mid", 0, 20);
	add(&window, CPUPROBE_KIND_EXE, "low", 0, 9);
	add(&window, CPUPROBE_KIND_EXE, "least", 0, 1);
	add(&window, CPUPROBE_KIND_IDLE, "IDLE", 40, 0);
	add_missed(&window, 11);
	end(metrics, &window);
	text = TEXT(metrics);
	assert_true(get_counter(text, "big", "exe", "user") == 20);
	assert_true(get_counter(text, "big", "exe", "kernel") == 10);
	assert_true(get_counter(text, "big", "exe", "softirq") == 0);
	assert_true(get_counter(text, "IDLE", "idle", "kernel") == 40);
	assert_true(get_counter(text, "other", "other", "user") == 10);
	assert_true(isnan(get_counter(text, "low", "exe", "user")));
	assert_true(get_sum(text, "cpuprobe_samples_total{") == 100);
	/* The samples stand for the missed periods too. */
	assert_true(fabs(get_sum(text, "cpuprobe_cpu_seconds_total{") - 0.111) < 1e-12);
	assert_true(fabs(get_value(text, "cpuprobe_sampled_cpu_seconds_total") - 0.111) < 1e-12);
	assert_true(get_value(text, "cpuprobe_taken_samples_total") == 100);
	assert_true(get_value(text, "cpuprobe_missed_samples_total") == 11);
	assert_true(fabs(get_value(text, "cpuprobe_sampling_cost_seconds_total") - 100 * 2e-6) < 1e-12);
	assert_true(get_value(text, "cpuprobe_window_end_timestamp_seconds") == 1700000000.25);
#define SHARE(bound) get_value(text, "cpuprobe_share_" bound "ratio{by=\"exe\",name=\"big\",kind=\"exe\"}")
	assert_true(fabs(SHARE("") - 0.3) < 1e-12);
	assert_true(fabs(SHARE("lower_") - interval.lo) < 1e-12);
	assert_true(fabs(SHARE("upper_") - interval.hi) < 1e-12);
	free(text);
	metrics_destroy(metrics);
}

/* Executables of one name are one series, in windows with one of them and in windows with both. */
static void namesakes_are_one_series(void **state)
{
	struct metrics *metrics = create(2);
	struct window window;
	char *text;
	int i;

	for (i = 0; i < 3; i++) {
		window = window_init();
		add_numbered(&window, CPUPROBE_KIND_EXE, "a", 1, 0, 40);
		if (i != 1)
			add_numbered(&window, CPUPROBE_KIND_EXE, "a", 2, 0, 20);
		add(&window, CPUPROBE_KIND_EXE, "b", 0, 40);
		end(metrics, &window);
	}
	text = TEXT(metrics);
	assert_true(get_counter(text, "a", "exe", "user") == 160);
	assert_true(fabs(get_value(text, "cpuprobe_share_ratio{by=\"exe\",name=\"a\",kind=\"exe\"}") - 0.6) < 1e-12);
	assert_true(get_value(text, "cpuprobe_rows_entered_total") == 0);
	assert_null(strstr(text, "inode"));
	free(text);
	metrics_destroy(metrics);
}

/* A row that comes later begins at 0; its first samples are in "other", so that increases add up. */
static void later_rows_begin_at_zero(void **state)
{
	struct metrics *metrics = create(2);
	struct window window = window_init();
	char *text;

	add(&window, CPUPROBE_KIND_EXE, "a", 0, 100);
	end(metrics, &window);
	window = window_init();
	add(&window, CPUPROBE_KIND_EXE, "a", 0, 40);
	add(&window, CPUPROBE_KIND_EXE, "b", 0, 60);
	end(metrics, &window);
	text = TEXT(metrics);
	assert_true(get_counter(text, "a", "exe", "user") == 140);
	assert_true(get_counter(text, "b", "exe", "user") == 0);
	assert_true(get_counter(text, "other", "other", "user") == 60);
	assert_true(fabs(get_value(text, "cpuprobe_share_ratio{by=\"exe\",name=\"b\",kind=\"exe\"}") - 0.6) < 1e-12);
	assert_true(get_value(text, "cpuprobe_rows_entered_total") == 1);
	free(text);
	window = window_init();
	add(&window, CPUPROBE_KIND_EXE, "b", 0, 7);
	end(metrics, &window);
	text = TEXT(metrics);
	assert_true(get_counter(text, "b", "exe", "user") == 7);
	assert_true(get_counter(text, "other", "other", "user") == 60);
	assert_true(get_value(text, "cpuprobe_share_ratio{by=\"exe\",name=\"a\",kind=\"exe\"}") == 0);
	free(text);
	metrics_destroy(metrics);
}

/** A small generator of numbers, equal in every run. */
static u32 draw(u64 *seed)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return *seed >> 33;
}

/* Ends a window with the samples of 200 rows at most, 30 of which are in all windows. Returns the samples. */
static u64 end_random_window(struct metrics *metrics, int nr, u64 *seed)
{
	struct window window = window_init();
	u64 all = 0;

	for (int i = 0; i < 200; i++) {
		char name[24];
		u64 hits = draw(seed) % 50;

		snprintf(name, sizeof(name), i < 30 ? "%d" : "job-%d-%d", i, nr);
		if (!hits)
			continue;
		add(&window, CPUPROBE_KIND_EXE, name, 0, hits);
		all += hits;
	}
	end(metrics, &window);
	return all;
}

/* Returns by how much the counters of samples have grown from one text to the next. None may go back. */
static double get_increase(const char *before, const char *text)
{
	double increase = 0;

	for (const char *at = text; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
		char *line = strndupa(at, strcspn(at, "\n")), *blank = strrchr(line, ' ');
		double old, now;

		if (strncmp(line, "cpuprobe_samples_total{", 23))
			continue;
		*blank = '\0';
		now = strtod(blank + 1, NULL);
		old = get_value(before, line);
		/* A series that begins, at 0 */
		if (isnan(old))
			assert_true(now == 0);
		else
			assert_true(now >= old);
		increase += now - (isnan(old) ? 0 : old);
	}
	return increase;
}

/*
 * Thousands of short-lived rows: places are bounded, few change in a window, no counter goes back while it is
 * there, and the increases of all counters are the samples of the window.
 */
static void increases_add_up_whatever_comes(void **state)
{
	const size_t nr_places = 16;
	struct metrics *metrics = create(nr_places);
	char *before = NULL, *text;
	size_t nr_lines = 0;
	double replaced;
	u64 seed = 7, all;

	for (int nr = 0; nr < 60; nr++) {
		all = end_random_window(metrics, nr, &seed);
		text = TEXT(metrics);
		if (before) {
			assert_true(get_increase(before, text) == all);
			replaced = get_value(text, "cpuprobe_rows_replaced_total") -
				get_value(before, "cpuprobe_rows_replaced_total");
			assert_true(replaced >= 0 && replaced <= nr_places / 8);
		}
		assert_true(fabs(get_sum(text, "cpuprobe_share_ratio{") - 1) < 1e-9);
		free(before);
		before = text;
	}
	assert_true(get_value(before, "cpuprobe_rows_replaced_total") > 0);
	assert_true(get_sum(before, "cpuprobe_windows_total ") == 60);
	/* docs/fleet.md promises this. */
	assert_true(sizeof(struct metrics_row) < 1024);
	/* The places, "other" and the fixed rows. */
	for (const char *at = before; (at = strstr(at, "\ncpuprobe_share_ratio{")); at++)
		nr_lines++;
	assert_int_equal(nr_lines, nr_places + 1 + METRICS_FIXED);
	free(before);
	metrics_destroy(metrics);
}

/* A row that is large for long gets the place of one that is gone. */
static void large_rows_displace_idle_ones(void **state)
{
	struct metrics *metrics = create(1);
	char *text;

	for (int nr = 0; nr < 12; nr++) {
		struct window window = window_init();

		add(&window, CPUPROBE_KIND_EXE, nr < 2 ? "early" : "late", 0, 100);
		add(&window, CPUPROBE_KIND_EXE, "small", 0, 10);
		end(metrics, &window);
	}
	text = TEXT(metrics);
	assert_true(isnan(get_counter(text, "early", "exe", "user")));
	assert_true(get_counter(text, "late", "exe", "user") >= 500);
	assert_true(get_value(text, "cpuprobe_rows_replaced_total") == 1);
	free(text);
	metrics_destroy(metrics);
}

static void check_label(const char *value, const char *expected)
{
	char *text = WRITTEN(out, metrics_put_label(out, "name", value, false));

	assert_string_equal(text, expected);
	free(text);
}

/* Any bytes become a valid label. */
static void labels_are_escaped(void **state)
{
	check_label("", ",name=\"\"");
	check_label("a\"b\\c\nd", ",name=\"a\\\"b\\\\c\\nd\"");
	check_label("\xc3\xa9\xf0\x9f\x94\xa5", ",name=\"\xc3\xa9\xf0\x9f\x94\xa5\"");
	check_label("\xff" "a\xc3", ",name=\"\xef\xbf\xbd" "a\xef\xbf\xbd\"");
	check_label("\xed\xa0\x80\xc0\xaf", ",name=\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

/* Labels of rows differ, or a reader would refuse all metrics. */
static void rows_differ_in_their_labels(void **state)
{
	struct metrics *metrics = create(8);
	struct window window = window_init();
	char *text;

	add(&window, CPUPROBE_KIND_EXE, "other", 0, 5);
	add(&window, CPUPROBE_KIND_EXITING, "(exiting)", 0, 3);	/* with an id: only its name is known */
	add(&window, CPUPROBE_KIND_EXE, "a\x01", 0, 2);
	add(&window, CPUPROBE_KIND_COMM, "a\x02", 0, 1);
	add(&window, CPUPROBE_KIND_COMM, "a\x03", 0, 1);
	end(metrics, &window);
	text = TEXT(metrics);
	assert_true(get_counter(text, "other", "exe", "user") == 5);
	assert_true(get_counter(text, "other", "other", "user") == 0);
	assert_true(get_counter(text, "(exiting)", "gone", "user") == 3);
	assert_true(get_counter(text, "a?", "exe", "user") == 2);
	assert_true(get_counter(text, "a?", "comm", "user") == 2);
	free(text);
	metrics_destroy(metrics);
}

/* Before the first window there are no rows, and what is not known is not there. */
static void unknown_metrics_are_missing(void **state)
{
	struct metrics *metrics = create(1);
	struct window window = window_init();
	struct metrics_window given = { .tool_cpu_seconds = -1, .engine = "bpf" };
	char *text = TEXT(metrics);

	assert_true(get_value(text, "cpuprobe_windows_total") == 0);
	assert_true(isnan(get_value(text, "cpuprobe_taken_samples_total")));
	free(text);
	add(&window, CPUPROBE_KIND_EXE, "a", 0, 5);
	given.fold = window.fold;
	given.result = &window.result;
	assert_int_equal(metrics_add(metrics, &given), 0);
	metrics_skip(metrics);
	fold_destroy(window.fold);
	text = TEXT(metrics);
	assert_true(get_value(text, "cpuprobe_taken_samples_total") == 5);
	assert_true(isnan(get_value(text, "cpuprobe_deferred_samples_total")));
	assert_true(isnan(get_value(text, "cpuprobe_sampling_cost_seconds_total")));
	assert_true(isnan(get_value(text, "cpuprobe_tool_cpu_seconds_total")));
	assert_true(get_value(text, "cpuprobe_skipped_windows_total") == 1);
	assert_non_null(strstr(text, "engine=\"bpf\""));
	free(text);
	metrics_destroy(metrics);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_window_is_the_table),
		cmocka_unit_test(an_unknown_mode_is_left_out),
		cmocka_unit_test(namesakes_are_one_series),
		cmocka_unit_test(later_rows_begin_at_zero),
		cmocka_unit_test(increases_add_up_whatever_comes),
		cmocka_unit_test(large_rows_displace_idle_ones),
		cmocka_unit_test(labels_are_escaped),
		cmocka_unit_test(rows_differ_in_their_labels),
		cmocka_unit_test(unknown_metrics_are_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
