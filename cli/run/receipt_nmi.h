/* SPDX-License-Identifier: GPL-2.0-only */
/* The receipt of a run whose samples were taken by NMI: what became of the NMIs. Plain data. */
#ifndef RECEIPT_NMI_H
#define RECEIPT_NMI_H

#include <stdio.h>

#include "cpuprobe.h"
#include "types.h"

/** All 0 in other runs. */
struct receipt_nmi {
	u64 irqs_off;		/* samples that found interrupts off */
	u64 merged;		/* NMIs that merged with others on their way: part of the missed periods */
	u64 foreign;		/* NMIs that nobody knew, shortly after some of ours */
	u32 nr_alone;		/* CPUs that had no other one to send to them for a time */
	u32 reserved;
};

/** receipt_add_nmi() - add the counts of an account. */
void receipt_add_nmi(struct receipt_nmi *nmi, const struct cpuprobe_account *account);

/** receipt_join_nmi() - add the counts of another run. */
void receipt_join_nmi(struct receipt_nmi *sum, const struct receipt_nmi *more);

/** receipt_describe_nmi() - "12 with interrupts off, 3 NMIs merged, 1 unknown". */
void receipt_describe_nmi(const struct receipt_nmi *nmi, char *text, size_t len);

/** receipt_json_nmi() - print ", "nmi": { ... }". */
void receipt_json_nmi(FILE *out, const struct receipt_nmi *nmi);

/**
 * receipt_warn_nmi() - warn on stderr, with a remedy, of NMIs that merged or that nobody knew, and of CPUs alone.
 * @least: smallest share of @expected that is told
 */
void receipt_warn_nmi(const struct receipt_nmi *nmi, u64 expected, double least);

#endif
