// SPDX-License-Identifier: GPL-2.0-only
/* Sums of merged runs: see run_merge.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/run_merge.h"

#define SEVERAL "several"	/* kernels or modules */

static void add_text(char *text, size_t len, const char *other)
{
	if (strcmp(text, other))
		snprintf(text, len, SEVERAL);
}

/* The accounts of all CPUs, in the order of their numbers. CPUs without an account have none. */
static int add_accounts(struct run_merge *merge)
{
	struct receipt_cpu *cpus = calloc(merge->nr_cpus + 1, sizeof(*cpus));
	bool *is_there = calloc(merge->nr_cpus + 1, sizeof(*is_there));
	size_t i, j, nr = 0;

	for (i = 0; cpus && is_there && i < merge->nr; i++)
		for (j = 0; j < merge->part[i].nr_cpus; j++) {
			u32 cpu = merge->part[i].host.first_cpu + merge->part[i].cpus[j].cpu;

			is_there[cpu] = true;
			cpus[cpu].cpu = cpu;
			receipt_add_cpu(&cpus[cpu], &merge->part[i].cpus[j]);
		}
	for (i = 0; cpus && is_there && i < merge->nr_cpus; i++)
		if (is_there[i])
			cpus[nr++] = cpus[i];
	if (!is_there) {
		free(cpus);
		cpus = NULL;
	}
	free(is_there);
	merge->run.cpus = cpus;
	merge->run.nr_cpus = nr;
	return cpus ? 0 : -ENOMEM;
}

/* Adds the samples of an object in which stacks ended; the least of four objects is dropped. */
static void add_object(struct receipt_stacks *sum, const struct receipt_object *object)
{
	struct receipt_object all[RECEIPT_OBJECTS + 1] = { 0 }, next;
	size_t i;

	if (!object->samples)
		return;
	memcpy(all, sum->object, sizeof(sum->object));
	for (i = 0; i < RECEIPT_OBJECTS && all[i].samples; i++)
		if (!strcmp(all[i].name, object->name))
			break;
	next = *object;
	next.samples += all[i].samples * (i < RECEIPT_OBJECTS);
	for (; i && all[i - 1].samples < next.samples; i--)
		all[i] = all[i - 1];
	all[i] = next;
	memcpy(sum->object, all, sizeof(sum->object));
}

static void add_stacks(struct receipt_stacks *sum, const struct receipt_stacks *stacks)
{
	size_t i;

	receipt_add_ends(sum, stacks);
	for (i = 0; i < RECEIPT_OBJECTS; i++)
		add_object(sum, &stacks->object[i]);
	sum->nr_tables += stacks->nr_tables;
	sum->nr_refused += stacks->nr_refused;
	sum->nr_evicted += stacks->nr_evicted;
	sum->nr_unrecorded += stacks->nr_unrecorded;
	sum->used_kib += stacks->used_kib;
	sum->limit_kib += stacks->limit_kib;
	sum->how = sum->how > stacks->how ? sum->how : stacks->how;
	sum->nr_stale += stacks->nr_stale;
}

/** Sums whose means the receipt has. */
struct means {
	double cost_ns;		/* of all samples */
	double steal_ns;
};

/* Sums that receipt_add_up() does not make from the accounts. */
static void add_receipt(struct receipt *sum, const struct receipt *receipt, struct means *means)
{
	sum->flags |= receipt->flags;
	if (!(receipt->flags & RECEIPT_NO_MODULE))
		sum->flags |= RECEIPT_SOFTIRQS | RECEIPT_GUESTS;
	sum->nr_skipped += receipt->nr_skipped;
	sum->paused_seconds += receipt->paused_seconds;
	add_text(sum->module, sizeof(sum->module), receipt->module);
	add_text(sum->kernel, sizeof(sum->kernel), receipt->kernel);
	add_text(sum->kernel_build, sizeof(sum->kernel_build), receipt->kernel_build);
	add_stacks(&sum->stacks, &receipt->stacks);
	receipt_add_own(&sum->own, &receipt->own);
	receipt_join_event(&sum->event, &receipt->event);
	receipt_join_nmi(&sum->nmi, &receipt->nmi);
	means->cost_ns += (double)receipt->cost_ns * receipt->taken;
	means->steal_ns += receipt->steal * receipt->sampled_ns;
}

static void add_receipts(struct run_merge *merge)
{
	struct receipt *sum = &merge->run.receipt;
	struct means means = { 0, 0 };
	size_t i;

	*sum = merge->part[0].receipt;
	sum->nr_skipped = 0;
	sum->paused_seconds = 0;
	sum->skipped[0] = '\0';
	sum->stacks = (struct receipt_stacks){ 0 };
	sum->own = (struct receipt_own){ 0 };
	sum->rates = (struct receipt_rates){ 0 };
	sum->event.event = merge->run.result.event;
	sum->event.counted = sum->event.enabled_ns = sum->event.running_ns = 0;
	sum->nmi = (struct receipt_nmi){ 0 };
	sum->nr_merged = merge->nr;
	for (i = 0; i < merge->nr; i++)
		add_receipt(sum, &merge->part[i].receipt, &means);
	receipt_add_up(sum, merge->run.cpus, merge->run.nr_cpus);
	if (merge->nr > 1)
		sum->seed = 0;
	sum->cost_ns = sum->taken ? lround(fmin(means.cost_ns / sum->taken, UINT32_MAX)) : 0;
	/* Unknown on one host: unknown. */
	sum->steal = sum->sampled_ns ? means.steal_ns / sum->sampled_ns : NAN;
	sum->period_ns = merge->run.result.period_ns;
}

/* Seconds of all runs of the host of part @at. */
static double sum_seconds(const struct run_merge *merge, size_t at)
{
	double seconds = 0;
	size_t i;

	for (i = 0; i < merge->nr; i++)
		if (!strcmp(merge->part[i].name, merge->part[at].name))
			seconds += merge->part[i].result.elapsed_seconds;
	return seconds;
}

static void add_results(struct run_merge *merge)
{
	struct run_result *sum = &merge->run.result;
	double sampled_ns = 0, periods = 0;
	size_t i;

	*sum = (struct run_result){
		.began = merge->part[0].result.began, .event = merge->part[0].receipt.event.event,
	};
	for (i = 0; i < merge->nr; i++) {
		const struct run_result *result = &merge->part[i].result;

		run_account_add(&sum->account, &result->account);
		sum->began = fmin(sum->began, result->began);
		sum->elapsed_seconds = fmax(sum->elapsed_seconds, sum_seconds(merge, i));
		sampled_ns += (double)result->period_ns * result->account.expected;
		periods += result->account.expected;
	}
	/* The mean period: all runs have one if their rates are equal. */
	sum->period_ns = periods > 0 ? fmax(fmin(sampled_ns / periods, 1e18), 1) : 1;
	if (event_is_sampled(&sum->event))
		sum->event.period = sum->period_ns;
	for (i = 0; i < merge->run.nr_cpus; i++)
		sum->nr_cpus += merge->run.cpus[i].expected > 0;
}

int run_merge_add_up(struct run_merge *merge, struct text_error *error_ret)
{
	int error = run_merge_number(merge, error_ret);

	if (error)
		return error;
	if (add_accounts(merge))
		return text_fail(error_ret, -ENOMEM, "merge: out of memory");
	add_results(merge);
	add_receipts(merge);
	return 0;
}
