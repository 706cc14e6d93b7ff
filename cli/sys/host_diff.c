// SPDX-License-Identifier: GPL-2.0-only
/* Comparison of two sets of hosts: see host_diff.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sys/host_diff.h"

u32 host_diff_add_host(struct host_diff *diff, int side, const char *name)
{
	u32 nr = diff->nr_hosts[side], i;

	for (i = 0; i < nr; i++)
		if (!strcmp(diff->host[side][i].name, name))
			return i;
	if (!array_has_room(&diff->host[side], nr, sizeof(*diff->host[side])))
		return INTERN_NONE;
	diff->host[side][nr] = (struct diff_host){ .name = name };
	diff->nr_hosts[side]++;
	return nr;
}

static u32 count_all_hosts(const struct host_diff *diff)
{
	return diff->nr_hosts[0] + diff->nr_hosts[1];
}

/* The shares of a row: those of set 0, then those of set 1. */
static double *get_shares(const struct host_diff *diff, u32 row, int side)
{
	return diff->share + (size_t)row * count_all_hosts(diff) + (side ? diff->nr_hosts[0] : 0);
}

static bool matches_diff_row(const void *owner, u32 position, const void *key_at)
{
	const struct diff_row *row = &((const struct host_diff *)owner)->diff.row[position], *key = key_at;

	return row->is_total == key->is_total && !strcmp(row->name, key->name) &&
		!strcmp(row->object, key->object);
}

static u64 hash_row(const struct diff_row *row)
{
	u64 hash = intern_hash(row->is_total, row->name, strlen(row->name));

	return intern_hash(hash, row->object, strlen(row->object));
}

/* Finds or adds the row that is as @row. INTERN_NONE: out of memory. */
static u32 get_diff_row(struct host_diff *diff, const struct diff_row *row)
{
	u32 at = intern_find(&diff->index, hash_row(row), matches_diff_row, diff, row);
	size_t len = count_all_hosts(diff) * sizeof(*diff->share);
	struct diff_row *added;
	char *object;

	if (at != INTERN_NONE)
		return at;
	at = diff->diff.nr;
	if (!array_has_room(&diff->diff.row, at, sizeof(*added)) ||
	    !array_has_room(&diff->share, at, len) || intern_add(&diff->index, hash_row(row), at))
		return INTERN_NONE;
	/* The run, whose text it is, may be freed before the comparison. */
	object = strdup(row->object);
	if (!object)
		return INTERN_NONE;
	memset(get_shares(diff, at, 0), 0, len);
	added = &diff->diff.row[diff->diff.nr++];
	memset(added, 0, sizeof(*added));
	memcpy(added->name, row->name, sizeof(added->name));
	added->object = object;
	added->is_total = row->is_total;
	added->is_pseudo = row->is_pseudo;
	return at;
}

int host_diff_add(struct host_diff *diff, int side, u32 host, const struct diff *run, double weight)
{
	struct diff_host *of = &diff->host[side][host];
	u32 i, at;

	for (i = 0; i < run->nr; i++) {
		at = get_diff_row(diff, &run->row[i]);
		if (at == INTERN_NONE)
			return -ENOMEM;
		get_shares(diff, at, side)[host] += run->row[i].side[0].share * weight;
		diff->diff.row[at].side[side].hits += run->row[i].side[0].hits;
		diff->diff.row[at].is_in[side] = true;
	}
	of->weight += weight;
	of->variance += weight * weight * (1 + run->excess[0]) / run->taken[0];
	diff->diff.taken[side] += run->taken[0];
	return 0;
}

/* Finds for each host of set 0 its number in set 1. False: the sets have different hosts. */
static bool find_pairs(const struct host_diff *diff, u32 *pairs)
{
	u32 i, j;

	if (diff->nr_hosts[0] != diff->nr_hosts[1])
		return false;
	for (i = 0; i < diff->nr_hosts[0]; i++) {
		for (j = 0; j < diff->nr_hosts[1]; j++)
			if (!strcmp(diff->host[0][i].name, diff->host[1][j].name))
				break;
		if (j == diff->nr_hosts[1])
			return false;
		pairs[i] = j;
	}
	return true;
}

/* The mean sampling variance of the hosts' shares, if the share is the same on all. */
static double get_sampling_variance(const struct host_diff *diff, int side, double share)
{
	double sum = 0;
	u32 i;

	for (i = 0; i < diff->nr_hosts[side]; i++) {
		const struct diff_host *host = &diff->host[side][i];

		sum += host->variance / (host->weight * host->weight);
	}
	return fmax(share * (1 - share), 0) * sum / diff->nr_hosts[side];
}

/* Mean and variance by their definitions: sums of squares would cancel. */
static struct stat_mean get_mean(const double *values, u32 nr)
{
	struct stat_mean mean = { .nr = nr };
	u32 i;

	for (i = 0; i < nr; i++)
		mean.mean += values[i] / nr;
	for (i = 0; i < nr; i++)
		mean.variance += (values[i] - mean.mean) * (values[i] - mean.mean) / (nr - 1);
	return mean;
}

/*
 * The difference of two sets, or the mean of @paired differences, if no variance is below that of sampling with these
 * true shares of both sets.
 */
static struct stat_difference compare_means(const struct host_diff *diff, const struct stat_mean mean[2],
					    const struct stat_mean *paired, const double share[2])
{
	struct stat_mean floored[2] = { mean[0], mean[1] };
	double sampling[2];
	int side;

	for (side = 0; side < 2; side++) {
		sampling[side] = get_sampling_variance(diff, side, share[side]);
		floored[side].variance = fmax(mean[side].variance, sampling[side]);
	}
	if (!diff->is_paired)
		return stat_welch(&floored[0], &floored[1]);
	floored[0] = *paired;
	floored[0].variance = fmax(paired->variance, sampling[0] + sampling[1]);
	return stat_one_mean(&floored[0]);
}

static void compare_hosts(const struct host_diff *diff, u32 at, const u32 *pairs, double *differences)
{
	struct diff_row *row = &diff->diff.row[at];
	const u64 *taken = diff->diff.taken;
	struct stat_mean mean[2], paired;
	double own[2], common[2];
	int side;
	u32 i;

	for (side = 0; side < 2; side++) {
		double *shares = get_shares(diff, at, side);

		for (i = 0; i < diff->nr_hosts[side]; i++)
			shares[i] /= diff->host[side][i].weight;
		mean[side] = get_mean(shares, diff->nr_hosts[side]);
		row->side[side].share = mean[side].mean;
		own[side] = stat_centre(mean[side].mean, taken[side], 0);
	}
	common[0] = (mean[0].mean * taken[0] + mean[1].mean * taken[1]) / (taken[0] + taken[1]);
	common[1] = common[0];
	for (i = 0; diff->is_paired && i < diff->nr_hosts[0]; i++)
		differences[i] = get_shares(diff, at, 1)[pairs[i]] - get_shares(diff, at, 0)[i];
	paired = get_mean(differences, diff->is_paired ? diff->nr_hosts[0] : 0);
	/* As in stat_two_sides(). */
	row->found = compare_means(diff, mean, &paired, own);
	row->found.p = compare_means(diff, mean, &paired, common).p;
}

/* Drops rows with too few samples on all hosts together; their shares stay where they are. */
static void drop_small_rows(struct host_diff *diff)
{
	u32 width = count_all_hosts(diff), i, nr = 0;

	for (i = 0; i < diff->diff.nr; i++) {
		struct diff_row *row = &diff->diff.row[i];

		if (row->side[0].hits + row->side[1].hits < diff->diff.least_hits) {
			free((char *)row->object);
			continue;
		}
		memmove(diff->share + (size_t)nr * width, diff->share + (size_t)i * width,
			width * sizeof(*diff->share));
		diff->diff.row[nr++] = *row;
	}
	diff->diff.nr_dropped = diff->diff.nr - nr;
	diff->diff.nr = nr;
}

int host_diff_finish(struct host_diff *diff, bool declines_pairs)
{
	u32 *pairs = calloc(diff->nr_hosts[0] + 1, sizeof(*pairs)), i;
	double *differences = calloc(diff->nr_hosts[0] + 1, sizeof(*differences));
	int error = pairs && differences ? 0 : -ENOMEM;

	if (!error) {
		diff->is_paired = find_pairs(diff, pairs) && !declines_pairs;
		diff->diff.nr_hosts[0] = diff->nr_hosts[0];
		diff->diff.nr_hosts[1] = diff->nr_hosts[1];
		diff->diff.is_paired = diff->is_paired;
		drop_small_rows(diff);
		for (i = 0; i < diff->diff.nr; i++)
			compare_hosts(diff, i, pairs, differences);
		error = diff_rank(&diff->diff);
	}
	free(pairs);
	free(differences);
	return error;
}

void host_diff_deinit(struct host_diff *diff)
{
	u32 i;

	for (i = 0; i < diff->diff.nr; i++)
		free((char *)diff->diff.row[i].object);
	diff_deinit(&diff->diff);
	intern_deinit(&diff->index);
	free(diff->host[0]);
	free(diff->host[1]);
	free(diff->share);
	*diff = (struct host_diff){ .nr_hosts = { 0, 0 } };
}
