// SPDX-License-Identifier: GPL-2.0-only
/* Stacks that BPF counted, as accounts: cli/bpf/stack_tally.c. A sample of this process takes the place of the maps. */
#include <unistd.h>

#include "unit.h"
#include "bpf/stack_store.h"
#include "bpf/tally.h"
#include "run/run_kind.h"

#define PC	0x555555554000ULL
#define CALLER	0x555555559000ULL

static struct stack_spilled sample;

const struct stack_spilled *stack_store_spilled(const struct stack_store *store, u32 *nr_ret)
{
	*nr_ret = 1;
	return &sample;
}

u32 stack_store_depth(const struct stack_store *store)
{
	return STACK_FRAMES;
}

/* The account of a user stack with so many frames, and a guess at the caller of the first one; 0: none. */
static void expect(u32 nr, u64 guess, u32 nr_user, u32 flags)
{
	const struct cpuprobe_start start = { .exe_fd = -1, .cgroup_fd = -1 };
	const struct counts counts = { .nr = 0 };
	struct cpuprobe_account account = { .seq = 1 };
	const u32 possible[] = { 0 };
	struct tally *tally = tally_create_stacks(&start, possible);
	const struct cpuprobe_stack *stack;
	const void *entries;
	u32 i;

	assert_non_null(tally);
	sample = (struct stack_spilled){
		.id = getpid(), .is_user = 1, .comm = "test_stack_tall", .guess = guess, .kernel_len = COUNTS_NO_STACK,
		.user_len = nr * sizeof(u64), .end = STACK_END_KNOWN | nr << STACK_END_SHIFT,
	};
	for (i = 0; i < nr; i++)
		sample.user[i] = PC + 16 * i;
	tally->begin(tally, &counts);
	assert_int_equal(tally->fill(tally, &counts, 0, &account, &entries), 1);
	stack = run_kind_next_stack(&account, entries, NULL);
	assert_non_null(stack);
	assert_int_equal(stack->nr_kernel, 0);
	assert_int_equal(stack->nr_user, nr_user);
	assert_int_equal(stack->flags, flags);
	for (i = 0; i < nr_user; i++)
		assert_true(stack->frame[i] == (!guess || !i ? PC + 16 * i : i == 1 ? CALLER : PC + 16 * (i - 1)));
	tally->destroy(tally);
}

static void frames_that_are_left_out_are_told(void **state)
{
	const u32 deep = CPUPROBE_STACK_USER_DEEP, guessed = CPUPROBE_STACK_GUESSED;

	expect(1, 0, 1, 0);
	expect(1, CALLER, 2, guessed);
	expect(CPUPROBE_FRAMES_MAX, 0, CPUPROBE_FRAMES_MAX, 0);
	expect(CPUPROBE_FRAMES_MAX + 1, 0, CPUPROBE_FRAMES_MAX, deep);
	expect(CPUPROBE_FRAMES_MAX - 1, CALLER, CPUPROBE_FRAMES_MAX, guessed);
	/* The guess takes the place of the outermost frame. */
	expect(CPUPROBE_FRAMES_MAX, CALLER, CPUPROBE_FRAMES_MAX, deep | guessed);
	expect(CPUPROBE_FRAMES_MAX + 1, CALLER, CPUPROBE_FRAMES_MAX, deep | guessed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_that_are_left_out_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
