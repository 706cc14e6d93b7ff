/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters that run a BPF program: an event of the kernel's on each CPU, with a number of events
 * between samples. They take the place of teeth.h when an event is sampled, and not time. An event that
 * the kernel counts itself has a comb of counters (comb.h); one of the processor has one counter, as the
 * processor has few. A thread draws the periods again.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "events/event.h"
#include "types.h"

struct counters;

/** Properties of the counters. */
struct counters_spec {
	const int *program_fds;	/* of each CPU */
	const u32 *cpus;
	size_t nr_cpus;
	struct event event;	/* with its period */
	u64 seed;
	bool is_fixed;		/* one counter with exactly this period */
	int wake_fd;		/* an eventfd to add to when is_due() says so */
	bool (*is_due)(void *context);	/* called a few times a second */
	void *context;
};

/** Sums since the start. */
struct counters_sums {
	u64 expected;		/* whole periods */
	u64 events;
	u64 enabled_ns;		/* time in which the counter was enabled */
	u64 running_ns;		/* part of it in which it counted */
	bool is_online;
};

/**
 * counters_start() - open the counters and start the thread. CPUs that are offline begin later.
 * NULL with a reason: this machine has no such event, not allowed, or too many descriptors.
 */
struct counters *counters_start(const struct counters_spec *spec, struct text_error *error_ret);

/** counters_read() - sums of the @at-th CPU. A counter that went offline with its CPU is noticed. */
void counters_read(struct counters *counters, size_t at, struct counters_sums *sums_ret);

/** counters_stop() - end sampling. counters_read() keeps its sums. */
void counters_stop(struct counters *counters);

/** counters_destroy() - stop and free. NULL is allowed. */
void counters_destroy(struct counters *counters);

#endif
