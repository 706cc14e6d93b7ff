/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One thread's cpu-clock event, in user mode, and the ring buffer that the kernel writes its records
 * to. The clock runs while the thread does. Nothing of it remains when the descriptor is closed.
 */
#ifndef THREAD_RING_H
#define THREAD_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

#define THREAD_RING_COMM_LEN	16	/* of a command name, with its NUL */

struct thread_ring {
	int fd;
	void *map;		/* a page of state, then the records */
	size_t data_len;	/* a power of two */
};

enum ring_record_kind {
	RING_SAMPLE, RING_FORK, RING_EXIT, RING_COMM, RING_LOST, RING_THROTTLE, RING_OTHER
};

/** One record. */
struct ring_record {
	enum ring_record_kind kind;
	u32 pid, tid;		/* sample, comm, exit: whose; fork: of the new thread */
	u64 pc;			/* sample: the interrupted user address */
	u64 nr_lost;		/* lost: records without room */
	char comm[THREAD_RING_COMM_LEN];	/* comm: the new name, NUL-padded */
};

/**
 * thread_ring_open() - open and start the event of a thread.
 * @pages: pages for records, a power of two; with -EPERM or -ENOMEM for these, one page is tried
 *
 * -EPERM, -EACCES: not allowed. -ESRCH: the thread is gone. -EMFILE: too many descriptors. -ENOBUFS:
 * the kernel allows no more memory for rings (kernel.perf_event_mlock_kb, RLIMIT_MEMLOCK).
 */
int thread_ring_open(struct thread_ring *ring, u32 tid, u64 period_ns, u32 pages);

/** thread_ring_next() - take the oldest record out of the ring. False: there is none. */
bool thread_ring_next(struct thread_ring *ring, struct ring_record *record_ret);

/**
 * thread_ring_running() - nanoseconds that the thread ran with the event since it was opened.
 * -errno: unknown.
 */
int thread_ring_running(const struct thread_ring *ring, u64 *running_ns_ret);

/** thread_ring_set_period() - set another period, which begins now. */
int thread_ring_set_period(const struct thread_ring *ring, u64 period_ns);

/** thread_ring_stop() - stop the event; the records remain. */
void thread_ring_stop(const struct thread_ring *ring);

/** thread_ring_close() - close the event and free the ring. */
void thread_ring_close(struct thread_ring *ring);

/** thread_ring_pages() - pages that hold the records of a tenth of a second, or more. */
u32 thread_ring_pages(u64 period_ns);

#endif
