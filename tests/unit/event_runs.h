/* SPDX-License-Identifier: GPL-2.0-only */
/* Helper for tests of runs of events: the run of one of them, on one CPU. */
#ifndef EVENT_RUNS_H
#define EVENT_RUNS_H

#include <linux/perf_event.h>
#include <stdio.h>

#include "run/run.h"

/* A run in which nothing was missed. @cpu: becomes the run's only one */
static inline void event_run_init(struct run *run, struct receipt_cpu *cpu, const char *event, u64 period, u64 taken)
{
	*run = (struct run){ .cpus = cpu, .nr_cpus = 1 };
	snprintf(run->result.event.name, sizeof(run->result.event.name), "%s", event);
	run->result.event.type = PERF_TYPE_SOFTWARE;
	run->result.event.period = run->result.period_ns = period;
	run->result.nr_cpus = 1;
	run->result.began = 1e9;
	run->result.elapsed_seconds = 2;
	run->receipt.event = (struct receipt_event){
		.event = run->result.event, .counted = period * taken, .enabled_ns = 100, .running_ns = 100,
	};
	run->receipt.period_ns = period;
	run->receipt.nr_cpus = 1;
	run->receipt.expected = run->receipt.taken = taken;
	run->receipt.sampled_ns = period * taken;
	run->result.account = (struct run_account){
		.expected = taken, .taken = taken, .excess = receipt_excess(&run->receipt),
	};
	*cpu = (struct receipt_cpu){ .expected = taken, .taken = taken, .sampled_ns = period * taken };
}

#endif
