// SPDX-License-Identifier: GPL-2.0-only
/* Lateness sessions: a histogram of lateness, and the places where late samples landed. */
#include "run/run_kind.h"

static unsigned int late_cost(const struct cpuprobe_start *start)
{
	return CPUPROBE_COST_LATE;
}

static size_t late_buffer_len(const struct cpuprobe_start *start)
{
	return sizeof(struct cpuprobe_lateness);
}

/* Every sample is in the histogram; a lost one lacks only its place. */
static u64 late_sum(const struct cpuprobe_account *account, const void *entries)
{
	const struct cpuprobe_lateness *lateness = entries;
	u64 sum = 0;
	int bin;

	for (bin = 0; bin < CPUPROBE_LATE_BINS; bin++)
		sum += lateness->hits[0][bin] + lateness->hits[1][bin];
	return sum;
}

static bool late_others_add_up(const struct cpuprobe_account *account, const void *entries)
{
	const struct cpuprobe_lateness *lateness = entries;
	u64 sum = account->lost[0];
	u32 i;

	for (i = 0; i < account->entries; i++)
		sum += lateness->place[i].hits;
	return sum == account->deferred;
}

const struct run_kind run_kind_late = {
	.cost = late_cost,
	.buffer_len = late_buffer_len,
	.sum = late_sum,
	.others_add_up = late_others_add_up,
	.wake_seconds = 0.002,
	.loss_hint = "a shorter -sec fills the table less",
};
