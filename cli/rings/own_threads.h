/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampled threads: each has an event and a ring (thread_ring.h), whose period is drawn anew at random
 * times of its running. A set belongs to one thread of the tool at a time.
 */
#ifndef OWN_THREADS_H
#define OWN_THREADS_H

#include <stdbool.h>

#include "bpf/comb.h"
#include "rings/tallied_keys.h"
#include "rings/thread_ring.h"

/** Threads and time that the samples do not cover, since the start. */
struct own_coverage {
	u64 late_ns;		/* CPU time of threads that had no event yet */
	u32 nr_threads;		/* threads that were sampled */
	u32 nr_gone;		/* new threads that had ended before */
	/* The most threads at a time that ran without an event, by reason. */
	u32 nr_no_file;		/* the limit on descriptors */
	u32 nr_no_memory;	/* the limit on locked memory */
	u32 nr_refused;		/* the kernel refused them, such as those of setuid programs */
	u32 nr_throttled;	/* times that the kernel stopped an event for a moment */
};

struct own_thread {
	u32 tid;
	char comm[THREAD_RING_COMM_LEN];
	struct thread_ring ring;
	struct comb_stretch stretch;	/* in nanoseconds of the thread's running */
	u64 gap_ns;		/* running until the next draw */
	u64 nr_drawn;		/* samples since the last draw */
	u64 scanned_ns;		/* its running at the last scan */
	bool is_idle;		/* it did not run between the last two scans */
	bool is_seen;		/* by the scan that is going on */
	bool is_over;
};

/** Properties of a set. */
struct own_threads_spec {
	enum counts_by by;	/* not by control group */
	u32 only_pid;		/* sample this process only; 0: all of the user */
	u32 nr_max;		/* events at a time: descriptors */
	u64 period_ns;
	u64 seed;
	bool is_fixed;		/* never draw another period, for comparison only */
};

struct own_threads {
	struct own_threads_spec spec;
	struct comb comb;
	struct tallied_keys *keys;
	struct own_thread *thread;
	u32 nr;
	u32 *at_tid;		/* index in @thread plus one, by number of the thread */
	u32 nr_tids;
	struct own_newborn { u32 pid, tid; } *newborns;	/* told by records, not opened yet */
	u32 nr_newborns;
	u64 whole;		/* periods of completed stretches */
	u64 nr_lost;		/* samples that found a ring full */
	struct own_coverage coverage;
	struct own_coverage shut_out;	/* threads without an event, by the last scan */
};

/** own_threads_init() - @keys: receives the samples. -ENOMEM. */
int own_threads_init(struct own_threads *threads, const struct own_threads_spec *spec,
		     struct tallied_keys *keys);

/** own_threads_find() - the sampled thread of this number; NULL: none. Valid until one is added. */
struct own_thread *own_threads_find(const struct own_threads *threads, u32 tid);

/** own_threads_add() - open the event of a thread that has none. Errors as of thread_ring_open(). */
int own_threads_add(struct own_threads *threads, u32 tid);

/** own_threads_draw() - draw another period if the thread, sampled or not, has run long enough for it. */
void own_threads_draw(struct own_threads *threads, struct own_thread *thread, u64 running_ns);

/** own_threads_end_over() - count the last samples of threads that are over, and close their events. */
void own_threads_end_over(struct own_threads *threads);

/**
 * own_threads_drain() - count the records of all rings, open events of threads that these tell of, and draw
 * new periods. Returns whether a thread was new.
 */
bool own_threads_drain(struct own_threads *threads);

/** own_threads_expected() - periods that ended since the start; asks the kernel about each thread. */
u64 own_threads_expected(const struct own_threads *threads);

/** own_threads_restart_coverage() - count what is not covered from now on. */
void own_threads_restart_coverage(struct own_threads *threads);

/** own_threads_stop() - stop all events, count what they recorded, and close them. */
void own_threads_stop(struct own_threads *threads);

/** own_threads_deinit() - close and free; may be called in any state after zeroing. */
void own_threads_deinit(struct own_threads *threads);

#endif
