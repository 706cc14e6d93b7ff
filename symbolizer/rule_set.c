// SPDX-License-Identifier: GPL-2.0-only
/* Numbers for different rules: see call_frames.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "call_frames.h"

#define MAX_AT_FIRST	64
#define SEARCH_MAX	64

/* Multiplicative hashing (Knuth, volume 3, section 6.4); the upper half is the best mixed one. */
static u32 hash_rule(const struct cpuprobe_rule *rule)
{
	u64 words[2];

	_Static_assert(sizeof(words) == sizeof(*rule), "no padding");
	memcpy(words, rule, sizeof(words));
	return ((words[0] ^ words[1] * 0xc2b2ae3d27d4eb4fULL) * 0x9e3779b97f4a7c15ULL) >> 32;
}

/*
 * The place of a rule in the hash table, or a free place for it. NULL: neither, after SEARCH_MAX steps.
 * Only a hostile file makes that many rules with equal hashes. Then a rule may be added twice.
 */
static u32 *find_place(const struct rule_set *set, const struct cpuprobe_rule *rule)
{
	u32 mask = 2 * set->max - 1, hash = hash_rule(rule), i;

	for (i = 0; i < SEARCH_MAX; i++) {
		u32 *place = &set->places[(hash + i) & mask];

		if (!*place || !memcmp(&set->rules[*place - 1], rule, sizeof(*rule)))
			return place;
	}
	return NULL;
}

static void set_place(struct rule_set *set, u32 number)
{
	u32 *place = find_place(set, &set->rules[number]);

	if (place)
		*place = number + 1;
}

static int grow(struct rule_set *set)
{
	u32 i, max = set->max ? 2 * set->max : MAX_AT_FIRST;
	struct cpuprobe_rule *rules = realloc(set->rules, max * sizeof(*rules));
	u32 *places;

	if (!rules)
		return -ENOMEM;
	set->rules = rules;
	places = calloc(2 * max, sizeof(*places));
	if (!places)
		return -ENOMEM;
	free(set->places);
	set->places = places;
	set->max = max;
	for (i = 0; i < set->nr; i++)
		set_place(set, i);
	return 0;
}

static int add_new_rule(struct rule_set *set, const struct cpuprobe_rule *rule)
{
	if (set->nr == CPUPROBE_UNWIND_RULES_MAX)
		return RULE_UNSUPPORTED;
	if (set->nr == set->max && grow(set))
		return -ENOMEM;
	set->rules[set->nr] = *rule;
	set_place(set, set->nr);
	return set->nr++;
}

/* The rules with fixed numbers. */
static int add_fixed_rules(struct rule_set *set)
{
	struct cpuprobe_rule rule = { .kind = CPUPROBE_RULE_NONE };
	int number = add_new_rule(set, &rule);

	rule.kind = CPUPROBE_RULE_UNSUPPORTED;
	return number < 0 ? number : add_new_rule(set, &rule);
}

int rule_set_add(struct rule_set *set, const struct cpuprobe_rule *rule)
{
	u32 *place;

	if (!set->nr && add_fixed_rules(set) < 0)
		return -ENOMEM;
	place = find_place(set, rule);
	return place && *place ? (int)*place - 1 : add_new_rule(set, rule);
}

void rule_set_deinit(struct rule_set *set)
{
	free(set->rules);
	free(set->places);
	memset(set, 0, sizeof(*set));
}
