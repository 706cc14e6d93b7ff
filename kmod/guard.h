/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps sessions within their limits while they run. A session is judged over windows of 10 s, when
 * its counts are harvested. A session that nobody harvests is not judged.
 *
 * A CPU that misses more than a quarter of its periods is asked for more than it can give: its rate
 * is halved. Time that it lost in one piece does not count, as when a virtual machine is stopped.
 *
 * A session whose samples cost more than it has claimed claims twice as much, on all its CPUs. If
 * the limit has no room for that, its rate is halved. The guard judges the mean cost, and counts no
 * sample as more than GUARD_CLIP times the claim, because a virtual machine may be stopped during
 * any sample.
 *
 * A rate changes when banks are swapped, so that each account has one period.
 */
#ifndef CPUPROBE_GUARD_H
#define CPUPROBE_GUARD_H

#include "session.h"

#define GUARD_CLIP	16

/**
 * guard_look() - at a swap of banks: look at the counts of @bank, which is retired, and at the
 * account's, and halve the rate if need be; the account then says so. As the swap: see session.h.
 */
void guard_look(struct cpu_sampler *sampler, const struct bank *bank, u64 now_ns);

/** guard_settle() - after that: claim more if need be. May sleep; session->lock held. */
void guard_settle(struct session *session, struct cpu_sampler *sampler);

#endif
