/* SPDX-License-Identifier: GPL-2.0-only */
/* The totals of a measurement: plain data, saved by -save. */
#ifndef RUN_RESULT_H
#define RUN_RESULT_H

#include <stddef.h>

#include "events/event.h"
#include "types.h"

/** Totals over all accounts: what became of the samples. */
struct run_account {
	u64 taken;
	u64 missed;
	u64 expected;
	u64 lost;
	u64 deferred;
	u64 excluded;		/* deferred samples that are counted nowhere else */
	double excess;		/* of the samples, as in stat.h: it depends on the clock */
};

/** run_account_add() - add the samples of other time or CPUs. The excess is the larger one. */
static inline void run_account_add(struct run_account *sum, const struct run_account *account)
{
	sum->taken += account->taken;
	sum->missed += account->missed;
	sum->expected += account->expected;
	sum->lost += account->lost;
	sum->deferred += account->deferred;
	sum->excluded += account->excluded;
	sum->excess = sum->excess > account->excess ? sum->excess : account->excess;
}

/** The result of a measurement, of its last step or of an interval; saved by -save. */
struct run_result {
	struct run_account account;
	size_t nr_cpus;			/* with at least one expected sample */
	u64 period_ns;			/* of time; with an event, of events */
	u64 seed;
	double began;			/* seconds since 1970 */
	double elapsed_seconds;		/* of these samples */
	struct event event;		/* the samples are of it; all 0: of time */
	unsigned int flags;		/* RECEIPT_...: of the run's receipt, not saved here */
};

#endif
