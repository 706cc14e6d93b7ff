/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The receipt of a run: what became of every sample, what sampling cost, what it could not see.
 * Plain data, printed as one line of text or a JSON object, and saved by -save.
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

/** Account of one CPU's samples in a run, or in its last step. */
struct receipt_cpu {
	uint32_t cpu;
	uint32_t flags;		/* CPUPROBE_ACCOUNT_* of any account */
	uint64_t expected;
	uint64_t taken;
	uint64_t missed;
	uint64_t pending;	/* periods without their sample yet; 0 after a stop */
	uint64_t lost;
	uint64_t deferred;
	uint64_t excluded;
	uint64_t late_ns;
	uint64_t late_max_ns;
	uint64_t sampled_ns;	/* sum of the lengths of all expected periods */
};

#define RECEIPT_CPUS_LEN	64	/* of a list of CPUs, with its NUL */

#define RECEIPT_EXCLUDES	1u	/* deferred samples were left out */
#define RECEIPT_VIRTUAL		2u	/* the machine is virtual */
#define RECEIPT_SLEEPS		4u	/* idle CPUs slept: some samples cost no interrupt */

struct receipt {
	uint64_t seed;
	uint64_t period_ns;	/* requested */
	uint64_t expected;
	uint64_t taken;
	uint64_t missed;
	uint64_t lost;
	uint64_t deferred;
	uint64_t excluded;
	uint64_t sampled_ns;	/* of all CPUs */
	double steal;	/* share of the sampled CPUs' time that the host took; NAN: unknown */
	uint32_t nr_cpus;	/* sampled */
	uint32_t nr_skipped;	/* not sampled because they are isolated or nohz_full */
	uint32_t cost_ns;	/* of one sample: calibrated, or measured if it varies much */
	uint32_t flags;		/* RECEIPT_* */
	uint32_t jitter;	/* enum cpuprobe_jitter */
	uint32_t deferred_ns;	/* samples later than this are deferred */
	uint32_t what;		/* enum cpuprobe_what */
	uint32_t by;		/* enum cpuprobe_by */
	char module[80];	/* release and build */
	char kernel[72];	/* uname -r */
	char kernel_build[128];	/* uname -v */
	/* the CPUs counted in nr_skipped; old files end before this field */
	char skipped[RECEIPT_CPUS_LEN];
	uint32_t nr_slowed;	/* CPUs whose rate was halved at least once */
	uint32_t reserved;
};

/** Time of the sampled CPUs in the kernel's own accounting, in ticks. */
struct receipt_clock {
	uint64_t all;
	uint64_t steal;
};

/** receipt_clock_read() - read the time of @cpus from /proc/stat. All zero: unreadable. */
void receipt_clock_read(struct receipt_clock *clock, const struct cpus *cpus);

/** receipt_identify() - fill in the running kernel and module. */
void receipt_identify(struct receipt *receipt, const char *module_release);

/** receipt_add_up() - fill in the sums over @cpus. */
void receipt_add_up(struct receipt *receipt, const struct receipt_cpu *cpus, size_t nr);

/** receipt_print() - print the receipt as text, wrapped at @cols columns. */
void receipt_print(FILE *out, const struct receipt *receipt, int cols);

/** receipt_json() - print "receipt": { ... }, without a comma after it. */
void receipt_json(FILE *out, const struct receipt *receipt);

/** receipt_finish() - print the receipt after a report that does not contain one. */
void receipt_finish(const struct receipt *receipt, const struct output_options *output);

/**
 * receipt_warn() - warn on stderr, with a remedy, of each kind of loss that could change the last
 * digit of a percentage printed with @digits decimals.
 */
void receipt_warn(const struct receipt *receipt, int digits);

#endif
