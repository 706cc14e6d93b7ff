/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The receipt of a run: what became of every sample, what sampling cost, what it could not see.
 * Plain data, printed as text or a JSON object, and saved by -save.
 */
#ifndef RECEIPT_H
#define RECEIPT_H

#include <stddef.h>
#include <stdio.h>

#include "base/output.h"
#include "run/cpus.h"
#include "run/receipt_event.h"
#include "run/receipt_nmi.h"
#include "run/receipt_own.h"
#include "run/receipt_rates.h"
#include "run/receipt_stacks.h"
#include "types.h"

/** Without the module neither the cost of a sample nor its lateness is known. */
#define RECEIPT_NO_MODULE	(RECEIPT_BPF | RECEIPT_PERF)

/** Account of one CPU's samples in a run, or in its last step. */
struct receipt_cpu {
	u32 cpu;
	u32 flags;		/* CPUPROBE_ACCOUNT_* of any account */
	u64 expected;
	u64 taken;
	u64 missed;
	u64 pending;		/* periods without their sample yet; 0 after a stop */
	u64 lost;
	u64 deferred;
	u64 excluded;
	u64 late_ns;
	u64 late_max_ns;
	u64 sampled_ns;		/* sum of the lengths of all expected periods; with an event, events */
};

#define RECEIPT_DEFERRED_NS	100000	/* usual bound of deferred samples; the text names others */
#define RECEIPT_CPUS_LEN	64	/* length of a list of CPUs, with its NUL */

#define RECEIPT_EXCLUDES	1u	/* deferred samples were left out */
#define RECEIPT_VIRTUAL		2u	/* the machine is virtual */
#define RECEIPT_BPF		8u	/* measured with BPF, without the module */
#define RECEIPT_PERF		16u	/* measured with perf events: the user's own processes */
#define RECEIPT_SOFTIRQS	32u	/* with BPF: softirqs are apart from other kernel time; merged: in some runs */
#define RECEIPT_SLEEPS		4u	/* idle CPUs slept: some samples cost no interrupt */
#define RECEIPT_NMI		64u	/* samples were taken by NMI */
#define RECEIPT_GUESTS		128u	/* merged with BPF's: virtual machines are apart from the kernel in some runs */

struct receipt {
	u64 seed;
	u64 period_ns;		/* requested last; with an event, of events */
	u64 expected;
	u64 taken;
	u64 missed;
	u64 lost;
	u64 deferred;
	u64 excluded;
	u64 sampled_ns;		/* sum over all CPUs; with an event, events */
	double steal;	/* share of the sampled CPUs' time that the host took; NAN: unknown */
	u32 nr_cpus;		/* sampled */
	u32 nr_skipped;		/* not sampled because they are isolated or nohz_full */
	u32 cost_ns;		/* cost of a sample: calibrated, or measured if it varies much */
	u32 flags;		/* RECEIPT_* */
	u32 jitter;		/* enum cpuprobe_jitter */
	u32 deferred_ns;	/* samples later than this are deferred */
	u32 what;		/* enum cpuprobe_what */
	u32 by;			/* enum cpuprobe_by */
	char module[80];	/* release and build */
	char kernel[72];	/* uname -r */
	char kernel_build[128];	/* uname -v */
	/* the CPUs counted in nr_skipped; old files end before this field */
	char skipped[RECEIPT_CPUS_LEN];
	u32 nr_slowed;		/* CPUs whose rate was halved at least once */
	u32 nr_merged;		/* runs that a merged run was made of; 0: a measured run */
	double paused_seconds;	/* not part of the run; old files end before this field */
	struct receipt_stacks stacks;	/* all 0 in old files, which end before this field */
	struct receipt_own own;		/* all 0 in old files, which end before this field */
	double merged_excess;	/* of a merged run's samples, as in stat.h; old files end before */
	struct receipt_event event;	/* all 0 in old files, which end before this field */
	struct receipt_rates rates;	/* all 0 in old files, which end before this field */
	struct receipt_nmi nmi;		/* all 0 in old files, which end before this field */
};

/** Time of the sampled CPUs in the kernel's own accounting, in ticks. */
struct receipt_clock {
	u64 all;
	u64 steal;
};

/** receipt_clock_read() - read the time of @cpus from /proc/stat. All zero: unreadable. */
void receipt_clock_read(struct receipt_clock *clock, const struct cpus *cpus);

/** receipt_identify() - fill in the running kernel and module. */
void receipt_identify(struct receipt *receipt, const char *module_release);

/** receipt_add_cpu() - add the account of a CPU in another run. .cpu stays. */
void receipt_add_cpu(struct receipt_cpu *sum, const struct receipt_cpu *cpu);

/** receipt_add_ends() - add how user stacks of another run ended, except the objects in which they did. */
void receipt_add_ends(struct receipt_stacks *sum, const struct receipt_stacks *stacks);

/** receipt_add_up() - fill in the sums over @cpus. */
void receipt_add_up(struct receipt *receipt, const struct receipt_cpu *cpus, size_t nr);

/**
 * receipt_excess() - excess of the run's samples, as in stat.h. It depends on the clock: the comb has
 * one. For a fixed period it is 0, because no interval holds for it. A merged run has its own, and rates that
 * were changed make it larger.
 */
double receipt_excess(const struct receipt *receipt);

/** receipt_excess_of() - the same of samples with these @rates, a part of the run's. */
double receipt_excess_of(const struct receipt *receipt, const struct receipt_rates *rates);

/**
 * receipt_add_account() - add the samples of an account to the rates. @period_ns: that was asked for; only the module may
 * halve a rate, and the periods of other engines' accounts are weights
 */
void receipt_add_account(struct receipt_rates *rates, const struct receipt *receipt, u64 period_ns,
			 const struct cpuprobe_account *account);

/** receipt_clock_excess() - excess of the samples of one clock with one rate. */
double receipt_clock_excess(const struct receipt *receipt);

/** receipt_lumped_modes() - the modes that are not told apart from the kernel, as bits. @flags: RECEIPT_... */
unsigned int receipt_lumped_modes(unsigned int flags);

/** receipt_clock_name() - the clock of the samples in a word: "grid", "poisson", "comb", "redrawn" or "none". */
const char *receipt_clock_name(const struct receipt *receipt);

/** receipt_print() - print the receipt as text, wrapped at @cols columns: one or two paragraphs. */
void receipt_print(FILE *out, const struct receipt *receipt, int cols);

/** receipt_print_beside() - print what is peculiar to an event that was sampled beside another one: a paragraph. */
void receipt_print_beside(FILE *out, const struct receipt *receipt, int cols);

/** receipt_json_members() - print the members of receipt_json() without "receipt" and the braces. */
void receipt_json_members(FILE *out, const struct receipt *receipt);

/** receipt_json() - print "receipt": { ... }, without a comma after it. */
void receipt_json(FILE *out, const struct receipt *receipt);

/** receipt_finish() - print the receipt after a report that does not contain one. */
void receipt_finish(const struct receipt *receipt, const struct output_options *output);

/**
 * receipt_has_event() - whether the samples are of an event, and not of time.
 */
static inline bool receipt_has_event(const struct receipt *receipt)
{
	return event_is_sampled(&receipt->event.event);
}

/**
 * receipt_warn() - warn on stderr, with a remedy, of each kind of loss that could change the last
 * digit of a percentage printed with @digits decimals.
 */
void receipt_warn(const struct receipt *receipt, int digits);

#endif
