// SPDX-License-Identifier: GPL-2.0-only
/* Accounts of the samples of each CPU, for the result and the receipt: see run_parts.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "run/run_parts.h"

/* Adds an account to its CPU's part of the receipt. */
static void add_to_cpu(struct run *run, u32 number, const struct cpuprobe_account *account)
{
	struct receipt_cpu *cpu = NULL;
	size_t i;
	int mode;

	for (i = 0; i < run->nr_cpus; i++)
		if (run->cpus[i].cpu == number)
			cpu = &run->cpus[i];
	if (!cpu)
		return;
	cpu->flags |= account->flags;
	cpu->expected += account->expected;
	cpu->taken += account->taken;
	cpu->missed += account->missed;
	cpu->pending = account->pending;
	cpu->deferred += account->deferred;
	cpu->excluded += account->excluded;
	cpu->late_ns += account->late_ns;
	cpu->sampled_ns += account->expected * account->period_ns;
	if (account->late_max_ns > cpu->late_max_ns)
		cpu->late_max_ns = account->late_max_ns;
	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		cpu->lost += account->lost[mode];
}

static void tell_slowed(const struct run *run, u32 cpu, const struct cpuprobe_account *account)
{
	const char *why = account->flags & CPUPROBE_ACCOUNT_COSTLY ?
		"has samples that cost more than the limits allow" :
		"missed more than a quarter of its samples";

	if (event_is_sampled(&run->result.event))
		fprintf(stderr, "probe: CPU %u %s; it takes at most half as many a second from now on\n", cpu, why);
	else
		fprintf(stderr, "probe: CPU %u %s; its rate is halved to %.6g Hz\n", cpu, why,
			5e8 / account->period_ns);
}

void meter_add_account(void *context, u32 cpu, const struct cpuprobe_account *account,
		       const void *entries)
{
	struct run *run = context;
	int mode;

	run->result.account.taken += account->taken;
	run->result.account.missed += account->missed;
	run->result.account.expected += account->expected;
	run->result.account.deferred += account->deferred;
	run->result.account.excluded += account->excluded;
	receipt_add_account(&run->receipt.rates, &run->receipt, run->start.period_ns, account);
	if (run->receipt.rates.nr_changes)
		run->result.period_ns = receipt_rates_mean_ns(&run->receipt.rates, run->start.period_ns);
	run->result.account.excess = receipt_excess(&run->receipt);
	receipt_add_event(&run->receipt.event, account);
	receipt_add_nmi(&run->receipt.nmi, account);
	run->handler_ns += (double)account->handler_ns * account->taken;
	add_to_cpu(run, cpu, account);
	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		run->result.account.lost += account->lost[mode];
	if (account->flags & (CPUPROBE_ACCOUNT_SLOWED | CPUPROBE_ACCOUNT_COSTLY))
		tell_slowed(run, cpu, account);
	run->sink(run->context, cpu, account, entries);
}

int meter_begin_receipt(struct meter *meter)
{
	const struct cpus *cpus = meter_cpus(meter);
	struct run *run = meter->run;
	size_t i;

	free(run->cpus);
	run->handler_ns = 0;
	run->cpus = calloc(cpus->nr + 1, sizeof(*run->cpus));
	run->nr_cpus = run->cpus ? cpus->nr : 0;
	for (i = 0; i < run->nr_cpus; i++)
		run->cpus[i].cpu = cpus->number[i];
	run->receipt = (struct receipt){
		.seed = run->start.seed, .period_ns = run->result.period_ns,
		.jitter = run->start.jitter, .what = run->start.what,
		.by = run->start.by, .nr_skipped = meter->quiet.nr,
		.cost_ns = run_kind_cost_ns(&meter->device.info, &run->start),
		.deferred_ns = run->start.deferred_ns,
		.flags = (run->options->excludes_deferred ? RECEIPT_EXCLUDES : 0) |
			(run->options->lets_sleep ? RECEIPT_SLEEPS : 0) |
			(run->options->uses_nmi ? RECEIPT_NMI : 0) |
			(device_engine(&meter->device) == DEVICE_BPF ? RECEIPT_BPF : 0) |
			(meter->device.tells_softirqs ? RECEIPT_SOFTIRQS : 0) |
			(device_engine(&meter->device) == DEVICE_PERF ? RECEIPT_PERF : 0),
		.stacks.how = meter_unwind_how(meter),
		.event = { .event = run->result.event, .least_ns = run->options->uses_nmi ?
			   run->options->period_ns : run->start.period_ns },
	};
	run->result.flags = run->receipt.flags;
	cpus_print(&meter->quiet, run->receipt.skipped, sizeof(run->receipt.skipped));
	receipt_identify(&run->receipt, meter->device.info.release);
	receipt_clock_read(&meter->clock, cpus);
	return run->cpus ? 0 : -ENOMEM;
}

void meter_end_receipt(struct meter *meter)
{
	struct receipt *receipt = &meter->run->receipt;
	struct receipt_clock now = meter->pause_clock;
	size_t i;

	if (!meter->run->paused_at)
		receipt_clock_read(&now, meter_cpus(meter));
	receipt->paused_seconds = meter_paused_seconds(meter);
	receipt->steal = now.all > meter->clock.all ?
		(double)(now.steal - meter->clock.steal) / (now.all - meter->clock.all) : NAN;
	receipt_add_up(receipt, meter->run->cpus, meter->run->nr_cpus);
	meter_count_tables(meter);
	/* A paused run has no session; the receipt is complete. */
	if (!meter->run->paused_at) {
		device_coverage(&meter->device, &receipt->own);
		receipt_add_own(&receipt->own, &meter->own);
	}
	/* Prefer the measured cost to the upper bound. */
	if (meter->run->handler_ns && receipt->taken)
		receipt->cost_ns = 1.5 * meter->device.info.cost_ns +
			meter->run->handler_ns / receipt->taken;
	for (i = 0; i < meter->nr_beside; i++)
		meter_end_receipt(&meter->beside[i]);
}
