/* SPDX-License-Identifier: GPL-2.0-only */
/* The totals of a measurement: plain data, saved by -save. */
#ifndef RUN_RESULT_H
#define RUN_RESULT_H

#include <stddef.h>
#include <stdint.h>

/** Totals over all accounts: what became of the samples. */
struct run_account {
	uint64_t taken;
	uint64_t missed;
	uint64_t expected;
	uint64_t lost;
	uint64_t deferred;
	uint64_t excluded;	/* deferred samples that are counted nowhere else */
};

/** The result of a measurement, of its last step or of an interval; saved by -save. */
struct run_result {
	struct run_account account;
	size_t nr_cpus;			/* with at least one expected sample */
	uint64_t period_ns;
	uint64_t seed;
	double began;			/* seconds since 1970 */
	double elapsed_seconds;
};

#endif
