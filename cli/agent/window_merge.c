// SPDX-License-Identifier: GPL-2.0-only
/* Windows put together into one run: see window_merge.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agent/window_merge.h"
#include "base/array.h"
#include "profile/profile_join.h"
#include "profile/profile_save.h"
#include "run/run_save.h"

#define GAPS_TOLD	5

int window_merge_init(struct window_merge *merge)
{
	*merge = (struct window_merge){ .profile = profile_create() };
	return merge->profile ? 0 : -ENOMEM;
}

static int add_cpu(struct window_merge *merge, const struct receipt_cpu *cpu)
{
	struct receipt_cpu *to = NULL;
	size_t i;

	for (i = 0; i < merge->nr_cpus; i++)
		if (merge->cpus[i].cpu == cpu->cpu)
			to = &merge->cpus[i];
	if (!to) {
		if (!array_has_room(&merge->cpus, merge->nr_cpus, sizeof(*merge->cpus)))
			return -ENOMEM;
		to = &merge->cpus[merge->nr_cpus++];
		*to = (struct receipt_cpu){ .cpu = cpu->cpu };
	}
	receipt_add_cpu(to, cpu);
	/* A period without its sample yet is one of the next window too. */
	to->expected -= cpu->pending;
	to->pending = 0;
	return 0;
}

/* A window without samples has no rate. */
static void add_rates(struct window_merge *merge, const struct receipt *receipt)
{
	if (!(receipt->rates.taken > 0))
		return;
	merge->rates.nr_changes += receipt->rates.nr_changes +
		(merge->last_ns && receipt->period_ns != merge->last_ns);
	merge->last_ns = receipt->period_ns;
	receipt_join_rates(&merge->rates, &receipt->rates);
}

static int add_receipt(struct window_merge *merge, const struct record *record)
{
	struct receipt receipt;
	const struct receipt_cpu *cpus;
	size_t nr, i;

	if (run_load_receipt(record, &receipt))
		return 0;
	cpus = run_load_cpus(record, &nr);
	for (i = 0; i < nr; i++)
		if (add_cpu(merge, &cpus[i]))
			return -ENOMEM;
	if (!isnan(receipt.steal)) {
		merge->steal_ns += receipt.steal * receipt.sampled_ns;
		merge->steal_of_ns += receipt.sampled_ns;
	}
	/* The objects without tables are those of the newest window. */
	receipt_add_ends(&receipt.stacks, &merge->receipt.stacks);
	add_rates(merge, &receipt);
	merge->receipt = receipt;
	return 0;
}

static void add_result(struct window_merge *merge, const struct run_result *result)
{
	struct run_result *to = &merge->result;

	if (!merge->nr_windows)
		to->began = result->began;
	to->seed = result->seed;
	to->period_ns = result->period_ns;
	if (result->nr_cpus > to->nr_cpus)
		to->nr_cpus = result->nr_cpus;
	to->elapsed_seconds += result->elapsed_seconds;
	run_account_add(&to->account, &result->account);
}

int window_merge_add(struct window_merge *merge, const struct record *record)
{
	struct run_result result;
	struct profile *profile;
	struct window window;
	int error;

	if (record_get(record, "WNDW", &window, sizeof(window), sizeof(window), NULL) ||
	    record_get_result(record, &result, NULL) ||
	    !array_has_room(&merge->windows, merge->nr_windows, sizeof(*merge->windows)))
		return -EBADMSG;
	profile = profile_load(record, NULL);
	if (!profile)
		return -EBADMSG;
	error = profile_join(merge->profile, profile) ?: add_receipt(merge, record);
	profile_destroy(profile);
	if (error)
		return error;
	add_result(merge, &result);
	merge->windows[merge->nr_windows++] = window;
	return 0;
}

void window_merge_save(struct window_merge *merge, struct record_writer *writer)
{
	struct receipt *receipt = &merge->receipt;

	receipt_add_up(receipt, merge->cpus, merge->nr_cpus);
	receipt->steal = merge->steal_of_ns > 0 ? merge->steal_ns / merge->steal_of_ns : NAN;
	if (merge->nr_cpus)
		merge->result.account.expected = receipt->expected;
	receipt->rates = merge->rates;
	if (receipt->rates.nr_changes)
		merge->result.period_ns = receipt_rates_mean_ns(&receipt->rates, merge->result.period_ns);
	if (receipt_rates_vary(&receipt->rates))
		merge->result.account.excess = receipt_excess(receipt);
	record_add_result(writer, &merge->result);
	if (merge->nr_cpus) {
		record_add(writer, "RCPT", receipt, sizeof(*receipt));
		record_add(writer, "ACCT", merge->cpus, merge->nr_cpus * sizeof(*merge->cpus));
	}
	profile_save(writer, merge->profile);
	record_add(writer, "WNDW", merge->windows, merge->nr_windows * sizeof(*merge->windows));
}

void window_merge_deinit(struct window_merge *merge)
{
	profile_destroy(merge->profile);
	free(merge->cpus);
	free(merge->windows);
}

/* Prints the gaps, the last of them one by one. */
static void tell_gaps(const struct window *windows, size_t nr, u64 nr_gaps, FILE *out)
{
	char from[32], to[32];
	size_t i;

	for (i = 1; i < nr; i++) {
		double gap = window_gap(&windows[i - 1], &windows[i]);

		if (!gap || nr_gaps-- > GAPS_TOLD)
			continue;
		fprintf(out, "probe: nothing was measured for %.0f s, from %s to %s\n", gap,
			text_time(windows[i - 1].began + windows[i - 1].seconds, from, sizeof(from)),
			text_time(windows[i].began, to, sizeof(to)));
	}
}

void window_merge_tell(const struct record *record, FILE *out)
{
	size_t len = 0, nr, i;
	const struct window *windows = record_find(record, "WNDW", &len);
	double seconds = 0, gaps = 0, gap;
	u64 nr_gaps = 0;
	char from[32];

	nr = windows ? len / sizeof(*windows) : 0;
	for (i = 0; i < nr; i++) {
		if (!window_is_valid(&windows[i]))
			return;
		seconds += windows[i].seconds;
		gap = i ? window_gap(&windows[i - 1], &windows[i]) : 0;
		gaps += gap;
		nr_gaps += gap > 0;
	}
	if (nr < 2)
		return;
	fprintf(out, "probe: %zu windows since %s, %.0f s, with %llu gap%s", nr,
		text_time(windows[0].began, from, sizeof(from)), seconds, nr_gaps, nr_gaps == 1 ? "" : "s");
	if (nr_gaps)
		fprintf(out, " of %.0f s in all", gaps);
	fputc('\n', out);
	tell_gaps(windows, nr, nr_gaps, out);
}
