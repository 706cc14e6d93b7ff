// SPDX-License-Identifier: GPL-2.0-only
/* Timed calls: see time_counts.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
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
