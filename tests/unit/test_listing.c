// SPDX-License-Identifier: GPL-2.0-only
/* Instructions beside hits: cli/listing*.c, on code held in memory. */
#include <elf.h>
#include <errno.h>
#include <unistd.h>

#include "inputs.h"
#include "base/columns.h"
#include "code/listing_page.h"
#include "code/listing_view.h"
#include "page/page.h"

#define BASE 0x1000

/* At 0x1000 "work": a loop with a division and a call. At 0x1020 "other": code inside a mov. */
static const u8 program[0x40] = {
	0xb9, 7, 0, 0, 0,		/* 1000 mov $7,%ecx */
	0x31, 0xd2,			/* 1005 xor %edx,%edx */
	0xf7, 0xf1,			/* 1007 div %ecx */
	0x90,				/* 1009 nop */
	0xe8, 0x11, 0, 0, 0,		/* 100a call 1020 */
	0x75, 0xf4,			/* 100f jne 1005 */
	0xc3,				/* 1011 ret */
	[0x12] = 0xcc,
	[0x20] = 0xeb, 1,		/* 1020 jmp 1023 */
	0xb8, 0x90, 0x90, 0x90, 0x90,	/* 1022 mov $0x90909090,%eax */
	0xeb, 0xf7,			/* 1027 jmp 1020 */
	0x06, 0xc3,			/* 1029 nothing; ret */
};

static const char names[] = "1000 0000000000000012 T work\n1020 000000000000000b T other\n";

static struct slots_layout layout;
static u64 hits[CPUPROBE_SLOTS];
static struct code code;
static struct code_segment segment;
static struct sym_index *symbols;
static struct listing *listing;
static struct text_error error;

static int setup(void **state)
{
	segment = (struct code_segment){ BASE, sizeof(program), 0 };
	code = (struct code){ .kind = CODE_KEPT, .fd = -1, .machine = { EM_X86_64, true, false },
			      .kept = program, .segments = &segment, .nr_segments = 1 };
	memset(hits, 0, sizeof(hits));
	assert_int_equal(slots_layout_init(&layout, BASE, BASE + sizeof(program)), 0);
	symbols = symbols_of(names);
	listing = NULL;
	return 0;
}

static int teardown(void **state)
{
	listing_destroy(listing);
	sym_index_destroy(symbols);
	return 0;
}

static int list(size_t max_rows)
{
	return listing_create(&(struct listing_request){ .layout = &layout, .hits = hits,
			      .symbols = symbols, .code = &code, .max_rows = max_rows }, &listing,
			      &error);
}

static u64 sum_of_all(void)
{
	u64 sum = listing->others + listing->astray + listing->unread;
	size_t i;

	for (i = 0; i < listing->nr_rows; i++)
		sum += listing->rows[i].hits;
	return sum;
}

static const struct listing_row *row_at(u64 addr)
{
	size_t i;

	for (i = 0; i < listing->nr_rows; i++)
		if (listing->rows[i].addr == addr)
			return &listing->rows[i];
	fail_msg("no row at 0x%llx", (unsigned long long)addr);
	return NULL;
}

static void exact_hits(void **state)
{
	hits[5] = 10, hits[7] = 12, hits[9] = 400, hits[0xa] = 11, hits[0xf] = 9;
	assert_int_equal(list(0), 0);
	assert_int_equal(listing->nr_rows, 7);
	assert_int_equal(listing->hits, 442);
	assert_int_equal(sum_of_all(), 442);
	assert_int_equal(row_at(0x1009)->hits, 400);
	assert_int_equal(row_at(0x1009)->slip, SLIP_LONG);
	assert_ptr_equal(listing_hottest(listing), row_at(0x1009));
	assert_string_equal(row_at(0x1007)->text, "divl    %ecx");
	assert_string_equal(row_at(0x100a)->text, "callq   other");
	assert_string_equal(row_at(0x100f)->text, "jne     +0x5");
	assert_string_equal(row_at(0x100f)->name, "work");
	assert_true(row_at(0x1005)->is_target && !row_at(0x1007)->is_target);
	assert_int_equal(listing->loop_low, 0x1005);
	assert_int_equal(listing->loop_high, 0x1011);
	assert_int_equal(listing->loop_insns, 5);
	assert_int_equal(listing->loop_hits, 442);
	assert_int_equal(row_at(0x1000)->loop, LOOP_NONE);
	assert_int_equal(row_at(0x1005)->loop, LOOP_FIRST);
	assert_int_equal(row_at(0x1009)->loop, LOOP_INSIDE);
	assert_int_equal(row_at(0x100f)->loop, LOOP_LAST);
	assert_int_equal(row_at(0x1011)->loop, LOOP_NONE);
}

/* An instruction before the loop belongs to no loop, however hot. */
static void no_loop(void **state)
{
	hits[0] = 10, hits[5] = 1;
	assert_int_equal(list(0), 0);
	assert_int_equal(listing->loop_insns, 0);
	assert_int_equal(row_at(0x1005)->loop, LOOP_NONE);
}

/* The inner one of two loops around the hottest instruction is marked. */
static void nested_loops(void **state)
{
	/* 0: nop; 1: nop; 2: jne 1; 4: jne 0 */
	static const u8 nested[] = { 0x90, 0x90, 0x75, 0xfd, 0x75, 0xfa };

	code.kept = nested;
	segment.len = sizeof(nested);
	hits[1] = 10, hits[4] = 3;
	assert_int_equal(list(0), 0);
	assert_int_equal(listing->loop_low, 0x1001);
	assert_int_equal(listing->loop_high, 0x1004);
	assert_int_equal(listing->loop_hits, 10);
	assert_true(row_at(0x1000)->is_target);
}

/* The shortest loop counts with its jump: the first one has 4 bytes, the other 5. */
static void loops_end_after_their_jumps(void **state)
{
	/* 0: nop; 1: nop; 2: jne 0; 4: jne 1 */
	static const u8 loops[] = { 0x90, 0x90, 0x75, 0xfc, 0x75, 0xfb };

	code.kept = loops;
	segment.len = sizeof(loops);
	hits[1] = 10;
	assert_int_equal(list(0), 0);
	assert_int_equal(listing->loop_low, 0x1000);
	assert_int_equal(listing->loop_high, 0x1004);
}

/* The code has no names, and its instructions have one byte. */
static void become_nops(size_t len)
{
	static u8 nops[0x40];

	sym_index_destroy(symbols);
	symbols = NULL;
	memset(nops, 0x90, sizeof(nops));
	code.kept = nops;
	segment.len = len;
}

/* Slots of 8 bytes: a row whose hits are in an earlier one is not shown without that. */
static void rows_are_shown_with_their_hits(void **state)
{
	become_nops(0x40);
	assert_int_equal(slots_layout_init(&layout, BASE, BASE + 8 * CPUPROBE_SLOTS), 0);
	assert_int_equal(layout.shift, 3);
	hits[0] = 3, hits[1] = 10;
	assert_int_equal(list(11), 0);
	assert_int_equal(listing->nr_rows, 8);
	assert_true(row_at(BASE + 5)->is_ditto);
	assert_int_equal(row_at(BASE)->hits, 3);
}

/* Slots of 4 bytes: 1004-1007 contains xor and div, 1008-100b nop and call. */
static void shared_slots(void **state)
{
	assert_int_equal(slots_layout_init(&layout, BASE, BASE + 0x800), 0);
	assert_int_equal(layout.shift, 2);
	hits[1] = 30, hits[2] = 50;
	assert_int_equal(list(0), 0);
	assert_int_equal(row_at(0x1005)->hits, 30);
	assert_true(row_at(0x1007)->is_ditto && !row_at(0x1007)->hits);
	assert_int_equal(row_at(0x1009)->hits, 50);
	assert_true(row_at(0x100a)->is_ditto && !row_at(0x100a)->hits);
	assert_false(row_at(0x100f)->is_ditto);
	assert_int_equal(sum_of_all(), 80);
}

static void wide_slots(void **state)
{
	assert_int_equal(slots_layout_init(&layout, BASE, BASE + 0x10000), 0);
	hits[0] = 1;
	assert_int_equal(list(0), -ERANGE);
	assert_string_equal(error.what,
			    "list instructions: slots of 0x80 bytes are too wide");
}

/* Decoding from the function's start puts 1023 to 1026 in the middle of a mov. */
static void hits_inside(void **state)
{
	hits[0x20] = 20, hits[0x23] = 21, hits[0x24] = 22, hits[0x27] = 23;
	assert_int_equal(list(0), 0);
	assert_int_equal(listing->astray, 43);
	assert_int_equal(listing->bad_bytes, 1);
	assert_string_equal(row_at(0x1029)->text, ".byte   0x06");
	assert_int_equal(sum_of_all(), 86);
}

/* Without names the hits decide where decoding begins. */
static void no_symbols(void **state)
{
	static const u8 shifted[] = { 0xb8, 0xb8, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90 };

	sym_index_destroy(symbols);
	symbols = NULL;
	code.kept = shifted;
	segment.len = sizeof(shifted);
	assert_int_equal(slots_layout_init(&layout, BASE, BASE + sizeof(shifted)), 0);
	/* From 1000 on: mov, five nops. From 1001: mov, four. From 1002: nops only. */
	hits[2] = 5, hits[3] = 5, hits[4] = 5;
	assert_int_equal(list(0), 0);
	assert_true(listing->is_guessed);
	assert_int_equal(listing->astray, 0);
	assert_int_equal(row_at(0x1003)->hits, 5);
	assert_null(row_at(0x1003)->name);
}

/* Guesses that match as many hits are alike: the first one shows the most code. */
static void the_earliest_start_is_guessed(void **state)
{
	become_nops(0x20);
	hits[9] = 5;
	assert_int_equal(list(0), 0);
	assert_int_equal(listing->rows[0].addr, BASE);
}

static void no_code(void **state)
{
	hits[5] = 1;
	segment.addr = 0x5000;
	assert_int_equal(list(0), -ENODATA);
	/* Only a part of the code: the call is cut off. */
	segment.addr = BASE;
	segment.len = 0x9;
	hits[0xf] = 4;
	assert_int_equal(list(0), 0);
	assert_int_equal(listing->unread, 4);
	assert_int_equal(sum_of_all(), 5);
}

static void many_instructions(void **state)
{
	static u8 nops[CPUPROBE_SLOTS];
	size_t i, shown = 0;

	sym_index_destroy(symbols);
	symbols = NULL;
	memset(nops, 0x90, sizeof(nops));
	code.kept = nops;
	segment.len = sizeof(nops);
	assert_int_equal(slots_layout_init(&layout, BASE, BASE + sizeof(nops)), 0);
	for (i = 0; i < CPUPROBE_SLOTS; i++)
		hits[i] = i == 100 ? 1000 : i == 300 ? 500 : 1;
	assert_int_equal(list(20), 0);
	assert_true(listing->nr_rows <= 20);
	assert_int_equal(listing->nr_rows + listing->nr_others, CPUPROBE_SLOTS);
	assert_int_equal(row_at(BASE + 100)->hits, 1000);
	assert_int_equal(row_at(BASE + 300)->hits, 500);
	row_at(BASE + 97), row_at(BASE + 103);
	assert_int_equal(row_at(BASE + 297)->skipped, 193);
	for (i = 0; i < listing->nr_rows; i++)
		shown += listing->rows[i].hits;
	assert_int_equal(shown + listing->others, 510 + 1500);
	listing_destroy(listing);
	assert_int_equal(list(SIZE_MAX), 0);
	assert_int_equal(listing->nr_rows, CPUPROBE_SLOTS);
}

static void no_hits(void **state)
{
	assert_int_equal(list(0), 0);
	assert_int_equal(listing->nr_rows, 0);
	assert_null(listing_hottest(listing));
}

/* The printed listing, in @format. */
static char *show(enum output_format format)
{
	struct output_options options = { .format = format, .cols = 80 };
	struct listing_view view;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	listing_view_init(&view, listing, &options, "prog", 0);
	if (format == FORMAT_TEXT)
		listing_text(out, &view, false);
	else if (format == FORMAT_TSV)
		listing_tsv(out, &view);
	else
		listing_json(out, &view);
	fclose(out);
	return text;
}

static void as_text(void **state)
{
	char *text, *lines, *line;

	hits[5] = 60, hits[7] = 2, hits[9] = 400, hits[0xf] = 38;
	assert_int_equal(list(0), 0);
	text = show(FORMAT_TEXT);
	assert_non_null(strstr(text, "\n0x001000-work\n"));
	assert_non_null(strstr(text, "+0x5        60   12.0   3.14  *|           >/   xorl    "
			       "%edx, %edx\n"));
	assert_non_null(strstr(text,
			       "+0x7         2   <1.5                       |   divl    %ecx\n"));
	assert_non_null(strstr(text, "+0x9       400   80.0   3.73  **********|   |!  nop\n"));
	assert_non_null(strstr(text, "\nTotal      500  100.0\n"));
	assert_non_null(strstr(text, "\nHottest instruction: nop at work+0x9, 80.0% "
			       "(76.3 to 83.3%) of these hits.\nThe hottest instruction follows "
			       "divl %ecx, which is slow: look there first.\n"));
	assert_non_null(strstr(text, "\n! the previous instruction is slow"));
	for (lines = text; (line = strsep(&lines, "\n"));)
		assert_true(strlen(line) <= 80);
	free(text);
}

/* Slots of 4 bytes: an instruction that shares the hits of the row above is marked. */
static void shared_slots_as_text(void **state)
{
	char *text;

	assert_int_equal(slots_layout_init(&layout, BASE, BASE + 0x800), 0);
	hits[1] = 30;
	assert_int_equal(list(0), 0);
	text = show(FORMAT_TEXT);
	assert_non_null(strstr(text, "\n+0x5        30  100.0"));
	assert_non_null(strstr(text, "\n+0x7         \"  "));
	assert_non_null(strstr(text, "\n+0x9           "));
	free(text);
}

/* The page's data beyond the JSON report, line by line. */
static void on_a_page(void **state)
{
	static const struct output_options options = { .cols = 80 };
	struct listing_row *row;
	char *data, *text;

	hits[5] = 10, hits[9] = 40, hits[0x27] = 3;
	assert_int_equal(list(0), 0);
	row = &listing->rows[0];
	row[0].file = row[1].file = row[2].file = "a/<b>.c";
	row[0].line = row[1].line = 3, row[2].line = 4;
	row[0].source = row[1].source = "if (a < b)", row[2].source = "/* </script> */";
	row[2].skipped = 7;
	data = WRITTEN(out, assert_int_equal(listing_page_put(out, listing, &options, "prog", 0), 0));
	text = WRITTEN(out, page_json(out, data));
	free(data);
	assert_non_null(strstr(text, ",\n\"listing_columns\":{\"address\":[\"Address\",\"address of"));
	assert_non_null(strstr(text, "\"error\":[\"+-\",\"margin of error"));
	assert_non_null(strstr(text, "\n\"listing\":{\"offsets\":[\"+0x0\",\"+0x5\",\"+0x7\","));
	assert_non_null(strstr(text, "\"marks\":[\"\",\"\\u003e/ \",\" | \",\" |!\",\" | \","
			       "\" \\\\ \",\"\","));
	assert_non_null(strstr(text, "\"headings\":[[0,\"0x001000-work\"],"
			       "[7,\"0x001020-other\"]]"));
	assert_non_null(strstr(text, "\"skipped\":[[2,7]]"));
	assert_non_null(strstr(text, "\"quotes\":[[\"a/\\u003cb\\u003e.c:3\","
			       "\"if (a \\u003c b)\"],\n"
			       "[\"a/\\u003cb\\u003e.c:4\",\"/* \\u003c/script\\u003e */\"]]"));
	/* A sentence is not wrapped. */
	assert_non_null(strstr(text, "\"findings\":\"Hottest instruction: nop at work+0x9, 75.5% "
			       "(62.4 to 85.1%) of these hits.\\u000aThe hottest instruction "
			       "follows divl %ecx, which is slow: look there first.\\u000a"));
	assert_null(strstr(text, "A sample is counted"));
	assert_non_null(strstr(text, "\"slips\":[\"? the previous instruction reads memory"));
	assert_non_null(strstr(text, "\n\"# interrupts are re-enabled here: time with interrupts "
			       "off is counted here.\"]}"));
	assert_null(strpbrk(text, "<>&"));
	free(text);
}

static void for_machines(void **state)
{
	char *text;

	hits[7] = 3, hits[0x24] = 1;
	assert_int_equal(list(0), 0);
	text = show(FORMAT_TSV);
	assert_non_null(strstr(text, "\n0x1007\t0x1009\t3\t75.0000\t"));
	assert_non_null(strstr(text, "\tdivl    %ecx\twork\t"));
	assert_non_null(strstr(text, "\n\t\t1\t25.0000\t"));
	free(text);
	text = show(FORMAT_JSON);
	assert_non_null(strstr(text, "\"hits\": 4, \"others\": 0, \"other_instructions\": 0, "
			       "\"astray\": 1"));
	assert_non_null(strstr(text,
			       "{\"address\": \"0x1007\", \"end\": \"0x1009\", \"hits\": 3, "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(exact_hits), TEST(no_loop), TEST(nested_loops), TEST(shared_slots),
		TEST(wide_slots), TEST(hits_inside), TEST(no_symbols), TEST(no_code),
		TEST(many_instructions), TEST(no_hits), TEST(as_text), TEST(for_machines),
		TEST(shared_slots_as_text), TEST(on_a_page), TEST(loops_end_after_their_jumps),
		TEST(rows_are_shown_with_their_hits), TEST(the_earliest_start_is_guessed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
