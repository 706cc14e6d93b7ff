// SPDX-License-Identifier: GPL-2.0-only
/* Pages of reports without stacks: cli/proc/proc_page.c, cli/sys/sys_page.c, and their parts. */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "inputs.h"
#include "pages.h"
#include "page/page.h"
#include "proc/proc_page.h"
#include "sys/sys_page.h"

#define EVIL	"</script><script>alert(1)</script><!--"

static const struct run_result some_result = {
	.account = { .taken = 120, .missed = 4, .expected = 124, .lost = 20 },
	.nr_cpus = 2, .period_ns = 1000, .seed = 77, .began = 1e9, .elapsed_seconds = 1.5,
};
static struct proc_report report;
static struct proc_view_options view;
static struct proc_page proc_page = { .report = &report, .options = &view };

/* Functions of 16 bytes in slots of 4; the last one has none. */
static struct sym_index *some_symbols(void)
{
	return symbols_of("0000000000001000 0000000000000010 T first\n"
			  "0000000000001010 0000000000000010 T " EVIL "\n");
}

static int make_report(void **state)
{
	memset(&report, 0, sizeof(report));
	memset(&view, 0, sizeof(view));
	proc_page.symbols = NULL;
	proc_page.receipt = NULL;
	report.result = some_result;
	snprintf(report.task, sizeof(report.task), EVIL);
	snprintf(report.object, sizeof(report.object), "lib.so");
	slots_layout_init(&report.layout, 0x1000, 0x1800);
	report.hits[0] = 30, report.hits[1] = 3, report.hits[5] = 9, report.hits[400] = 12;
	report.elsewhere = (struct proc_elsewhere){ 20, 10, 6, 30 };
	report.objects[0] = (struct proc_object){ 74, "lib.so" };
	report.nr_objects = 1;
	return 0;
}

static char *page_of(int (*write_page)(FILE *, const void *), const void *context)
{
	return WRITTEN(out, assert_int_equal(write_page(out, context), 0));
}

static char *json_of(const char *json)
{
	return WRITTEN(out, page_json(out, json));
}

static void assert_has(const char *page, const char *what)
{
	if (!strstr(page, what))
		fail_msg("no '%s' in the page", what);
}

/* A page has its frame, data and script once, and no element made by a name. */
static void assert_sound(const char *page)
{
	page_assert_whole(page);
	assert_null(strstr(page, "<!--"));
	assert_null(strstr(page, "alert(1)</"));
	assert_int_equal(page_count(page, "<script"), 2);
	assert_int_equal(page_count(page, "</script"), 2);
	assert_int_equal(page_count(page, "\"use strict\""), 1);
}

static void json_is_escaped_for_a_page(void **state)
{
	static const char *const pairs[][2] = {
		{ "{\"a\": [1, 2.5]}", "{\"a\": [1, 2.5]}" },
		{ "\"</script>&\\\"\"", "\"\\u003c/script\\u003e\\u0026\\\"\"" },
		{ "\"\u2028\u2029\u202a\"", "\"\\u2028\\u2029\u202a\"" },
		{ "\"é\u2030\xe2\x80<\xff>\xe2\"", "\"é\u2030\xe2\x80\\u003c\xff\\u003e\xe2\"" },
	};

	page_assert_written(page_json, pairs, sizeof(pairs) / sizeof(pairs[0]));
}

/* The report equals -json, except for the characters that a page must escape. */
static void page_holds_the_report(void **state)
{
	struct proc_view_options options = { .output = { .format = FORMAT_JSON } };
	char *page = page_of(proc_page_write, &proc_page), *text, *json;

	text = WRITTEN(out, proc_view_show(out, &report, NULL, NULL, &options, false));
	json = json_of(text);
	assert_has(page, json);
	assert_sound(page);
	assert_has(page, "\"low\":\"0x1000\",\"high\":\"0x1800\",\"shows_all\":false");
	assert_has(page, "\"scale\":1,\"ci\":\"wilson\"");
	assert_has(page, "for 54 of 120 samples (45%).\\u000a");
	assert_has(page, "(elsewhere: 20 out of range, 10 other modes, 30 other processes");
	assert_has(page, "\"share\":[\"Share\",\"share of all samples");
	assert_has(page, "\"headings\":[]");
	assert_has(page, "\"functions\":[]");
	assert_has(page, "\"receipt\":\"\"");
	free(json);
	free(text);
	free(page);
}

/* With a listing, the report contains its instructions, and the page the rest of its text. */
static void instructions_are_on_the_page(void **state)
{
	struct listing_row rows[] = {
		{ .addr = 0x1000, .hits = 30, .len = 2, .name = EVIL, .entry = 0x1000,
		  .text = "nop", .file = EVIL, .line = 7, .source = EVIL },
		{ .addr = 0x1002, .len = 2, .name = EVIL, .entry = 0x1000, .text = "call " EVIL,
		  .is_ditto = true, .slip = SLIP_LOAD },
	};
	const struct listing listing = { .rows = rows, .nr_rows = 2, .hits = 54, .unread = 24,
					 .slot_bytes = 4 };
	char *page = page_of(proc_page_write, &proc_page);

	assert_null(strstr(page, "\"listing\":"));
	assert_null(strstr(page, "\"instructions\":"));
	free(page);
	view.is_asm = true;
	view.listing = &listing;
	/* These options are for reports as text or -json, not for the page. */
	view.output.columns = "hits";
	view.output.cols = 40;
	page = page_of(proc_page_write, &proc_page);
	assert_sound(page);
	assert_int_equal(page_count(page, "\n\"listing\":{"), 1);
	assert_int_equal(page_count(page, "\"listing_columns\":{"), 1);
	assert_has(page, "\"listing\": {\"hits\": 54, \"others\": 0, \"other_instructions\": 0, "
		   "\"astray\": 0, \"unread\": 24,");
	assert_has(page, "{\"address\": \"0x1002\", \"end\": \"0x1004\", \"hits\": null, "
		   "\"share\": null, ");
	assert_has(page, "\"offsets\":[\"+0x0\",\"+0x2\"]");
	assert_has(page, "\"headings\":[[0,\"0x001000-\\u003c/script\\u003e");
	assert_has(page, "\"findings\":\"Hottest slot: nop at ");
	assert_null(strstr(page, ": nan"));
	free(page);
}

/* A heading is given by the number of the row that it precedes. */
static void headings_are_those_of_the_histogram(void **state)
{
	struct sym_index *symbols = some_symbols();
	char *page;

	proc_page.symbols = symbols;
	page = page_of(proc_page_write, &proc_page);
	assert_sound(page);
	assert_has(page, "\"headings\":[[0,\"0x001000-first\"],\n[2,\"0x001010-\\u003c/script");
	assert_has(page, "\"],\n[3,\"0x001640-lib.so+0x1640\"]]");
	assert_has(page, "[\"first\",33],\n[\"\\u003c/script\\u003e");
	assert_has(page, ",9],\n[\"[lib.so]\",12]]");
	free(page);
	/* With every slot shown, rows are slots. */
	view.shows_all = true;
	page = page_of(proc_page_write, &proc_page);
	assert_has(page, "\"headings\":[[0,\"0x001000-first\"],\n[4,\"");
	assert_has(page, "],\n[8,\"0x001020-lib.so+0x1020\"]]");
	assert_has(page, "508 empty slots");
	free(page);
	view = (struct proc_view_options){ .is_plain = true };
	page = page_of(proc_page_write, &proc_page);
	assert_null(strstr(page, "-first"));
	assert_has(page, "\"headings\":[]");
	assert_has(page, "\"functions\":[]");
	free(page);
	sym_index_destroy(symbols);
}

static void options_of_shares_reach_the_page(void **state)
{
	char *page;

	view.output.of = OF_CPU;
	view.output.ci = CI_PAPER;
	page = page_of(proc_page_write, &proc_page);
	assert_has(page, "\"scale\":2,\"ci\":\"paper\"");
	assert_has(page, "\"hits\": 30, \"share\": 50.0000");
	free(page);
}

/* A share of zero samples would be no number, which JSON does not allow. */
static void no_samples_make_a_valid_page(void **state)
{
	char *page;

	memset(report.hits, 0, sizeof(report.hits));
	memset(&report.elsewhere, 0, sizeof(report.elsewhere));
	report.result.account.taken = 0;
	report.executions = 3;
	view.shows_all = true;
	page = page_of(proc_page_write, &proc_page);
	assert_has(page, "for 0 of 0 samples (0%).\\u000a");
	assert_has(page, "\"execution_ns\": 0.000,");
	assert_null(strstr(page, ": nan"));
	assert_null(strstr(page, ": -nan"));
	free(page);
}

static void receipt_is_on_the_page(void **state)
{
	struct receipt receipt = { .period_ns = 1, .steal = NAN, .module = "</script>\033[2J\xff" };
	char *page;

	proc_page.receipt = &receipt;
	page = page_of(proc_page_write, &proc_page);
	assert_has(page, "\"receipt\":\"Receipt: ");
	assert_has(page, "module \\u003c/script\\u003e?[2J?");
	assert_int_equal(page_count(page, "\"receipt\":"), 1);
	free(page);
}

static struct fold *some_fold(void)
{
	struct cpuprobe_account account = { .period_ns = 1000, .expected = 60, .taken = 60,
					    .entries = 2 };
	struct cpuprobe_record records[2] = {
		{ .id = { 1, 2 }, .kind = CPUPROBE_KIND_EXE, .hits = { 20, 1, 0, 9 },
		  .name = "</script>" },
		{ .id = { 3 }, .kind = CPUPROBE_KIND_KTHREAD, .hits = { 20 }, .name = "two\n" },
	};
	struct fold *fold = fold_create();

	account.lost[0] = 10;
	fold_add(fold, 0, &account, records);
	return fold;
}

static void system_table_is_on_its_page(void **state)
{
	struct table_options options = {
		.output.columns = "user", .sort = 1, .nr_rows = 1, .has_cpus = true,
	};
	struct fold *fold = some_fold();
	const struct sys_page page = { .fold = fold, .result = &some_result, .options = &options };
	char *text = page_of(sys_page_write, &page);

	assert_sound(text);
	assert_has(text, "\"total\":[\"Total\",\"share of time");
	assert_has(text, "\"taken\":60,\"sort\":\"name\",\"nr_rows\":1");
	/* All rows are in the page, however many are shown at first. */
	assert_has(text, "{\"name\": \"\\u003c/script\\u003e");
	assert_has(text, "{\"name\": \"two?\", \"kind\": \"kthread\"");
	assert_has(text, "\"kind\": \"lost\"");
	assert_null(strstr(text, "others)"));
	assert_has(text, "\"cpu0\": 33.3333}");
	free(text);
	fold_destroy(fold);
}

/* The page draws the rates of several events from the same numbers as the text. */
static void events_are_on_the_page(void **state)
{
	const struct run_result of_first = {
		.account = { .taken = 60 }, .period_ns = 10, .event = { .name = "page-faults", .period = 10 },
	};
	const struct run_result of_other = { .account = { .taken = 60 }, .event = { .name = "<cs>", .period = 3 } };
	const struct receipt receipt = { .event.event = of_other.event };
	struct table_options options = { .nr_rows = 0 };
	struct fold *fold = some_fold(), *other = some_fold();
	const struct table_events others = { { other }, { &of_other }, { &receipt }, { 1000, 20 }, 1 };
	const struct sys_page page = { .fold = fold, .result = &of_first, .others = &others, .options = &options };
	char *text = page_of(sys_page_write, &page);

	assert_sound(text);
	assert_has(text, "\"event\":\"Counted page-faults with a period of 10\"");
	assert_has(text, "\"others\":[\"Counted \\u003ccs\\u003e with a period of 3\"]");
	assert_has(text, "\"receipts_beside\":[\"Beside it: ");
	assert_has(text, "{ \"key\": \"rate2\", \"of\": 2, \"per\": 1, \"name\": \"\\u003ccs\\u003e per 1000 page-faults\", \"total\": 20 }");
	assert_has(text, "\"rate2_lo\": ");
	free(text);
	fold_destroy(fold);
	fold_destroy(other);
}

static int fail_midway(FILE *out, const void *context)
{
	fputs("{\"began\":", out);
	return -ENOMEM;
}

/* Data that fail midway leave no partial page. */
static void failing_data_leave_no_page(void **state)
{
	char *page = WRITTEN(out, assert_int_equal(
		page_write(out, PAGE_SYS, fail_midway, NULL), -ENOMEM));

	assert_string_equal(page, "");
	free(page);
}

static void full_disk_is_reported(void **state)
{
	struct table_options options = { .nr_rows = 0 };
	struct fold *fold = some_fold();
	const struct sys_page page = { .fold = fold, .result = &some_result, .options = &options };
	FILE *full = fopen("/dev/full", "w");

	assert_int_equal(proc_page_write(full, &proc_page), -ENOSPC);
	clearerr(full);
	assert_int_equal(sys_page_write(full, &page), -ENOSPC);
	fclose(full);
	fold_destroy(fold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_is_escaped_for_a_page),
		cmocka_unit_test_setup(page_holds_the_report, make_report),
		cmocka_unit_test_setup(instructions_are_on_the_page, make_report),
		cmocka_unit_test_setup(headings_are_those_of_the_histogram, make_report),
		cmocka_unit_test_setup(options_of_shares_reach_the_page, make_report),
		cmocka_unit_test_setup(no_samples_make_a_valid_page, make_report),
		cmocka_unit_test_setup(receipt_is_on_the_page, make_report),
		cmocka_unit_test(system_table_is_on_its_page),
		cmocka_unit_test(events_are_on_the_page),
		cmocka_unit_test(failing_data_leave_no_page),
		cmocka_unit_test_setup(full_disk_is_reported, make_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
