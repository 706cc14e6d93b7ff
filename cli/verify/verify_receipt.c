// SPDX-License-Identifier: GPL-2.0-only
/* Checks the receipt against the CPUs and the hosts: see verify_parts.h. */
#include <stdlib.h>

#include "run/host.h"
#include "verify/verify_parts.h"

/* The excess that makes intervals wider is that of the clock that the receipt names. */
static void check_excess(struct verify *verify)
{
	const double got = verify->run.account.excess, wanted = receipt_excess(&verify->receipt);

	verify->result->nr_checked++;
	if (got == wanted)
		return;
	verify->result->nr_wrong++;
	fprintf(verify->out, "%srun's excess = that of the clock %s: %g is not %g\n", verify->event,
		receipt_clock_name(&verify->receipt), got, wanted);
}

static void check_event(struct verify *verify)
{
	const struct event *event = &verify->receipt.event.event;

	if (!event_is_sampled(event) && !event_is_sampled(&verify->run.event))
		return;
	verify_equal(verify, event_are_equal(&verify->run.event, event), 1, "run's event = receipt's");
	verify_equal(verify, verify->run.event.period, event->period, "run's number of events = receipt's");
}

static void check_cpus(struct verify *verify)
{
	const struct receipt *receipt = &verify->receipt;
	struct receipt sum;
	size_t i;

	for (i = 0; i < verify->nr_cpus; i++) {
		const struct receipt_cpu *cpu = &verify->cpus[i];

		verify_equal(verify, cpu->taken + cpu->missed + cpu->pending, cpu->expected,
			     "CPU %u: taken + missed + pending = expected", cpu->cpu);
		verify_equal(verify, cpu->excluded <= cpu->deferred && cpu->deferred <= cpu->taken &&
			     cpu->lost <= cpu->taken, 1, "CPU %u: no part is more than the whole",
		      cpu->cpu);
	}
	receipt_add_up(&sum, verify->cpus, verify->nr_cpus);
	verify_equal(verify, sum.expected, receipt->expected, "CPUs' expected = receipt's");
	verify_equal(verify, sum.taken, receipt->taken, "CPUs' taken = receipt's");
	verify_equal(verify, sum.missed, receipt->missed, "CPUs' missed = receipt's");
	verify_equal(verify, sum.lost, receipt->lost, "CPUs' lost = receipt's");
	verify_equal(verify, sum.deferred, receipt->deferred, "CPUs' deferred = receipt's");
	verify_equal(verify, sum.excluded, receipt->excluded, "CPUs' left out = receipt's");
	verify_equal(verify, sum.sampled_ns, receipt->sampled_ns, "CPUs' time = receipt's");
	verify_equal(verify, verify->run.account.taken, receipt->taken, "run's taken = receipt's");
	verify_equal(verify, verify->run.account.expected, receipt->expected,
		     "run's expected = receipt's");
	verify_equal(verify, verify->run.account.missed, receipt->missed, "run's missed = receipt's");
	verify_equal(verify, verify->run.account.lost, receipt->lost, "run's lost = receipt's");
	verify_equal(verify, verify->run.account.deferred, receipt->deferred,
		     "run's deferred = receipt's");
	verify_equal(verify, verify->run.account.excluded, receipt->excluded,
		     "run's left out = receipt's");
}

void verify_hosts(struct verify *verify)
{
	const struct run_account *account = &verify->run.account;
	size_t nr, i;
	const struct run_host *hosts = host_load(verify->record, &nr);
	struct run_host sum = { .nr_cpus = 0 };

	if (!hosts)
		return;
	for (i = 0; i < nr; i++) {
		sum.expected += hosts[i].expected;
		sum.taken += hosts[i].taken;
		sum.missed += hosts[i].missed;
		sum.lost += hosts[i].lost;
		sum.deferred += hosts[i].deferred;
		sum.excluded += hosts[i].excluded;
		sum.sampled_ns += hosts[i].sampled_ns;
	}
	verify_equal(verify, sum.expected, account->expected, "hosts' expected = run's");
	verify_equal(verify, sum.taken, account->taken, "hosts' taken = run's");
	verify_equal(verify, sum.missed, account->missed, "hosts' missed = run's");
	verify_equal(verify, sum.lost, account->lost, "hosts' lost = run's");
	verify_equal(verify, sum.deferred, account->deferred, "hosts' deferred = run's");
	verify_equal(verify, sum.excluded, account->excluded, "hosts' left out = run's");
	if (!verify->result->has_receipt)
		return;
	verify_equal(verify, sum.sampled_ns, verify->receipt.sampled_ns, "hosts' time = receipt's");
	verify_equal(verify, nr > 1 ? nr : 0, verify->receipt.nr_merged, "runs of hosts = merged runs of the receipt");
}

void verify_receipt(struct verify *verify)
{
	check_event(verify);
	check_cpus(verify);
	/* A run of calls without samples has no account. */
	if (verify->receipt.expected)
		check_excess(verify);
}
