// SPDX-License-Identifier: GPL-2.0-only
/* Copy of the times of calls: timed_calls_copy(). */
#include <linux/nospec.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "timed_calls.h"

/* Nodes read at a time. */
#define NODES_READ	64

/* Calls of a function that its hooks missed, on all CPUs; told with the first. */
static u64 missed_by_hooks(const struct timed_calls *calls, u32 node, u32 cpu)
{
	if (node > calls->nr || cpu != cpumask_first(cpu_possible_mask))
		return 0;
	return returns_missed(&calls->returns, node - 1);
}

static u64 what_of(const struct timed_calls *calls, const struct call_node *node)
{
	if (node->type != CPUPROBE_NODE_FUNCTION)
		return node->what;
	return (unsigned long)calls->returns.function[node->what].probe.kp.addr;
}

static void copy_sums(const struct node_time *sums, const struct ticks *ticks,
		      struct cpuprobe_time *time)
{
	u64 least = local_read(&sums->least);
	u32 i;

	time->calls = local_read(&sums->calls);
	time->ended = local_read(&sums->ended);
	time->recursive = local_read(&sums->recursive);
	time->missed = local_read(&sums->missed);
	time->errors = local_read(&sums->errors);
	time->wall_ns = ticks_to_ns(ticks, local_read(&sums->wall));
	time->blocked_ns = ticks_to_ns(ticks, local_read(&sums->blocked));
	time->preempted_ns = ticks_to_ns(ticks, local_read(&sums->preempted));
	time->interrupted_ns = ticks_to_ns(ticks, local_read(&sums->interrupted));
	time->net_ns = ticks_to_ns(ticks, local_read(&sums->net));
	time->children = local_read(&sums->children);
	time->descendants = local_read(&sums->descendants);
	time->min_ns = least ? ticks_to_ns(ticks, least - 1) : 0;
	time->max_ns = ticks_to_ns(ticks, local_read(&sums->most));
	for (i = 0; i < CPUPROBE_TIME_BINS; i++)
		time->bins[i] = local_read(&sums->bins[i]);
}

static void copy_node(const struct timed_calls *calls, u32 number, u32 cpu,
		      struct cpuprobe_time *time)
{
	const struct call_node *node = &calls->timing.nodes.node[number];

	*time = (struct cpuprobe_time){
		.function = what_of(calls, node), .node = number, .type = node->type,
		.parent = node->parent == NODE_ROOT ? 0 : node->parent,
	};
	BUILD_BUG_ON(sizeof(time->comm) != sizeof(node->name));
	memcpy(time->comm, node->name, sizeof(time->comm));
	copy_sums(&per_cpu_ptr(calls->timing.cpu, cpu)->time[number], &calls->timing.ticks, time);
	time->missed += missed_by_hooks(calls, number, cpu);
}

static bool is_told(const struct timed_calls *calls, const struct cpuprobe_time *time)
{
	if (time->node > calls->nr && time->node <= calls->nr + OWN_FUNCTIONS)
		return false;
	return time->calls || time->ended || time->missed ||
		time->type == CPUPROBE_NODE_PROCESS || time->type == CPUPROBE_NODE_INTERRUPTS;
}

/* Copy the nodes that fit in @room; returns how many there are, or -EFAULT. */
static s64 copy_nodes(const struct timed_calls *calls, u32 cpu, struct cpuprobe_time __user *to,
		      u32 room)
{
	u32 nr_nodes = min_t(u32, atomic_read(&calls->timing.nodes.nr), calls->timing.nodes.nr_max);
	struct cpuprobe_time time;
	u32 nr = 0, i;

	for (i = 1; i <= nr_nodes; i++) {
		if (!(i % NODES_READ))
			cond_resched();
		if (!nodes_is_made(&calls->timing.nodes, i))
			continue;
		copy_node(calls, i, cpu, &time);
		if (!is_told(calls, &time))
			continue;
		if (nr < room && copy_to_user(to + nr, &time, sizeof(time)))
			return -EFAULT;
		nr++;
	}
	return nr;
}

int timed_calls_copy(struct timed_calls *calls, struct cpuprobe_times *request)
{
	u32 room = request->buffer_len / sizeof(struct cpuprobe_time);
	u32 cpu = array_index_nospec(request->cpu, nr_cpu_ids);
	const struct gate *gate = &calls->timing.gate;
	s64 nr;

	request->flags = READ_ONCE(gate->closed_ns) ? CPUPROBE_COUNTS_ENDED : 0;
	request->flags |= READ_ONCE(gate->is_over) ? CPUPROBE_COUNTS_OVER : 0;
	request->flags |= returns_were_switched_off(&calls->returns) ? CPUPROBE_COUNTS_SWITCHED_OFF : 0;
	request->counted_ns = gate_opened_ns(gate);
	request->others = local_read(&per_cpu_ptr(calls->timing.cpu, cpu)->gate.others);
	nr = request->buffer ? copy_nodes(calls, cpu, u64_to_user_ptr(request->buffer), room) : 0;
	if (nr < 0)
		return nr;
	request->nr_nodes = nr;
	return nr > room ? -ENOSPC : 0;
}
