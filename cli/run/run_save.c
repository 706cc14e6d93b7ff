// SPDX-License-Identifier: GPL-2.0-only
/* The sections that every saved run has: see run_save.h and docs/format.md. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "run/host.h"
#include "run/run_save.h"

#define SAVED_RECEIPT_LEAST offsetof(struct receipt, skipped)

_Static_assert(sizeof(struct receipt) == 1096, "saved in files");
_Static_assert(sizeof(struct receipt_cpu) == 88, "saved in files");

void run_save_totals(struct record_writer *writer, const struct run *run)
{
	record_add_result(writer, &run->result);
	record_add(writer, "RCPT", &run->receipt, sizeof(run->receipt));
	record_add(writer, "ACCT", run->cpus, run->nr_cpus * sizeof(run->cpus[0]));
}

void run_save(struct record_writer *writer, const struct run *run)
{
	struct run_host host = { .first_cpu = 0 };
	size_t i;

	for (i = 0; i < run->nr_cpus; i++)
		if (run->cpus[i].cpu >= host.nr_cpus)
			host.nr_cpus = run->cpus[i].cpu + 1;
	run_save_totals(writer, run);
	host_identify(&host);
	host_count(&host, &run->result, &run->receipt);
	host_save(writer, &host, 1);
}

int run_load_receipt(const struct record *record, struct receipt *receipt_ret)
{
	size_t len = 0;
	const void *found = record_find(record, "RCPT", &len);

	if (!found || len < SAVED_RECEIPT_LEAST)
		return -ENOENT;
	memset(receipt_ret, 0, sizeof(*receipt_ret));
	memcpy(receipt_ret, found, len < sizeof(*receipt_ret) ? len : sizeof(*receipt_ret));
	record_text(receipt_ret->module, sizeof(receipt_ret->module));
	record_text(receipt_ret->kernel, sizeof(receipt_ret->kernel));
	record_text(receipt_ret->kernel_build, sizeof(receipt_ret->kernel_build));
	record_text(receipt_ret->skipped, sizeof(receipt_ret->skipped));
	if (!receipt_ret->period_ns)
		receipt_ret->period_ns = 1;
	/* An invalid share is unknown; NAN compares as false. */
	if (!(receipt_ret->steal >= 0 && receipt_ret->steal <= 1))
		receipt_ret->steal = NAN;
	if (!(receipt_ret->paused_seconds >= 0 && receipt_ret->paused_seconds <= RECORD_SECONDS_MAX))
		receipt_ret->paused_seconds = 0;
	if (!(receipt_ret->merged_excess >= 0 && receipt_ret->merged_excess <= RECORD_EXCESS_MAX))
		receipt_ret->merged_excess = 0;
	if (receipt_ret->excluded > receipt_ret->taken)
		receipt_ret->excluded = receipt_ret->taken;
	receipt_clean_stacks(&receipt_ret->stacks);
	receipt_clean_event(&receipt_ret->event);
	receipt_clean_rates(&receipt_ret->rates);
	return 0;
}

const struct receipt_cpu *run_load_cpus(const struct record *record, size_t *nr_ret)
{
	size_t len = 0;
	const struct receipt_cpu *cpus = record_find(record, "ACCT", &len);

	*nr_ret = cpus ? len / sizeof(*cpus) : 0;
	return cpus;
}

bool run_add_up(u64 *sum, const u64 *counts, size_t nr, u64 limit)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (counts[i] > limit - *sum)
			return false;
		*sum += counts[i];
	}
	return true;
}
