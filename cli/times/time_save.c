// SPDX-License-Identifier: GPL-2.0-only
/* Timed calls in saved runs: see time_save.h. */
#include <stdlib.h>
#include <string.h>

#include "calls/call_save.h"
#include "times/time_save.h"

_Static_assert(sizeof(struct time_totals) == 16, "saved in files");
_Static_assert(sizeof(struct time_node) == 464, "saved in files");

/* No kernel stack holds so many calls; it bounds the work on damaged files. */
#define DEPTH_MAX	1000
/* No sum of a run comes near this. */
#define SUM_MAX		(UINT64_MAX / 4)

void time_save(struct record_writer *writer, const struct time_counts *counts)
{
	call_save(writer, counts->calls);
	record_add(writer, "PTIM", &counts->totals, sizeof(counts->totals));
	record_add(writer, "PTND", counts->nodes, counts->nr_nodes * sizeof(*counts->nodes));
}

bool time_is_kept(const struct record *record)
{
	size_t len;

	return record_find(record, "PTIM", &len) != NULL;
}

static u64 sum_of_bins(const struct time_sums *sums)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < CPUPROBE_TIME_BINS; i++) {
		if (sums->bins[i] > SUM_MAX / CPUPROBE_TIME_BINS)
			return UINT64_MAX;
		sum += sums->bins[i];
	}
	return sum;
}

static bool are_sums_valid(const struct time_sums *sums)
{
	const u64 *sum = &sums->calls;

	for (; sum < sums->bins; sum++)
		if (*sum > SUM_MAX)
			return false;
	return sums->recursive <= sums->ended && sums->ended <= sums->calls &&
		sums->errors <= sums->ended && sums->min_ns <= sums->max_ns &&
		sums->blocked_ns + sums->preempted_ns + sums->interrupted_ns <= sums->wall_ns &&
		sum_of_bins(sums) == sums->ended - sums->recursive;
}

static bool is_node_valid(const struct time_counts *counts, u32 position)
{
	const struct time_node *node = &counts->nodes[position];
	bool has_function = node->type == CPUPROBE_NODE_FUNCTION || node->type == CPUPROBE_NODE_SYSCALL;

	if (node->type > CPUPROBE_NODE_INTERRUPTS ||
	    (node->parent != CALLS_NONE && node->parent >= position) ||
	    (time_is_root(node) && node->parent != CALLS_NONE) ||
	    memchr(node->comm, '\0', sizeof(node->comm)) == NULL)
		return false;
	if (has_function ? node->function >= counts->calls->nr_functions :
	    node->function != CALLS_NONE)
		return false;
	return are_sums_valid(&node->sums);
}

/* Parents come first. */
static bool are_paths_short(const struct time_counts *counts)
{
	u16 *depth = calloc(counts->nr_nodes + 1, sizeof(*depth));
	bool is_short = depth;
	u32 i;

	for (i = 0; i < counts->nr_nodes && is_short; i++) {
		u32 parent = counts->nodes[i].parent;

		depth[i] = parent == CALLS_NONE ? 0 : depth[parent] + 1;
		is_short = depth[i] < DEPTH_MAX;
	}
	free(depth);
	return is_short;
}

static bool load_nodes(const struct record *record, struct time_counts *counts)
{
	size_t len = 0;
	const void *nodes = record_find(record, "PTND", &len);
	u32 i;

	if (!nodes || len % sizeof(*counts->nodes) || len / sizeof(*counts->nodes) > UINT32_MAX / 4)
		return false;
	counts->nodes = malloc(len + 1);
	if (!counts->nodes)
		return false;
	memcpy(counts->nodes, nodes, len);
	counts->nr_nodes = len / sizeof(*counts->nodes);
	for (i = 0; i < counts->nr_nodes; i++) {
		if (!is_node_valid(counts, i))
			return false;
		text_clean(counts->nodes[i].comm);
	}
	return are_paths_short(counts);
}

static bool load_totals(const struct record *record, struct time_totals *totals)
{
	return !record_get(record, "PTIM", totals, sizeof(*totals), sizeof(*totals), NULL) &&
		totals->own_ps <= totals->seen_ps && totals->seen_ps <= totals->cost_ps;
}

struct time_counts *time_load(const struct record *record, struct text_error *error_ret)
{
	struct call_counts *calls = call_load(record, error_ret);
	struct time_counts *counts = calls ? time_counts_create(calls) : NULL;

	if (!counts)
		return NULL;
	if (load_totals(record, &counts->totals) && load_nodes(record, counts))
		return counts;
	time_counts_destroy(counts);
	text_fail(error_ret, 0, "the sections of its timed calls are missing or invalid");
	return NULL;
}
