/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that run a BPF program: a comb of cpu-clock events on each CPU (comb.h), and a thread
 * that draws their periods. The thread owns the draws; teeth_expected() may be called by another one.
 */
#ifndef TEETH_H
#define TEETH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "types.h"

struct teeth;

/** Properties of the events. */
struct teeth_spec {
	const int *program_fds;	/* of each CPU */
	const u32 *cpus;
	size_t nr_cpus;
	u64 period_ns;
	u64 seed;
	bool is_fixed;		/* one event with this period, for comparison only */
	int wake_fd;		/* an eventfd to add to when is_due() says so */
	bool (*is_due)(void *context);
	u64 look_ns;		/* at most between two calls of is_due() */
	void *context;
};

/**
 * teeth_start() - open the events and start the thread. CPUs that are offline begin later.
 * Returns NULL with a reason: not allowed, or too many descriptors.
 */
struct teeth *teeth_start(const struct teeth_spec *spec, struct text_error *error_ret);

/**
 * teeth_expected() - periods of the @at-th CPU that ended since the start: a lower bound, since the
 * instant at which a period begins is known to a few microseconds only.
 * @is_online_ret: whether the CPU is sampled now
 */
u64 teeth_expected(struct teeth *teeth, size_t at, bool *is_online_ret);

/** teeth_check() - find CPUs that went offline or came back; once a second or so. */
void teeth_check(struct teeth *teeth);

/** teeth_began() - the mean instant at which the events began that were there at the start, by clock_ns(). */
u64 teeth_began(const struct teeth *teeth);

/**
 * teeth_stop() - end sampling. teeth_expected() keeps its values. Returns the mean instant at which the events
 * ended, by clock_ns().
 */
u64 teeth_stop(struct teeth *teeth);

/** teeth_destroy() - stop and free. NULL is allowed. */
void teeth_destroy(struct teeth *teeth);

#endif
