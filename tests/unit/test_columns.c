// SPDX-License-Identifier: GPL-2.0-only
/* Columns and their choice by -o: cli/base/columns.c, columns_cell.c, columns_print.c. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <unistd.h>

#include "unit.h"
#include "base/columns.h"

/** A row of the list under test. */
struct fruit {
	const char *name;
	double share;
	double count;
	const char *at;
};

static const char *name(const struct column_cell *cell, char *text, size_t len)
{
	return ((const struct fruit *)cell->row)->name;
}

static const char *at(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "%s", ((const struct fruit *)cell->row)->at);
	return text;
}

static double share(const struct column_cell *cell)
{
	return ((const struct fruit *)cell->row)->share;
}

static const char *share_text(const struct column_cell *cell, char *text, size_t len)
{
	if (share(cell) >= 0.1)
		return NULL;
	snprintf(text, len, "<0.1");
	return text;
}

static double count(const struct column_cell *cell)
{
	return ((const struct fruit *)cell->row)->count;
}

static double part(const struct column_cell *cell)
{
	return cell->part * 100 + count(cell);
}

static int next_odd(const void *view, int at_part)
{
	int next = at_part < 0 ? 1 : at_part + 2;

	return next <= *(const int *)view ? next : -1;
}

static bool has_parts(const struct column *column, const void *view)
{
	return *(const int *)view > 0;
}

static const struct column fruit_columns[] = {
	{ .key = "name", .title = "Name", .help = "what it is", .cols = 6, .text = name },
	{ .key = "share", .title = "Share", .help = "how much of it", .unit = COLUMN_PERCENT,
	  .cols = 6, .digits = 1, .adds_up = true, .value = share, .text = share_text },
	{ .key = "count", .title = "Count", .help = "how many", .unit = COLUMN_COUNT,
	  .adds_up = true, .value = count, .is_wanted = has_parts },
	{ .key = "p", .title = "P", .help = "how likely", .unit = COLUMN_PROBABILITY, .digits = 3,
	  .value = share },
	{ .key = "ripe", .title = "Ripe", .help = "whether it is", .unit = COLUMN_YES_NO,
	  .value = share },
	{ .key = "at", .title = "At", .help = "where", .unit = COLUMN_ADDRESS, .text = at },
	{ .key = "boxes", .title = "Box", .help = "each box", .unit = COLUMN_COUNT, .value = part,
	  .next_part = next_odd, .part_key = "box", .part_title = "Box" },
};

static const struct column_list fruits = {
	.name = "fruit", .column = fruit_columns,
	.nr = sizeof(fruit_columns) / sizeof(fruit_columns[0]),
	.shown = { [FORMAT_TEXT] = "name,share,count", [FORMAT_JSON] = "-boxes" },
};

static const struct fruit rows[] = {
	{ "apple", 62.25, 7, "0xff" }, { "pear \t\"x\"", 0.04, 0, "0x100" },
	{ "a long name of a fruit", NAN, 12345678, "0x9" },
};

static int nr_boxes;

static void keys_are(enum output_format format, const char *choice, const char *keys)
{
	struct columns columns;
	char found[256] = "";

	assert_int_equal(columns_choose(&columns, &fruits, format, choice, &nr_boxes, NULL), 0);
	for (size_t c = 0; c < columns.nr; c++)
		sprintf(found + strlen(found), "%s%s", c ? " " : "", columns.column[c].key);
	assert_string_equal(found, keys);
	columns_deinit(&columns);
}

/* Choices of -o, alone or on top of the defaults. */
static void columns_are_chosen(void **state)
{
	nr_boxes = 4;
	keys_are(FORMAT_TEXT, NULL, "name share count");
	keys_are(FORMAT_TSV, NULL, "name share count p ripe at box1 box3");
	keys_are(FORMAT_JSON, NULL, "name share count p ripe at");
	keys_are(FORMAT_JSON, "at,name", "at name");
	keys_are(FORMAT_TEXT, "+at,-share", "name count at");
	keys_are(FORMAT_TEXT, "-share,+share", "name count share");
	keys_are(FORMAT_JSON, "+boxes", "name share count p ripe at box1 box3");
	keys_are(FORMAT_TEXT, "name,name,at", "name at");
	/*
	 * A column that is hidden by default appears in its place when named; TSV and JSON always
	 * have it.
	 */
	nr_boxes = 0;
	keys_are(FORMAT_TEXT, NULL, "name share");
	keys_are(FORMAT_TEXT, "+at", "name share at");
	keys_are(FORMAT_TEXT, "+count,+at", "name share count at");
	keys_are(FORMAT_TEXT, "count", "count");
	keys_are(FORMAT_TSV, NULL, "name share count p ripe at");
}

static void refused(const char *choice, const char *what, const char *hint)
{
	struct text_error error = { "", "" };
	char text[sizeof(error.what)];

	snprintf(text, sizeof(text), "option -o: %s", what);
	assert_int_equal(columns_check(&fruits, choice, &error), -EINVAL);
	assert_string_equal(error.what, text);
	assert_string_equal(error.hint, hint);
}

static void senseless_choices(void **state)
{
	static const char there_are[] = "there are name, share, count, p, ripe, at, boxes";
	char text[100];

	snprintf(text, sizeof(text), "did you mean share? T%s", there_are + 1);
	refused("name,shar", "unknown column 'shar'", text);
	refused("+name,+qqqqq", "unknown column 'qqqqq'", there_are);
	refused("", "empty column name", there_are);
	refused("name,,at", "empty column name", there_are);
	refused("name,", "empty column name", there_are);
	refused("+", "empty column name", there_are);
	refused("+name,at", "'at' has no + or -; use signs on all columns or on none", "");
	refused("name,-at", "'at' has a + or -; use signs on all columns or on none", "");
	refused("-name,-share,-count", "no column is left", "");
	assert_int_equal(columns_check(&fruits, "+at,-share", NULL), 0);
	assert_true(columns_want("+at,-share", "at") && columns_want("share,at", "at"));
	assert_false(columns_want("+at,-share", "share") || columns_want("attic,a", "at") || columns_want(NULL, "at"));
	assert_int_equal(columns_check(&fruits, NULL, NULL), 0);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(columns_check(&fruits, text, NULL), -EINVAL);
}

static char *printed;

/* All rows in a format; as text with @line_cols, also titles and sums. */
static const char *print(enum output_format format, const char *choice, int line_cols)
{
	struct columns columns;
	size_t len, i;
	FILE *out;

	free(printed);
	out = open_memstream(&printed, &len);
	assert_int_equal(columns_choose(&columns, &fruits, format, choice, &nr_boxes, NULL), 0);
	for (i = 0; line_cols && i < 3; i++)
		columns_measure(&columns, &rows[i]);
	if (format == FORMAT_TEXT)
		columns_fit(&columns, line_cols);
	if (format == FORMAT_TEXT)
		columns_print_titles(out, &columns);
	if (format == FORMAT_TSV)
		columns_print_keys(out, &columns);
	for (i = 0; i < 3; i++)
		(format == FORMAT_TEXT ? columns_print_row : format == FORMAT_TSV ?
		 columns_print_tsv : columns_print_json)(out, &columns, &rows[i]);
	if (format == FORMAT_TEXT)
		columns_print_sums(out, &columns, "Total");
	columns_deinit(&columns);
	fclose(out);
	return printed;
}

/* A column is as wide as its contents and its sum; texts shrink; no line ends in blanks. */
static void text_is_aligned(void **state)
{
	nr_boxes = 0;
	assert_string_equal(print(FORMAT_TEXT, "name,share,count", 80),
		"Name                     Share     Count\n"
		"======================  ======  ========\n"
		"apple                     62.2         7\n"
		"pear ?\"x\"                 <0.1         0\n"
		"a long name of a fruit          12345678\n"
		"Total                           12345685\n");
	assert_string_equal(print(FORMAT_TEXT, "name,share", 19),
		"Name          Share\n"
		"===========  ======\n"
		"apple          62.2\n"
		"pear ?\"x\"      <0.1\n"
		"a lon..ruit\n"
		"Total\n");
	assert_string_equal(print(FORMAT_TEXT, "share,name,at", 25),
		" Share  Name        At\n"
		"======  ==========  =====\n"
		"  62.2  apple       0xff\n"
		"  <0.1  pear ?\"x\"   0x100\n"
		"        a lo..ruit  0x9\n"
		"\n");
	/* Dropped columns are named; the name and the share are the last to be dropped. */
	assert_string_equal(print(FORMAT_TEXT, "share,name,at,count", 24),
		"(No room for count, at:\n"
		"-width gives more, -o\n"
		"chooses.)\n\n"
		" Share  Name\n"
		"======  ================\n"
		"  62.2  apple\n"
		"  <0.1  pear ?\"x\"\n"
		"        a long ..a fruit\n"
		"\n");
	nr_boxes = 1;
	assert_string_equal(print(FORMAT_TEXT, "boxes,ripe", 80),
		"    Box1  Ripe\n"
		"========  ====\n"
		"     107   yes\n"
		"     100   yes\n"
		"12345778\n"
		"\n");
}

static const char *star(const struct column_cell *cell, char *text, size_t len)
{
	return count(cell) > 1 ? "*" : "";
}

/* The ends of an interval share a title when adjacent; a mark has no title and no rule. */
static void pairs_and_marks(void **state)
{
	static const struct column ends[] = {
		{ .key = "lo", .title = "Low", .pair_title = "Interval", .unit = COLUMN_COUNT,
		  .cols = 5, .value = count },
		{ .key = "hi", .title = "High", .unit = COLUMN_COUNT, .cols = 4, .value = count },
		{ .key = "mark", .title = "", .unit = COLUMN_YES_NO, .cols = 1, .value = count,
		  .text = star },
	};
	const struct column_list list = { .column = ends, .nr = 3 };
	static const struct { const char *choice, *text; } cases[] = {
		{ "lo,hi,mark", "   Interval\n=====  ====\n    7     7 *\n    0     0\n" },
		{ "mark,lo,hi", "      Interval\n   =====  ====\n*      7     7\n"
		  "       0     0\n" },
		{ "hi,lo", "High    Low\n====  =====\n   7      7\n   0      0\n" },
		{ "lo", "  Low\n=====\n    7\n    0\n" },
	};
	struct columns columns;
	size_t len, i, r;
	FILE *out;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		free(printed);
		out = open_memstream(&printed, &len);
		assert_int_equal(columns_choose(&columns, &list, FORMAT_TEXT, cases[i].choice, NULL,
						NULL), 0);
		columns_fit(&columns, 80);
		columns_print_titles(out, &columns);
		for (r = 0; r < 2; r++)
			columns_print_row(out, &columns, &rows[r]);
		columns_deinit(&columns);
		fclose(out);
		assert_string_equal(printed, cases[i].text);
	}
}

static double mark_value(const struct column_cell *cell)
{
	return 1;
}

/* An interval without room for both ends is dropped as a whole; a number is never cut. */
static void pairs_go_together(void **state)
{
	static const struct column ends[] = {
		{ .key = "name", .title = "Name", .text = name },
		{ .key = "lo", .title = "Low", .pair_title = "Interval", .unit = COLUMN_COUNT,
		  .cols = 5, .value = count },
		{ .key = "hi", .title = "High", .unit = COLUMN_COUNT, .cols = 5, .value = count },
		{ .key = "share", .title = "Share", .unit = COLUMN_PERCENT, .value = mark_value },
	};
	const struct column_list list = { .column = ends, .nr = 4 };
	static const struct { int cols; size_t nr; const char *left_out; } cases[] = {
		{ 28, 4, "" }, { 27, 4, "" }, { 26, 4, "" }, { 25, 2, "hi, lo" },
		{ 16, 2, "hi, lo" }, { 12, 2, "hi, lo" }, { 11, 1, "hi, lo, share" },
	};
	struct columns columns;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(columns_choose(&columns, &list, FORMAT_TEXT, NULL, NULL, NULL), 0);
		columns_measure(&columns, &rows[0]);
		columns_fit(&columns, cases[i].cols);
		assert_int_equal(columns.nr, cases[i].nr);
		assert_string_equal(columns.left_out, cases[i].left_out);
		columns_deinit(&columns);
	}
}

static const char *stalk(const struct column_cell *cell, char *text, size_t len)
{
	return " [1]";
}

/* The text of a cell is cut to make room for its tail. */
static void tails_are_whole(void **state)
{
	const struct column named = { .key = "name", .title = "Name", .cols = 10, .text = name,
				      .tail = stalk };
	const struct column_list list = { .column = &named, .nr = 1 };
	struct columns columns;

	assert_int_equal(columns_choose(&columns, &list, FORMAT_TEXT, NULL, NULL, NULL), 0);
	for (size_t i = 0; i < 3; i++)
		columns_measure(&columns, &rows[i]);
	columns_fit(&columns, 14);
	free(printed);
	printed = WRITTEN(out, columns_print_row(out, &columns, &rows[0]);
			  columns_print_row(out, &columns, &rows[2]));
	assert_string_equal(printed, "apple [1]\na lo..ruit [1]\n");
	columns_deinit(&columns);
}

/* A locale made for the test, with a decimal comma. */
static void use_other_locale(void)
{
	char command[512], folder[] = "/tmp/columns-XXXXXX", text[16];

	assert_non_null(mkdtemp(folder));
	snprintf(command, sizeof(command), "cd %s && printf 'LC_NUMERIC\ndecimal_point \",\"\n"
		 "thousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n' >source && "
		 "localedef -c -i source ./other 2>/dev/null; test -e other/LC_NUMERIC", folder);
	assert_int_equal(system(command), 0);
	setenv("LOCPATH", folder, 1);
	assert_non_null(setlocale(LC_NUMERIC, "other"));
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
	snprintf(text, sizeof(text), "%.2f", 1.5);
	assert_string_equal(text, "1,50");
}

/* A decimal point in any locale, and no number that JSON lacks. */
static void machines_read(void **state)
{
	nr_boxes = 0;
	for (int round = 0; round < 2; round++) {
		if (round)
			use_other_locale();
		assert_string_equal(print(FORMAT_JSON, "name,share,p,ripe,count,at", 0),
			"{\"name\": \"apple\", \"share\": 62.2500, \"p\": 62.25, "
			"\"ripe\": true, \"count\": 7, "
			"\"at\": \"0xff\"}"
			"{\"name\": \"pear \\u0009\\\"x\\\"\", \"share\": 0.0400, \"p\": 0.04, "
			"\"ripe\": true, \"count\": 0, \"at\": \"0x100\"}"
			"{\"name\": \"a long name of a fruit\", \"share\": null, \"p\": null, "
			"\"ripe\": null, \"count\": 12345678, \"at\": \"0x9\"}");
		assert_string_equal(print(FORMAT_TSV, "name,share,at", 0),
			"name\tshare\tat\napple\t62.2500\t0xff\npear ?\"x\"\t0.0400\t0x100\n"
			"a long name of a fruit\tnull\t0x9\n");
	}
	assert_non_null(setlocale(LC_NUMERIC, "C"));
}

/* For views that draw cells themselves: largest first, unknown values last, addresses by size. */
static void rows_are_compared(void **state)
{
	struct columns columns;
	char text[32];

	assert_int_equal(columns_choose(&columns, &fruits, FORMAT_TEXT, "share,at,name", &nr_boxes,
					NULL), 0);
	assert_true(columns_compare(&columns, 0, &rows[0], &rows[1]) < 0);
	assert_true(columns_compare(&columns, 0, &rows[2], &rows[1]) > 0);
	assert_true(columns_compare(&columns, 0, &rows[1], &rows[2]) < 0);
	assert_true(columns_compare(&columns, 0, &rows[2], &rows[2]) == 0);
	assert_true(columns_compare(&columns, 1, &rows[0], &rows[1]) < 0);
	assert_true(columns_compare(&columns, 1, &rows[2], &rows[0]) < 0);
	assert_true(columns_compare(&columns, 2, &rows[0], &rows[1]) < 0);
	assert_string_equal(columns_text(&columns, 0, &rows[0], text, sizeof(text)), "62.2");
	assert_string_equal(columns_text(&columns, 0, &rows[2], text, sizeof(text)), "");
	assert_true(columns_value(&columns, 0, &rows[0]) == 62.25);
	assert_true(isnan(columns_value(&columns, 2, &rows[0])));
	assert_ptr_equal(columns_find(&columns, "at"), &columns.column[1]);
	assert_null(columns_find(&columns, "count"));
	columns_deinit(&columns);
}

/* Help is wrapped at the column after the keys. */
static void help_is_wrapped(void **state)
{
	const struct column_list list = { .column = fruit_columns, .nr = 2 };

	free(printed);
	printed = WRITTEN(out, columns_print_help(out, &list, 19));
	assert_string_equal(printed, "  name   what it is\n  share  how much\n         of it, in\n"
			    "         %\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_chosen), cmocka_unit_test(senseless_choices),
		cmocka_unit_test(text_is_aligned), cmocka_unit_test(pairs_and_marks),
		cmocka_unit_test(pairs_go_together), cmocka_unit_test(tails_are_whole),
		cmocka_unit_test(machines_read),
		cmocka_unit_test(rows_are_compared), cmocka_unit_test(help_is_wrapped),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	free(printed);
	return failed;
}
