/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits that protect the machine: what costs is the interrupt, so the sum of
 * all sessions' rates per CPU is capped, and so is that sum times the cost of
 * an interrupt as measured when the module was loaded. The only memory that is worth a limit
 * is that of stacks.
 */
#ifndef CPUPROBE_QUOTA_H
#define CPUPROBE_QUOTA_H

#include "session.h"

/**
 * quota_enter() - claim the session's rate on its CPUs. May sleep.
 * -EBUSY when that goes over a limit; @start then says which and who holds the rest.
 */
int quota_enter(struct session *session, struct cpuprobe_start *start);

/** quota_leave() - give the claim back. May sleep. */
void quota_leave(struct session *session);

/**
 * quota_take_memory() - claim what the session's stacks take on all its CPUs. May sleep.
 * Only those without full access are limited: whoever has it can take what he likes. -ENOMEM.
 */
int quota_take_memory(struct session *session, u64 bytes);

/** quota_give_memory() - give that claim back, if there is one. May sleep. */
void quota_give_memory(struct session *session);

/** quota_describe() - fill in the limits in force and the cost they rest on. */
void quota_describe(struct cpuprobe_info *info);

#endif
