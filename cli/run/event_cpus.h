/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPUs that count an event. Each type of cores of a machine with several types has a PMU of its own
 * (big.LITTLE: armv8_cortex_a53, armv8_cortex_a72; Intel hybrid: cpu_core, cpu_atom), whose events its CPUs count and no
 * others. Events with a name of the kernel's ("cycles") are counted on all CPUs: there the kernel chooses the PMU of
 * each CPU.
 */
#ifndef EVENT_CPUS_H
#define EVENT_CPUS_H

#include "events/event.h"
#include "run/cpus.h"

/**
 * event_cpus() - those of the chosen CPUs that count the event.
 * @root: the directory of all PMUs, PMU_ROOT
 * @counted_ret: to be freed with cpus_deinit(); .nr is 0 if all of @chosen count it
 * -ENODEV with a reason: none of @chosen counts it. -ENOMEM.
 */
int event_cpus(const char *root, const struct event *event, const struct cpus *chosen, struct cpus *counted_ret,
	       struct text_error *error_ret);

#endif
