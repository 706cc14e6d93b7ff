/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The holder of a run that goes on in the background: an ordinary process that owns the descriptor
 * of the device, harvests, and answers at the run's socket (control.h) until it is told to stop.
 * When it ends, however it comes about, sampling ends with it.
 *
 * Requests: "status"; "dump", "dump SECONDS" (a kept run of all, or of the last seconds); "reset";
 * "stop" (as "dump", of everything to the last sample; then the run is no more).
 */
#ifndef HOLDER_H
#define HOLDER_H

#include "stacks/stacks_options.h"

#define HOLDER_RING_MIB		16	/* of the last minutes, unless asked otherwise */
#define HOLDER_STACKS_MAX	262144	/* distinct ones, see collector.h */

/**
 * holder_start() - begin a run in a process of its own. Returns when it samples, with its pid, or
 * -1: the reason is on standard error.
 * @ring_mib: memory for the last minutes
 */
int holder_start(const char *name, const struct stacks_options *options, size_t ring_mib);

#endif
