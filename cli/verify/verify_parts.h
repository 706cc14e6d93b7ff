/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files that check a saved run: verify.c chooses the checks and checks the parts of other events,
 * verify_receipt.c compares the receipt with the CPUs, verify_table.c checks tables and histograms, verify_stacks.c
 * stacks, calls and traces.
 */
#ifndef VERIFY_PARTS_H
#define VERIFY_PARTS_H

#include "run/run_save.h"
#include "verify/verify.h"

/** A check in progress. */
struct verify {
	const struct record *record;
	const char *event;	/* of several, before the sums that do not hold; "": there is one, or none */
	FILE *out;
	struct verify_result *result;
	struct receipt receipt;
	const struct receipt_cpu *cpus;
	size_t nr_cpus;
	struct run_result run;
};

/** verify_equal() - check one equation; @format names both sides of it. */
void verify_equal(struct verify *verify, u64 got, u64 wanted, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/** verify_receipt() - check the receipt, which there is, and the CPUs. */
void verify_receipt(struct verify *verify);

/** verify_hosts() - check that the hosts of a merged run add up to it. */
void verify_hosts(struct verify *verify);

/* Check the contents of a run, by its kind. -EBADMSG with a reason. */
int verify_sys(struct verify *verify, struct text_error *error_ret);
int verify_proc(struct verify *verify, struct text_error *error_ret);
int verify_stacks(struct verify *verify, struct text_error *error_ret);
int verify_calls(struct verify *verify, struct text_error *error_ret);
int verify_times(struct verify *verify, struct text_error *error_ret);
int verify_trace(struct verify *verify, struct text_error *error_ret);

#endif
