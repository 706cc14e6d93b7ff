/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run of `probe late` found: lateness by CPU, and who kept interrupts off. Pure. */
#ifndef LATE_REPORT_H
#define LATE_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "cpuprobe.h"
#include "symbolizer.h"

/** One CPU. */
struct late_cpu {
	uint32_t cpu;
	uint64_t taken;
	uint64_t late_ns;	/* sum, idle wake-ups apart */
	uint64_t late_max_ns;
	uint64_t hits[2][CPUPROBE_LATE_BINS];	/* as in struct cpuprobe_lateness */
	double handler_ns;
	double handler_ns2;
	uint64_t handler_min_ns;
	uint64_t handler_max_ns;
};

/** A place, and later all places in one function called from one other. */
struct late_place {
	struct cpuprobe_place counts;
	char landed[96];	/* clean; "" until named */
	char caller[96];	/* "" where it is the same */
};

struct late_report {
	struct late_cpu *cpus;
	size_t nr_cpus;
	struct late_place *places;	/* most time first, once named */
	size_t nr_places;
	uint64_t lost;		/* late samples without a place */
	uint64_t sampled_ns;	/* of all CPUs */
	uint64_t expected;	/* periods due: n of the intervals */
};

/** late_report_add() - add one account; as device_sink, with a struct late_report. */
void late_report_add(void *report, uint32_t cpu, const struct cpuprobe_account *account,
		     const void *lateness);

/** late_report_name() - name the places and merge those of one name. @symbols: NULL: none */
void late_report_name(struct late_report *report, const struct sym_index *symbols);

/** late_report_clear() - free what it holds; it is then empty. */
void late_report_clear(struct late_report *report);

#endif
