/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions that sample events by NMI: CPUPROBE_START_NMI with an event of the processor. They see code that keeps
 * interrupts off, on one CPU alone too, where a counter's overflow is an NMI: on some processors it always is, on
 * arm64 with pseudo-NMI. Otherwise such sessions are the sessions of overflows.h.
 */
#ifndef CPUPROBE_COUNTER_NMI_H
#define CPUPROBE_COUNTER_NMI_H

#include "session.h"

/** counter_nmi_check() - check START of a session with both. 0 or -errno with a reason. */
int counter_nmi_check(const struct session *session, struct cpuprobe_start *start);

/**
 * counter_nmi_prove() - have a counter overflow on one of the session's CPUs while interrupts are off there, for
 * PROOF_NS at a time; only until it has done so once. May sleep; no lock of CPU hotplug may be held. 0, or -errno with a
 * reason: no NMI came.
 */
int counter_nmi_prove(const struct session *session, struct cpuprobe_start *start);

#endif
