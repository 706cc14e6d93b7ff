// SPDX-License-Identifier: GPL-2.0-only
/* Stacks counted in a fixed arena: kmod/stacks.c, the file that the kernel runs. */
#include "unit.h"
#include "../../kmod/stacks.h"	/* cli has another one */

#define KIB(n)	((size_t)(n) * 1024)

/** Stacks in an allocation of exact size, so that the sanitizer notices an access beyond. */
struct arena {
	struct stacks stacks;
	void *memory;
};

static struct arena *arena_create(size_t bytes)
{
	struct arena *arena = calloc(1, sizeof(*arena));

	arena->memory = calloc(1, bytes);
	assert_non_null(arena->memory);
	stacks_init(&arena->stacks, arena->memory, bytes);
	return arena;
}

static void arena_destroy(struct arena *arena)
{
	free(arena->memory);
	free(arena);
}

/* Write the fields that a sample writes; all others get a value that must not survive. */
static struct cpuprobe_stack *write_candidate(struct arena *arena, u32 pid, u32 nr_kernel,
					      u32 nr_user, u64 first)
{
	struct cpuprobe_stack *stack = stacks_candidate(&arena->stacks);

	memset(stack, 0xa5, sizeof(*stack));
	stack->exe = 1;
	stack->nr_sure = 0;
	stack->pid = pid;
	stack->kind = CPUPROBE_KIND_PROCESS;
	stack->mode = CPUPROBE_MODE_USER;
	stack->flags = 0;
	stack->space = 0x7ffc0000;
	stack->nr_kernel = nr_kernel;
	stack->nr_user = nr_user;
	for (u32 i = 0; i < nr_kernel + nr_user; i++)
		stack->frame[i] = first + i;
	return stack;
}

/* Count one sample; returns its record, or NULL when the sample is lost. */
static struct cpuprobe_stack *count(struct arena *arena, bool *created)
{
	struct cpuprobe_stack *stack;

	stack = stacks_get(&arena->stacks);
	*created = stack && !stack->hits;
	if (stack)
		stack->hits++;
	return stack;
}

static struct cpuprobe_stack *add(struct arena *arena, u32 pid, u32 nr_kernel,
				  u32 nr_user, u64 first)
{
	bool created;

	write_candidate(arena, pid, nr_kernel, nr_user, first);
	return count(arena, &created);
}

static void identical_stacks_are_counted_together(void **state)
{
	struct arena *arena = arena_create(KIB(32));
	struct cpuprobe_stack *stack;
	bool created;

	write_candidate(arena, 1, 2, 3, 0x1000);
	stack = count(arena, &created);
	assert_true(created);
	assert_int_equal(stack->hits, 1);
	assert_int_equal(stack->missed, 0);
	for (int i = 0; i < 100; i++) {
		write_candidate(arena, 1, 2, 3, 0x1000);
		assert_ptr_equal(count(arena, &created), stack);
		assert_false(created);
	}
	assert_int_equal(stack->hits, 101);
	assert_int_equal(arena->stacks.nr, 1);
	assert_int_equal(arena->stacks.nr_words, STACKS_RECORD_WORDS + 5);
	arena_destroy(arena);
}

/* Every field that distinguishes stacks, in both orders of arrival. */
static void different_stacks_are_told_apart(void **state)
{
	struct arena *arena = arena_create(KIB(32));
	struct cpuprobe_stack *stack, *first = add(arena, 1, 2, 3, 0x1000);
	u32 nr = 1;
	bool created;

#define DIFFERS(statement) do { \
	stack = write_candidate(arena, 1, 2, 3, 0x1000); \
	statement; \
	assert_ptr_not_equal(count(arena, &created), first); \
	assert_true(created); \
	assert_int_equal(arena->stacks.nr, ++nr); \
} while (0)
	DIFFERS(stack->exe = 2);
	DIFFERS(stack->pid = 2);
	DIFFERS(stack->kind = CPUPROBE_KIND_EXITING);
	DIFFERS(stack->mode = CPUPROBE_MODE_KERNEL);
	DIFFERS(stack->flags = CPUPROBE_STACK_UNREADABLE);
	DIFFERS(stack->space ^= 1ULL << 63);
	DIFFERS(stack->frame[0]++);
	DIFFERS(stack->frame[4] ^= 1ULL << 63);
	/* The same frames, divided differently; one more, one less, none. */
	DIFFERS((stack->nr_kernel = 3, stack->nr_user = 2));
	DIFFERS((stack->nr_user = 4, stack->frame[5] = 0));
	DIFFERS(stack->nr_user = 2);
	DIFFERS((stack->nr_kernel = 0, stack->nr_user = 0));
#undef DIFFERS
	assert_ptr_equal(add(arena, 1, 2, 3, 0x1000), first);
	assert_int_equal(first->hits, 2);
	assert_int_equal(stacks_hits(&arena->stacks), nr + 1);
	arena_destroy(arena);
}

/* The hash of the distinguishing words, computed as in kmod/stacks.c. */
static u64 hash_word(u64 hash, u64 word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
	return hash << 32 | hash >> 32;
}

/* The last frame that gives the candidate the hash @wanted before the last multiplication. */
static void collide(struct cpuprobe_stack *stack, u64 wanted)
{
	const __u64 *word = (const __u64 *)&stack->exe, *end = &stack->frame[stack->nr_user - 1];
	u64 inverse = 0x9e3779b97f4a7c15ULL, hash = 0;

	/* Newton's iteration doubles the correct bits of the factor's inverse. */
	for (int i = 0; i < 6; i++)
		inverse *= 2 - 0x9e3779b97f4a7c15ULL * inverse;
	while (word < end)
		hash = hash_word(hash, *word++);
	stack->frame[stack->nr_user - 1] = (wanted << 32 | wanted >> 32) * inverse ^ hash;
}

/* Equal hashes in all bits: sixteen find room next to each other, the next one is lost. */
static void collisions_are_not_confused(void **state)
{
	struct arena *arena = arena_create(KIB(32));
	struct cpuprobe_stack *record[STACKS_SEARCH];
	bool created;

	for (u32 round = 0; round < 2; round++)
		for (u32 i = 0; i <= STACKS_SEARCH; i++) {
			struct cpuprobe_stack *stack;

			collide(write_candidate(arena, i, 0, 2, i), ~0ULL);
			stack = count(arena, &created);
			if (i == STACKS_SEARCH) {
				assert_null(stack);
				continue;
			}
			assert_non_null(stack);
			assert_true(created == !round);
			if (round)
				assert_ptr_equal(stack, record[i]);
			record[i] = stack;
			assert_int_equal(stack->pid, i);
		}
	assert_int_equal(stacks_hits(&arena->stacks), 2 * STACKS_SEARCH);
	/* A stack that collides with none of them still has room. */
	assert_non_null(add(arena, 1, 0, 1, 0));
	arena_destroy(arena);
}

/* Stacks of every size until there is no room; then known ones are counted, new ones are lost. */
static void fill(size_t bytes)
{
	struct arena *arena = arena_create(bytes);
	struct stacks *stacks = &arena->stacks;
	u64 counted = 0, taken = 0;
	u32 nr;

	while (!counted || counted == taken) {
		counted += add(arena, taken, taken * 7 % 65, taken * 11 % 65, taken) != NULL;
		taken++;
	}
	assert_int_equal(counted, taken - 1);
	assert_int_equal(stacks->nr, counted);
	nr = stacks->nr_words;
	assert_true(nr <= stacks->room && nr + STACKS_WORDS_MAX > stacks->room);
	for (u64 i = 0; i < counted; i++)
		assert_int_equal(add(arena, i, i * 7 % 65, i * 11 % 65, i)->hits, 2);
	for (u64 i = taken; i < taken + 1000; i++)
		assert_null(add(arena, i, 64, 64, i));
	assert_int_equal(stacks->nr_words, nr);
	assert_int_equal(stacks_hits(stacks), 2 * counted);
	/* The stacks and the executables before them fit the buffer of a reader. */
	assert_true(nr * 8 + CPUPROBE_STACK_EXES * sizeof(struct cpuprobe_exe) <= bytes);
	arena_destroy(arena);
}

static void full_arena_loses_new_stacks(void **state)
{
	fill(KIB(CPUPROBE_STACK_KIB_MIN) / 2);
	fill(KIB(CPUPROBE_STACK_KIB_MIN + 1) / 2);
	fill(KIB(CPUPROBE_STACK_KIB) / 2);
	fill(KIB(CPUPROBE_STACK_KIB_MAX) / 2);
}

/* Every possible number of frames, each alone and all in one arena. */
static void every_number_of_frames(void **state)
{
	struct arena *all = arena_create(KIB(8192));
	u32 nr_kernel, nr_user, nr = 0;

	for (nr_kernel = 0; nr_kernel <= CPUPROBE_FRAMES_MAX; nr_kernel++)
		for (nr_user = 0; nr_user <= CPUPROBE_FRAMES_MAX; nr_user++, nr++) {
			struct cpuprobe_stack *stack = add(all, 1, nr_kernel, nr_user, 0x1000);

			assert_non_null(stack);
			assert_int_equal(stack->hits, 1);
			assert_int_equal(all->stacks.nr, nr + 1);
		}
	assert_int_equal(stacks_hits(&all->stacks), nr);
	arena_destroy(all);
}

static void clear_forgets_all(void **state)
{
	struct arena *arena = arena_create(KIB(32));
	struct stacks *stacks = &arena->stacks, empty;

	empty = *stacks;
	for (int round = 0; round < 3; round++) {
		for (u32 i = 0; i < 1000; i++)
			if (!add(arena, i, 3, 3, i))
				stacks->lost[i % CPUPROBE_MODES]++;
		stacks->other_exe = 5;
		stacks->other_task = 6;
		assert_true(stacks_is_filling(stacks) && stacks->lost[0] && stacks->lost[3]);
		stacks_clear(stacks);
		assert_memory_equal(stacks, &empty, sizeof(empty));
		assert_false(stacks_is_filling(stacks));
		assert_int_equal(stacks_hits(stacks), 0);
	}
	assert_int_equal(add(arena, 0, 3, 3, 0)->hits, 1);
	arena_destroy(arena);
}

/*
 * A reader in poll() is woken before any loss, even with the small stacks of programs without frame
 * pointers, and with any amount of memory. One stack in ten thousand may find its sixteen places
 * taken.
 */
static void poll_wakes_before_losses(void **state)
{
	for (size_t kib = CPUPROBE_STACK_KIB_MIN; kib <= 4096; kib = kib * 9 / 8 + 1) {
		struct arena *arena = arena_create(KIB(kib) / 2);
		u64 x = kib;
		u32 lost = 0, taken = 0;

		while (!stacks_is_filling(&arena->stacks)) {
			x = x * 6364136223846793005ULL + 1442695040888963407ULL;
			lost += !add(arena, 1, 0, 1, 0x400000 + (x >> 44));
			taken++;
		}
		assert_true(lost * 10000 <= taken);
		arena_destroy(arena);
	}
}

/* The reader is woken once: by the record that begins in the first half and ends in the second one. */
static void one_record_fills(void **state)
{
	struct arena *arena = arena_create(KIB(32));
	struct stacks *stacks = &arena->stacks;
	u32 i, nr_filling = 0;

	for (i = 0; i < 1000; i++) {
		bool was_filling = stacks_is_filling(stacks), created;
		struct cpuprobe_stack *stack;

		write_candidate(arena, 1, 1 + i % 5, i % 7, (u64)i << 20);
		stack = count(arena, &created);
		if (!stack)
			continue;
		assert_true(created);
		assert_int_equal(stacks_fills_with(stacks, stack), !was_filling && stacks_is_filling(stacks));
		nr_filling += stacks_fills_with(stacks, stack);
	}
	assert_int_equal(nr_filling, 1);
	arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identical_stacks_are_counted_together),
		cmocka_unit_test(different_stacks_are_told_apart),
		cmocka_unit_test(collisions_are_not_confused),
		cmocka_unit_test(full_arena_loses_new_stacks),
		cmocka_unit_test(every_number_of_frames),
		cmocka_unit_test(clear_forgets_all),
		cmocka_unit_test(poll_wakes_before_losses),
		cmocka_unit_test(one_record_fills),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
