// SPDX-License-Identifier: GPL-2.0-only
/* A share and its four columns: cli/base/share.c. */
#include <math.h>

#include "unit.h"
#include "base/share.h"

/** A row of the list under test. */
struct vote {
	u64 hits, n;
	enum output_ci ci;
};

static struct share of_vote(const struct column_cell *cell)
{
	const struct vote *vote = cell->row;

	return share_of_hits(vote->hits, vote->n, 0, vote->ci, 100);
}

static const struct column columns[] = {
	{ .key = "share", .title = "Share", .cols = 5, .digits = 1, SHARE_COLUMN(of_vote) },
	SHARE_ERROR_COLUMN("", "the share", of_vote, .cols = 5),
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the", of_vote, .cols = 5),
};

static const struct column_list list = {
	.name = "votes", .column = columns, .nr = sizeof(columns) / sizeof(columns[0]),
};

static void assert_cells(const struct vote *vote, const char *expected)
{
	struct columns shown;
	char *line;

	assert_int_equal(columns_choose(&shown, &list, FORMAT_TEXT, NULL, NULL, NULL), 0);
	columns_measure(&shown, vote);
	columns_fit(&shown, 80);
	line = WRITTEN(out, columns_print_row(out, &shown, vote));
	assert_string_equal(line, expected);
	free(line);
	columns_deinit(&shown);
}

/* Wilson: 5 of 20 gives 0.1119 to 0.4687; the farther end is 0.2187 away. */
static void five_hits_are_a_share_and_four_a_bound(void **state)
{
	assert_cells(&(struct vote){ 5, 20, CI_WILSON }, " 25.0  21.87  11.19  46.87\n");
	assert_cells(&(struct vote){ 4, 20, CI_WILSON }, "<41.7          8.07  41.60\n");
}

/* The paper: 1.96 sqrt(0.25 x 0.75 / 19) = 0.1947; its share is never a bound. */
static void the_papers_interval(void **state)
{
	assert_cells(&(struct vote){ 5, 20, CI_PAPER }, " 25.0  19.47   5.53  44.47\n");
	assert_cells(&(struct vote){ 1, 20, CI_PAPER }, "  5.0   9.80  -4.80  14.80\n");
}

static void without_samples_no_share_is_known(void **state)
{
	assert_true(isnan(share_of_hits(0, 0, 0, CI_WILSON, 100).value));
	assert_true(share_of_hits(0, 0, 0, CI_WILSON, 100).hi == 100);
}

static void the_margin_reaches_the_farther_end(void **state)
{
	struct stat_interval interval = { 0.1, 0.4 };

	assert_true(fabs(share_of(0.3, interval, 1).error - 0.2) < 1e-12);
	assert_true(fabs(share_of(0.15, interval, 400).error - 100) < 1e-9);
	assert_true(fabs(share_of(0.15, interval, 400).lo - 40) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_hits_are_a_share_and_four_a_bound),
		cmocka_unit_test(the_papers_interval),
		cmocka_unit_test(without_samples_no_share_is_known),
		cmocka_unit_test(the_margin_reaches_the_farther_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
