// SPDX-License-Identifier: GPL-2.0-only
/* Flat profiles: counting, folding and rounding. cli/report/flat.c, flat_rows.c. */
#include <errno.h>
#include <math.h>

#include "unit.h"
#include "profiles.h"
#include "bpf/comb.h"
#include "report/flat.h"
#include "report/run_execution.h"

static const char some_text[] =
	"sh 7 user main@sh;run@sh;read@libc.so.6 12\n"
	"sh 7 user main@sh;run@sh;main@sh;run@sh 20\n"
	"sh 7 kernel main@sh;do_syscall_64@kernel;ext4_read@[ext4] 3\n"
	"sh 8 user main@sh;run@sh;read@libc.so.6 5\n"
	"cc 9 user [no_frame_pointer];read@libc.so.6 1\n"
	"cc 9 softirq main@cc;[softirq];net_rx@kernel 6\n"
	"IDLE 0 kernel [idle] 44\n"
	"lost 4\n"
	"other 5\n";

static struct flat *flat_of(const struct profile *profile, enum flat_by by, enum flat_base base)
{
	const struct flat_options options = { .by = by, .base = base };
	struct flat *flat = flat_create(profile, &options, NULL);

	assert_non_null(flat);
	flat_sort(flat, FLAT_BY_SELF);
	return flat;
}

/* One line for each row shown: "NAME OBJECT PROGRAM SELF CUMULATIVE". */
static const char *rows_text(const struct flat *flat)
{
	static char text[4096];
	char name[256], *end = text;
	u32 i;

	for (i = 0; i < flat->nr_shown; i++) {
		const struct flat_row *row = flat_row_at(flat, i);

		end += snprintf(end, text + sizeof(text) - end, "%s|%s|%s %llu %llu\n",
				flat_name(flat, row, name, sizeof(name)), flat_object(flat, row),
				flat_program(flat, row), (unsigned long long)row->hits,
				(unsigned long long)row->all_hits);
	}
	return text;
}

static void assert_rows(enum flat_by by, enum flat_base base, const char *expected)
{
	struct profile *profile = profiles_of(some_text);
	struct flat *flat = flat_of(profile, by, base);

	assert_string_equal(rows_text(flat), expected);
	flat_destroy(flat);
	profile_destroy(profile);
}

/* main and run occur twice in a stack of 20 samples, which count as 20 all the same. */
static void a_stack_counts_once(void **state)
{
	assert_rows(FLAT_FUNCTION, FLAT_BASE_MACHINE,
		    "[idle]|-| 44 44\n"
		    "run|sh| 20 37\n"
		    "read|libc.so.6| 18 18\n"
		    "net_rx|kernel| 6 6\n"
		    "ext4_read|[ext4]| 3 3\n"
		    "main|sh| 0 40\n"
		    "[softirq]|-| 0 6\n"
		    "main|cc| 0 6\n"
		    "do_syscall_64|kernel| 0 3\n"
		    "[no frame pointer]|-| 0 1\n"
		    "(lost)|| 4 4\n"
		    "(other processes)|| 5 5\n");
}

static void bases_choose_stacks(void **state)
{
	assert_rows(FLAT_PROGRAM, FLAT_BASE_MACHINE, "IDLE||IDLE 44 44\nsh||sh 40 40\ncc||cc 7 7\n"
		    "(lost)|| 4 4\n(other processes)|| 5 5\n");
	assert_rows(FLAT_PROGRAM, FLAT_BASE_TARGET, "sh||sh 40 40\ncc||cc 7 7\n");
	assert_rows(FLAT_PROGRAM, FLAT_BASE_KERNEL, "cc||cc 6 6\nsh||sh 3 3\n");
}

static void rows_by_everything(void **state)
{
	assert_rows(FLAT_PROCESS, FLAT_BASE_TARGET, "sh||sh 35 35\ncc||cc 7 7\nsh||sh 5 5\n");
	assert_rows(FLAT_OBJECT, FLAT_BASE_TARGET, "sh|sh| 20 40\nlibc.so.6|libc.so.6| 18 18\n"
		    "kernel|kernel| 6 9\n[ext4]|[ext4]| 3 3\n[softirq]|-| 0 6\ncc|cc| 0 6\n"
		    "[no frame pointer]|-| 0 1\n");
	assert_rows(FLAT_PROGRAM_OBJECT, FLAT_BASE_TARGET, "sh|sh|sh 20 40\n"
		    "libc.so.6|libc.so.6|sh 17 17\nkernel|kernel|cc 6 6\n[ext4]|[ext4]|sh 3 3\n"
		    "libc.so.6|libc.so.6|cc 1 1\n[softirq]|-|cc 0 6\ncc|cc|cc 0 6\n"
		    "kernel|kernel|sh 0 3\n[no frame pointer]|-|cc 0 1\n");
	assert_rows(FLAT_STATE, FLAT_BASE_MACHINE, "idle|| 44 44\nuser|| 38 38\nsystem|| 9 9\n"
		    "guest|| 0 0\n(lost)|| 4 4\n(other processes)|| 5 5\n");
}

/* A source line is one row, whatever its addresses and functions; without lines: the function. */
static void rows_by_line(void **state)
{
	struct profile *profile = profiles_of("a 1 user main@a 2\n");
	struct profile_frame frame = { .function = PROFILE_MARK_COUNT, .file = "x.c", .line = 7 };
	u32 frames[3], i;
	struct flat *flat;

	for (i = 0; i < 3; i++) {
		frame.addr = 0x2000 + i;
		frame.line = 7 + i / 2;
		frames[i] = profile_add_frame(profile, &frame);
	}
	profile_add_stack(profile, 0, CPUPROBE_MODE_USER, frames, 3, 5, 5e6);
	profile_add_stack(profile, 0, CPUPROBE_MODE_USER, frames + 1, 2, 6, 6e6);
	profile->taken += 11;
	flat = flat_of(profile, FLAT_LINE, FLAT_BASE_MACHINE);
	assert_string_equal(rows_text(flat), "x.c:7|a| 11 11\nmain|a| 2 2\nx.c:8|a| 0 11\n");
	flat_destroy(flat);
	profile_destroy(profile);
}

static void shares_are_of_time(void **state)
{
	struct profile *profile = profiles_of("a 1 user f@a 30\na 1 user g@a 10\n");
	const struct flat_row *row;
	struct stat_interval interval;
	struct flat *flat;

	profile->stacks[0].ns = 50e6;
	profile->stacks[1].ns = 150e6;
	flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_TARGET);
	row = flat_row_at(flat, 0);
	interval = stat_wilson_share(0.75, 40, 0);
	assert_int_equal(row->hits, 10);
	assert_true(row->share == 0.75 && row->all_share == 0.75);
	assert_true(row->interval.lo == interval.lo && row->interval.hi == interval.hi);
	flat_destroy(flat);
	profile_destroy(profile);
}

/* Folded: run (20, 37), read (18), net_rx, ... main (0, 40), which together occur in 47 samples. */
static void folded_rows_count_stacks_once(void **state)
{
	u32 nr_folded;
	struct profile *profile = profiles_of(some_text);
	struct flat *flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_MACHINE);

	assert_int_equal(flat_fold(flat, FLAT_BY_SELF, 0, 1), 0);
	assert_string_equal(rows_text(flat), "[idle]|-| 44 44\n(9 others)|| 47 47\n(lost)|| 4 4\n"
			    "(other processes)|| 5 5\n");
	flat_destroy(flat);
	flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_MACHINE);
	assert_int_equal(flat_fold(flat, FLAT_BY_SELF, 0.06, 0), 0);
	assert_string_equal(rows_text(flat),
			    "[idle]|-| 44 44\nrun|sh| 20 37\nread|libc.so.6| 18 18\n"
			    "net_rx|kernel| 6 6\n(6 others)|| 3 47\n(lost)|| 4 4\n"
			    "(other processes)|| 5 5\n");
	flat_sort(flat, FLAT_BY_NAME);
	assert_string_equal(
		rows_text(flat),
		"[idle]|-| 44 44\nnet_rx|kernel| 6 6\n"
		"read|libc.so.6| 18 18\nrun|sh| 20 37\n(6 others)|| 3 47\n(lost)|| 4 4\n"
		"(other processes)|| 5 5\n");
	flat_destroy(flat);
	flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_TARGET);
	assert_int_equal(flat_fold(flat, FLAT_BY_CUMULATIVE, 0.5, 0), 0);
	assert_string_equal(rows_text(flat), "main|sh| 0 40\nrun|sh| 20 37\n(7 others)|| 27 27\n");
	flat_destroy(flat);
	for (nr_folded = 1; nr_folded <= 2; nr_folded++) {
		flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_TARGET);
		assert_int_equal(flat_fold(flat, FLAT_BY_SELF, 0, flat->nr_shown - nr_folded), 0);
		assert_non_null(strstr(rows_text(flat), nr_folded == 1 ? "(1 other)" : "(2 others)"));
		flat_destroy(flat);
	}
	profile_destroy(profile);
}

static void no_empty_row_for_the_rest(void **state)
{
	struct profile *profile = profiles_of("a 1 user f@a 3\na 1 user g@a 3\n");
	struct flat *flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_MACHINE);

	assert_int_equal(flat_fold(flat, FLAT_BY_SELF, 0.5, 2), 0);
	assert_int_equal(flat->nr_shown, 2);
	/* Equal rows are sorted by name. */
	assert_string_equal(rows_text(flat), "f|a| 3 3\ng|a| 3 3\n");
	flat_destroy(flat);
	flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_MACHINE);
	assert_int_equal(flat_fold(flat, FLAT_BY_SELF, 0, 1), 0);
	assert_string_equal(rows_text(flat), "f|a| 3 3\n(1 other)|| 3 3\n");
	flat_destroy(flat);
	profile_destroy(profile);
}

static void orders(void **state)
{
	struct profile *profile =
		profiles_of("a 1 user z@b;f@c 3\na 1 user f@a 3\na 1 user g@a 4\n");
	struct flat *flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_MACHINE);

	flat_sort(flat, FLAT_BY_OBJECT);
	assert_string_equal(rows_text(flat), "g|a| 4 4\nf|a| 3 3\nz|b| 0 3\nf|c| 3 3\n");
	flat_sort(flat, FLAT_BY_CUMULATIVE);
	assert_string_equal(rows_text(flat), "g|a| 4 4\nf|c| 3 3\nf|a| 3 3\nz|b| 0 3\n");
	flat_drop_unhit(flat);
	assert_string_equal(rows_text(flat), "g|a| 4 4\nf|c| 3 3\nf|a| 3 3\n");
	flat_destroy(flat);
	profile_destroy(profile);
}

static void one_program_only(void **state)
{
	struct profile *profile = profiles_of(some_text);
	/* The second of two processes named sh. */
	struct flat_options options = { .by = FLAT_OBJECT, .has_only = true, .only = 1 };
	struct flat *flat = flat_create(profile, &options, NULL);

	assert_int_equal(profile->processes[1].pid, 8);
	flat_sort(flat, FLAT_BY_SELF);
	assert_string_equal(rows_text(flat), "sh|sh| 20 40\nlibc.so.6|libc.so.6| 17 17\n"
			    "[ext4]|[ext4]| 3 3\nkernel|kernel| 0 3\n");
	assert_int_equal(flat->hits, 40);
	flat_destroy(flat);
	profile_destroy(profile);
}

static void rows_by_group(void **state)
{
	static char file[] = "[net]\nkernel:*\n[none]\nnowhere\n[main]\nma*\nnet*\n";
	FILE *in = fmemopen(file, strlen(file), "r");
	struct groups *groups = groups_read(in, "x", NULL);
	struct flat_options options = { .by = FLAT_GROUP, .groups = groups,
					.base = FLAT_BASE_TARGET };
	struct profile *profile = profiles_of(some_text);
	struct flat *flat = flat_create(profile, &options, NULL);

	fclose(in);
	flat_sort(flat, FLAT_BY_SELF);
	assert_string_equal(rows_text(flat), "net|| 6 9\nmain|| 0 46\nnone|| 0 0\n"
			    "(no group)|| 41 47\n");
	/* A group without samples has an upper bound. */
	assert_true(flat_row_at(flat, 2)->interval.hi == stat_wilson(0, 47, 0).hi);
	flat_destroy(flat);
	groups_destroy(groups);
	profile_destroy(profile);
}

/* @nr functions with a sample each, of equal times or of times of all sizes. */
static struct profile *profile_of_shares(u32 nr, bool is_equal)
{
	struct profile *profile = profile_create();
	static u64 seed = 1;
	u32 i, frame;

	profile_add_process(profile, &(struct profile_process){ .name = "a" });
	for (i = 0; i < nr; i++) {
		struct profile_function function = { .name = "f", .addr = i + 1 };

		frame = profile_add_frame(profile, &(struct profile_frame){
			.function = profile_add_function(profile, &function), .addr = i });
		seed = seed * 6364136223846793005 + 1442695040888963407;
		profile_add_stack(profile, 0, CPUPROBE_MODE_USER, &frame, 1, 1,
				  is_equal ? 1 : 1 + (seed >> (20 + seed % 40)));
	}
	return profile;
}

/* For any shares, the units add up, and none is off by one or more. */
static void rounding_adds_up(void **state)
{
	static const u64 wholes[] = { 1000, 1000000 };
	u32 i, nr;
	int round;

	for (round = 0; round < 60; round++) {
		u64 whole = wholes[round / 2 % 2], sum = 0;
		struct profile *profile;
		struct flat *flat;

		nr = round < 20 ? round + 1 : 37 * round;
		profile = profile_of_shares(nr, round % 2);
		flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_MACHINE);
		assert_int_equal(flat->nr_shown, nr);
		assert_int_equal(flat_round(flat, whole), 0);
		for (i = 0; i < nr; i++) {
			const struct flat_row *row = flat_row_at(flat, i);

			sum += row->units;
			assert_true(fabs(row->units - row->share * whole) < 1);
			assert_int_equal(row->all_units, row->units);
		}
		assert_int_equal(sum, whole);
		flat_destroy(flat);
		profile_destroy(profile);
	}
}

/* 5 of 7 and 2 of 7 are 71.43% and 28.57%: the missing unit goes to the larger remainder. */
static void largest_remainder_gains(void **state)
{
	struct profile *profile = profiles_of("a 1 user m@a;f@a 2\na 1 user m@a;g@a 5\n");
	struct flat *flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_MACHINE);
	const struct stat_interval all = stat_wilson_share(1, 7, 0);

	assert_true(flat_row_at(flat, 2)->all_interval.lo == all.lo &&
		    flat_row_at(flat, 2)->all_interval.hi == all.hi);
	flat_round(flat, 100);
	assert_int_equal(flat_row_at(flat, 0)->units, 71);
	assert_int_equal(flat_row_at(flat, 1)->units, 29);
	assert_int_equal(flat_row_at(flat, 2)->units, 0);
	assert_int_equal(flat_row_at(flat, 2)->all_units, 100);
	flat_destroy(flat);
	profile_destroy(profile);
}

/* f gets the unit left over by three equal shares: its cumulative share is no smaller. */
static void cumulative_units_hold_own_ones(void **state)
{
	struct profile *profile = profiles_of("a 1 user f@a 1000\na 1 user f@a;g@a 2\n"
					      "a 1 user g@a 998\na 1 user h@a 1000\n");
	struct flat *flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_MACHINE);

	assert_int_equal(flat_round(flat, 100), 0);
	assert_int_equal(flat_row_at(flat, 0)->units, 34);
	assert_int_equal(flat_row_at(flat, 0)->all_units, 34);
	assert_int_equal(flat_row_at(flat, 1)->all_units, 33);
	flat_destroy(flat);
	profile_destroy(profile);
}

static void assert_refused(const char *text, enum flat_base base, const char *why)
{
	const struct flat_options options = { .base = base };
	struct profile *profile = profiles_of(text);
	struct text_error error;

	assert_null(flat_create(profile, &options, &error));
	assert_string_equal(error.what, why);
	profile_destroy(profile);
}

static void empty_profiles_are_refused(void **state)
{
	assert_refused("", FLAT_BASE_MACHINE, "no samples");
	assert_refused("a 1 user f@a 3\nlost 2\n", FLAT_BASE_KERNEL,
		       "no kernel samples except idle ones");
	assert_refused("IDLE 0 kernel [idle] 3\nlost 2\n", FLAT_BASE_TARGET,
		       "no samples except idle, lost and other processes' ones");
	assert_refused("IDLE 0 kernel [idle] 3\nlost 2\n", FLAT_BASE_KERNEL,
		       "no kernel samples except idle ones");
}

static void counts_at_the_limits(void **state)
{
	struct profile *profile = profiles_of("lost 3\n");
	const struct flat_options options = { .by = FLAT_FUNCTION };
	struct flat *flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_MACHINE);
	struct text_error error;

	assert_string_equal(rows_text(flat), "(lost)|| 3 3\n");
	flat_destroy(flat);
	profile_destroy(profile);
	profile = profiles_of("a 1 user f@a 4611686018427387904\na 1 user g@a 4611686018427387904\n"
			      "IDLE 0 kernel [idle] 1\n");
	flat = flat_of(profile, FLAT_FUNCTION, FLAT_BASE_MACHINE);
	assert_int_equal(flat_round(flat, 1000), 0);
	assert_int_equal(flat_row_at(flat, 0)->units, 500);
	assert_int_equal(flat_row_at(flat, 1)->units, 500);
	assert_int_equal(flat_row_at(flat, 2)->units, 0);
	flat_destroy(flat);
	/* Times that a hostile file may contain. */
	profile->stacks[0].ns = profile->stacks[1].ns = 1.7e308;
	assert_null(flat_create(profile, &options, &error));
	assert_string_equal(error.what, "its times are invalid");
	profile->stacks[0].ns = profile->stacks[1].ns = profile->stacks[2].ns = 0;
	assert_null(flat_create(profile, &options, &error));
	assert_string_equal(error.what, "no samples");
	profile_destroy(profile);
}

static void rows_of_stacks_are_wider(void **state)
{
	struct profile *profile = profiles_of("a 1 user f@a;g@a 30\nb 2 user f@b 70\n"), *copy;
	const u64 hits[] = { 30, 70 };
	const double ns[] = { 3e7, 7e7 };
	const struct flat_options options = { .by = FLAT_FUNCTION };
	struct flat *flat;

	profile->excess = COMB_EXCESS;
	copy = profile_extract(profile, hits, ns);
	assert_true(copy->excess == COMB_EXCESS);
	profile_destroy(copy);
	flat = flat_create(profile, &options, NULL);
	flat_sort(flat, FLAT_BY_SELF);
	assert_true(flat_row_at(flat, 1)->interval.hi == stat_wilson_share(0.3, 100, COMB_EXCESS).hi);
	assert_true(flat_row_at(flat, 1)->all_interval.hi ==
		    stat_wilson_share(0.3, 100, COMB_EXCESS).hi);
	assert_true(run_execution(profile, 5).hi ==
		    stat_wilson_share(1, 100, COMB_EXCESS).hi * profile->taken_ns / 5);
	flat_destroy(flat);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_counts_once),
		cmocka_unit_test(bases_choose_stacks),
		cmocka_unit_test(rows_by_everything),
		cmocka_unit_test(rows_by_line),
		cmocka_unit_test(shares_are_of_time),
		cmocka_unit_test(folded_rows_count_stacks_once),
		cmocka_unit_test(no_empty_row_for_the_rest),
		cmocka_unit_test(orders),
		cmocka_unit_test(one_program_only),
		cmocka_unit_test(rows_by_group),
		cmocka_unit_test(rounding_adds_up),
		cmocka_unit_test(cumulative_units_hold_own_ones),
		cmocka_unit_test(largest_remainder_gains),
		cmocka_unit_test(empty_profiles_are_refused),
		cmocka_unit_test(counts_at_the_limits),
		cmocka_unit_test(rows_of_stacks_are_wider),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
