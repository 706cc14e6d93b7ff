// SPDX-License-Identifier: GPL-2.0-only
/* Timed calls: see time_counts.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/intern.h"
#include "times/time_counts.h"

struct time_counts *time_counts_create(struct call_counts *calls)
{
	struct time_counts *counts = calloc(1, sizeof(*counts));

	if (counts)
		counts->calls = calls;
	else
		call_counts_destroy(calls);
	return counts;
}

void time_counts_destroy(struct time_counts *counts)
{
	if (!counts)
		return;
	call_counts_destroy(counts->calls);
	free(counts->nodes);
	free(counts);
}

int time_counts_add_node(struct time_counts *counts, const struct time_node *node)
{
	if (!array_has_room(&counts->nodes, counts->nr_nodes, sizeof(*counts->nodes)))
		return -ENOMEM;
	counts->nodes[counts->nr_nodes++] = *node;
	return 0;
}

/* Before the other sums are added. */
static void extend_range(struct time_sums *sums, const struct time_sums *other)
{
	bool has_any = sums->ended > sums->recursive;

	if (other->ended <= other->recursive)
		return;
	if (!has_any || other->min_ns < sums->min_ns)
		sums->min_ns = other->min_ns;
	if (other->max_ns > sums->max_ns)
		sums->max_ns = other->max_ns;
}

void time_sums_add(struct time_sums *sums, const struct time_sums *other)
{
	u32 i;

	extend_range(sums, other);
	sums->calls += other->calls;
	sums->ended += other->ended;
	sums->recursive += other->recursive;
	sums->missed += other->missed;
	sums->errors += other->errors;
	sums->wall_ns += other->wall_ns;
	sums->blocked_ns += other->blocked_ns;
	sums->preempted_ns += other->preempted_ns;
	sums->interrupted_ns += other->interrupted_ns;
	sums->net_ns += other->net_ns;
	sums->children += other->children;
	sums->descendants += other->descendants;
	for (i = 0; i < CPUPROBE_TIME_BINS; i++)
		sums->bins[i] += other->bins[i];
}

void time_counts_add(struct time_node *node, const struct cpuprobe_time *time)
{
	struct time_sums sums = {
		time->calls, time->ended, time->recursive, time->missed, time->errors,
		time->wall_ns, time->blocked_ns, time->preempted_ns, time->interrupted_ns,
		time->net_ns, time->children, time->descendants, time->min_ns, time->max_ns,
	};

	memcpy(sums.bins, time->bins, sizeof(sums.bins));
	time_sums_add(&node->sums, &sums);
}

/** State while nodes of a part are found in the whole. */
struct merging {
	struct time_counts *counts;
	struct intern index;		/* nodes of the counts, by what they are */
	u32 *function;			/* positions in the counts, of the part's functions */
	u32 *node;			/* and nodes */
};

static bool is_same_node(const void *owner, u32 position, const void *key)
{
	const struct time_node *node = &((const struct time_counts *)owner)->nodes[position];
	const struct time_node *wanted = key;

	return node->parent == wanted->parent && node->type == wanted->type &&
		node->function == wanted->function && node->pid == wanted->pid;
}

static u64 hash_node(const struct time_node *node)
{
	const u32 key[] = { node->parent, node->type, node->function, node->pid };

	return intern_hash(0, key, sizeof(key));
}

/* Position of a node in the counts, to which it is added if necessary; CALLS_NONE: out of memory. */
static u32 find_node(struct merging *merging, const struct time_node *node)
{
	struct time_counts *counts = merging->counts;
	u64 hash = hash_node(node);
	u32 at = intern_find(&merging->index, hash, is_same_node, counts, node);

	if (at != INTERN_NONE)
		return at;
	if (time_counts_add_node(counts, node) ||
	    intern_add(&merging->index, hash, counts->nr_nodes - 1))
		return CALLS_NONE;
	return counts->nr_nodes - 1;
}

static int merge_node(struct merging *merging, const struct time_counts *from, u32 position)
{
	struct time_node node = from->nodes[position];

	memset(&node.sums, 0, sizeof(node.sums));
	if (node.parent != CALLS_NONE)
		node.parent = merging->node[node.parent];
	if (node.function != CALLS_NONE)
		node.function = merging->function[node.function];
	merging->node[position] = find_node(merging, &node);
	if (merging->node[position] == CALLS_NONE)
		return -ENOMEM;
	time_sums_add(&merging->counts->nodes[merging->node[position]].sums,
		      &from->nodes[position].sums);
	return 0;
}

static int merge_nodes(struct merging *merging, const struct time_counts *from)
{
	struct time_counts *counts = merging->counts;
	u32 i;

	for (i = 0; i < counts->nr_nodes; i++)
		if (intern_add(&merging->index, hash_node(&counts->nodes[i]), i))
			return -ENOMEM;
	for (i = 0; i < from->nr_nodes; i++)
		if (merge_node(merging, from, i))
			return -ENOMEM;
	if (!counts->totals.flags)
		counts->totals = from->totals;
	return 0;
}

int time_counts_merge(struct time_counts *counts, const struct time_counts *from)
{
	struct merging merging = {
		.counts = counts,
		.function = calloc(from->calls->nr_functions + 1, sizeof(u32)),
		.node = calloc(from->nr_nodes + 1, sizeof(u32)),
	};
	int error = -ENOMEM;

	if (merging.function && merging.node)
		error = call_counts_merge(counts->calls, from->calls, merging.function) ?:
			merge_nodes(&merging, from);
	intern_deinit(&merging.index);
	free(merging.function);
	free(merging.node);
	return error;
}

const char *time_counts_name(const struct time_counts *counts, const struct time_node *node)
{
	switch (node->type) {
	case CPUPROBE_NODE_PROCESS:
		return node->comm;
	case CPUPROBE_NODE_INTERRUPTS:
		return "(interrupts)";
	case CPUPROBE_NODE_NO_ROOM:
		return "(no room)";
	default:
		return call_counts_name(counts->calls, node->function);
	}
}

bool time_is_root(const struct time_node *node)
{
	return node->type == CPUPROBE_NODE_PROCESS || node->type == CPUPROBE_NODE_INTERRUPTS;
}

u64 time_outermost(const struct time_node *node)
{
	return node->sums.ended - node->sums.recursive;
}

/* @raw_ns without the cost of so many calls of its own and so many others. */
static double without_cost(double raw_ns, double own, double own_ps, double others, double others_ps)
{
	double ns = raw_ns - (own * own_ps + others * others_ps) / 1e3;

	return ns > 0 ? ns : 0;
}

static double outermost_ns(const struct time_counts *counts, const struct time_node *node, u64 raw_ns)
{
	const struct time_totals *totals = &counts->totals;

	return without_cost(raw_ns, time_outermost(node), totals->own_ps, node->sums.descendants,
			    totals->cost_ps);
}

double time_wall_ns(const struct time_counts *counts, const struct time_node *node)
{
	return outermost_ns(counts, node, node->sums.wall_ns);
}

double time_on_ns(const struct time_counts *counts, const struct time_node *node)
{
	const struct time_sums *sums = &node->sums;

	return outermost_ns(counts, node, sums->wall_ns - sums->blocked_ns - sums->preempted_ns -
			    sums->interrupted_ns);
}

double time_net_ns(const struct time_counts *counts, const struct time_node *node)
{
	const struct time_totals *totals = &counts->totals;

	return without_cost(node->sums.net_ns, node->sums.ended, totals->own_ps, node->sums.children,
			    totals->cost_ps - totals->seen_ps);
}
