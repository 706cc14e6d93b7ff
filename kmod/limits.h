/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits that protect the machine: what costs is the interrupt, so the sum of
 * all sessions' rates per CPU is capped, and so is that sum times the cost of
 * an interrupt as measured when the module was loaded.
 */
#ifndef CPUPROBE_LIMITS_H
#define CPUPROBE_LIMITS_H

#include "session.h"

/**
 * limits_enter() - claim the session's rate on its CPUs. May sleep.
 * -EBUSY when that goes over a limit; @start then says which and who holds the rest.
 */
int limits_enter(struct session *session, struct cpuprobe_start *start);

/** limits_leave() - give the claim back. May sleep. */
void limits_leave(struct session *session);

/** limits_describe() - fill in the limits in force and the cost they rest on. */
void limits_describe(struct cpuprobe_info *info);

#endif
