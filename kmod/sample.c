// SPDX-License-Identifier: GPL-2.0-only
/* The slow path of a sample: see sample.h. */
#include "sample.h"

struct pt_regs sample_no_regs = ARCH_KERNEL_REGS;

noinline void sample_missed(struct cpu_sampler *sampler, u64 missed)
{
	struct bank *bank = sampler->active;

	WRITE_ONCE(bank->missed, bank->missed + missed);
	sampler->missed_before += missed;
	if (missed > 1 && missed * sampler->grid.period_ns >= LOST_TIME_NS)
		bank->lost_time += missed;
}
