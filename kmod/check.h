/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a session can be started as START asks: the checks that claim and allocate nothing. */
#ifndef CPUPROBE_CHECK_H
#define CPUPROBE_CHECK_H

#include "session.h"

/** check_refuse() - refuse START: sets @start->reason, returns @error. */
static inline int check_refuse(struct cpuprobe_start *start, u32 reason, int error)
{
	start->reason = reason;
	return error;
}

/**
 * check_start() - check every field that is not about the target's identity, and what the machine
 * and the opener's rights allow. Sets @session->cpus. May sleep.
 * On failure @start->reason says why; -EINVAL, -EPERM, -EOPNOTSUPP, -EFAULT.
 */
int check_start(struct session *session, struct cpuprobe_start *start);

#endif
