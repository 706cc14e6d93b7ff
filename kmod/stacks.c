// SPDX-License-Identifier: GPL-2.0-only
/* Stacks of one CPU: see stacks.h. */
#include "stacks.h"

/* The key of a stack is everything from this field to the last frame. In words of 8 bytes. */
#define KEY_WORD	(offsetof(struct cpuprobe_stack, exe) / 8)

/*
 * A comparison covers as many words as the candidate has. If the numbers of frames differ, the
 * comparison ends at these numbers, so it never reads past the end of a shorter record.
 */
_Static_assert(offsetof(struct cpuprobe_stack, nr_user) + sizeof(u32) ==
	       offsetof(struct cpuprobe_stack, frame) &&
	       offsetof(struct cpuprobe_stack, nr_kernel) >= offsetof(struct cpuprobe_stack, exe),
	       "the numbers of frames come before the frames, in the key");

static u32 nr_record_words(const struct cpuprobe_stack *stack)
{
	return STACKS_RECORD_WORDS + stack->nr_kernel + stack->nr_user;
}

void stacks_init(struct stacks *stacks, void *memory, size_t bytes)
{
	/*
	 * One slot for 32 to 64 bytes of memory. When the arena is half full, typical records use a
	 * quarter of the slots, and the shortest records use a third at most.
	 */
	stacks->slot_bits = fls64(bytes / 64 - 1);
	stacks->slot = memory;
	stacks->arena = (u64 *)(stacks->slot + (1u << stacks->slot_bits));
	stacks->room = ((char *)memory + bytes - (char *)stacks->arena) / 8 - STACKS_WORDS_MAX;
}

void stacks_clear(struct stacks *stacks)
{
	memset(stacks->slot, 0, sizeof(*stacks->slot) << stacks->slot_bits);
	memset(stacks->lost, 0, sizeof(stacks->lost));
	stacks->other_exe = 0;
	stacks->other_task = 0;
	stacks->nr = 0;
	WRITE_ONCE(stacks->nr_words, 0);
}

/*
 * Similar stacks differ in the lowest bits of a word; the product spreads these to the top, and the exchange of
 * the halves lets the next product spread them again.
 */
static __always_inline u64 hash_word(u64 hash, u64 word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
	return hash << 32 | hash >> 32;
}

/* Two words at a time: a third of a step for one word is the loop. */
static u64 hash_key(const u64 *word, u32 nr)
{
	const u64 *end = word + nr;
	u64 hash = 0;

	if (nr & 1)
		hash = hash_word(hash, *word++);
	for (; word != end; word += 2)
		hash = hash_word(hash_word(hash, word[0]), word[1]);
	return hash * 0x9e3779b97f4a7c15ULL;
}

static bool is_same_key(const u64 *a, const u64 *b, u32 nr)
{
	const u64 *end = a + nr;

	while (a != end)
		if (*a++ != *b++)
			return false;
	return true;
}

struct cpuprobe_stack *stacks_get(struct stacks *stacks)
{
	struct cpuprobe_stack *candidate = stacks_candidate(stacks);
	u32 nr_words = nr_record_words(candidate), nr_key = nr_words - KEY_WORD, step;
	const u64 *key = (const u64 *)candidate + KEY_WORD;
	u64 hash = hash_key(key, nr_key);
	u32 at = hash >> (64 - stacks->slot_bits), mask = (1u << stacks->slot_bits) - 1;

	for (step = 0; step < STACKS_SEARCH; step++) {
		struct stacks_slot *slot = &stacks->slot[(at + step) & mask];

		if (likely(slot->word)) {
			u64 *record = &stacks->arena[slot->word - 1];

			if (slot->hash == (u32)hash && is_same_key(record + KEY_WORD, key, nr_key))
				return (struct cpuprobe_stack *)record;
			continue;
		}
		if (stacks->nr_words + nr_words > stacks->room)
			return NULL;
		slot->word = stacks->nr_words + 1;
		slot->hash = hash;
		candidate->hits = 0;
		candidate->missed = 0;
		stacks->nr++;
		WRITE_ONCE(stacks->nr_words, stacks->nr_words + nr_words);
		return candidate;
	}
	return NULL;
}

u64 stacks_hits(const struct stacks *stacks)
{
	u64 hits = 0;
	u32 at = 0;

	while (at < stacks->nr_words) {
		const struct cpuprobe_stack *stack =
			(const struct cpuprobe_stack *)&stacks->arena[at];

		hits += stack->hits;
		at += nr_record_words(stack);
	}
	return hits;
}
