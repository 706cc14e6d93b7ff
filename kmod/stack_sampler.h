/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples counted by their stacks; the timer's function itself is in sampler.h. */
#ifndef CPUPROBE_STACK_SAMPLER_H
#define CPUPROBE_STACK_SAMPLER_H

#include "session.h"

/** stack_sampler_count_idle() - sampler_count_idle() for stacks. */
void stack_sampler_count_idle(struct cpu_sampler *sampler, bool is_in_softirq, u64 nr);

#endif
