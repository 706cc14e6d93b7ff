// SPDX-License-Identifier: GPL-2.0-only
/* Bars and headings: cli/code/hist.c redraws Figures 4 and 5 of the paper. */
#include <math.h>
#include <unistd.h>

#include "inputs.h"
#include "code/hist.h"

/** A row of a figure: slot address, hits, bar. */
struct row {
	u64 addr;
	u64 hits;
	const char *bar;
};

/*
 * Rows whose bars the scan shows whole and straight. Damaged rows (dashes that run together, or a
 * '1' for a '|') are left out: the two tallest of Figure 4; 042420 and 033500 of Figure 5.
 */
static const struct row figure4[] = {
	{ 002200, 23, "*-|-" }, { 020000, 24, "*-|-" },
	{ 025400, 13, "*|" }, { 032400, 12, "|" }, { 033600, 25, "*-|-" },
};

static const struct row figure5[] = {
	{ 025200, 17, "|" }, { 025220, 27, "*|" }, { 025240, 29, "*|" }, { 025260, 86, "*****-|-" },
	{ 032160, 17, "|" }, { 032200, 25, "*|" }, { 032260, 26, "*|" }, { 032320, 22, "*|" },
	{ 033360, 35, "**|" }, { 033400, 23, "*|" }, { 033420, 41, "**|" },
	{ 033440, 71, "***-|-" }, { 032140, 47, "**-|-" }, { 032440, 44, "*-|-" },
	{ 033460, 55, "**-|-" }, { 033520, 47, "**-|-" }, { 033600, 54, "**-|-" },
	{ 042440, 57, "**-|-" },
};

static int bars_that_match(const struct row *rows, size_t nr, u64 most, u64 taken)
{
	double scale = hist_scale(&most, 1, taken, 0, 60);
	int matching = 0;

	for (size_t i = 0; i < nr; i++) {
		char bar[61];

		hist_bar(bar, 60, rows[i].hits, taken, 0, scale);
		if (!strcmp(bar, rows[i].bar))
			matching++;
		else
			print_message("%06llo %llu: %s, printed %s\n", rows[i].addr, rows[i].hits,
				      bar, rows[i].bar);
	}
	return matching;
}

static void paper_bars(void **state)
{
	assert_int_equal(bars_that_match(figure4, 5, 442, 21598), 5);
	/* 025200 prints "*|" where the rule gives "|": one of four rows that deviate */
	assert_true(bars_that_match(figure5, 18, 724, 43198) >= 17);
}

static char *draw(const struct hist *hist)
{
	return WRITTEN(out, hist_render(out, hist));
}

static void figure4_on_linux(void **state)
{
	static u64 hits[512];
	struct slots_layout layout;
	struct hist hist = { .layout = &layout, .hits = hits, .taken = 21598, .line_cols = 80 };
	char *text;

	slots_layout_init(&layout, 0, 0x10000);
	assert_int_equal(layout.shift, 7);
	hits[0x480 / 128] = 23;
	hits[0x1a80 / 128] = 88;
	hits[0x2a80 / 128] = 286;
	hits[0x2b00 / 128] = 13;
	hits[0x4500 / 128] = 442;
	hits[0x6000 / 128] = 1;
	hits[0x7000 / 128] = 1;
	text = draw(&hist);
	assert_string_equal(text,
		" Address    Hits\n========  ======\n. . .\n"
		"0x000480:     23: *-|-\n. . .\n"
		"0x001a80:     88: ********--|--\n. . .\n"
		"0x002a80:    286: *******************************----|----\n"
		"0x002b00:     13: *|\n. . .\n"
		"0x004500:    442: *************************************************-----|-----\n"
		". . .\n2 hits in 2 slots too small to draw\n");
	free(text);
}

static void figure5_on_linux(void **state)
{
	static u64 hits[512];
	struct slots_layout layout;
	struct hist hist = { .layout = &layout, .hits = hits, .taken = 43198, .line_cols = 80,
			     .object = "rogue" };
	struct sym_index *index = symbols_of(
		"0000000000002898 0000000000000226 T dbwrit\n"
		"0000000000002abe 0000000000000100 T dbmap\n"
		"0000000000004508 000000000000000e T c$sav\n"
		"0000000000004516 0000000000000008 T c$ret\n"
		"000000000000451e 0000000000000014 T c$rets\n"
		"0000000000004532 000000000000000e T emt\n");
	char *text;

	slots_layout_init(&layout, 0x2a80, 0x4580);
	hist.symbols = index;
	hits[(0x2aa0 - 0x2a80) / 16] = 29;
	hits[(0x2ab0 - 0x2a80) / 16] = 86;
	hits[(0x2ac0 - 0x2a80) / 16] = 164;
	hits[(0x3000 - 0x2a80) / 16] = 2;
	hits[(0x3100 - 0x2a80) / 16] = 1;
	hits[(0x3200 - 0x2a80) / 16] = 2;
	hits[(0x4510 - 0x2a80) / 16] = 222;
	hits[(0x4530 - 0x2a80) / 16] = 724;
	text = draw(&hist);
	assert_string_equal(text,
		" Address    Hits\n========  ======\n. . .\n"
		"\n0x002898-dbwrit\n0x002aa0:     29: *|\n"
		"\n0x002898-dbwrit 0x002abe-dbmap\n0x002ab0:     86: *****-|-\n"
		"\n0x002abe-dbmap\n0x002ac0:    164: ***********-|-\n. . .\n"
		"\n0x004508-c$sav 0x004516-c$ret 0x00451e-c$rets\n"
		"0x004510:    222: **************--|--\n. . .\n"
		"\n0x00451e-c$rets 0x004532-emt\n"
		"0x004530:    724: ***************************************************----|----\n"
		". . .\n5 hits in 3 slots too small to draw\n");
	free(text);
	sym_index_destroy(index);
}

static void nothing_named_twice_nothing_too_wide(void **state)
{
	static u64 hits[512];
	struct slots_layout layout;
	struct hist hist = { .layout = &layout, .hits = hits, .taken = 100000, .line_cols = 80,
			     .object = "thing", .object_start = 0x400000, .shows_all = true };
	struct sym_index *index = symbols_of(
		"401000 10 T "
		"outer_function_with_a_name_that_goes_on_and_on_and_on_for_ever_and_ever\n"
		"401004 4 T in\n401010 4 T next\n");
	char *text, *line, *rest;

	slots_layout_init(&layout, 0x401000, 0x402000);
	hist.symbols = index;
	hits[0] = 90000;
	hits[100] = 10000;
	text = draw(&hist);
	assert_non_null(strstr(text, "0x401320-thing+0x1320") ?: strstr(text, "-thing+0x1"));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		assert_true(strlen(line) <= 80);
	free(text);
	sym_index_destroy(index);
}

static void many_plt_entries_in_one_word(void **state)
{
	static u64 hits[512] = { 70 };
	struct slots_layout layout;
	struct hist hist = { .layout = &layout, .hits = hits, .taken = 100, .line_cols = 80 };
	struct sym_index *few = symbols_of("401000 10 T a@plt\n401010 10 T b@plt\n"
					   "401020 10 T c@plt\n401030 10 T main\n");
	struct sym_index *many = symbols_of("401000 8 T first\n401008 8 T a@plt\n401010 8 T b@plt\n"
					    "401018 8 T c@plt\n401020 8 T d@plt\n"
					    "401030 10 T main\n");
	char *text;

	slots_layout_init(&layout, 0x401000, 0x409000);
	hist.symbols = few;
	text = draw(&hist);
	assert_non_null(strstr(text,
			       "0x401000-a@plt 0x401010-b@plt 0x401020-c@plt 0x401030-main\n"));
	free(text);
	hist.symbols = many;
	text = draw(&hist);
	assert_non_null(strstr(text, "0x401000-first 0x401008-(4 PLT entries) 0x401030-main\n"));
	free(text);
	sym_index_destroy(few);
	sym_index_destroy(many);
}

/* The half-width is the one for sampling without replacement: n - 1 in the denominator. */
static void scale_and_whole_bars(void **state)
{
	const u64 hits[] = { 3, 1 }, all = 10;
	char bar[61];

	/* 3 of 10: 3 + 1.96 sqrt(3 0.7 10 / 9) */
	assert_true(fabs(hist_scale(hits, 2, 10, 0, 2) - (3 + 1.96 * sqrt(21.0 / 9)) / 2) < 1e-12);
	/* All hits in one slot: nothing is uncertain, and the bar ends where the line does. */
	assert_true(hist_scale(&all, 1, 10, 0, 5) == 2);
	assert_int_equal(hist_bar(bar, 5, 10, 10, 0, 2), 5);
	assert_string_equal(bar, "****|");
	assert_int_equal(hist_bar(bar, 5, 11, 11, 0, 2), 5);
	assert_string_equal(bar, "****|");
	assert_int_equal(hist_bar(bar, 5, 0, 10, 0, 2), 0);
	assert_string_equal(bar, "");
}

/* Thirteen functions in a slot, twelve of them named; lines that are exactly full. */
static void headings(void **state)
{
	static u64 hits[512] = { 70 };
	struct slots_layout layout;
	struct hist hist = { .layout = &layout, .hits = hits, .taken = 100, .line_cols = 37 };
	char symbols[1024] = "", *text, *end = symbols;

	for (int i = 0; i < 14; i++)
		end += sprintf(end, "%x 4 T fun%d\n", 0x1000 + 4 * i, i);
	/* The next slot begins with this function. */
	sprintf(end, "1040 4 T in_the_next_slot\n");
	slots_layout_init(&layout, 0x1000, 0x9000);
	assert_int_equal(layout.shift, 6);
	hist.symbols = symbols_of(symbols);
	text = draw(&hist);
	assert_non_null(strstr(text, "\n0x001000-fun0 0x001004-fun1\n"
			       "0x001008-fun2 0x00100c-fun3\n"));
	assert_non_null(strstr(text, "0x001028-fun10 0x00102c-fun11\n(and 2 more functions)\n"));
	assert_null(strstr(text, "in_the_next_slot"));
	free(text);
	/* Two names of 13 columns with a blank between them fit into 27 columns, not into 26. */
	hist.line_cols = 27;
	text = draw(&hist);
	assert_non_null(strstr(text, "\n0x001000-fun0 0x001004-fun1\n"));
	free(text);
	hist.line_cols = 26;
	text = draw(&hist);
	assert_non_null(strstr(text, "\n0x001000-fun0\n0x001004-fun1\n"));
	free(text);
	sym_index_destroy((struct sym_index *)hist.symbols);
	/* A bar has ten columns however narrow the line is. */
	hits[0] = 100;
	hist.symbols = NULL;
	hist.line_cols = 10;
	text = draw(&hist);
	assert_non_null(strstr(text, "\n0x001000:    100: *********|\n"));
	free(text);
	hits[0] = 70;
}

/* A heading is repeated when a function is added, removed or replaced. */
static void headings_are_repeated_after_changes(void **state)
{
	static u64 hits[512];
	struct slots_layout layout;
	struct hist hist = { .layout = &layout, .hits = hits, .taken = 1, .line_cols = 80 };

	slots_layout_init(&layout, 0x1000, 0x9000);
	assert_false(hist_has_heading(&hist, 0, HIST_NO_SLOT));
	hist.symbols = symbols_of("1000 a0 T a\n10a0 60 T b\n2000 40 T c\n");
	assert_true(hist_has_heading(&hist, 0, HIST_NO_SLOT));
	assert_false(hist_has_heading(&hist, 1, 0));
	assert_true(hist_has_heading(&hist, 2, 1));	/* a and b after a */
	assert_true(hist_has_heading(&hist, 3, 2));	/* b alone */
	assert_true(hist_has_heading(&hist, 4, 3));	/* nothing */
	assert_false(hist_has_heading(&hist, 5, 4));
	assert_true(hist_has_heading(&hist, 64, 5));
	sym_index_destroy((struct sym_index *)hist.symbols);
}

/* A blank precedes the longest count, and titles are above their columns. */
static void long_counts(void **state)
{
	static u64 hits[512] = { 12345, 123456 };
	struct slots_layout layout;
	struct hist hist = { .layout = &layout, .hits = hits, .taken = 135801, .line_cols = 80 };
	char *text;

	slots_layout_init(&layout, 0x1000, 0x1400);
	text = draw(&hist);
	assert_non_null(strstr(text, " Address    Hits\n========  ======\n"));
	assert_non_null(strstr(text, "\n0x001000:  12345: "));
	assert_non_null(strstr(text, "\n0x001002: 123456: "));
	free(text);
	hits[1] = 1234567;
	text = draw(&hist);
	assert_non_null(strstr(text, " Address     Hits\n========  =======\n"));
	assert_non_null(strstr(text, "\n0x001002: 1234567: "));
	free(text);
	hits[1] = 123456;
}

static void longest_bar_fits(void **state)
{
	for (int cols = 10; cols <= 60; cols++) {
		for (u64 most = 1; most < 100000; most = most * 3 / 2 + 1) {
			u64 taken = most * 2 + 5;
			double scale = hist_scale(&most, 1, taken, 0, cols);
			char bar[61];

			hist_bar(bar, cols, most, taken, 0, scale);
			assert_true(strlen(bar) <= (size_t)cols);
			assert_true(strlen(bar) >= (size_t)cols - 2);
			assert_non_null(strchr(bar, '|'));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paper_bars), cmocka_unit_test(figure4_on_linux),
		cmocka_unit_test(figure5_on_linux),
		cmocka_unit_test(nothing_named_twice_nothing_too_wide),
		cmocka_unit_test(many_plt_entries_in_one_word),
		cmocka_unit_test(scale_and_whole_bars), cmocka_unit_test(headings),
		cmocka_unit_test(headings_are_repeated_after_changes),
		cmocka_unit_test(long_counts),
		cmocka_unit_test(longest_bar_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
