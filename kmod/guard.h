/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps sessions within their limits while they run. The guard judges a session over windows of
 * 10 s, when its counts are harvested. A session that nobody harvests is not judged.
 *
 * A CPU that misses more than a quarter of its periods is overloaded: its rate is halved. One long
 * gap does not count, because a virtual machine may have been stopped.
 *
 * A session whose samples cost more than claimed doubles its claim, on all its CPUs. If the limit
 * has no room for this, the rate is halved. The guard judges the mean cost, and counts each sample
 * as at most GUARD_CLIP times the claim, because a virtual machine may be stopped in any sample.
 *
 * A rate changes when banks are swapped, so that each account has one period.
 */
#ifndef CPUPROBE_GUARD_H
#define CPUPROBE_GUARD_H

#include "session.h"

#define GUARD_CLIP	16

/**
 * guard_look() - judge the counts of @bank, just retired, and of the account, and halve the rate if
 * necessary; flags in the account then say so. Same context as the swap of banks: see session.h.
 */
void guard_look(struct cpu_sampler *sampler, const struct bank *bank, u64 now_ns);

/** guard_settle() - after guard_look(), claim more if necessary. May sleep; session->lock held. */
void guard_settle(struct session *session, struct cpu_sampler *sampler);

#endif
