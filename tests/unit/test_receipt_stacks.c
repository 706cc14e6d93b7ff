// SPDX-License-Identifier: GPL-2.0-only
/* The receipt of user stacks: cli/run/receipt_stacks.c, and its options. */
#include <errno.h>

#include "unit.h"
#include "run/receipt_stacks.h"
#include "run/unwind_options.h"

#define BEGIN	"User stacks (tables, 3.0 of 16.0 MiB): "

/* 1000 user stacks, all of them whole. */
static const struct receipt_stacks whole = {
	.samples = 1000, .whole = 1000, .nr_tables = 12, .used_kib = 3072, .limit_kib = 16384,
	.how = UNWIND_TABLES,
};

static void assert_text(const struct receipt_stacks *stacks, const char *expected)
{
	char *text = WRITTEN(out, receipt_print_stacks(out, stacks, 10000));

	assert_string_equal(text, expected);
	free(text);
}

/* As whole, with samples that end for one reason instead. */
static struct receipt_stacks ended(enum receipt_end end, u64 samples)
{
	struct receipt_stacks stacks = whole;

	stacks.whole -= samples;
	stacks.ended[end] = samples;
	return stacks;
}

static void all_reach_the_outermost(void **state)
{
	struct receipt_stacks stacks = whole;

	assert_text(&stacks, BEGIN "100.0% reach the outermost frame.\n");
	stacks.samples = 0;
	assert_text(&stacks, "");
}

/* Each reason has its words, and its remedy if there is one. */
static void reasons_and_remedies(void **state)
{
	static const char *const words[RECEIPT_ENDS] = {
		[RECEIPT_NO_TABLE] =
			"no unwind table: compile with -fasynchronous-unwind-tables",
		[RECEIPT_NO_BUDGET] = "no room for the table: larger -unwind-memory, or unwind_mib of the module",
		[RECEIPT_UNSUPPORTED] =
			"unsupported unwind rule: perf record --call-graph dwarf follows it",
		[RECEIPT_GENERATED] = "generated code without frame pointers: "
			"java -XX:+PreserveFramePointer keeps them",
		[RECEIPT_UNKNOWN] = "process not known yet: start the run before it",
		[RECEIPT_UNREADABLE] = "stack not in memory",
		[RECEIPT_TOO_DEEP] = "too deep",
		[RECEIPT_NO_POINTER] = "no frame pointer: compile with -fno-omit-frame-pointer",
		[RECEIPT_32BIT] = "32-bit code",
		[RECEIPT_OUTSIDE] = "outside of the stack",
		[RECEIPT_CUT] = "cut by -unwind none",
		[RECEIPT_LATE] = "table not ready yet: a longer run has fewer",
		[RECEIPT_NO_RULE] = "code without unwind rules: assembly needs .cfi directives",
	};
	char expected[512];
	unsigned int end;

	for (end = 0; end < RECEIPT_ENDS; end++) {
		struct receipt_stacks stacks = ended(end, 100);

		snprintf(expected, sizeof(expected), BEGIN "90.0%% reach the outermost frame. "
			 "Ended early: 10.0%% %s.\n", words[end]);
		assert_text(&stacks, expected);
	}
}

/* At both sides of half a percent. */
static void rare_reasons_are_not_told(void **state)
{
	struct receipt_stacks stacks = ended(RECEIPT_TOO_DEEP, 4);

	assert_text(&stacks, BEGIN "99.6% reach the outermost frame.\n");
	stacks = ended(RECEIPT_TOO_DEEP, 5);
	assert_text(&stacks, BEGIN "99.5% reach the outermost frame. Ended early: 0.5% too deep.\n");
	stacks.ended[RECEIPT_32BIT] = 3;
	assert_text(&stacks, BEGIN "99.5% reach the outermost frame. Ended early: 0.5% too deep; "
		    "0.3% other reasons.\n");
}

/* Four at most, the most frequent first. */
static void frequent_reasons_come_first(void **state)
{
	struct receipt_stacks stacks = ended(RECEIPT_TOO_DEEP, 100);

	stacks.ended[RECEIPT_OUTSIDE] = 20;
	stacks.ended[RECEIPT_32BIT] = 30;
	stacks.ended[RECEIPT_UNREADABLE] = 110;
	stacks.ended[RECEIPT_CUT] = 10;
	stacks.whole = 730;
	assert_text(&stacks, BEGIN "73.0% reach the outermost frame. Ended early: 11.0% stack not "
		    "in memory; 10.0% too deep; 3.0% 32-bit code; 2.0% outside of the stack; 1.0% "
		    "other reasons.\n");
}

static void objects_without_table_are_named(void **state)
{
	struct receipt_stacks stacks = ended(RECEIPT_NO_TABLE, 100);

	stacks.object[0] = (struct receipt_object){ 80, "libfoo.so" };
	stacks.object[1] = (struct receipt_object){ 15, "bar" };
	assert_text(&stacks, BEGIN "90.0% reach the outermost frame. Ended early: 10.0% no unwind "
		    "table (libfoo.so 8.0%, bar 1.5%): compile with -fasynchronous-unwind-tables.\n");
}

static void pointers_and_cuts(void **state)
{
	struct receipt_stacks stacks = {
		.samples = 1000, .whole = 150, .ended[RECEIPT_NO_POINTER] = 850,
		.how = UNWIND_POINTERS,
	};

	assert_text(&stacks, "User stacks (frame pointers only): 15.0% reach the outermost frame. "
		    "Ended early: 85.0% no frame pointer: -unwind tables, with the module, needs none.\n");
	stacks = (struct receipt_stacks){
		.samples = 10, .ended[RECEIPT_CUT] = 10, .how = UNWIND_NONE };
	assert_text(&stacks, "User stacks (first frame only): 0.0% reach the outermost frame. Ended "
		    "early: 100.0% cut by -unwind none.\n");
	stacks = whole;
	stacks.by_pointer = 4;
	assert_text(&stacks, BEGIN "100.0% reach the outermost frame.\n");
	stacks.by_pointer = 25;
	assert_text(&stacks, BEGIN "100.0% reach the outermost frame, 2.5% are partly by frame "
		    "pointer, for lack of a table.\n");
}

static void mappings_without_room(void **state)
{
	struct receipt_stacks stacks = ended(RECEIPT_UNKNOWN, 10);

	stacks.nr_unrecorded = 7;
	assert_text(&stacks, BEGIN "99.0% reach the outermost frame. Ended early: 1.0% process not "
		    "known yet (7 mappings found no room in the module): start the run before "
		    "it.\n");
}

static void interpreters_have_options(void **state)
{
	struct receipt_stacks stacks = whole;

	stacks.nameless[RECEIPT_PYTHON] = 500;
	stacks.nameless[RECEIPT_NODE] = 4;
	assert_text(&stacks, BEGIN "100.0% reach the outermost frame. 50.0% in python3 without "
		    "names of its functions: python3 -X perf.\n");
	stacks.nameless[RECEIPT_NODE] = 5;
	assert_text(&stacks, BEGIN "100.0% reach the outermost frame. 50.0% in python3 without "
		    "names of its functions: python3 -X perf. 0.5% in node without names of its "
		    "functions: node --perf-basic-prof.\n");
}

static void json_has_every_count(void **state)
{
	struct receipt_stacks stacks = {
		.samples = 100, .whole = 1, .by_pointer = 13, .nameless = { 14, 15 },
		.object = { { 16, "a\"b" }, { 2, "c" } }, .nr_tables = 17, .nr_refused = 18,
		.nr_evicted = 19, .nr_unrecorded = 20, .used_kib = 21, .limit_kib = 22,
		.nr_stale = 23, .how = UNWIND_TABLES,
	};
	char *text;

	for (int i = 0; i < RECEIPT_ENDS; i++)
		stacks.ended[i] = i + 2;
	text = WRITTEN(out, receipt_json_stacks(out, &stacks));
	assert_string_equal(text, ",\n    \"user_stacks\": {\n      \"unwind\": \"tables\", "
		"\"samples\": 100, \"outermost\": 1, \"by_pointer\": 13,\n      \"ended\": "
		"{\"no_table\": 2, \"no_budget\": 3, \"unsupported\": 4, \"generated\": 5, "
		"\"unknown\": 6, \"unreadable\": 7, \"too_deep\": 8, \"no_frame_pointer\": 9, "
		"\"32bit\": 10, \"outside\": 11, \"cut\": 12, "
		"\"late\": 13, \"no_rule\": 14},\n"
		"      \"no_table_objects\": [{\"object\": \"a\\\"b\", \"samples\": 16}, "
		"{\"object\": \"c\", \"samples\": 2}],\n"
		"      \"nameless\": {\"python\": 14, \"node\": 15},\n"
		"      \"tables\": 17, \"tables_refused\": 18, \"tables_stale\": 23, "
		"\"tables_evicted\": 19,\n      \"mappings_unrecorded\": 20, \"tables_kib\": 21, "
		"\"tables_limit_kib\": 22\n    }");
	free(text);
	assert_int_equal(receipt_sum_ended(&stacks), 104);
	stacks.samples = 0;
	text = WRITTEN(out, receipt_json_stacks(out, &stacks));
	assert_string_equal(text, "");
	free(text);
}

/* Sums that a file may claim do not wrap; its names end and are clean. */
static void senseless_files(void **state)
{
	struct receipt_stacks stacks = { .samples = 1, .ended = { UINT64_MAX, 2 }, .how = 77 };
	char *text;

	assert_true(receipt_sum_ended(&stacks) == UINT64_MAX);
	memset(stacks.object, '\33', sizeof(stacks.object));
	receipt_clean_stacks(&stacks);
	assert_int_equal(strlen(stacks.object[2].name), sizeof(stacks.object[2].name) - 1);
	assert_null(strchr(stacks.object[0].name, '\33'));
	text = WRITTEN(out, receipt_print_stacks(out, &stacks, 80));
	assert_true(strlen(text) > 100);
	free(text);
}

/* At most a few lines of 80 columns, whatever happens. */
static void few_lines(void **state)
{
	struct receipt_stacks stacks = ended(RECEIPT_NO_TABLE, 200);
	char *text, *at;
	int nr = 0;

	stacks.ended[RECEIPT_UNSUPPORTED] = stacks.ended[RECEIPT_GENERATED] =
		stacks.ended[RECEIPT_UNKNOWN] = 100;
	stacks.by_pointer = stacks.nameless[0] = stacks.nameless[1] = 100;
	for (int i = 0; i < RECEIPT_OBJECTS; i++)
		stacks.object[i] = (struct receipt_object){ 50, "libsomething-of-a-long-name.so.12" };
	text = WRITTEN(out, receipt_print_stacks(out, &stacks, 80));
	for (at = text; (at = strchr(at, '\n')); at++)
		nr++;
	assert_in_range(nr, 6, 9);
	free(text);
}

static void options(void **state)
{
	struct unwind_options unwind = { .how = UNWIND_TABLES };
	char *argv[] = { "probe", "-unwind", "fp", "-unwind-memory=64", NULL };
	const struct option_list lists[] = { { unwind_specs, 0 }, { NULL } };
	struct options_rest rest;
	struct text_error error;

	assert_int_equal(unwind_check(&unwind, NULL), 0);
	assert_int_equal(options_parse(argv, lists, &unwind, &rest, &error), 0);
	assert_int_equal(unwind.how, UNWIND_POINTERS);
	assert_true(unwind.is_given);
	assert_int_equal(unwind.kib, 64);
	assert_int_equal(unwind_check(&unwind, &error), -EINVAL);
	assert_string_equal(error.what, "-unwind-memory cannot be combined with -unwind fp");
	unwind.how = UNWIND_TABLES;
	assert_int_equal(unwind_check(&unwind, &error), 0);
	argv[3] = "-unwind-memory=63";
	assert_int_equal(options_parse(argv, lists, &unwind, &rest, &error), -EINVAL);
	argv[2] = "dwarf";
	unwind.is_given = false;
	assert_int_equal(options_parse(argv, lists, &unwind, &rest, &error), -EINVAL);
	assert_false(unwind.is_given);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_reach_the_outermost), cmocka_unit_test(reasons_and_remedies),
		cmocka_unit_test(rare_reasons_are_not_told),
		cmocka_unit_test(frequent_reasons_come_first),
		cmocka_unit_test(objects_without_table_are_named),
		cmocka_unit_test(pointers_and_cuts), cmocka_unit_test(mappings_without_room),
		cmocka_unit_test(interpreters_have_options), cmocka_unit_test(json_has_every_count),
		cmocka_unit_test(senseless_files), cmocka_unit_test(few_lines),
		cmocka_unit_test(options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
