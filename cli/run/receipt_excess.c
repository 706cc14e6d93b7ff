// SPDX-License-Identifier: GPL-2.0-only
/* The excess of a run's samples, from its clock and its rates: see receipt.h. */
#include <math.h>

#include "base/stat.h"
#include "bpf/comb.h"
#include "run/receipt.h"
#include "run/record.h"

double receipt_clock_excess(const struct receipt *receipt)
{
	/* With a period of 1 each event is a sample. */
	if (receipt->jitter == CPUPROBE_JITTER_NONE || receipt->event.event.period == 1)
		return STAT_INDEPENDENT;
	/* The processor has too few counters for a comb. */
	if (receipt->flags & RECEIPT_BPF && receipt_has_event(receipt) &&
	    !event_is_software(&receipt->event.event))
		return COMB_SINGLE_EXCESS;
	return receipt->flags & RECEIPT_BPF ? COMB_EXCESS :
	       receipt->flags & RECEIPT_PERF ? COMB_SINGLE_EXCESS : STAT_INDEPENDENT;
}

void receipt_add_account(struct receipt_rates *rates, const struct receipt *receipt, u64 period_ns,
			 const struct cpuprobe_account *account)
{
	const bool is_of_module = !(receipt->flags & (RECEIPT_BPF | RECEIPT_PERF));

	if (!receipt_has_event(receipt))
		receipt_add_rate(rates, is_of_module ? account->period_ns : period_ns, account->taken);
}

double receipt_excess_of(const struct receipt *receipt, const struct receipt_rates *rates)
{
	const double excess = receipt_clock_excess(receipt);

	/* No file has more. Only rates that the module has halved many times would: other changes to them are refused. */
	return receipt_rates_vary(rates) ? fmin(receipt_rates_excess(rates, excess), RECORD_EXCESS_MAX) : excess;
}

double receipt_excess(const struct receipt *receipt)
{
	return receipt->nr_merged ? receipt->merged_excess : receipt_excess_of(receipt, &receipt->rates);
}
