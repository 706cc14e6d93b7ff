// SPDX-License-Identifier: GPL-2.0-only
/* Nodes of timed calls: see nodes.h. */
#include "nodes.h"

u32 nodes_places(u32 nr_max)
{
	return 2U << fls64(nr_max);
}

void nodes_init(struct nodes *nodes, struct call_node *node, u32 *place, u32 nr_max)
{
	nodes->node = node;
	nodes->place = place;
	nodes->mask = nodes_places(nr_max) - 1;
	nodes->nr_max = nr_max;
	atomic_set(&nodes->nr, 0);
}

/* The number of an unused node; 0: none is left. */
static u32 notrace take_node(struct nodes *nodes)
{
	u32 nr;

	if ((u32)atomic_read(&nodes->nr) >= nodes->nr_max)
		return 0;
	nr = atomic_inc_return(&nodes->nr);
	if (nr <= nodes->nr_max)
		return nr;
	atomic_dec(&nodes->nr);
	return 0;
}

/* @key: the fields that tell nodes apart; all others are 0 */
static u32 notrace make_node(struct nodes *nodes, const struct call_node *key)
{
	u32 nr = take_node(nodes);
	struct call_node *node = &nodes->node[nr];

	if (!nr)
		return 0;
	node->parent = key->parent;
	node->what = key->what;
	node->since = key->since;
	node->type = key->type;
	/* Pairs with nodes_is_made(). */
	smp_store_release(&node->is_made, true);
	return nr;
}

u32 nodes_append(struct nodes *nodes, u32 type, u32 what)
{
	return make_node(nodes, &(struct call_node){ .type = type, .what = what });
}

void nodes_forget(struct nodes *nodes, u32 nr)
{
	memset(&nodes->node[nr + 1], 0, (nodes->nr_max - nr) * sizeof(*nodes->node));
	memset(nodes->place, 0, nodes_places(nodes->nr_max) * sizeof(*nodes->place));
	atomic_set(&nodes->nr, nr);
}

static bool notrace is_node(const struct call_node *node, const struct call_node *key)
{
	return node->what == key->what && node->parent == key->parent && node->type == key->type &&
		(node->since == key->since || !key->since);
}

/*
 * The node of a place, which is made if the place is free; 0: no room. If another CPU or an interrupt
 * of this one takes the place at the same time, the node made here is never found and its room is
 * lost.
 */
static u32 notrace get_place(struct nodes *nodes, u32 *place, const struct call_node *key)
{
	u32 nr = smp_load_acquire(place), made;

	if (nr)
		return nr;
	made = make_node(nodes, key);
	if (!made)
		return 0;
	return cmpxchg(place, 0, made) ?: made;
}

static u32 notrace find_or_make(struct nodes *nodes, const struct call_node *key)
{
	/* Multiplicative hashing (Knuth, volume 3, section 6.4). */
	u64 first = ((u64)key->parent << 32 | key->what) * 0x9e3779b97f4a7c15 >> 32;
	u32 step, nr;

	for (step = 0; step < NODES_SEARCH; step++) {
		nr = get_place(nodes, &nodes->place[(first + step) & nodes->mask], key);
		if (!nr)
			return 0;
		if (is_node(&nodes->node[nr], key))
			return nr;
	}
	return 0;
}

u32 notrace nodes_get(struct nodes *nodes, u32 parent, u32 type, u32 what)
{
	const struct call_node key = { .parent = parent, .what = what, .type = type };

	return find_or_make(nodes, &key);
}

u32 notrace nodes_get_process(struct nodes *nodes, u32 pid, u64 began)
{
	/* In units of about a millisecond, which repeat after 52 days. No number is used again within one. */
	const struct call_node key = {
		.parent = NODE_ROOT, .what = pid, .since = began >> 20, .type = CPUPROBE_NODE_PROCESS,
	};

	return find_or_make(nodes, &key);
}

void notrace nodes_name(struct nodes *nodes, u32 nr, const char *name)
{
	struct call_node *node = &nodes->node[nr];
	union {
		char name[NODE_NAME_LEN];
		u64 word[NODE_NAME_LEN / 8];
	} now;
	u32 i;

	memcpy(now.name, name, sizeof(now.name));
	now.name[sizeof(now.name) - 1] = '\0';
	for (i = 0; i < NODE_NAME_LEN / 8; i++)
		if (READ_ONCE(node->name[i]) != now.word[i])
			WRITE_ONCE(node->name[i], now.word[i]);
}
