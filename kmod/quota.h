/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits that protect the machine.
 *
 * On each CPU: the sum of the rates of all sessions that run; the sum of what they cost, rate
 * times the cost of a sample (calibrate.h); and the number of sessions, which bounds how many
 * handlers one interrupt may have to run. A quarter of these places is kept for full access.
 *
 * For each user without full access: how many sessions he has started, and the memory of all his
 * sessions. A place and memory are held until the file is closed: STOP gives back the rate only.
 * Whoever has full access can take what memory he likes.
 */
#ifndef CPUPROBE_QUOTA_H
#define CPUPROBE_QUOTA_H

#include <linux/log2.h>

#include "session.h"

/**
 * quota_open() - a session begins to exist; charges @bytes for it. By the task that opens the
 * device. May sleep. -EDQUOT: its user holds too much memory; -ENOMEM.
 */
int quota_open(struct session *session, u64 bytes);

/** quota_close() - give back all that the session still holds. May sleep. */
void quota_close(struct session *session);

/**
 * quota_enter() - claim a place and the session's rate on its CPUs. May sleep.
 * -EBUSY when that goes over a limit; @start then says which, and who holds the rest of a rate.
 */
int quota_enter(struct session *session, struct cpuprobe_start *start);

/**
 * quota_raise() - claim twice as much for each sample: they cost more than was thought. May sleep.
 * -EBUSY: that goes over the limit, or nothing is claimed any more; the claim stays as it is.
 */
int quota_raise(struct session *session);

/** quota_leave() - give the rate back; the place is held until the file is closed. May sleep. */
void quota_leave(struct session *session);

/** quota_withdraw() - give back what quota_enter() claimed, of a START that fails. May sleep. */
void quota_withdraw(struct session *session);

/**
 * quota_charge() - claim memory for the session, before it is allocated. May sleep.
 * -EDQUOT: its user would hold too much.
 */
int quota_charge(struct session *session, u64 bytes);

/** quota_uncharge() - give back a part of it. May sleep. */
void quota_uncharge(struct session *session, u64 bytes);

/** quota_describe() - fill in the limits in force. */
void quota_describe(struct cpuprobe_info *info);

/** quota_memory_of() - upper bound of an allocation's memory: the kernel rounds up to powers of two. */
static inline u64 quota_memory_of(size_t bytes)
{
	return roundup_pow_of_two(bytes);
}

#endif
