// SPDX-License-Identifier: GPL-2.0-only
/* Cells of the live view, and hostile text in them: cli/top/cells.c, glyphs.c. */
#include "screens.h"
#include "top/glyphs.h"

#define LRM "\xe2\x80\x8e"

static struct cells cells;

static void begin(int cols, bool is_utf8)
{
	cells_deinit(&cells);
	assert_int_equal(cells_init(&cells, 3, cols, is_utf8), 0);
}

static const char *row(int number)
{
	return screen_row(&cells, number);
}

static void test_put(void **state)
{
	begin(10, true);
	assert_int_equal(cells_put(&cells, 0, 0, 10, STYLE_NORMAL, "hello"), 5);
	assert_string_equal(row(0), "hello");
	assert_int_equal(cells_put(&cells, 0, 8, 10, STYLE_NORMAL, "hello"), 2);
	assert_string_equal(row(0), "hello   he");
	assert_int_equal(cells_put(&cells, 0, 0, 3, STYLE_NORMAL, "ABCDEF"), 3);
	assert_string_equal(row(0), "ABClo   he");
	cells_put_right(&cells, 1, 0, 10, STYLE_NORMAL, "12.3");
	assert_string_equal(row(1), "      12.3");
	cells_put_right(&cells, 2, 2, 4, STYLE_NORMAL, "123456");
	assert_string_equal(row(2), "  1234");
}

static void test_outside(void **state)
{
	begin(10, true);
	assert_int_equal(cells_put(&cells, -1, 0, 10, STYLE_NORMAL, "x"), 0);
	assert_int_equal(cells_put(&cells, 3, 0, 10, STYLE_NORMAL, "x"), 0);
	assert_int_equal(cells_put(&cells, 0, 10, 10, STYLE_NORMAL, "x"), 0);
	assert_int_equal(cells_put(&cells, 0, -1, 10, STYLE_NORMAL, "x"), 0);
	assert_int_equal(cells_put(&cells, 0, 0, -5, STYLE_NORMAL, "x"), 0);
	cells_fill(&cells, 0, 8, 100, STYLE_NORMAL, 'x', 'x');
	cells_restyle(&cells, 7, STYLE_NORMAL);
	assert_string_equal(row(0), "        xx");
}

static void test_middle(void **state)
{
	begin(10, true);
	cells_put_name(&cells, 0, 0, 10, STYLE_NORMAL, "0123456789");
	assert_string_equal(row(0), "0123456789");
	cells_put_name(&cells, 0, 0, 10, STYLE_NORMAL, "geometry::Circle::draw");
	assert_string_equal(row(0), "geome…draw");
	begin(10, false);
	cells_put_name(&cells, 0, 0, 10, STYLE_NORMAL, "geometry::Circle::draw");
	assert_string_equal(row(0), "geom..draw");
	cells_put_name(&cells, 1, 0, 3, STYLE_NORMAL, "geometry");
	assert_string_equal(row(1), "geo");
}

static void test_control(void **state)
{
	begin(20, true);
	cells_put(&cells, 0, 0, 20, STYLE_NORMAL, "a\033[2Jb\nc\rd\te\x7f" "f\x9b");
	assert_string_equal(row(0), "a?[2Jb?c?d?e?f?");
	/* C1 controls in UTF-8, overlong, surrogate, too high, truncated */
	cells_put(&cells, 1, 0, 20, STYLE_NORMAL,
		  "\xc2\x9b|\xc0\x80|\xed\xa0\x80|\xf4\x90\x80\x80|\xe4\xb8");
	assert_string_equal(row(1), "?|??|???|????|??");
	begin(20, false);
	cells_put(&cells, 0, 0, 20, STYLE_NORMAL, "caf\xc3\xa9 \xe6\xbc\xa2");
	assert_string_equal(row(0), "caf? ?");
}

static void test_wide(void **state)
{
	begin(6, true);
	assert_int_equal(cells_width("漢字", true), 4);
	assert_int_equal(cells_put(&cells, 0, 0, 6, STYLE_NORMAL, "漢字x"), 5);
	assert_int_equal(cells.cell[1].cols, 0);
	/* half of a wide character has no room */
	assert_int_equal(cells_put(&cells, 1, 1, 4, STYLE_NORMAL, "漢字漢"), 4);
	assert_int_equal(cells_put(&cells, 2, 1, 3, STYLE_NORMAL, "漢字漢"), 2);
	/* written over one half: the other becomes a blank */
	cells_put(&cells, 0, 1, 1, STYLE_NORMAL, "y");
	assert_string_equal(row(0), " y字x");
	cells_put(&cells, 0, 2, 1, STYLE_NORMAL, "z");
	assert_string_equal(row(0), " yz x");
	begin(7, true);
	cells_put_name(&cells, 0, 0, 7, STYLE_NORMAL, "漢字漢字漢字");
	assert_string_equal(row(0), "漢…字");
}

static void test_combining(void **state)
{
	begin(8, true);
	/* e with acute, and far too many accents on one letter */
	assert_int_equal(cells_put(&cells, 0, 0, 8, STYLE_NORMAL, "e\xcc\x81x"), 2);
	assert_string_equal(row(0), "e\xcc\x81x");
	assert_int_equal(cells_put(&cells, 1, 0, 8, STYLE_NORMAL,
				   "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81y"), 2);
	assert_string_equal(row(1), "e\xcc\x81\xcc\x81y");
	/* a combining mark with nothing before it; a joiner and a selector */
	assert_int_equal(cells_put(&cells, 2, 0, 8, STYLE_NORMAL,
				   "\xcc\x81" "a\xe2\x80\x8d\xef\xb8\x8f" "b"), 3);
	assert_string_equal(row(2), "?ab");
}

static void test_right_to_left(void **state)
{
	begin(12, true);
	assert_int_equal(cells_put(&cells, 0, 0, 6, STYLE_NORMAL, "שלום"), 4);
	cells_put_right(&cells, 0, 6, 6, STYLE_NORMAL, "12.3");
	assert_string_equal(row(0), "שלום" LRM "    12.3");
	/* characters that would reverse the whole line */
	cells_put(&cells, 1, 0, 12, STYLE_NORMAL, "a\xe2\x80\xae" "b\xe2\x81\xa7" "c");
	assert_string_equal(row(1), "a?b?c");
	/* the mark follows the last letter shown, wherever the name is cut */
	cells_put_name(&cells, 2, 0, 5, STYLE_NORMAL, "שלוםשלום");
	assert_string_equal(row(2), "של" LRM "…ום" LRM);
}

static void test_long(void **state)
{
	char *text = malloc(100001);

	memset(text, 'x', 100000);
	text[100000] = '\0';
	begin(12, true);
	assert_int_equal(cells_put(&cells, 0, 0, 12, STYLE_NORMAL, text), 12);
	assert_int_equal(cells_put_name(&cells, 1, 0, 12, STYLE_NORMAL, text), 12);
	free(text);
}

/* Arbitrary bytes write nothing beyond the given columns, and nothing that controls a terminal. */
static void test_noise(void **state)
{
	u64 random = 88172645463325252ULL;
	char text[64];
	int i, k, used;

	for (i = 0; i < 20000; i++) {
		begin(9, i % 2);
		for (k = 0; k < 63; k++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			/* mostly parts of multi-byte characters */
			text[k] = random % 3 ? 0x80 | random >> 24 : random >> 24;
		}
		text[63] = '\0';
		used = i % 3 ? cells_put(&cells, 1, 1, 7, STYLE_NORMAL, text) :
			cells_put_name(&cells, 1, 1, 7, STYLE_NORMAL, text);
		assert_in_range(used, 0, 7);
		for (k = 0; k < 27; k++) {
			const struct cell *cell = &cells.cell[k];

			if (k <= 9 || k >= 17)
				assert_int_equal(cell->chars[0], ' ');
			assert_false(cell->chars[0] && cell->chars[0] < ' ');
			assert_false(cell->chars[0] >= 0x7f && cell->chars[0] < 0xa0);
			assert_true(cell->cols != 2 || !cell[1].cols);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_put),
		cmocka_unit_test(test_outside),
		cmocka_unit_test(test_middle),
		cmocka_unit_test(test_control),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_combining),
		cmocka_unit_test(test_right_to_left),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
