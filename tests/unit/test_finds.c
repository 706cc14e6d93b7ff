// SPDX-License-Identifier: GPL-2.0-only
/*
 * From slots to functions and ranges, and counts over a moving window: cli/top/finds.c, window.c.
 */
#include "inputs.h"
#include "top/finds.h"
#include "top/window.h"

static struct finds finds;
static u64 hits[CPUPROBE_SLOTS];
static struct slots_layout layout;
static struct sym_index *symbols;

/* Functions at these addresses, each up to the next; the last one is 16 bytes long. */
static void make_symbols(const char *text)
{
	sym_index_destroy(symbols);
	symbols = symbols_of(text);
}

static void begin(u64 low, u64 high)
{
	memset(hits, 0, sizeof(hits));
	memset(&finds, 0, sizeof(finds));
	slots_layout_init(&layout, low, high);
}

static void find(bool by_function)
{
	const struct finds_place place = {
		.layout = &layout, .hits = hits, .symbols = symbols, .object = "prog",
		.object_start = 0x1000,
	};

	if (by_function)
		finds_functions(&finds, &place);
	else
		finds_slots(&finds, &place);
	finds_share(&finds, 1000, 0);
}

static u64 sum(void)
{
	u64 all = 0;
	size_t i;

	for (i = 0; i < finds.nr; i++)
		all += finds.find[i].hits;
	return all;
}

static void test_functions(void **state)
{
	make_symbols("0000000000001000 0000000000000010 T one\n"
		     "0000000000001010 0000000000000020 T two\n");
	begin(0x1000, 0x1100);		/* slots of a byte */
	hits[0x00] = 5;
	hits[0x0f] = 7;
	hits[0x10] = 11;
	hits[0x2f] = 13;
	hits[0x80] = 17;
	find(true);
	assert_int_equal(finds.nr, 3);
	assert_string_equal(finds.find[0].name, "one");
	assert_int_equal(finds.find[0].hits, 12);
	assert_true(finds.find[0].is_function);
	assert_int_equal(finds.find[0].low, 0x1000);
	assert_int_equal(finds.find[0].high, 0x1010);
	assert_string_equal(finds.find[1].name, "two");
	assert_int_equal(finds.find[1].hits, 24);
	/* code without a name is named by its distance from the beginning of the object */
	assert_string_equal(finds.find[2].name, "prog+0x80");
	assert_false(finds.find[2].is_function);
	assert_int_equal(sum(), 53);
}

static void test_shared_slots(void **state)
{
	make_symbols("0000000000001000 0000000000000020 T one\n"
		     "0000000000001020 0000000000000008 T two\n"
		     "0000000000001028 0000000000000100 T three\n");
	begin(0x1000, 0x3000);		/* slots of 16 bytes: 0x1020 holds two functions */
	assert_int_equal(layout.shift, 4);
	hits[0] = 3;
	hits[1] = 4;
	hits[2] = 5;
	hits[3] = 6;
	find(true);
	assert_int_equal(finds.nr, 3);
	assert_int_equal(finds.find[0].hits, 7);
	assert_string_equal(finds.find[1].name, "two and 1 more");
	assert_false(finds.find[1].is_function);
	/* so that both functions are visible as a whole */
	assert_int_equal(finds.find[1].low, 0x1020);
	assert_int_equal(finds.find[1].high, 0x1128);
	assert_string_equal(finds.find[2].name, "three");
	assert_int_equal(finds.find[2].low, 0x1028);
	assert_int_equal(sum(), 18);
	/* its range would be all of the current range: it stays a slot */
	begin(0x1018, 0x1030);
	layout = (struct slots_layout){ .low = 0x1018, .high = 0x1030, .base = 0x1010, .shift = 4,
					.nr_slots = 2 };
	hits[1] = 9;
	find(true);
	assert_int_equal(finds.find[0].low, 0x1020);
	assert_int_equal(finds.find[0].high, 0x1030);
}

static void test_slots(void **state)
{
	make_symbols("0000000000001000 0000000000000020 T one\n");
	begin(0x1000, 0x1100);
	hits[4] = 500;
	hits[0xff] = 2;
	find(false);
	assert_int_equal(finds.nr, 2);
	assert_string_equal(finds.find[0].name, "one+0x4");
	assert_int_equal(finds.find[0].low, 0x1004);
	assert_int_equal(finds.find[0].high, 0x1005);
	assert_true(finds.find[0].share == 0.5);
	assert_true(finds.find[0].interval.lo < 0.5 && finds.find[0].interval.hi > 0.5);
	assert_string_equal(finds.find[1].name, "prog+0xff");
	sym_index_destroy(symbols);
	symbols = NULL;
	begin(0x1000, 0x1100);
	hits[4] = 1;
	find(true);
	assert_string_equal(finds.find[0].name, "prog+0x4");
}

static void test_full(void **state)
{
	size_t i;

	begin(0x1000, 0x1200);
	for (i = 0; i < CPUPROBE_SLOTS; i++)
		hits[i] = 1;
	find(false);
	assert_int_equal(finds.nr, 512);
	finds_object(&finds, 1, "one too many", 1);
	assert_int_equal(finds.nr, FINDS_MAX);
}

/* A whole function is a target only if its range is smaller than the current one. */
static void test_growing(void **state)
{
	make_symbols("1000 8 T one\n1008 18 T two\n1020 10 T three\n");
	for (int more = 0; more < 2; more++) {
		begin(0x1000, 0x1020);
		layout = (struct slots_layout){ .low = 0x1000, .high = 0x1020 + more,
						.base = 0x1000, .shift = 4, .nr_slots = 2 + more };
		hits[0] = 9;
		find(true);
		assert_string_equal(finds.find[0].name, "one and 1 more");
		assert_int_equal(finds.find[0].low, 0x1000);
		assert_int_equal(finds.find[0].high, more ? 0x1020 : 0x1010);
	}
}

/* The moving window. */

static const struct run_account taken10 = { .taken = 10, .expected = 11, .missed = 1 };

static void add_target(struct window *window, u64 slot_hits)
{
	struct cpuprobe_account account = {
		.entries = CPUPROBE_OBJECTS + CPUPROBE_SLOTS, .objects = CPUPROBE_OBJECTS,
		.taken = 10,
		.period_ns = 1000000, .other_task = 10 - slot_hits,
	};
	static u64 counts[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];

	counts[0] = slot_hits;
	counts[CPUPROBE_OBJECTS + 3] = slot_hits;
	window_add(window, 0, &account, counts);
	window_end(window, &taken10, 1);
}

static void test_window_all(void **state)
{
	static struct window window;
	int i;

	assert_int_equal(window_init(&window, NULL, 0), 0);
	for (i = 0; i < 100; i++)
		add_target(&window, 2);
	assert_int_equal(window_sum(&window)->tally.slots[3], 200);
	assert_int_equal(tally_hits(&window_sum(&window)->tally), 200);
	assert_int_equal(window_sum(&window)->account.taken, 1000);
	assert_int_equal(window_sum(&window)->tally.elsewhere.other_task, 800);
	assert_true(window_sum(&window)->seconds == 100);
	window_clear(&window);
	assert_int_equal(window_sum(&window)->account.taken, 0);
	assert_int_equal(window_sum(&window)->tally.slots[3], 0);
	window_deinit(&window);
}

static void test_window_moves(void **state)
{
	static struct window window;
	double seconds;
	int i;

	assert_int_equal(window_init(&window, NULL, 24), 0);
	for (i = 0; i < 100; i++)
		add_target(&window, 1);
	seconds = window_sum(&window)->seconds;
	assert_true(seconds >= 24 && seconds <= 26);
	assert_int_equal(window_sum(&window)->tally.slots[3], (u64)seconds);
	assert_int_equal(window_sum(&window)->account.taken, (u64)seconds * 10);
	/* old counts are dropped */
	for (i = 0; i < 26; i++)
		add_target(&window, 0);
	assert_int_equal(window_sum(&window)->tally.slots[3], 0);
	/* the counts of the whole run still have them */
	window_set(&window, 0);
	assert_int_equal(window_sum(&window)->tally.slots[3], 100);
	window_deinit(&window);
}

/* Every kind of count, with parts that lack some of them. */
static void test_window_adds_all(void **state)
{
	static const struct run_account account = {
		.taken = 100, .missed = 2, .expected = 103, .lost = 4, .deferred = 5, .excluded = 3,
	};
	const struct cpuprobe_account told = {
		.outside = 11, .other_mode = 12, .other_exe = 13, .other_task = 14,
		.missed_target = 15,
	};
	static struct window window;
	const struct bucket *sum;

	assert_int_equal(window_init(&window, NULL, 120), 0);
	for (int i = 0; i < 3; i++) {
		if (i != 1)
			window_add(&window, 0, &told, NULL);
		window_end(&window, &account, 10);
	}
	sum = window_sum(&window);
	assert_int_equal(sum->account.taken, 300);
	assert_int_equal(sum->account.missed, 6);
	assert_int_equal(sum->account.expected, 309);
	assert_int_equal(sum->account.lost, 12);
	assert_int_equal(sum->account.deferred, 15);
	assert_int_equal(sum->account.excluded, 9);
	assert_int_equal(sum->tally.elsewhere.outside, 22);
	assert_int_equal(sum->tally.elsewhere.other_mode, 24);
	assert_int_equal(sum->tally.elsewhere.other_exe, 26);
	assert_int_equal(sum->tally.elsewhere.other_task, 28);
	assert_int_equal(sum->tally.missed, 30);
	assert_true(sum->seconds == 30);
	window_deinit(&window);
}

/* A part ends at a twelfth of the window's length, not before; all thirteen can be emptied. */
static void test_window_parts(void **state)
{
	static struct window window;

	assert_int_equal(window_init(&window, NULL, 24), 0);
	window_end(&window, &taken10, 0.97);
	window_end(&window, &taken10, 0.97);
	assert_int_equal(window.at, 0);
	window_end(&window, &taken10, 0.06);
	assert_int_equal(window.at, 1);
	for (int i = 0; i < WINDOW_PARTS; i++) {
		assert_int_equal(window.at, i + 1);
		window_end(&window, &taken10, 2);
	}
	assert_int_equal(window.at, 0);
	assert_int_equal(window_sum(&window)->account.taken, 10 * WINDOW_PARTS);
	window_set(&window, 48);
	assert_int_equal(window_sum(&window)->account.taken, 0);
	assert_true(window_sum(&window)->seconds == 0);
	window_deinit(&window);
}

static struct fold *make_fold(void)
{
	return fold_create();
}

static void add_machine(struct window *window, u32 cpu, const char *name, u64 user)
{
	struct cpuprobe_record record = { .id = { name[0], 1 }, .kind = CPUPROBE_KIND_EXE };
	struct cpuprobe_account account = {
		.entries = 1, .taken = user, .expected = user, .period_ns = 1000000,
	};

	snprintf(record.name, sizeof(record.name), "%s", name);
	record.hits[CPUPROBE_MODE_USER] = user;
	window_add(window, cpu, &account, &record);
}

static void test_window_of_machine(void **state)
{
	static struct window window;
	const struct fold *fold;
	const struct fold_cell *cells;
	const struct fold_cpu *cpus;
	size_t nr;
	int i;

	assert_int_equal(window_init(&window, make_fold, 12), 0);
	for (i = 0; i < 50; i++) {
		add_machine(&window, i % 2, "busy", 5);
		window_end(&window, &taken10, 1);
	}
	for (i = 0; i < 6; i++) {
		add_machine(&window, 1, "late", 7);
		window_end(&window, &taken10, 1);
	}
	fold = window_sum(&window)->fold;
	cells = fold_cells(fold, &nr);
	assert_int_equal(nr, 3);
	assert_int_equal(fold_nr_cpus(fold), 2);
	assert_int_equal(fold_taken(fold), 6 * 5 + 6 * 7);
	assert_int_equal(cells[0].hits[CPUPROBE_MODE_USER] + cells[1].hits[CPUPROBE_MODE_USER] +
			 cells[2].hits[CPUPROBE_MODE_USER], 6 * 5 + 6 * 7);
	for (i = 0; i < 3; i++)
		assert_int_equal(cells[i].time_ns[CPUPROBE_MODE_USER],
				 cells[i].hits[CPUPROBE_MODE_USER] * 1000000);
	cpus = fold_cpus(fold, &nr);
	assert_int_equal(cpus[0].taken_ns, 3 * 5 * 1000000);
	assert_int_equal(cpus[1].taken_ns, (3 * 5 + 6 * 7) * 1000000);
	assert_int_equal(cpus[1].sampled_ns, (3 * 5 + 6 * 7) * 1000000);
	window_set(&window, 0);
	assert_int_equal(fold_taken(window_sum(&window)->fold), 50 * 5 + 6 * 7);
	window_deinit(&window);
}

static int end(void **state)
{
	sym_index_destroy(symbols);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_shared_slots),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_growing),
		cmocka_unit_test(test_window_all),
		cmocka_unit_test(test_window_adds_all),
		cmocka_unit_test(test_window_parts),
		cmocka_unit_test(test_window_moves),
		cmocka_unit_test(test_window_of_machine),
	};

	return cmocka_run_group_tests(tests, NULL, end);
}
