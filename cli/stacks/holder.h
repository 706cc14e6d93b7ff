/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The holder of a background run: an ordinary process that owns the device's descriptor, harvests,
 * and answers at the run's socket (control.h) until a client stops it. When the holder ends for any
 * reason, sampling ends with it.
 *
 * Requests: "status"; "dump", "dump SECONDS" (a saved run of all counts, or of the last seconds);
 * "reset"; "pause" (ends the session until "resume"); "stop" (ends the run, and answers like "dump"
 * with everything up to the last sample). The last seconds are those of the run's clock.
 */
#ifndef HOLDER_H
#define HOLDER_H

#include "stacks/stacks_options.h"

#define HOLDER_RING_MIB		16	/* for the last minutes, by default */
#define HOLDER_STACKS_MAX	262144	/* distinct stacks: see collector.h */

/**
 * holder_start() - begin a run in a process of its own. Returns the process's pid once sampling has
 * begun. -1: failed; the reason was printed on stderr.
 * @ring_mib: memory for the last minutes
 */
int holder_start(const char *name, const struct stacks_options *options, size_t ring_mib);

#endif
