// SPDX-License-Identifier: GPL-2.0-only
/* The model of stacks, and saving it: cli/profile/profile.c, profile_save.c. */
#include <stdlib.h>
#include <unistd.h>

#include "unit.h"
#include "profiles.h"
#include "profile/profile_save.h"

static const char some_text[] =
	"sh 7 user main@sh;run@sh;read@libc.so.6 12\n"
	"sh 7 kernel main@sh;do_syscall_64@kernel;ext4_read@[ext4] 3\n"
	"sh 8 user main@sh;run@sh;read@libc.so.6 5\n"
	"sh 7 user [no_frame_pointer];read@libc.so.6 1\n"
	"IDLE 0 kernel [idle] 70\n"
	"lost 4\n"
	"other 5\n";

/* An equal entry is found again; an entry that differs in any one value is new. */
static void everything_is_found_again(void **state)
{
	struct profile *profile = profiles_of(some_text);
	u32 nr_functions = profile->nr_functions;
	struct profile_object object = { .kind = PROFILE_FILE, .name = "sh",
					 .path = "/usr/lib/sh" };
	u32 sh = profile_add_object(profile, &object);

	assert_int_equal(profile->nr_stacks, 5);
	assert_int_equal(profile->nr_processes, 3);
	assert_int_equal(profile->nr_objects, 5);	/* marks, libc, sh, kernel, ext4 */
	assert_int_equal(nr_functions, PROFILE_MARK_COUNT + 5);
	assert_string_equal(profile->objects[sh].name, "sh");
	object.build_id_len = 1;
	assert_int_equal(profile_add_object(profile, &object), 5);
	assert_int_not_equal(sh, 5);
	assert_int_equal(profile->taken, 100);
	assert_true(profile_is_mark(profile_frames_of(profile, &profile->stacks[4])[0]));
	profile_destroy(profile);
}

static void counts_add_up(void **state)
{
	struct profile *profile = profile_create();
	u32 process = profile_add_process(profile, &(struct profile_process){ .name = "a" });
	u32 frames[3], i, round;

	for (i = 0; i < 3; i++)
		frames[i] = profile_add_frame(profile, &(struct profile_frame){ .addr = i + 1 });
	for (round = 0; round < 10; round++)
		for (i = 1; i <= 3; i++)
			assert_int_equal(profile_add_stack(profile, process, 2, frames, i, i, 0.5),
					 0);
	assert_int_equal(profile->nr_stacks, 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(profile->stacks[i].hits, 10 * (i + 1));
		assert_true(profile->stacks[i].ns == 5);
		assert_memory_equal(profile_frames_of(profile, &profile->stacks[i]), frames,
				    (i + 1) * sizeof(frames[0]));
	}
	profile_destroy(profile);
}

/* Tens of thousands of each kind of entry: tables grow, and every entry is found. */
static void many_are_found_again(void **state)
{
	struct profile *profile = profile_create();
	char name[32];
	u32 round, i;

	for (round = 0; round < 2; round++)
		for (i = 0; i < 20000; i++) {
			struct profile_function function = { .name = name, .addr = i };
			u32 frame;

			snprintf(name, sizeof(name), "function %u", i / 2);
			frame = profile_add_frame(profile, &(struct profile_frame){
				.function = profile_add_function(profile, &function), .addr = i });
			assert_int_equal(frame, PROFILE_MARK_COUNT + i);
			assert_int_equal(profile_add_stack(profile, 0, 0, &frame, 1, 1, 1), 0);
		}
	assert_int_equal(profile->nr_stacks, 20000);
	assert_int_equal(profile->stacks[19999].hits, 2);
	assert_int_equal(profile->nr_strings, 10000 + PROFILE_MARK_COUNT + 1);
	profile_destroy(profile);
}

/* So many that some share the 32 bits of their hashes: birthdays among 400,000. */
/* Lists of frames of every length, across each size at which their memory grows. */
static void lists_of_every_length(void **state)
{
	struct profile *profile = profile_create();
	u32 process = profile_add_process(profile, &(struct profile_process){ .name = "a" });
	u32 frames[200], i, len, first = profile->frame_lists_len;

	for (i = 0; i < 200; i++)
		frames[i] = profile_add_frame(profile, &(struct profile_frame){ .addr = i + 1 });
	for (len = 1; len <= 200; len++)
		for (i = 0; i < 3 && i + len <= 200; i++)
			assert_int_equal(profile_add_stack(profile, process, 0, frames + i, len, 1, 1), 0);
	for (i = 0; i < profile->nr_stacks; i++) {
		assert_int_equal(profile->stacks[i].first_frame, first);
		first += profile->stacks[i].nr_frames;
	}
	assert_int_equal(profile->frame_lists_len, first);
	profile_destroy(profile);
}

static void equal_hashes_are_told_apart(void **state)
{
	struct profile *profile = profile_create();
	u32 i;

	for (i = 0; i < 400000; i++) {
		assert_int_equal(profile_add_frame(profile, &(struct profile_frame){
			.line = i + 1 }), PROFILE_MARK_COUNT + i);
		assert_int_equal(profile_add_process(profile, &(struct profile_process){
			.pid = i * 0x9e3779b1, .name = "a" }), i);
	}
	profile_destroy(profile);
}

/* Stacks and their counts are dropped; code and processes stay. */
static void stacks_are_forgotten(void **state)
{
	struct profile *profile = profiles_of(some_text);
	u32 nr_functions = profile->nr_functions, frame = 0;

	profile_forget_stacks(profile);
	assert_int_equal(profile->nr_stacks, 0);
	assert_int_equal(profile->taken + profile->lost + profile->other, 0);
	assert_true(profile->taken_ns == 0 && profile->lost_ns == 0 && profile->other_ns == 0);
	assert_int_equal(profile->nr_functions, nr_functions);
	assert_int_equal(profile->nr_processes, 3);
	assert_int_equal(profile_find_stack(profile, 2, CPUPROBE_MODE_KERNEL, &frame, 1),
			 PROFILE_NONE);
	assert_int_equal(profile_get_stack(profile, 2, CPUPROBE_MODE_KERNEL, &frame, 1), 0);
	assert_int_equal(profile->stacks[0].first_frame, 0);
	profile_destroy(profile);
}

/* A part of the samples, with the same code; and no more stacks than allowed. */
static void a_part_is_extracted(void **state)
{
	struct profile *profile = profiles_of(some_text), *part;
	const u64 hits[] = { 0, 2, 0, 1, 0 };
	const double ns[] = { 0, 2.5, 0, 1, 0 };
	u32 frame = 0;

	part = profile_extract(profile, hits, ns);
	assert_non_null(part);
	assert_int_equal(part->nr_stacks, 2);
	assert_int_equal(part->nr_functions, profile->nr_functions);
	assert_int_equal(part->stacks[0].hits, 2);
	assert_true(part->stacks[0].ns == 2.5 && part->taken == 0);
	assert_memory_equal(profile_frames_of(part, &part->stacks[1]),
			    profile_frames_of(profile, &profile->stacks[3]), 2 * sizeof(u32));
	part->stacks_max = 3;
	assert_int_equal(profile_get_stack(part, 0, 0, &frame, 1), 2);
	frame++;
	assert_int_equal(profile_get_stack(part, 0, 0, &frame, 1), PROFILE_NONE);
	profile_destroy(part);
	profile_destroy(profile);
}

static void names_are_cleaned(void **state)
{
	struct profile *profile = profile_create();
	u32 at = profile_add_process(profile,
					  &(struct profile_process){ .name = "a\033[2Jb\n" });

	assert_string_equal(profile->processes[at].name, "a?[2Jb?");
	profile_destroy(profile);
}

static char path[] = "/dev/shm/cpuprobe-profile-XXXXXX";

static void keep(const struct profile *profile)
{
	struct record_writer writer;
	struct text_error error;

	assert_int_equal(record_create(&writer, path, &error), 0);
	profile_save(&writer, profile);
	assert_int_equal(record_commit(&writer, &error), 0);
}

static struct profile *load(void)
{
	struct profile *profile;
	struct text_error error;
	struct record record;

	assert_int_equal(record_read(path, &record, &error), 0);
	assert_true(profile_is_kept(&record));
	profile = profile_load(&record, &error);
	record_deinit(&record);
	return profile;
}

static void saved_profiles_are_read_unchanged(void **state)
{
	struct profile *profile = profiles_of(some_text), *again;
	u32 i;

	keep(profile);
	again = load();
	assert_non_null(again);
	assert_int_equal(again->taken, 100);
	assert_int_equal(again->lost, 4);
	assert_int_equal(again->other, 5);
	assert_true(again->other_ns == 5e6 && again->taken_ns == 100e6 && again->lost_ns == 4e6);
	assert_int_equal(again->nr_stacks, profile->nr_stacks);
	assert_int_equal(again->nr_functions, profile->nr_functions);
	assert_int_equal(again->nr_frames, profile->nr_frames);
	for (i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *a = &profile->stacks[i], *b = &again->stacks[i];

		assert_true(a->hits == b->hits && a->ns == b->ns && a->mode == b->mode);
		assert_memory_equal(profile_frames_of(profile, a), profile_frames_of(again, b),
				    a->nr_frames * sizeof(u32));
		assert_string_equal(again->processes[b->process].name,
				    profile->processes[a->process].name);
	}
	for (i = 0; i < profile->nr_functions; i++)
		assert_string_equal(profile->functions[i].name, again->functions[i].name);
	assert_int_equal(again->objects[again->functions[PROFILE_MARK_COUNT].object].kind,
			 PROFILE_FILE);
	profile_destroy(profile);
	profile_destroy(again);
}

/* Inlined frames stay so, and differ from frames that are not. */
static void inlined_frames_are_kept(void **state)
{
	struct profile *profile = profiles_of("sh 7 user main@sh;~in@sh 1\nsh 7 user main@sh;in@sh 2\n");
	struct profile *again;
	const u32 *frames[2];

	keep(profile);
	profile_destroy(profile);
	again = load();
	assert_int_equal(again->nr_stacks, 2);
	frames[0] = profile_frames_of(again, &again->stacks[0]);
	frames[1] = profile_frames_of(again, &again->stacks[1]);
	assert_true(again->frames[frames[0][0]].is_inlined);
	assert_false(again->frames[frames[0][1]].is_inlined);
	assert_false(again->frames[frames[1][0]].is_inlined);
	assert_int_equal(again->frames[frames[0][0]].function,
			 again->frames[frames[1][0]].function);
	profile_destroy(again);
}

/* A profile with senseless values, made from a sound one. */
static void senseless_profiles_are_refused(void **state)
{
	struct profile *profile;
	int flaw;

	for (flaw = 0; flaw < 10; flaw++) {
		profile = profiles_of(some_text);
		switch (flaw) {
		case 0: profile->objects[2].kind = PROFILE_KINDS; break;
		case 1: profile->objects[2].build_id_len = 33; break;
		case 2: profile->functions[PROFILE_MARK_COUNT].object = 99; break;
		case 3: profile->frames[PROFILE_MARK_COUNT].function = 99; break;
		case 4: profile->stacks[1].process = 99; break;
		case 5: profile->stacks[1].mode = CPUPROBE_MODES; break;
		case 6: profile->stacks[1].nr_frames = 1000; break;
		case 7: profile->stacks[1].hits = UINT64_MAX; break;
		case 8: profile->frame_lists[0] = 1u << 31; break;
		case 9: profile->functions[PROFILE_MARK_COUNT].object = profile->nr_objects; break;
		}
		keep(profile);
		profile_destroy(profile);
		assert_null(load());
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_found_again),
		cmocka_unit_test(counts_add_up),
		cmocka_unit_test(many_are_found_again),
		cmocka_unit_test(lists_of_every_length),
		cmocka_unit_test(equal_hashes_are_told_apart),
		cmocka_unit_test(stacks_are_forgotten),
		cmocka_unit_test(a_part_is_extracted),
		cmocka_unit_test(names_are_cleaned),
		cmocka_unit_test(saved_profiles_are_read_unchanged),
		cmocka_unit_test(inlined_frames_are_kept),
		cmocka_unit_test(senseless_profiles_are_refused),
	};
	int status, fd = mkstemp(path);

	close(fd);
	status = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return status;
}
