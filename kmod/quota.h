/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits that protect the machine.
 *
 * On each CPU: the sum of the rates of all running sessions; the sum of their costs, rate times
 * cost of a sample (cost.h), or the budget of a session that counts calls; and the number of sessions, which bounds the number of handlers in one
 * interrupt. A quarter of these places is reserved for full access.
 *
 * For each user without full access: the number of started sessions, and the memory of all
 * sessions. A session holds its place and memory until the file is closed: STOP gives back only
 * the rate. The memory of sessions with full access is not limited.
 */
#ifndef CPUPROBE_QUOTA_H
#define CPUPROBE_QUOTA_H

#include <linux/log2.h>

#include "session.h"

/**
 * quota_open() - register a new session and charge @bytes for it. Called by the task that opens the
 * device. May sleep. -EDQUOT: its user holds too much memory; -ENOMEM.
 */
int quota_open(struct session *session, u64 bytes);

/** quota_close() - give back everything that the session still holds. May sleep. */
void quota_close(struct session *session);

/**
 * quota_enter() - claim a place and the session's rate on its CPUs. May sleep.
 * -EBUSY: over a limit. @start->reason says which; for rate and cost, @start names the largest
 * holder too.
 */
int quota_enter(struct session *session, struct cpuprobe_start *start);

/**
 * quota_enter_budget() - claim a place and a share of the limit on overhead on the session's CPUs. May
 * sleep. @session->budget_ns: what to claim; 0: half of what is left; set to what was claimed.
 * -EBUSY: over a limit, as quota_enter().
 */
int quota_enter_budget(struct session *session, struct cpuprobe_start *start);

/**
 * quota_raise() - double the claim for each sample, because samples cost more than assumed. May
 * sleep. -EBUSY: over the limit, or no rate is claimed any more; the claim is unchanged.
 */
int quota_raise(struct session *session);

/** quota_leave() - give the rate back; the place is held until the file is closed. May sleep. */
void quota_leave(struct session *session);

/** quota_withdraw() - undo quota_enter(), when START fails. May sleep. */
void quota_withdraw(struct session *session);

/**
 * quota_charge() - charge memory to the session's user, before it is allocated. May sleep.
 * -EDQUOT: the user would hold too much.
 */
int quota_charge(struct session *session, u64 bytes);

/** quota_uncharge() - give back charged memory. May sleep. */
void quota_uncharge(struct session *session, u64 bytes);

/** quota_describe() - fill in the limits, and what is in use, in @info. May sleep. */
void quota_describe(struct cpuprobe_info *info);

/** quota_memory_of() - memory of an allocation, at most: the kernel may round to powers of two. */
static inline u64 quota_memory_of(size_t bytes)
{
	return roundup_pow_of_two(bytes);
}

#endif
