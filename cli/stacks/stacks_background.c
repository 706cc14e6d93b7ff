// SPDX-License-Identifier: GPL-2.0-only
/* Runs of stacks in the background: see stacks_background.h. */
#include <errno.h>
#include <stdlib.h>

#include "profile/profile_save.h"
#include "stacks/stacks_background.h"

#define TABLE_SECONDS	1.0
#define STACKS_MAX	262144	/* distinct stacks: see collector.h */

static double read_clock(const struct stacks_background *run)
{
	return run_clock(&run->measurement.run);
}

/* A table of the ring begins between accounts: stacks and totals of one belong together. */
static void begin_table(struct stacks_background *run)
{
	double now;

	if (run->is_in_account)
		return;
	run->is_in_account = true;
	now = read_clock(run);
	if (!run->table_begun || now >= run->table_begun + TABLE_SECONDS) {
		ring_begin(run->ring, now);
		run->table_begun = now;
	}
}

/* Adds one stack of the current account to the ring. */
static void add_to_ring(void *context, u32 stack, u64 hits, double ns)
{
	struct stacks_background *run = context;

	begin_table(run);
	ring_add(run->ring, stack, hits, ns);
}

static struct ring_totals get_totals(const struct profile *profile)
{
	return (struct ring_totals){
		.taken = profile->taken, .lost = profile->lost, .other = profile->other,
		.taken_ns = profile->taken_ns, .lost_ns = profile->lost_ns,
		.other_ns = profile->other_ns,
	};
}

/* Adds the totals of an account whose stacks were added. */
static void add_account_totals(void *context, u32 cpu, const struct cpuprobe_account *account)
{
	struct stacks_background *run = context;
	struct ring_totals now = get_totals(run->measurement.profile);
	struct ring_totals *last = &run->last_totals;
	struct ring_totals more = {
		.taken = now.taken - last->taken, .lost = now.lost - last->lost,
		.other = now.other - last->other, .taken_ns = now.taken_ns - last->taken_ns,
		.lost_ns = now.lost_ns - last->lost_ns, .other_ns = now.other_ns - last->other_ns,
	};

	begin_table(run);
	receipt_add_account(&more.rates, &run->measurement.run.receipt, run->measurement.run.start.period_ns, account);
	ring_add_totals(run->ring, &more);
	*last = now;
	run->is_in_account = false;
}

/* Writes the sections of the last @seconds. A part of a run has no receipt. */
static void save_part(const struct stacks_background *run, const struct profile *part,
		      const struct receipt_rates *rates, double seconds, struct record_writer *writer)
{
	struct run_result result = run->measurement.run.result;
	double now = read_clock(run), reach = ring_reach(run->ring);

	/* The ring may not reach back that far. */
	if (reach && now - reach < seconds)
		seconds = now - reach;
	if (now - run->began < seconds)
		seconds = now - run->began;
	result.account = (struct run_account){
		.taken = part->taken, .expected = part->taken, .lost = part->lost,
		.excess = receipt_excess_of(&run->measurement.run.receipt, rates),
	};
	if (run->measurement.run.receipt.rates.nr_changes)
		result.period_ns = receipt_rates_mean_ns(rates, result.period_ns);
	result.began += result.elapsed_seconds - seconds;
	result.elapsed_seconds = seconds;
	record_add_result(writer, &result);
	profile_save(writer, part);
}

static int save_stacks(void *self, struct record_writer *writer)
{
	struct stacks_background *run = self;

	return measurement_save_now(&run->measurement, writer);
}

static int save_last_stacks(void *self, double seconds, struct record_writer *writer)
{
	struct stacks_background *run = self;
	struct receipt_rates rates;
	struct profile *part = ring_extract(run->ring, run->measurement.profile,
					    read_clock(run) - seconds, &rates);

	if (!part)
		return -ENOMEM;
	save_part(run, part, &rates, seconds, writer);
	profile_destroy(part);
	return 0;
}

static int reset_stacks(void *self)
{
	struct stacks_background *run = self;

	measurement_reset(&run->measurement);
	ring_clear(run->ring);
	run->last_totals = (struct ring_totals){ 0 };
	run->table_begun = 0;
	run->began = read_clock(run);
	return 0;
}

/* Lost are also the samples that found no room in the profile. */
static void put_stacks_status(void *self, FILE *out)
{
	const struct stacks_background *run = self;
	const struct profile *profile = run->measurement.profile;
	double reach = ring_reach(run->ring);

	fprintf(out, "lost\t%llu\nstacks\t%u\nstacks_max\t%u\nlast_seconds\t%.0f\n",
		profile->lost, profile->nr_stacks, profile->stacks_max,
		read_clock(run) - (reach ?: run->began));
}

static void note_start(void *context)
{
	struct stacks_background *run = ((struct measurement *)context)->context;

	measurement_begin_count(&run->measurement);
	run->began = read_clock(run);
}

static int begin_stacks(void *self, struct run **run_ret, struct text_error *error_ret)
{
	struct stacks_background *run = self;
	struct measurement *measurement = &run->measurement;
	int error;

	run->ring = ring_create(run->ring_mib << 20);
	if (!run->ring)
		return text_fail(error_ret, -ENOMEM, "start the run: out of memory");
	error = measurement_init(measurement, &run->options, NULL, error_ret);
	if (error) {
		ring_destroy(run->ring);
		return error;
	}
	measurement->profile->stacks_max = STACKS_MAX;
	measurement->context = run;
	measurement->counted = add_account_totals;
	measurement->counted_stack = add_to_ring;
	measurement->run.began = note_start;
	measurement_begin(measurement);
	*run_ret = &measurement->run;
	return 0;
}

static void end_stacks(void *self)
{
	struct stacks_background *run = self;

	measurement_deinit(&run->measurement);
	ring_destroy(run->ring);
}

const struct holder_kind stacks_background_kind = {
	.name = "stacks",
	.rate = HOLDER_ANY_RATE,
	.begin = begin_stacks,
	.save = save_stacks,
	.save_last = save_last_stacks,
	.reset = reset_stacks,
	.put_status = put_stacks_status,
	.end = end_stacks,
};
