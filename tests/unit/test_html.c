// SPDX-License-Identifier: GPL-2.0-only
/* The page of a profile: cli/export/html.c, its sums and its tree. */
#include <errno.h>
#include <math.h>

#include "unit.h"
#include "pages.h"
#include "profiles.h"
#include "base/text.h"
#include "page/page.h"
#include "export/html_data.h"
#include "base/stat.h"

static const char some_text[] =
	"sh 7 user main@sh;run@sh;run@sh;read@libc.so.6 12\n"
	"sh 7 kernel main@sh;do_syscall_64@kernel;ext4_read@[ext4] 3\n"
	"sh 8 user main@sh;run@sh;read@libc.so.6 5\n"
	"sh 8 user main@sh 20\n"
	"sh 7 user [no_frame_pointer];read@libc.so.6 1\n"
	"IDLE 0 kernel [idle] 50\n"
	"lost 4\n"
	"other 5\n";

static char *page_of(const struct profile *profile, const struct run_result *result,
		     const struct receipt *receipt)
{
	return WRITTEN(out, assert_int_equal(html_write(out, profile, result, receipt), 0));
}

/* A text as it appears in the data of a page. */
static void put_text(FILE *out, const char *text)
{
	char *json = WRITTEN(memory, text_json(memory, text));

	page_json(out, json);
	free(json);
}

static char *json_of(const char *text)
{
	return WRITTEN(out, put_text(out, text));
}

static void texts_are_escaped(void **state)
{
	static const char *const pairs[][2] = {
		{ "plain", "\"plain\"" },
		{ "", "\"\"" },
		{ "</script><script>", "\"\\u003c/script\\u003e\\u003cscript\\u003e\"" },
		{ "<!--", "\"\\u003c!--\"" },
		{ "a&b", "\"a\\u0026b\"" },
		{ "\"quoted\" 'and' \\", "\"\\\"quoted\\\" 'and' \\\\\"" },
		{ "tab\tline\n", "\"tab\\u0009line\\u000a\"" },
		{ "\u2028\u2029\u202a", "\"\\u2028\\u2029\u202a\"" },
		{ "🔥é", "\"🔥é\"" },
		{ "cut \xe2\x80", "\"cut \\ufffd\\ufffd\"" },
	};

	page_assert_written(put_text, pairs, sizeof(pairs) / sizeof(pairs[0]));
}

/* Every byte, alone and before a quote: none ends the literal. */
static void no_byte_ends_a_text(void **state)
{
	int byte;

	for (byte = 1; byte < 256; byte++) {
		char text[] = { (char)byte, '"', '<', '\0' }, *json = json_of(text);
		size_t len = strlen(json);

		assert_int_equal(json[0], '"');
		assert_string_equal(json + len - 9, "\\\"\\u003c\"");
		assert_null(strpbrk(json, "<>&\n"));
		free(json);
	}
}

static u32 function_named(const struct profile *profile, const char *name)
{
	u32 i;

	for (i = 0; i < profile->nr_functions; i++)
		if (!strcmp(profile->functions[i].name, name))
			return i;
	fail_msg("no function %s", name);
	return 0;
}

static void assert_sum(struct sum sum, u64 hits)
{
	assert_int_equal(sum.hits, hits);
	assert_true(fabs(sum.ns - hits * 1e6) < 1);
}

static void sums_count_recursion_once(void **state)
{
	struct profile *profile = profiles_of(some_text);
	struct sums sums;
	u32 object;

	assert_int_equal(sums_init(&sums, profile), 0);
	assert_sum(sums.function_total[function_named(profile, "run")], 17);
	assert_sum(sums.function_self[function_named(profile, "run")], 0);
	assert_sum(sums.function_total[function_named(profile, "main")], 40);
	assert_sum(sums.function_self[function_named(profile, "main")], 20);
	assert_sum(sums.function_self[function_named(profile, "read")], 18);
	assert_sum(sums.function_total[MARK_NO_FRAME_POINTER], 1);
	object = profile->functions[function_named(profile, "main")].object;
	assert_sum(sums.object_total[object], 40);
	assert_sum(sums.process[0], 16);
	assert_sum(sums.process[1], 25);
	assert_sum(sums.mode[CPUPROBE_MODE_USER], 38);
	assert_sum(sums.mode[CPUPROBE_MODE_KERNEL], 3);
	assert_sum(sums.idle, 50);
	sums_deinit(&sums);
	profile_destroy(profile);
}

static u32 child(const struct flame *tree, u32 parent, u32 which)
{
	u32 node = tree->nodes[parent].first_child;

	for (; which; which--)
		node = tree->nodes[node].next;
	return node;
}

/* Programs by time, two pids of one in one row; then idle, other, lost, whatever their time. */
static void tree_has_everything_in_order(void **state)
{
	struct profile *profile = profiles_of(some_text);
	struct flame tree;
	u32 main_node, i;

	assert_int_equal(flame_init(&tree, profile), 0);
	assert_sum(tree.nodes[0].total, profile->taken);
	assert_int_equal(tree.nr_programs, 4);
	assert_string_equal(tree.programs[tree.nodes[child(&tree, 0, 0)].name].name, "sh");
	assert_sum(tree.nodes[child(&tree, 0, 0)].total, 41);
	for (i = 1; i < 4; i++)
		assert_int_equal(tree.programs[tree.nodes[child(&tree, 0, i)].name].kind,
				 FLAME_IDLE + i - 1);
	assert_sum(tree.nodes[child(&tree, 0, 2)].total, 5);
	assert_sum(tree.nodes[child(&tree, 0, 3)].total, 4);
	main_node = child(&tree, child(&tree, 0, 0), 0);
	assert_sum(tree.nodes[main_node].total, 40);
	assert_sum(tree.nodes[main_node].self, 20);
	/* run with 17 samples, in 12 of which it called itself; then the kernel's 3 */
	assert_sum(tree.nodes[child(&tree, main_node, 0)].total, 17);
	assert_sum(tree.nodes[child(&tree, child(&tree, main_node, 0), 0)].total, 12);
	assert_sum(tree.nodes[child(&tree, main_node, 1)].total, 3);
	flame_deinit(&tree);
	profile_destroy(profile);
}

/* The numbers after "key":[ of the page. */
static u32 numbers_of(const char *page, const char *key, double *numbers, u32 room)
{
	char start[64], *end;
	const char *at;
	u32 nr = 0;

	snprintf(start, sizeof(start), "\"%s\":[", key);
	at = strstr(page, start);
	assert_non_null(at);
	for (at += strlen(start); *at != ']' && nr < room; at = end + (*end == ','))
		numbers[nr++] = strtod(at, &end);
	return nr;
}

static void assert_share(const char *page, const char *key, u64 hits, u64 taken)
{
	struct stat_interval wilson = stat_wilson(hits, taken, 0);
	double sum[4];

	assert_int_equal(numbers_of(page, key, sum, 4), 4);
	assert_true(sum[0] == hits && sum[1] == hits * 1e6);
	assert_true(fabs(sum[2] - wilson.lo) < 1e-6 && fabs(sum[3] - wilson.hi) < 1e-6);
}

static void page_has_the_totals(void **state)
{
	struct profile *profile = profiles_of(some_text);
	const struct run_result result = { .elapsed_seconds = 0.1, .period_ns = 1000000 };
	char *page = page_of(profile, &result, NULL);
	double levels[32], hits[32], sum = 0;
	u32 nr, i;

	assert_share(page, "all", 100, 100);
	assert_share(page, "lost", 4, 100);
	assert_share(page, "other", 5, 100);
	assert_share(page, "idle", 50, 100);
	assert_share(page, "user", 38, 100);
	nr = numbers_of(page, "node_level", levels, 32);
	assert_int_equal(numbers_of(page, "node_hits", hits, 32), nr);
	for (i = 0; i < nr; i++) {
		sum += hits[i];
		/* preorder: a node is at most one level deeper than the one before it */
		assert_true(i ? levels[i] >= 1 && levels[i] <= levels[i - 1] + 1 : levels[i] == 0);
	}
	assert_true(sum == 100);
	assert_non_null(strstr(page, "\"receipt\":\"\""));
	free(page);
	profile_destroy(profile);
}

/* Hostile names and receipts change none of the page's elements. */
static void hostile_names_stay_names(void **state)
{
	struct profile *profile = profiles_of(
		"</script><script>alert(1)</script> 1 user "
		"@STYLE@x;@DATA@x;<!--<script>@</style> 5\n");
	const struct run_result result = { .period_ns = 1 };
	struct receipt receipt = { .period_ns = 1, .steal = NAN, .module = "</script>\033[2J\xff",
				   .kernel = "@SCRIPT@" };
	struct profile *empty = profile_create();
	char *page = page_of(profile, &result, &receipt), *plain = page_of(empty, &result, NULL);
	static const char *const marks[] = {
		"<script", "</script", "<style", "</style", "<!--", "<html"
	};
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		assert_int_equal(page_count(page, marks[i]), page_count(plain, marks[i]));
	assert_non_null(strstr(page, "\"receipt\":\"Receipt: "));
	assert_non_null(strstr(page, "module \\u003c/script\\u003e?[2J?"));
	assert_null(strchr(strstr(page, "\"receipt\""), '\033'));
	free(page);
	free(plain);
	profile_destroy(profile);
	profile_destroy(empty);
}

/* The page is self-contained: it names no other file. */
static void page_needs_nothing_else(void **state)
{
	struct profile *profile = profile_create();
	const struct run_result result = { .period_ns = 1 };
	char *page = page_of(profile, &result, NULL);

	page_assert_whole(page);
	assert_non_null(strstr(page, "\"all\":[0,0,0,1]"));
	free(page);
	profile_destroy(profile);
}

/* Values that no run produces but a file may contain; a stack too deep for recursion. */
static void impossible_profiles_make_valid_json(void **state)
{
	struct profile *profile = profile_create();
	u32 process = profile_add_process(profile, &(struct profile_process){ .name = "a",
		.kind = 99, .pid = UINT32_MAX }), *frames = calloc(200000, sizeof(*frames)), i;
	const struct run_result result = { .elapsed_seconds = INFINITY, .began = 1e300 };
	char *page;

	for (i = 0; i < 200000; i++)
		frames[i] = profile_add_frame(profile, &(struct profile_frame){
			.function = i % PROFILE_MARK_COUNT, .addr = i % 7 });
	for (i = 0; i < 3; i++)
		assert_int_equal(profile_add_stack(profile, process, CPUPROBE_MODE_USER, frames + i,
						   199990, UINT64_MAX / 4, 1e308), 0);
	profile->taken = UINT64_MAX;
	profile->taken_ns = 1e308;
	page = page_of(profile, &result, NULL);
	assert_null(strstr(page, ":inf"));
	assert_null(strstr(page, ",inf"));
	assert_null(strstr(page, ",-nan"));
	assert_null(strstr(page, ",nan"));
	free(page);
	free(frames);
	profile_destroy(profile);
}

static void full_disk_is_reported(void **state)
{
	struct profile *profile = profiles_of(some_text);
	const struct run_result result = { .period_ns = 1 };
	FILE *full = fopen("/dev/full", "w");

	assert_int_equal(html_write(full, profile, &result, NULL), -ENOSPC);
	fclose(full);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_escaped),
		cmocka_unit_test(no_byte_ends_a_text),
		cmocka_unit_test(sums_count_recursion_once),
		cmocka_unit_test(tree_has_everything_in_order),
		cmocka_unit_test(page_has_the_totals),
		cmocka_unit_test(hostile_names_stay_names),
		cmocka_unit_test(page_needs_nothing_else),
		cmocka_unit_test(impossible_profiles_make_valid_json),
		cmocka_unit_test(full_disk_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
