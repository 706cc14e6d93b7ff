/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scans of /proc for threads to sample: those that no record told of, those that ended without one, and
 * those that could not be sampled because there are more threads than descriptors or memory for rings.
 * Then the threads that run get the events of those that do not.
 */
#ifndef OWN_SCAN_H
#define OWN_SCAN_H

#include "rings/own_threads.h"

/** A thread without an event. */
struct own_candidate {
	u32 tid;
	u64 ran_ns;		/* since the last scan; in the first one: ever */
};

struct own_scan {
	u64 *runtime;		/* nanoseconds that threads without an event had run, by number */
	u32 nr_tids;
	struct own_candidate *candidates;
	u32 nr;
	bool has_looked;
	int error;		/* of the last thread that could not be opened; 0: none */
};

/** own_scan_init() - -ENOMEM. */
int own_scan_init(struct own_scan *scan);

/** own_scan_look() - scan once, about every second. -errno: /proc cannot be read. */
int own_scan_look(struct own_scan *scan, struct own_threads *threads);

/** own_scan_deinit() - free; may be called after zeroing. */
void own_scan_deinit(struct own_scan *scan);

#endif
