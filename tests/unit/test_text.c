// SPDX-License-Identifier: GPL-2.0-only
/* Foreign names, as tables show them: cli/base/text.c, text_shown.c, chars.c. */
#include "unit.h"
#include "base/chars.h"
#include "base/columns.h"
#include "base/text.h"
#include "utf8.h"

#define LRM "\xe2\x80\x8e"
#define RLO "\xe2\x80\xae"	/* right-to-left override */
#define ACUTE "\xcc\x81"	/* combining */

static void test_clean(void **state)
{
	char text[] = "a\033[31m\x7f\xff\xc3\xa9\xc2\x9b\xe2\x82", json[64] = "";
	char kept[] = "a" RLO "b" ACUTE "\u200d漢";
	FILE *out = fmemopen(json, sizeof(json), "w");

	text_clean(text);
	assert_string_equal(text, "a?[31m??\xc3\xa9????");
	text_json(out, "q\"b\\c\né\x7f\xff\xe2\x82z");
	fclose(out);
	assert_string_equal(json, "\"q\\\"b\\\\c\\u000aé\x7f\\ufffd\\ufffd\\ufffdz\"");
	/* Characters that only harm tables stay in the data. */
	text_clean(kept);
	assert_string_equal(kept, "a" RLO "b" ACUTE "\u200d漢");
}

/* Names in a hint are as foreign as those in its message. */
static void test_report(void **state)
{
	struct text_error error;
	FILE *kept = stderr;
	char *said;

	text_fail(&error, 0, "a\033b");
	text_hint(&error, "c\033d");
	said = WRITTEN(out, { stderr = out; text_report(&error); stderr = kept; });
	assert_string_equal(said, "probe: a?b\nhint: c?d\n");
	free(said);
}

static const char *plain(const char *text, bool is_utf8)
{
	static char copy[256];

	snprintf(copy, sizeof(copy), "%s", text);
	text_plain_as(copy, is_utf8);
	return copy;
}

static void test_plain(void **state)
{
	static const char *const turning[] = {
		"\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
		"\u2066", "\u2067", "\u2068", "\u2069", "\u2028", "\u2029",
	};
	char text[16], wanted[] = "a?b";
	size_t i;

	for (i = 0; i < sizeof(turning) / sizeof(turning[0]); i++) {
		snprintf(text, sizeof(text), "a%sb", turning[i]);
		assert_string_equal(plain(text, true), wanted);
		assert_string_equal(plain(text, false), wanted);
	}
	assert_string_equal(plain("a\n\t\033[2J\x9b" "b\xc2\x9b", true), "a???[2J?b?");
	assert_string_equal(plain("漢é" ACUTE "שלום", true), "漢é" ACUTE "שלום");
	assert_string_equal(plain("漢e" ACUTE "ש", false), "?e??");
	/* Cut in the middle of a character, as process names are. */
	assert_string_equal(plain("abc\xe6\xbc", true), "abc??");
	assert_string_equal(plain("abc\xf0\x9f\x98", false), "abc???");
	/* A mark without a base character; more marks than a line has room for; joiners. */
	assert_string_equal(plain(ACUTE "a", true), "?a");
	assert_string_equal(plain("a" ACUTE ACUTE ACUTE ACUTE "b", true), "a" ACUTE ACUTE "b");
	assert_string_equal(plain("👩\u200d👧\ufe0f\u00adx", true), "👩👧x");
	assert_string_equal(plain("\u200b" ACUTE, true), "?");
}

static void test_width(void **state)
{
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("hello"), 5);
	assert_int_equal(text_width("café"), 4);
	assert_int_equal(text_width("cafe" ACUTE), 4);
	assert_int_equal(text_width("漢字"), 4);
	assert_int_equal(text_width("👩x"), 3);
	assert_int_equal(text_width("한"), 2);
	/* The same syllable in three parts. */
	assert_int_equal(text_width("\u1112\u1161\u11ab"), 2);
	assert_int_equal(text_width("ｆｕ"), 4);
	assert_int_equal(text_width("שָׁלוֹם"), 4);
}

static const char *cut(const char *text, int cols)
{
	static char copy[256];

	snprintf(copy, sizeof(copy), "%s", text);
	text_cut(copy, cols);
	return copy;
}

static void test_cut(void **state)
{
	assert_string_equal(cut("ééé", 2), "éé");
	/* The middle is cut, if there is room for both ends. */
	assert_string_equal(cut("raw_spin_unlock_irqréstore", 14), "raw_sp..éstore");
	assert_string_equal(cut("raw_sp..éstore", 14), "raw_sp..éstore");
	assert_string_equal(cut("raw_spin_unlock_irqréstore", 8), "raw..ore");
	assert_string_equal(cut("raw_spin_unlock_irqréstore", 7), "raw_spi");
	assert_string_equal(cut("raw_spin_unlock_irqréstore", 0), "");
	/* Half a wide character has no room. */
	assert_string_equal(cut("漢字漢字", 3), "漢");
	assert_string_equal(cut("漢字漢字", 1), "");
	assert_string_equal(cut("漢字漢字漢字漢字", 10), "漢字..漢字");
	assert_string_equal(cut("漢字漢字漢字漢字", 9), "漢字..字");
	assert_string_equal(cut("漢字漢字漢字漢字", 8), "漢..字");
	/* Marks stay with their letter, or are cut with it. */
	assert_string_equal(cut("e" ACUTE "e" ACUTE "e" ACUTE, 2), "e" ACUTE "e" ACUTE);
	assert_string_equal(cut("abe" ACUTE "xxxxe" ACUTE "yz", 8), "abe" ACUTE "..e" ACUTE "yz");
	assert_string_equal(text_end("xe" ACUTE "yz", 3), "e" ACUTE "yz");
	assert_string_equal(text_end("xe" ACUTE "yz", 2), "yz");
	assert_string_equal(text_end("x漢yz", 3), "yz");
	assert_string_equal(text_end("xyz", 3), "xyz");
}

/* Plain and cut text, and its width. */
static void test_put_cut(void **state)
{
	int cols = 0;
	char *text = WRITTEN(out, cols = text_put_cut(out, "漢\033b", 8));

	assert_string_equal(text, "漢?b");
	assert_int_equal(cols, 4);
	free(text);
	text = WRITTEN(out, cols = text_put_cut(out, "raw_spin_unlock_irqrestore", 8));
	assert_string_equal(text, "raw..ore");
	assert_int_equal(cols, 8);
	free(text);
}

/* The output of text_put() or text_wrap(). */
static const char *written(const char *text, int cols)
{
	static char bytes[512];
	FILE *out;

	memset(bytes, 0, sizeof(bytes));
	out = fmemopen(bytes, sizeof(bytes), "w");
	if (cols)
		text_wrap(out, text, cols);
	else
		text_put(out, text);
	fclose(out);
	return bytes;
}

static void test_put(void **state)
{
	assert_string_equal(written("café 漢", 0), "café 漢");
	assert_string_equal(written("a שלום 12", 0), LRM "a שלום 12" LRM);
	assert_string_equal(written("مرحبا", 0), LRM "مرحبا" LRM);
}

static void test_wrap(void **state)
{
	assert_string_equal(written("one two three", 7), "one two\nthree\n");
	assert_string_equal(written("漢字 漢字 漢字", 9), "漢字 漢字\n漢字\n");
	assert_string_equal(written("a" RLO "b שלום", 20), "a?b " LRM "שלום" LRM "\n");
	/* A word longer than the line */
	assert_string_equal(written("of /usr/lib/library.so now", 8), "of\n/usr/lib\n/library\n"
			    ".so now\n");
	assert_string_equal(written("漢字", 1), "漢字\n");
}

/* After an indent, where the line has begun already; a line that is exactly full stays one. */
static void test_wrap_at(void **state)
{
	char *bytes = WRITTEN(out, text_wrap_at(out, "one two three four", 4, 11));

	assert_string_equal(bytes, "one two\n    three\n    four\n");
	free(bytes);
	assert_string_equal(written("one two", 7), "one two\n");
	assert_string_equal(written("one two", 6), "one\ntwo\n");
}

/* Three digits and a unit; a value that rounds to 1000 becomes one of the next unit. Seconds are the last unit. */
static void test_ns(void **state)
{
	static const struct { double ns; const char *text; } cases[] = {
		{ 0, "0 ns" }, { 999, "999 ns" }, { 999.4, "999 ns" }, { 999.6, "1 us" },
		{ 1000, "1 us" }, { 12345, "12.3 us" }, { 999600, "1 ms" }, { 1.5e9, "1.5 s" },
		{ 999.4e9, "999 s" }, { 999.6e9, "1000 s" }, { 1e12, "1000 s" }, { 12345.6e9, "12346 s" },
		{ 9999999999999e9, "9999999999999 s" }, { 1e22, "1e+13 s" },
	};
	char text[16];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(text_ns(cases[i].ns, text), cases[i].text);
}

static void test_words(void **state)
{
	assert_true(text_is_word("main"));
	assert_true(text_is_word("a-b_c.d/e@f%g:h,i+1"));
	assert_false(text_is_word(""));
	assert_false(text_is_word("-main"));
	assert_false(text_is_word("a b"));
	assert_false(text_is_word("f(int)"));
	assert_false(text_is_word("a*"));
	assert_string_equal(text_base_name("/usr/bin/a"), "a");
	assert_string_equal(text_base_name("a"), "a");
	/* A path that ends in a slash is returned whole. */
	assert_string_equal(text_base_name("/usr/bin/"), "/usr/bin/");
	assert_string_equal(text_base_name("/"), "/");
}

struct name_row {
	const char *name;
	double share;
};

static const char *name_text(const struct column_cell *cell, char *text, size_t len)
{
	return ((const struct name_row *)cell->row)->name;
}

static double share_value(const struct column_cell *cell)
{
	return ((const struct name_row *)cell->row)->share;
}

static const struct column name_columns[] = {
	{ .key = "name", .title = "Name", .help = "", .text = name_text },
	{ .key = "share", .title = "Share", .help = "", .digits = 1, .value = share_value },
};

static const struct column_list name_list = {
	.name = "names", .column = name_columns, .nr = 2, .shown = { "name,share" },
};

/* The number of direction marks in the output. */
static int take_marks(char *line)
{
	char *mark;
	int nr;

	for (nr = 0; (mark = strstr(line, LRM)); nr++)
		memmove(mark, mark + 3, strlen(mark + 3) + 1);
	return nr;
}

static bool has_turned(const char *line)
{
	while (*line)
		if (char_is_right_to_left(utf8_read(&line)))
			return true;
	return false;
}

/* Every line is as wide as the rule, whatever the names; no byte is a control character. */
static void is_aligned(const struct name_row *rows, size_t nr, int cols)
{
	static char bytes[65536];
	FILE *out = fmemopen(bytes, sizeof(bytes), "w");
	struct columns columns;
	char *line, *rest = bytes;
	int width = 0;
	size_t i;

	memset(bytes, 0, sizeof(bytes));
	assert_int_equal(columns_choose(&columns, &name_list, FORMAT_TEXT, NULL, NULL, NULL), 0);
	for (i = 0; i < nr; i++)
		columns_measure(&columns, &rows[i]);
	columns_fit(&columns, cols);
	columns_print_titles(out, &columns);
	for (i = 0; i < nr; i++)
		columns_print_row(out, &columns, &rows[i]);
	columns_deinit(&columns);
	fclose(out);
	for (i = 0; (line = strsep(&rest, "\n")) && *line; i++) {
		/* Direction marks are added only around names that reverse the line. */
		assert_int_equal(take_marks(line), has_turned(line) ? 2 : 0);
		assert_string_equal(plain(line, true), line);
		width = i ? width : text_width(line);
		assert_int_equal(text_width(line), width);
		assert_in_range(width, 1, cols);
	}
	assert_int_equal(i, nr + 2);
}

static void test_table(void **state)
{
	static const struct name_row rows[] = {
		{ "plain", 50 }, { "漢字漢字", 25 }, { "👩\u200d👧\u200d👦 family", 12.5 },
		{ "re" ACUTE "sume" ACUTE, 6 }, { "שלום", 3 }, { "مرحبا بالعالم", 2 },
		{ "x" RLO "y", 1 },
		{ "\033[31mred", 0.5 }, { "cut 漢\xe5\xad", 0.4 }, { ACUTE, 0.1 },
		{ "한국어 프로그램의 아주 긴 이름은 가운데에서 잘립니다", 0 },
	};

	is_aligned(rows, sizeof(rows) / sizeof(rows[0]), 200);
	is_aligned(rows, sizeof(rows) / sizeof(rows[0]), 40);
	is_aligned(rows, sizeof(rows) / sizeof(rows[0]), 21);
}

/* Arbitrary bytes. */
static void test_noise(void **state)
{
	u64 random = 88172645463325252ULL;
	char text[40], shown[40];
	int i, k, cols;

	for (i = 0; i < 20000; i++) {
		struct name_row row = { text, 1 };

		for (k = 0; k < 39; k++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			/* mostly parts of multi-byte characters */
			text[k] = (random % 3 ? 0x80 | random >> 24 : random >> 24) ?: 'x';
		}
		text[39] = '\0';
		strcpy(shown, text);
		text_plain_as(shown, i % 2);
		assert_string_equal(plain(shown, i % 2), shown);
		cols = random >> 40 & 31;
		text_cut(shown, cols);
		assert_in_range(text_width(shown), 0, cols);
		assert_string_equal(plain(shown, true), shown);
		if (i % 40 == 0)
			is_aligned(&row, 1, 25);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean), cmocka_unit_test(test_report),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_width), cmocka_unit_test(test_cut),
		cmocka_unit_test(test_put_cut),
		cmocka_unit_test(test_put), cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_wrap_at), cmocka_unit_test(test_ns),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
