// SPDX-License-Identifier: GPL-2.0-only
/* Which saved runs fit together, and where their CPUs go: see run_merge.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/run_merge.h"
#include "run/run_save.h"

#define CPUS_MAX		8192	/* of a saved run, as in sys_load() */
#define OVERLAP_SECONDS		0.1	/* clocks of windows that follow each other may differ by so much */

/* A run that does not say its host is a host of its own, with the end of the path as its name. */
static void name_part(struct merge_part *part)
{
	size_t nr, len = strlen(part->path);
	const struct run_host *host = host_load(&part->record, &nr);

	if (host)
		part->host = *host;
	if (host && host->name[0]) {
		host_name(host, part->name);
		part->has_host = true;
		return;
	}
	snprintf(part->name, sizeof(part->name), "%s",
		 part->path + (len < HOST_NAME_LEN ? 0 : len - HOST_NAME_LEN + 1));
	text_clean(part->name);
}

static int open_part(struct merge_part *part, const char *verb, struct text_error *error_ret)
{
	struct text_error why = { "", "" };
	size_t i;
	int error = record_read(part->path, &part->record, error_ret);

	if (error)
		return error;
	if (record_get_result(&part->record, &part->result, &why))
		return text_fail(error_ret, -EBADMSG, "%s %s: %s", verb, part->path, why.what);
	if (host_is_merged(&part->record)) {
		text_fail(error_ret, 0, "%s %s: it is a merged run", verb, part->path);
		text_hint(error_ret, "%s the runs that it was made of", verb);
		return -EINVAL;
	}
	part->cpus = run_load_cpus(&part->record, &part->nr_cpus);
	if (!part->cpus || run_load_receipt(&part->record, &part->receipt))
		return text_fail(error_ret, -EINVAL, "%s %s: it was saved without a receipt", verb,
				 part->path);
	name_part(part);
	part->host.nr_cpus = 0;
	for (i = 0; i < part->nr_cpus; i++) {
		if (part->cpus[i].cpu >= CPUS_MAX)
			return text_fail(error_ret, -EBADMSG, "%s %s: its CPU %u is invalid", verb,
					 part->path, part->cpus[i].cpu);
		if (part->cpus[i].cpu >= part->host.nr_cpus)
			part->host.nr_cpus = part->cpus[i].cpu + 1;
	}
	return part->result.account.taken ? 0 :
		text_fail(error_ret, -ENODATA, "%s %s: it has no samples", verb, part->path);
}

static int check_pair(const char *verb, const struct merge_part *a, const struct merge_part *b,
		      struct text_error *error_ret)
{
	const char *what = a->receipt.what != b->receipt.what ? "what they measured" :
		a->receipt.by != b->receipt.by ? "-by" :
		!event_are_equal(&a->receipt.event.event, &b->receipt.event.event) ? "-event" :
		a->receipt.jitter != b->receipt.jitter ? "-jitter" :
		a->receipt.deferred_ns != b->receipt.deferred_ns ? "-deferred-over" :
		(a->receipt.flags ^ b->receipt.flags) & RECEIPT_EXCLUDES ? "-deferred" :
		(a->receipt.flags ^ b->receipt.flags) & RECEIPT_NMI ? "-nmi" : NULL;

	return !what ? 0 : text_fail(error_ret, -EINVAL, "%s %s with %s: they differ in %s", verb, a->path,
				     b->path, what);
}

static bool is_sampled(const struct merge_part *part, u32 cpu)
{
	size_t i;

	for (i = 0; i < part->nr_cpus; i++)
		if (part->cpus[i].cpu == cpu && part->cpus[i].expected)
			return true;
	return false;
}

static bool share_a_cpu(const struct merge_part *a, const struct merge_part *b)
{
	size_t i;

	for (i = 0; i < a->nr_cpus; i++)
		if (a->cpus[i].expected && is_sampled(b, a->cpus[i].cpu))
			return true;
	return false;
}

/* Refuses two runs that have samples in common. */
static int check_overlap(const char *verb, const struct merge_part *a, const struct merge_part *b,
			 struct text_error *error_ret)
{
	double seconds = fmin(a->host.ended, b->host.ended) - fmax(a->host.began, b->host.began);

	if (a->record.len == b->record.len &&
	    !memcmp(a->record.bytes, b->record.bytes, a->record.len))
		return text_fail(error_ret, -EINVAL, "%s %s with %s: they are the same run: its samples "
				 "would count twice", verb, a->path, b->path);
	if (!a->has_host || !b->has_host || strcmp(a->name, b->name) || !(seconds > OVERLAP_SECONDS) ||
	    !share_a_cpu(a, b))
		return 0;
	if (a->host.boot[0] && b->host.boot[0] && strcmp(a->host.boot, b->host.boot)) {
		text_fail(error_ret, 0, "%s %s with %s: two machines are called %s", verb, a->path, b->path,
			  a->name);
		text_hint(error_ret, "give each machine a name of its own: hosts are told apart by it");
		return -EINVAL;
	}
	return text_fail(error_ret, -EINVAL, "%s %s with %s: both sampled %s for the same %.3g s: samples "
			 "would count twice", verb, a->path, b->path, a->name, seconds);
}

static int check_parts(const struct run_merge *merge, struct text_error *error_ret)
{
	size_t i, j;
	int error = 0;

	for (i = 1; !error && i < merge->nr; i++)
		error = check_pair(merge->verb, &merge->part[0], &merge->part[i], error_ret);
	for (i = 1; !error && i < merge->nr; i++)
		for (j = 0; !error && j < i; j++)
			error = check_overlap(merge->verb, &merge->part[j], &merge->part[i], error_ret);
	return error;
}

/* Whether the samples of two runs are of one clock: then their CPUs are the same. */
static bool have_one_clock(const struct merge_part *a, const struct merge_part *b)
{
	return !strcmp(a->name, b->name) && a->has_host == b->has_host &&
		a->result.period_ns == b->result.period_ns &&
		a->result.account.excess == b->result.account.excess;
}

/* Finds the first CPU of part @at, if it is the first of its clock. */
static void number_clock(struct run_merge *merge, size_t at)
{
	u32 most = merge->part[at].host.nr_cpus;
	size_t i;

	for (i = at + 1; i < merge->nr; i++)
		if (have_one_clock(&merge->part[at], &merge->part[i]))
			most = most > merge->part[i].host.nr_cpus ? most :
				merge->part[i].host.nr_cpus;
	merge->part[at].host.first_cpu = merge->nr_cpus;
	merge->nr_cpus += most;
}

static u32 count_hosts(const struct run_merge *merge)
{
	size_t i, first;
	u32 nr = 0;

	for (i = 0; i < merge->nr; i++) {
		for (first = 0; strcmp(merge->part[first].name, merge->part[i].name); first++)
			;
		nr += first == i;
	}
	return nr;
}

int run_merge_number(struct run_merge *merge, struct text_error *error_ret)
{
	size_t i, clock;

	for (i = 0; i < merge->nr && merge->nr_cpus <= CPUS_MAX; i++) {
		for (clock = 0; !have_one_clock(&merge->part[clock], &merge->part[i]); clock++)
			;
		if (clock == i)
			number_clock(merge, i);
		merge->part[i].host.first_cpu = merge->part[clock].host.first_cpu;
	}
	return merge->nr_cpus <= CPUS_MAX ? 0 :
		text_fail(error_ret, -E2BIG, "merge: the hosts have more than %d CPUs, which is the most that a "
			  "saved run can have", CPUS_MAX);
}

int run_merge_open(struct run_merge *merge, const char *verb, const char *const *paths, size_t nr,
		   struct text_error *error_ret)
{
	int error = 0;
	size_t i;

	*merge = (struct run_merge){ .verb = verb, .part = calloc(nr + 1, sizeof(*merge->part)) };
	if (!merge->part)
		return text_fail(error_ret, -ENOMEM, "%s: out of memory", verb);
	for (i = 0; !error && i < nr; i++) {
		merge->part[merge->nr++].path = paths[i];
		error = open_part(&merge->part[i], verb, error_ret);
	}
	if (!error)
		error = check_parts(merge, error_ret);
	if (!error)
		merge->nr_hosts = count_hosts(merge);
	return error;
}

int run_merge_set_excess(struct run_merge *merge, double excess, struct text_error *error_ret)
{
	if (!(excess <= RECORD_EXCESS_MAX)) {
		text_fail(error_ret, 0, "merge: a sample of one run has %.0f times the weight of those of "
			  "others", excess);
		text_hint(error_ret, "measure with rates that are nearer to each other, and see which run missed "
			  "most samples");
		return -ERANGE;
	}
	merge->run.result.account.excess = merge->run.receipt.merged_excess = excess;
	return 0;
}

struct run_host *run_merge_hosts(const struct run_merge *merge)
{
	struct run_host *hosts = calloc(merge->nr + 1, sizeof(*hosts));
	size_t i;

	for (i = 0; hosts && i < merge->nr; i++) {
		const struct merge_part *part = &merge->part[i];

		hosts[i] = part->host;
		memset(hosts[i].name, 0, sizeof(hosts[i].name));
		snprintf(hosts[i].name, sizeof(hosts[i].name), "%s", part->name);
		host_count(&hosts[i], &part->result, &part->receipt);
	}
	return hosts;
}

void run_merge_close(struct run_merge *merge)
{
	size_t i;

	for (i = 0; i < merge->nr; i++)
		record_deinit(&merge->part[i].record);
	free(merge->part);
	free(merge->run.cpus);
	*merge = (struct run_merge){ 0 };
}
