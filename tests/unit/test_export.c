// SPDX-License-Identifier: GPL-2.0-only
/* Formats of other tools: cli/profile/export*.c. tests/exports.sh has those tools read them. */
#include <math.h>

#include "unit.h"
#include "profiles.h"
#include "export/export.h"

typedef int (*export_fn)(FILE *out, const struct stack_run *stacks);

/* To be freed. */
static char *exported(export_fn export, struct profile *profile)
{
	struct stack_run stacks = { .profile = profile };

	return WRITTEN(out, assert_int_equal(export(out, &stacks), 0));
}

static void expect(export_fn export, const char *made_of, const char *want)
{
	struct profile *profile = profiles_of(made_of);
	char *text = exported(export, profile);

	assert_string_equal(text, want);
	free(text);
	profile_destroy(profile);
}

static void expect_part(export_fn export, const char *made_of, const char *want)
{
	struct profile *profile = profiles_of(made_of);
	char *text = exported(export, profile);

	if (!strstr(text, want))
		assert_string_equal(text, want);
	free(text);
	profile_destroy(profile);
}

static void folded_lines(void **state)
{
	expect(export_folded, "", "");
	expect(export_folded, "sh 7 user main@sh 12\n", "sh;main 12\n");
	expect(export_folded, "sh 7 user main@sh;read@libc.so.6 12\nlost 4\nother 5\n",
	       "sh;main;read 12\n(lost) 4\n");
	expect(export_folded, "lost 4\n", "(lost) 4\n");
	expect(export_folded, "IDLE 0 kernel [idle] 70\n", "IDLE;[idle] 70\n");
	expect(export_folded, "a%20b%3b 7 user x%3by%20z@sh;%20%3b%3b@sh 1\n",
	       "a b:;x:y z; :: 1\n");
	expect(export_folded, "sh 7 user f@sh;f@sh;f@sh 1\n", "sh;f;f;f 1\n");
}

/*
 * Lines are sorted by name; stacks that differ only in mode, pid, address or object share a line.
 */
static void folded_lines_are_merged(void **state)
{
	expect(export_folded,
	       "sh 7 user main@sh;b@sh 1\n"
	       "sh 7 user main@sh;a@sh 2\n"
	       "ash 9 user main@ash 3\n"
	       "sh 7 kernel main@sh;b@sh 4\n"
	       "sh 8 user main@sh;b@sh 5\n"
	       "sh 7 user main@sh;b+0x20@sh 6\n"
	       "sh 7 user main@sh;b@libb.so 7\n"
	       "sh 7 user main@sh 8\n",
	       "ash;main 3\nsh;main 8\nsh;main;a 2\nsh;main;b 23\n");
}

static void empty_names_are_replaced(void **state)
{
	struct profile *profile = profile_create();
	u32 frame = profile_add_frame(profile, &(struct profile_frame){
		.function = profile_add_function(profile,
						 &(struct profile_function){ .name = "" }) });
	u32 process = profile_add_process(profile, &(struct profile_process){ .name = "" });
	char *text;

	assert_int_equal(profile_add_stack(profile, process, 0, &frame, 1, 3, 3), 0);
	text = exported(export_folded, profile);
	assert_string_equal(text, "[no name];[no name] 3\n");
	free(text);
	profile_destroy(profile);
}

static void speedscope_has_both_units(void **state)
{
	expect_part(export_speedscope, "sh 7 user main@sh;r%22\\%3c/script%3e@libc.so.6 12\n"
		    "lost 1\n", "{\"name\": \"[callers not asked for]\"},\n"
		    "{\"name\": \"r\\\"\\\\</script>\", \"file\": \"/usr/lib/libc.so.6\"},\n"
		    "{\"name\": \"main\", \"file\": \"/usr/lib/sh\"},\n"
		    "{\"name\": \"sh\"},\n"
		    "{\"name\": \"(lost)\"}\n"
		    "]},\n"
		    "\"profiles\": [\n"
		    "{\"type\": \"sampled\", \"name\": \"CPU time\", \"unit\": \"nanoseconds\", "
		    "\"startValue\": 0, \"endValue\": 13000000,\n"
		    "\"samples\": [\n[18,17,16],\n[19]\n],\n\"weights\": [12000000,1000000]},\n"
		    "{\"type\": \"sampled\", \"name\": \"samples\", \"unit\": \"none\", "
		    "\"startValue\": 0, \"endValue\": 13,\n"
		    "\"samples\": [\n[18,17,16],\n[19]\n],\n\"weights\": [12,1]}\n]}\n");
	expect_part(export_speedscope, "", "\"endValue\": 0,\n\"samples\": [\n],\n"
		    "\"weights\": []}\n]}\n");
	expect_part(export_speedscope, "lost 2\n", "\"samples\": [\n[16]\n],\n\"weights\": [2]}\n"
		    "]}\n");
}

/* Processes with one name share a frame; a known source file takes the place of the object. */
static void speedscope_frames(void **state)
{
	expect_part(export_speedscope, "sh 7 user main@sh 1\nsh 8 user main@sh;b@sh 2\n",
		    "\"samples\": [\n[18,16],\n[18,16,17]\n],\n\"weights\": [1,2]}\n]}\n");
	/* Samples and weights are sorted alike. */
	expect_part(export_speedscope, "sh 7 user b@sh 1\nsh 7 user a@sh 2\nlost 3\n",
		    "\"samples\": [\n[18,17],\n[18,16],\n[19]\n],\n\"weights\": [2,1,3]}\n]}\n");
	expect_part(export_speedscope, "sh 7 user main@sh;main{a.c:3}@sh 1\n",
		    "{\"name\": \"main\", \"file\": \"a.c\"},\n");
}

static void callgrind_of_nothing(void **state)
{
	expect_part(export_callgrind, "", "\nevents: Samples ns\nsummary: 0 0\n");
	expect_part(export_callgrind, "lost 2\n",
		    "summary: 2 2000000\n\nob=(1) -\nfl=(17) (process)\nfn=(33) (lost)\n"
		    "0 2 2000000\n");
}

/* Samples of two lines of one function; full names appear once; both processes share functions. */
static void callgrind_calls(void **state)
{
	expect_part(export_callgrind,
		    "sh 7 user main{a.c:3}@sh;read@libc.so.6 12\n"
		    "sh 8 user main{a.c:4}@sh;read@libc.so.6 5\n"
		    "sh 8 user main{a.c:4}@sh 1\n",
		    "\nsummary: 18 18000000\n"
		    "\nob=(2) libc.so.6\nfl=(17) libc.so.6\nfn=(33) read\n0 17 17000000\n"
		    "\nob=(3) sh\nfl=(18) a.c\nfn=(35) main\n4 1 1000000\n"
		    "cob=(2)\ncfi=(17)\ncfn=(33)\ncalls=12 0\n3 12 12000000\n"
		    "cob=(2)\ncfi=(17)\ncfn=(33)\ncalls=5 0\n4 5 5000000\n"
		    "\nob=(1) -\nfl=(19) (process)\nfn=(37) sh\n"
		    "cob=(3)\ncfi=(18)\ncfn=(35)\ncalls=18 0\n0 18 18000000\n");
}

/* f calls itself: inner calls are named f'2 and count once for each sample, whatever the depth. */
static void callgrind_recursion(void **state)
{
	static const char f[] = "\nob=(2) a\nfl=(17) a\nfn=(33) f\n";

	expect_part(export_callgrind, "a 7 user f@a;f@a;f@a;f@a 9\na 7 user f@a 1\n",
		    "0 1 1000000\ncob=(2)\ncfi=(17)\ncfn=(34) f'2\ncalls=9 0\n0 9 9000000\n"
		    "\nob=(2)\nfl=(17)\nfn=(34)\n0 9 9000000\n");
	expect_part(export_callgrind, "a 7 user f@a;f@a;f@a;f@a 9\na 7 user f@a 1\n", f);
	/* g, the leaf's function, is written first; f'2 does not call it a second time. */
	expect_part(export_callgrind, "a 7 user f@a;g@a;f@a;g@a;f@a;g@a 4\n",
		    "\nob=(2) a\nfl=(17) a\nfn=(33) g\n"
		    "cob=(2)\ncfi=(18) a\ncfn=(36) f'2\ncalls=4 0\n0 4 4000000\n"
		    "\nob=(2)\nfl=(17)\nfn=(34) g'2\n0 4 4000000\n"
		    "\nob=(2)\nfl=(18)\nfn=(35) f\ncob=(2)\ncfi=(17)\ncfn=(33)\ncalls=4 0\n"
		    "0 4 4000000\n"
		    "\nob=(2)\nfl=(18)\nfn=(36)\ncob=(2)\ncfi=(17)\ncfn=(34)\ncalls=4 0\n"
		    "0 4 4000000\n");
}

/* A line of a file other than the function's is left out. */
static void callgrind_lines_of_other_files(void **state)
{
	expect_part(export_callgrind, "a 7 user f{a.c:3}@a 1\na 7 user f{inline.h:9}@a 2\n",
		    "fl=(17) a.c\nfn=(33) f\n0 2 2000000\n3 1 1000000\n");
}

static void huge_counts(void **state)
{
	static const char text[] = "a 7 user f@a 18446744073709551615\n";

	expect(export_folded, text, "a;f 18446744073709551615\n");
	expect_part(export_callgrind, text, "fn=(33) f\n"
		    "0 18446744073709551615 9223372036854775807\n");
	expect_part(export_speedscope, text, "\"weights\": [9223372036854775807]}");
}

static void whole_numbers(void **state)
{
	assert_int_equal(export_whole(0), 0);
	assert_int_equal(export_whole(-1), 0);
	assert_int_equal(export_whole(NAN), 0);
	assert_int_equal(export_whole(-INFINITY), 0);
	assert_int_equal(export_whole(0.49), 0);
	assert_int_equal(export_whole(1.5), 2);
	assert_int_equal(export_whole(1e15), 1000000000000000);
	assert_true(export_whole(9223372036854774784.0) == 9223372036854774784ULL);
	assert_true(export_whole(9223372036854775808.0) == INT64_MAX);
	assert_true(export_whole(INFINITY) == INT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folded_lines),
		cmocka_unit_test(folded_lines_are_merged),
		cmocka_unit_test(empty_names_are_replaced),
		cmocka_unit_test(speedscope_has_both_units),
		cmocka_unit_test(speedscope_frames),
		cmocka_unit_test(callgrind_of_nothing),
		cmocka_unit_test(callgrind_calls),
		cmocka_unit_test(callgrind_recursion),
		cmocka_unit_test(callgrind_lines_of_other_files),
		cmocka_unit_test(huge_counts),
		cmocka_unit_test(whole_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
