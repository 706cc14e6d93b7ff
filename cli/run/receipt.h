/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The receipt of a run: what became of every sample, what it cost, what was not seen. One
 * line of text or an object of JSON. Plain data, kept by -save.
 */
#ifndef RECEIPT_H
#define RECEIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/output.h"
#include "cpuprobe.h"
#include "run/cpus.h"

/** What became of one CPU's samples; all of a run's, or of its last step's. */
struct receipt_cpu {
	uint32_t cpu;
	uint32_t flags;		/* CPUPROBE_ACCOUNT_* of any account */
	uint64_t expected;
	uint64_t taken;
	uint64_t missed;
	uint64_t pending;	/* at the end; none once sampling was stopped */
	uint64_t lost;
	uint64_t deferred;
	uint64_t excluded;
	uint64_t late_ns;
	uint64_t late_max_ns;
	uint64_t sampled_ns;	/* periods due, each times its length */
};

#define RECEIPT_CPUS_LEN	64	/* of a list of CPUs, the NUL included */

#define RECEIPT_EXCLUDES	1u	/* deferred samples were left out */
#define RECEIPT_VIRTUAL		2u	/* the machine is a virtual one */
#define RECEIPT_SLEEPS		4u	/* idle CPUs were left asleep: not all cost an interrupt */

struct receipt {
	uint64_t seed;
	uint64_t period_ns;	/* asked for */
	uint64_t expected;
	uint64_t taken;
	uint64_t missed;
	uint64_t lost;
	uint64_t deferred;
	uint64_t excluded;
	uint64_t sampled_ns;	/* of all CPUs */
	double steal;	/* share of the sampled CPUs' time that the host took; NAN: unknown */
	uint32_t nr_cpus;	/* sampled */
	uint32_t nr_skipped;	/* left alone because they are isolated or nohz_full */
	uint32_t cost_ns;	/* of one sample: calibrated, or measured where it varies much */
	uint32_t flags;		/* RECEIPT_* */
	uint32_t jitter;	/* enum cpuprobe_jitter */
	uint32_t deferred_ns;	/* samples later than this are deferred */
	uint32_t what;		/* enum cpuprobe_what */
	uint32_t by;		/* enum cpuprobe_by */
	char module[80];	/* release and build */
	char kernel[72];	/* uname -r */
	char kernel_build[128];	/* uname -v */
	/* which CPUs were left alone; from here on: not in the first files */
	char skipped[RECEIPT_CPUS_LEN];
	uint32_t nr_slowed;	/* CPUs whose rate was halved, once or more often */
	uint32_t reserved;
};

/** Time of the sampled CPUs as the kernel's clocks have it, in ticks. */
struct receipt_clock {
	uint64_t all;
	uint64_t steal;
};

/** receipt_clock_read() - of these CPUs, from /proc/stat. All zero where it cannot be read. */
void receipt_clock_read(struct receipt_clock *clock, const struct cpus *cpus);

/** receipt_identify() - fill in the kernel and the module that are running. */
void receipt_identify(struct receipt *receipt, const char *module_release);

/** receipt_add_up() - fill in the sums over @cpus. */
void receipt_add_up(struct receipt *receipt, const struct receipt_cpu *cpus, size_t nr);

/** receipt_print() - the line, broken at blanks to @cols columns. */
void receipt_print(FILE *out, const struct receipt *receipt, int cols);

/** receipt_json() - "receipt": { ... } with no comma behind it. */
void receipt_json(FILE *out, const struct receipt *receipt);

/** receipt_finish() - end a report that has no place for a receipt: see the views. */
void receipt_finish(const struct receipt *receipt, const struct output_options *output);

/**
 * receipt_warn() - on stderr, with a remedy, each kind of loss that could change the last
 * digit of a share printed with @digits decimals of a percent.
 */
void receipt_warn(const struct receipt *receipt, int digits);

#endif
