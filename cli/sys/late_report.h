/* SPDX-License-Identifier: GPL-2.0-only */
/* Results of a run of `probe late`: lateness by CPU, and places that kept interrupts off. Pure. */
#ifndef LATE_REPORT_H
#define LATE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "cpuprobe.h"
#include "symbolizer.h"
#include "types.h"

#define LATE_ALL_CPUS	UINT32_MAX

/** Lateness of one CPU, and the times of its handler. */
struct late_cpu {
	u32 cpu;		/* LATE_ALL_CPUS: of all together */
	u64 taken;
	u64 sampled_ns;
	u64 late_ns;		/* sum, without wake-ups from idle */
	u64 late_max_ns;
	u64 hits[2][CPUPROBE_LATE_BINS];	/* as in struct cpuprobe_lateness */
	double handler_ns;	/* sum */
	double handler_ns2;	/* sum of squares */
	u64 handler_min_ns;
	u64 handler_max_ns;
	u64 handler_hits[CPUPROBE_LATE_BINS];	/* as in struct cpuprobe_lateness */
};

/** A place; once named, all places in one function that have one caller. */
struct late_place {
	struct cpuprobe_place counts;
	char landed[96];	/* function, cleaned; "" until named */
	char caller[96];	/* calling function; "" if equal to the function */
	u64 inferred_ns;	/* by NMI: the time that lateness charges to the function */
};

struct late_report {
	struct late_cpu *cpus;
	size_t nr_cpus;
	struct late_place *places;	/* once named, sorted by time, the longest first */
	size_t nr_places;
	u64 lost;		/* late samples without a place */
	u64 sampled_ns;		/* sum over all CPUs */
	u64 expected;		/* periods due, by NMI samples: n of the intervals */
	u64 irqs_off;		/* by NMI: samples that found interrupts off */
	u64 off_ns;		/* by NMI: the time that they stand for */
	bool is_by_nmi;		/* places are where interrupts were off */
	const struct late_report *inferred;	/* by NMI: what lateness tells; NULL: nothing */
};

/** late_report_add() - add one account. This is a device_sink with a struct late_report. */
void late_report_add(void *report, u32 cpu, const struct cpuprobe_account *account,
		     const void *lateness);

/** late_report_name() - name the places, and merge places of equal names. @symbols: may be NULL */
void late_report_name(struct late_report *report, const struct sym_index *symbols);

/**
 * late_report_compare() - give each place of a report by NMI the time that lateness charges to its function: of places
 * that interrupts were re-enabled in, or in locking code called from, that function. Both are named.
 * @inferred: as long as the report
 */
void late_report_compare(struct late_report *report, const struct late_report *inferred);

/** late_report_off_ns() - sum over the places: time in which interrupts were off, or samples waited. */
u64 late_report_off_ns(const struct late_report *report);

/** late_report_sum() - the handler's times of all CPUs together. */
void late_report_sum(const struct late_report *report, struct late_cpu *sum_ret);

/** late_handler_mean(), late_handler_sd() - of the handler's times, in ns. NAN: no sample. */
double late_handler_mean(const struct late_cpu *cpu);
double late_handler_sd(const struct late_cpu *cpu);

/** late_report_clear() - free the contents; the report is empty afterwards. */
void late_report_clear(struct late_report *report);

#endif
