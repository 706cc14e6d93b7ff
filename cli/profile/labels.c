// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unambiguous names of functions: see labels.h. A profile keeps equal texts once, so texts are
 * compared and sorted by address.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/labels.h"

#define NEEDS_OBJECT	1
#define NEEDS_PATH	2	/* instead of the object's name */
#define NEEDS_ADDR	4

static const struct profile_object *get_object(const struct profile *profile, u32 function)
{
	return &profile->objects[profile->functions[function].object];
}

static int compare_ints(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

static int compare_text_addrs(const char *a, const char *b)
{
	return compare_ints((uintptr_t)a, (uintptr_t)b);
}

/* Compares the first @nr of: name, object's name, object's path. 0: equal. */
static int compare_parts(const struct profile *profile, u32 a, u32 b, int nr)
{
	const struct profile_object *object_a = get_object(profile, a),
		*object_b = get_object(profile, b);
	int order = compare_text_addrs(profile->functions[a].name, profile->functions[b].name);

	if (!order && nr > 1)
		order = compare_text_addrs(object_a->name, object_b->name);
	if (!order && nr > 2)
		order = compare_text_addrs(object_a->path, object_b->path);
	return order;
}

static int compare_functions(const void *a_at, const void *b_at, void *context)
{
	const struct profile *profile = context;
	u32 a = *(const u32 *)a_at, b = *(const u32 *)b_at;
	int order = compare_parts(profile, a, b, 3);

	return order ? order : compare_ints(profile->functions[a].addr, profile->functions[b].addr);
}

/* Finds the parts that distinguish functions of one name in objects of one name. All need them. */
static unsigned char find_group_needs(const struct profile *profile, const u32 *group, u32 nr)
{
	unsigned char needs = NEEDS_OBJECT;
	u32 i;

	for (i = 1; i < nr; i++)
		needs |= compare_parts(profile, group[i - 1], group[i], 3) ?
			NEEDS_PATH : NEEDS_ADDR;
	return needs;
}

static void find_needs(struct labels *labels, const u32 *sorted)
{
	const struct profile *profile = labels->profile;
	u32 nr = profile->nr_functions, from, to, i;
	unsigned char needs;

	for (from = 0; from < nr; from = to) {
		for (to = from + 1; to < nr; to++)
			if (compare_parts(profile, sorted[from], sorted[to], 2))
				break;
		needs = find_group_needs(profile, sorted + from, to - from);
		if (to - from == 1 &&
		    (!from || compare_parts(profile, sorted[from - 1], sorted[from], 1)) &&
		    (to == nr || compare_parts(profile, sorted[from], sorted[to], 1)))
			needs = 0;
		for (i = from; i < to; i++)
			labels->needs[sorted[i]] = needs;
	}
}

int labels_init(struct labels *labels, const struct profile *profile)
{
	u32 *sorted = calloc(profile->nr_functions + 1, sizeof(*sorted)), i;

	labels->profile = profile;
	labels->needs = calloc(profile->nr_functions + 1, 1);
	if (!sorted || !labels->needs) {
		free(sorted);
		labels_deinit(labels);
		return -ENOMEM;
	}
	for (i = 0; i < profile->nr_functions; i++)
		sorted[i] = i;
	qsort_r(sorted, profile->nr_functions, sizeof(*sorted), compare_functions, (void *)profile);
	find_needs(labels, sorted);
	free(sorted);
	return 0;
}

const char *labels_name(const struct labels *labels, u32 node)
{
	const struct profile *profile = labels->profile;

	return node < profile->nr_functions ? profile->functions[node].name :
		profile->processes[node - profile->nr_functions].name;
}

const char *labels_object(const struct labels *labels, u32 node)
{
	return node < labels->profile->nr_functions ? get_object(labels->profile, node)->name : "";
}

u64 labels_addr(const struct labels *labels, u32 node)
{
	return node < labels->profile->nr_functions ? labels->profile->functions[node].addr : 0;
}

void labels_text(const struct labels *labels, u32 node, char *text, size_t len)
{
	const struct profile *profile = labels->profile;
	unsigned char needs = node < profile->nr_functions ? labels->needs[node] : 0;
	const char *name = labels_name(labels, node), *object;

	if (!needs) {
		snprintf(text, len, "%s", name);
		return;
	}
	object = get_object(profile, node)->name;
	if (needs & NEEDS_PATH && get_object(profile, node)->path[0])
		object = get_object(profile, node)->path;
	if (needs & NEEDS_ADDR)
		snprintf(text, len, "%s (%s 0x%llx)", name, object, labels_addr(labels, node));
	else
		snprintf(text, len, "%s (%s)", name, object);
}

bool labels_match(const struct labels *labels, u32 node, const char *text, size_t len)
{
	const char *name = labels_name(labels, node);
	char label[LABEL_LEN];

	if (strlen(name) == len && !memcmp(name, text, len))
		return true;
	if (node >= labels->profile->nr_functions || !labels->needs[node])
		return false;
	labels_text(labels, node, label, sizeof(label));
	return strlen(label) == len && !memcmp(label, text, len);
}

void labels_deinit(struct labels *labels)
{
	free(labels->needs);
	labels->needs = NULL;
}
