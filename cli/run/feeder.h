/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gives the module the unwinding tables that its samples need. A thread of its own compiles them, at
 * low priority, because a large library takes most of a second and harvests must not wait. The thread
 * lives as long as a session; compiled tables are kept for later sessions of the run.
 *
 * All functions are for the thread that measures.
 */
#ifndef FEEDER_H
#define FEEDER_H

#include "run/device.h"

struct feeder;

/** Work of a feeder in all sessions. The module told the last four fields. */
struct feeder_counts {
	u32 nr_tables;		/* handed over and taken */
	u32 nr_refused;		/* no room in the module, or invalid */
	u32 nr_stale;		/* no longer needed when ready */
	u32 nr_compiled;
	u32 nr_evicted;		/* in all sessions */
	u32 nr_unrecorded;
	u32 used_kib;
	u32 limit_kib;
};

/** feeder_create() - NULL: out of memory. */
struct feeder *feeder_create(void);

/**
 * feeder_begin() - start the thread, for a session that has started. The device stays open, and its
 * struct unchanged, until feeder_end(). -errno: no thread, nothing is fed.
 */
int feeder_begin(struct feeder *feeder, const struct device *device);

/**
 * feeder_take() - note the files that the module needs. Costs little. The thread looks for them too;
 * this is for the time in which it compiles, so that poll() reports only news.
 */
void feeder_take(struct feeder *feeder);

/** feeder_stop() - end the thread after the table that it is making. Does not wait. */
void feeder_stop(struct feeder *feeder);

/** feeder_end() - stop and wait until the thread has ended. May be called without one. */
void feeder_end(struct feeder *feeder);

/**
 * feeder_lacks_table() - whether some file with this base name has no call frame information or could
 * not be read. False: a table was made, will be, or the file was not needed.
 */
bool feeder_lacks_table(struct feeder *feeder, const char *name);

/** feeder_count() - get the counts so far. */
void feeder_count(struct feeder *feeder, struct feeder_counts *counts_ret);

/** feeder_destroy() - NULL is allowed. The thread must have ended. */
void feeder_destroy(struct feeder *feeder);

#endif
