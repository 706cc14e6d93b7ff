// SPDX-License-Identifier: GPL-2.0-only
/* The live view drawn into memory, and what keys do to it: cli/top/draw*.c, keys.c, roster.c. */
#include "screens.h"
#include "top/draw.h"
#include "top/finds.h"
#include "top/keys.h"

#define NR_NAMES 8
#define LRM "\xe2\x80\x8e"	/* ends the direction of the text before it */

/* Control characters; wide, right-to-left and combining ones; an empty name, and very long ones. */
static const char *const names[NR_NAMES] = {
	"work_six", "a\033[2J\nb\x9b", "漢字の名前漢字の名前漢字の名前漢字の名前",
	"שלום-עולם", "e\xcc\x81le\xcc\x80ve", "",
	"geometry::Circle<std::vector<std::map<int, long>>>::draw(int, char) const",
	"\xe2\x80\xae" "evil",
};

static struct finds finds;
static struct roster_row rows[NR_NAMES];
static struct outlook outlook;
static struct model_cpu cpus[64];
static struct model model;
static struct cells cells;

static void make_finds(void)
{
	static const u64 hits[NR_NAMES] = { 600, 300, 50, 20, 10, 8, 7, 3 };
	size_t i;

	memset(&finds, 0, sizeof(finds));
	for (i = 0; i < NR_NAMES; i++)
		finds_object(&finds, i, names[i], hits[i]);
	finds_share(&finds, 998, 0);
	for (i = 0; i < NR_NAMES; i++)
		rows[i] = (struct roster_row){
			.key = { i, 0 }, .name = finds.find[i].name, .share = finds.find[i].share,
			.interval = finds.find[i].interval, .data = &finds.find[i],
			.is_open = i != 0, .is_last = i == 7,
		};
}

static void begin(void)
{
	size_t i;

	make_finds();
	outlook_deinit(&outlook);
	memset(&outlook, 0, sizeof(outlook));
	for (i = 0; i < 64; i++)
		cpus[i] = (struct model_cpu){
			.cpu = i, .share = { [CPUPROBE_MODE_USER] = 0.5,
					     [CPUPROBE_MODE_KERNEL] = 0.2 },
			.busy = 0.7, .interval = { 0.65, 0.75 },
		};
	model = (struct model){
		.path = "machine > prog > work", .subject = "objects of everything",
		.account = { .run = { .taken = 998, .expected = 1000, .missed = 2 }, .seconds = 1,
			     .period_ns = 1000000, .nr_cpus = 2, .cost_ns = 700 },
		.cpus = cpus, .nr_cpus = 2, .has_data = true, .outlook = &outlook,
		.roster = { .list = &finds_column_list, .view = &finds, .sort = "share",
			    .row = rows,
			    .nr = NR_NAMES, .scale = 100 },
	};
	assert_int_equal(outlook_arrange(&outlook, &model.roster), 0);
}

static void show(int nr_rows, int cols, bool is_utf8)
{
	cells_deinit(&cells);
	assert_int_equal(cells_init(&cells, nr_rows, cols, is_utf8), 0);
	draw(&cells, &model);
}

static const char *text(int row)
{
	return screen_row(&cells, row);
}

/* The row that contains the text, or -1. */
static int find_row(const char *wanted)
{
	int row;

	for (row = 0; row < cells.rows; row++)
		if (strstr(text(row), wanted))
			return row;
	return -1;
}

/* A clause without room is dropped as a whole. */
static void subjects_end_with_a_clause(void **state)
{
	begin();
	strcpy(model.subject, "100% = 9 of everything; by address; 0x1000-0x2000");
	show(24, 80, true);
	assert_true(find_row("100% = 9 of everything; by address; 0x1000-0x2000") > 0);
	show(24, 40, true);
	assert_true(find_row("100% = 9 of everything; by address") > 0);
	assert_int_equal(find_row("address;"), -1);
	show(24, 30, true);
	assert_int_equal(find_row("by address"), -1);
	show(24, 20, true);
	assert_true(find_row("100% = 9 of everythi") > 0);
}

/* Nothing that could control a terminal, and no half of a wide character without the other half. */
static void check_cells(void)
{
	int i, c;

	for (i = 0; i < cells.rows * cells.cols; i++) {
		const struct cell *cell = &cells.cell[i];

		assert_in_range(cell->cols, 0, 2);
		if (!cell->cols) {
			assert_true(i % cells.cols);
			assert_int_equal(cell[-1].cols, 2);
			continue;
		}
		if (cell->cols == 2) {
			assert_true((i + 1) % cells.cols);
			assert_int_equal(cell[1].cols, 0);
		}
		for (c = 0; c < CELL_CHARS && cell->chars[c]; c++) {
			assert_true(cell->chars[c] >= 0x20);
			assert_false(cell->chars[c] >= 0x7f && cell->chars[c] < 0xa0);
			assert_int_not_equal(cell->chars[c], 0x202e);
			assert_true(cells.is_utf8 || cell->chars[c] < 0x80);
		}
	}
}

static void test_sizes(void **state)
{
	static const struct { int rows, cols; } sizes[] = {
		{ 24, 80 }, { 5, 20 }, { 60, 200 }, { 1, 1 }, { 4, 19 }, { 6, 21 }, { 9, 33 },
		{ 10, 40 },
		{ 500, 500 }, { 5, 300 }, { 300, 20 },
	};
	static const enum model_mode modes[] = {
		MODEL_ROWS, MODEL_HELP, MODEL_COLUMNS, MODEL_SEARCH, MODEL_FILTER,
	};
	size_t i, k;
	int utf8;

	begin();
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (k = 0; k < sizeof(modes) / sizeof(modes[0]); k++)
			for (utf8 = 0; utf8 < 2; utf8++) {
				model.mode = modes[k];
				model.nr_cpus = k % 2 ? 64 : 2;
				show(sizes[i].rows, sizes[i].cols, utf8);
				check_cells();
			}
}

static void test_ordinary(void **state)
{
	int row, point;

	begin();
	show(24, 80, false);
	assert_string_equal(text(0), "probe top  machine > prog > work                             "
			    "      all of 1.0 s");
	assert_string_equal(text(1), "998 samples, 2 missed, 0 lost, 0 late; 998 of 1000 Hz x "
			    "2 CPUs, 0.07%");
	assert_string_equal(text(2), "objects of everything");
	assert_non_null(strstr(text(3), "  0[#####************-|--      ] 70.0"));
	assert_non_null(strstr(text(4), "Samples  Share     +-  0            75%"));
	assert_true(find_row("work_six") == 5);
	assert_non_null(strstr(text(5), "600   60.1   3.07  ************|-"));
	row = find_row("a?[2J?b?");
	assert_int_equal(row, 6);
	/* the upper bound for three hits */
	assert_non_null(strstr(text(find_row("?evil")), "  3   <0.9         |"));
	assert_non_null(strstr(text(23), "? help  q quit  Enter zoom in  Esc back"));
	show(24, 80, true);
	assert_int_equal(find_row("漢字の"), 7);
	assert_non_null(strstr(text(5), "600   60.1   3.07  ████████████┼─"));
	assert_int_equal(find_row("שלום" LRM "-עולם" LRM " "), 8);
	model.roster.scale = 800;	/* as with -of cpu on 8 CPUs */
	show(24, 80, false);
	assert_non_null(strstr(text(4), " 0           600%"));
	model.roster.scale = 100;
	show(24, 80, true);
	/* numbers are in their columns whatever the name */
	for (point = 0; cells.cell[5 * 80 + point].chars[0] != '.'; point++)
		;
	for (row = 6; row < 13; row++)
		assert_int_equal(cells.cell[row * 80 + point].chars[0], '.');
}

/* The smallest screen has the account, and rows with their shares. */
static void test_small(void **state)
{
	begin();
	show(5, 20, false);
	assert_string_equal(text(0), "998 -2 -0");
	assert_non_null(strstr(text(1), "Share"));
	assert_non_null(strstr(text(2), "work"));
	assert_non_null(strstr(text(2), "60.1"));
	show(4, 19, false);
	assert_string_equal(text(0), "needs 20x5");
	show(5, 60, false);
	assert_string_equal(text(0), "998 samples, 2 missed, 0 lost");
}

static void test_large(void **state)
{
	int row;

	begin();
	model.nr_cpus = 64;
	show(60, 200, true);
	row = find_row("geometry");
	assert_non_null(strstr(text(row), "::draw(int, char) const"));
	assert_non_null(strstr(text(1), "998 samples of 1000 expected, 2 missed, 0 lost, 0 late"));
	show(24, 80, false);
	/* 64 CPUs have no room for individual bars there */
	assert_non_null(strstr(text(3),
			       "6666666666666666666666666666666666666666666666666666666666666666"));
}

/* Samples without a CPU have no bars of CPUs. */
static void own_processes_have_no_cpus(void **state)
{
	begin();
	show(24, 80, false);
	assert_true(find_row("  1[") > 0 || find_row("  1 [") > 0);
	model.account.is_own = true;
	show(24, 80, false);
	assert_true(find_row("  1[") < 0 && find_row("  1 [") < 0);
}

/* Events have no lateness, and set the pace themselves: a CPU may be busy without them. */
static void events_set_the_pace(void **state)
{
	begin();
	model.account.event = (struct event){ .name = "page-faults", .period = 101 };
	show(24, 120, false);
	assert_non_null(strstr(text(1), "998 samples of 1000 expected, 2 missed, 0 lost; 499 of at most 1000 Hz on 2 CPUs, 0.03%"));
	assert_true(find_row("  1[") < 0 && find_row("  1 [") < 0);
	show(24, 80, false);
	assert_non_null(strstr(text(1), "998 samples, 2 missed, 0 lost; 499 of at most 1000 Hz x 2 CPUs, 0.03%"));
}

static void type(const char *keys)
{
	for (; *keys; keys++)
		assert_int_equal(keys_take(&model, *keys), ACTION_NONE);
}

static const char *at_cursor(void)
{
	return outlook_row(&outlook, &model.roster)->name;
}

static void test_cursor(void **state)
{
	begin();
	/* until the user moves it, the cursor is on the first row that can be entered */
	assert_string_equal(at_cursor(), finds.find[1].name);
	keys_take(&model, TOP_DOWN);
	assert_string_equal(at_cursor(), finds.find[2].name);
	/* the cursor stays with its row, wherever the row goes */
	finds.find[2].hits = 2000;
	finds_share(&finds, 3000, 0);
	outlook_arrange(&outlook, &model.roster);
	assert_string_equal(at_cursor(), finds.find[2].name);
	assert_int_equal(outlook.cursor, 0);
	/* the row is gone: the cursor takes the row in its place */
	rows[2] = rows[7];
	model.roster.nr = 7;
	outlook_arrange(&outlook, &model.roster);
	assert_int_equal(outlook.cursor, 0);
	keys_take(&model, TOP_END);
	assert_int_equal(outlook.cursor, 6);
	keys_take(&model, TOP_DOWN);
	assert_int_equal(outlook.cursor, 6);
	keys_take(&model, TOP_HOME);
	keys_take(&model, TOP_UP);
	assert_int_equal(outlook.cursor, 0);
	/* no rows at all */
	model.roster.nr = 0;
	outlook_arrange(&outlook, &model.roster);
	type("jkGgn");
	keys_take(&model, TOP_PAGE_DOWN);
	assert_null(outlook_row(&outlook, &model.roster));
	show(24, 80, true);
	check_cells();
}

static void test_sort(void **state)
{
	begin();
	assert_int_equal(outlook.order[0], 0);
	assert_int_equal(outlook.order[7], 7);
	type("r");
	assert_int_equal(outlook.order[0], 6);
	/* the last line stays there */
	assert_int_equal(outlook.order[7], 7);
	type("r>");
	assert_string_equal(outlook.sort, "error");
	type(">");
	assert_string_equal(outlook.sort, "name");
	assert_int_equal(outlook.order[0], 5);
	type("<<");
	assert_string_equal(outlook.sort, "share");
	assert_int_equal(outlook.order[0], 0);
	/* a column that is not shown */
	snprintf(outlook.sort, sizeof(outlook.sort), "lo");
	outlook_arrange(&outlook, &model.roster);
	assert_int_equal(outlook.order[0], 0);
}

/* Rows with an order of their own keep it until the user sorts them, and can return to it. */
static void test_natural_order(void **state)
{
	begin();
	model.roster.sort = NULL;
	finds.find[5].hits = 900;
	finds_share(&finds, 3000, 0);
	for (size_t i = 0; i < NR_NAMES; i++)
		rows[i].share = finds.find[i].share;
	outlook_arrange(&outlook, &model.roster);
	assert_int_equal(outlook.order[0], 0);
	assert_int_equal(outlook.order[5], 5);
	assert_int_equal(outlook.order[7], 7);
	/* the cursor is on the largest all the same */
	assert_int_equal(outlook.cursor, 5);
	type("r");
	assert_int_equal(outlook.order[0], 7);
	type(">");
	assert_string_equal(outlook.sort, "name");
	type(">");
	assert_string_equal(outlook.sort, "hits");
	assert_int_equal(outlook.order[0], 5);
	assert_int_equal(outlook.cursor, 0);
	type("<<");
	assert_string_equal(outlook.sort, "");
	assert_int_equal(outlook.order[5], 5);
}

static void test_filter(void **state)
{
	begin();
	type("fWORK");
	assert_int_equal(outlook.nr, 1);
	show(24, 80, false);
	assert_int_equal(find_row("Filter: WORK_"), 22);
	keys_take(&model, TOP_ENTER);
	show(24, 80, false);
	assert_int_equal(find_row("Filter 'WORK': 1 of 8 rows"), 22);
	assert_int_equal(keys_take(&model, TOP_ESCAPE), ACTION_NONE);
	assert_int_equal(outlook.nr, 8);
	assert_int_equal(keys_take(&model, TOP_ESCAPE), ACTION_BACK);
	/* wide letters are typed and erased as a whole */
	type("f");
	keys_take(&model, 0x6f22);
	keys_take(&model, 0x5b57);
	assert_string_equal(model.input, "漢字");
	keys_take(&model, TOP_ERASE);
	assert_string_equal(model.input, "漢");
	assert_int_equal(outlook.nr, 1);
	keys_take(&model, TOP_ESCAPE);
	assert_int_equal(outlook.nr, 8);
}

static void test_input_is_bounded(void **state)
{
	int i;

	begin();
	type("/");
	for (i = 0; i < 1000; i++)
		keys_take(&model, i % 2 ? 0x1f600 : 'x');
	assert_true(strlen(model.input) < sizeof(model.input));
	show(5, 20, true);
	check_cells();
}

static void test_search(void **state)
{
	begin();
	type("/l");
	assert_string_equal(at_cursor(), finds.find[4].name);
	keys_take(&model, TOP_ENTER);
	type("n");
	assert_string_equal(at_cursor(), finds.find[6].name);
	type("n");
	assert_string_equal(at_cursor(), finds.find[7].name);
	type("n");
	assert_string_equal(at_cursor(), finds.find[4].name);
	type("/nowhere");
	assert_string_equal(model.notice, "no name contains 'nowhere'");
}

static void test_columns(void **state)
{
	begin();
	type("o");
	show(24, 80, false);
	assert_true(find_row("[x] name") > 0);
	assert_true(find_row("[ ] lo ") > 0);
	type("jjjjjj ");
	assert_true(outlook_shows(&outlook, &finds_column_list.column[6]));
	assert_string_equal(outlook.choice, "name,hits,share,error,lo");
	keys_take(&model, TOP_ESCAPE);
	show(24, 80, false);
	assert_true(find_row("Low") > 0);
	/* the last column cannot be removed */
	type("o jj");
	type("j j j j ");
	assert_true(outlook.columns.nr > 0);
	keys_take(&model, TOP_ESCAPE);
	show(24, 80, false);
	check_cells();
}

/* Columns chosen for another list may not exist here: the list's own are shown then. */
static void test_other_columns(void **state)
{
	begin();
	snprintf(outlook.choice, sizeof(outlook.choice), "offset,instruction");
	assert_int_equal(outlook_arrange(&outlook, &model.roster), 0);
	assert_string_equal(outlook.columns.column[0].key, "name");
	assert_string_equal(outlook.choice, "");
}

static void test_actions(void **state)
{
	static const struct { u32 key; enum action action; } keys[] = {
		{ TOP_ENTER, ACTION_ZOOM }, { TOP_ESCAPE, ACTION_BACK }, { TOP_LEFT, ACTION_BACK },
		{ 'q', ACTION_QUIT }, { 'p', ACTION_PAUSE }, { 'z', ACTION_ZERO },
		{ 'w', ACTION_WINDOW },
		{ '+', ACTION_FASTER }, { '-', ACTION_SLOWER }, { 'a', ACTION_AGAIN },
		{ ']', ACTION_RATE_UP }, { '[', ACTION_RATE_DOWN }, { 'e', ACTION_EVENT },
		{ 3, ACTION_QUIT },
		{ TOP_NONE, ACTION_NONE }, { 'Q', ACTION_NONE },
	};
	size_t i;

	begin();
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_int_equal(keys_take(&model, keys[i].key), keys[i].action);
	/* while help is shown, any key closes it and does nothing else */
	type("?");
	assert_int_equal(model.mode, MODEL_HELP);
	show(24, 80, false);
	assert_true(find_row("zoom into the row") > 0);
	assert_true(find_row("Down: more") > 0);
	show(60, 80, false);
	assert_true(find_row("instruction of a block") > 0);
	assert_int_equal(find_row("Down: more"), -1);
	type("jjk");
	assert_int_equal(keys_take(&model, 'q'), ACTION_NONE);
	assert_int_equal(model.mode, MODEL_ROWS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(subjects_end_with_a_clause),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_ordinary),
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_large),
		cmocka_unit_test(own_processes_have_no_cpus),
		cmocka_unit_test(events_set_the_pace),
		cmocka_unit_test(test_cursor),
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_natural_order),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_input_is_bounded),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_other_columns),
		cmocka_unit_test(test_actions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
