// SPDX-License-Identifier: GPL-2.0-only
/* From the module's stacks to a profile: cli/resolve/collector.c, sums and the profile's room. */
#include "collectors.h"
#include "report/flat.h"
#include "resolve/resolver_parts.h"

/* Every sample is in one of the sums; missed periods are spread over all that are not excluded. */
static void totals_add_up(void **state)
{
	struct subject subject;
	struct profile *profile;

	begin(&subject);
	profile = subject.profile;
	add(&subject, CPUPROBE_KIND_IDLE, CPUPROBE_MODE_KERNEL, 50, NULL, 0);
	subject.account.lost[2] = 10;
	subject.account.other_task = 20;
	subject.account.other_exe = 5;
	subject.account.excluded = 15;
	subject.account.taken = 100;
	subject.account.missed = 100;
	collect(&subject);
	assert_int_equal(profile->taken, 85);
	assert_int_equal(profile->lost, 10);
	assert_int_equal(profile->other, 25);
	assert_true(profile->stacks[0].ns == 100000);
	assert_true(profile->stacks[0].ns + profile->lost_ns +
		    profile->other_ns == profile->taken_ns);
	end(&subject);
}

/* A sample is weighted by its own CPU's account, so that shares are of time, not of samples. */
static void samples_are_weighted_by_their_cpu(void **state)
{
	const struct flat_options by_function = { .by = FLAT_FUNCTION };
	struct subject subject;
	struct flat *flat;

	begin(&subject);
	add(&subject, CPUPROBE_KIND_IDLE, CPUPROBE_MODE_KERNEL, 100, NULL, 0);
	collect(&subject);
	/* Another CPU, at half the rate, which missed as many periods as it took samples. */
	memset(&subject.account, 0, sizeof(subject.account));
	subject.account.period_ns = 2000;
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 100, (u64[]){ WORK }, 1);
	subject.account.missed = 100;
	collect(&subject);
	assert_true(subject.profile->stacks[0].ns == 100 * 1000);
	assert_true(subject.profile->stacks[1].ns == 100 * 2000 * 2);
	flat = flat_create(subject.profile, &by_function, NULL);
	assert_non_null(flat);
	flat_sort(flat, FLAT_BY_SELF);
	assert_string_equal(names(&subject, 1), "work");
	assert_true(flat_row_at(flat, 0)->share == 0.8 && flat_row_at(flat, 1)->share == 0.2);
	assert_int_equal(flat_row_at(flat, 0)->hits, flat_row_at(flat, 1)->hits);
	flat_destroy(flat);
	end(&subject);
}

/* A full profile loses new stacks and counts known ones. */
static void stacks_without_room_are_lost(void **state)
{
	struct subject subject;

	begin(&subject);
	subject.profile->stacks_max = 1;
	add(&subject, CPUPROBE_KIND_IDLE, CPUPROBE_MODE_KERNEL, 3, NULL, 0);
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 4, (u64[]){ WORK }, 1);
	assert_int_not_equal(collector_add(subject.collector, NULL, 0, &subject.account,
					   subject.bytes), 0);
	assert_int_equal(subject.profile->nr_stacks, 1);
	assert_int_equal(subject.profile->lost, 4);
	assert_int_equal(subject.profile->taken, 7);
	assert_true(subject.profile->lost_ns == 4000);
	end(&subject);
}

/*
 * In the second half of its room, a profile adds new stacks by function, and known ones as before.
 */
static void full_profiles_use_function_frames(void **state)
{
	const struct profile_frame *frame;
	const struct profile *profile;
	struct subject subject;

	begin(&subject);
	profile = subject.profile;
	subject.profile->stacks_max = 4;
	for (u64 i = 0; i < 9; i++)
		add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 1,
		    (u64[]){ WORK + i, SYSCALL + i }, 2);
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 2, (u64[]){ WORK, SYSCALL },
	    2);
	collect(&subject);
	assert_int_equal(profile->nr_stacks, 3);
	assert_int_equal(profile->stacks[0].hits, 3);
	assert_int_equal(profile->stacks[2].hits, 7);
	assert_string_equal(names(&subject, 2), "work<syscall_entry");
	frame = &profile->frames[profile_frames_of(profile, &profile->stacks[2])[0]];
	assert_int_equal(frame->addr, profile->functions[frame->function].addr);
	assert_int_equal(profile->lost, 0);

	/* Room again after a new beginning. */
	profile_forget_stacks(subject.profile);
	assert_int_equal(profile->taken, 0);
	collect(&subject);
	assert_int_equal(profile->nr_stacks, 3);
	assert_int_equal(profile->stacks[0].hits, 3);
	assert_int_equal(profile->taken, 11);
	end(&subject);
}

/* A harvest has an account of each CPU: a process that has ended is known for all of them, and some harvests longer. */
static void accounts_of_a_harvest_are_one_round(void **state)
{
	struct subject subject;
	struct spaces *spaces;
	u32 cpu, i;

	begin(&subject);
	spaces = subject.resolver->spaces;
	for (cpu = 0; cpu < 4 * SPACES_ROUNDS_KEPT; cpu++) {
		assert_int_equal(collector_add(subject.collector, NULL, cpu, &subject.account, subject.bytes), 0);
		if (!cpu) {
			assert_non_null(spaces_add(spaces, 7, 0x7000));
			spaces_exit(spaces, 7);
		}
		assert_non_null(spaces_find(spaces, 7, 0x7000));
	}
	for (i = 0; i < SPACES_ROUNDS_KEPT; i++) {
		collect(&subject);
		assert_non_null(spaces_find(spaces, 7, 0x7000));
		/* Events that are read in between are no harvest. */
		resolver_follow(subject.resolver);
	}
	collect(&subject);
	assert_null(spaces_find(spaces, 7, 0x7000));
	end(&subject);
}

/* Between two harvests, processes that have ended are forgotten only if they take half of the room. */
static void bombs_of_processes_leave_room(void **state)
{
	struct subject subject;
	struct spaces *spaces;
	u32 i;

	begin(&subject);
	spaces = subject.resolver->spaces;
	for (i = 0; i <= SPACES_MAX / 2; i++) {
		assert_non_null(spaces_add(spaces, i + 1, 0x7000));
		spaces_exit(spaces, i + 1);
	}
	for (i = 0; i <= SPACES_ROUNDS_KEPT; i++) {
		assert_int_equal(spaces->nr, SPACES_MAX / 2 + 1);
		resolver_follow(subject.resolver);
	}
	assert_int_equal(spaces->nr, 0);
	end(&subject);
}

/* Another profile gets the same stacks, whatever the one before had. */
static void renewed_profiles_are_the_same(void **state)
{
	struct subject subject;
	struct profile *old;

	begin(&subject);
	add(&subject, CPUPROBE_KIND_IDLE, CPUPROBE_MODE_KERNEL, 50, NULL, 0);
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 7, (u64[]){ WORK, SYSCALL }, 2);
	add(&subject, CPUPROBE_KIND_PROCESS, CPUPROBE_MODE_KERNEL, 9, (u64[]){ SCHEDULE, SYSCALL }, 2)->space = 5;
	collect(&subject);
	assert_int_equal(collector_spaces(subject.collector), 1);
	old = subject.profile;
	subject.profile = profile_create();
	resolver_renew(subject.resolver, subject.profile);
	collector_renew(subject.collector, subject.profile);
	assert_int_equal(collector_spaces(subject.collector), 0);
	profile_destroy(old);
	collect(&subject);
	assert_int_equal(subject.profile->nr_stacks, 3);
	assert_int_equal(subject.profile->taken, 66);
	assert_string_equal(names(&subject, 1), "work<syscall_entry");
	assert_string_equal(subject.profile->processes[subject.profile->stacks[2].process].name, "some");
	assert_int_equal(subject.profile->stacks[2].hits, 9);
	end(&subject);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_add_up),
		cmocka_unit_test(renewed_profiles_are_the_same),
		cmocka_unit_test(bombs_of_processes_leave_room),
		cmocka_unit_test(accounts_of_a_harvest_are_one_round),
		cmocka_unit_test(samples_are_weighted_by_their_cpu),
		cmocka_unit_test(stacks_without_room_are_lost),
		cmocka_unit_test(full_profiles_use_function_frames),
	};

	return cmocka_run_group_tests(tests, write_symbols, remove_symbols);
}
