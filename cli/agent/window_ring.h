/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A ring of windows on disk: a directory with a saved run for each window, 0000000042.probe, limited in
 * bytes and in time. The oldest files are removed first. A file gets its name when it is complete, so
 * that a killed agent leaves no half window, and a window is never there twice. One process at a time.
 */
#ifndef WINDOW_RING_H
#define WINDOW_RING_H

#include "agent/agent_window.h"
#include "base/text.h"

#define WINDOW_RING_MAX		8192	/* files */
#define WINDOW_RING_PATH	512

/** A file of the ring. */
struct kept_window {
	struct window window;	/* of a damaged one, the number only */
	u64 bytes;
	bool is_damaged;
};

struct window_ring {
	char directory[WINDOW_RING_PATH - 32];
	int lock_fd;
	u64 bytes_max;
	double seconds_max;
	struct kept_window *kept;	/* oldest first */
	size_t nr;
	u64 bytes;			/* of all files */
	u64 next_number;
	u64 nr_damaged;			/* files found damaged */
	u64 nr_dropped;			/* files removed to make room, or for their age */
};

/**
 * window_ring_open() - make or open the directory, and look at all files in it. Removes what an agent
 * that was killed left half written. Free with window_ring_close().
 * -EBUSY: another process has it. Another -errno, with a reason: it cannot be used.
 */
int window_ring_open(struct window_ring *ring, const char *directory, u64 bytes_max, double seconds_max,
		     const struct window_now *now, struct text_error *error_ret);

/** window_ring_limit() - change the limits. */
void window_ring_limit(struct window_ring *ring, u64 bytes_max, double seconds_max,
		       const struct window_now *now);

/**
 * window_ring_add() - write a window whose number is next_number, which then grows. Makes room first, so
 * that the limit holds at any moment. -EFBIG: it alone is over the limit. Another -errno, with a reason:
 * it could not be written, and is lost.
 * @bytes: a saved run
 */
int window_ring_add(struct window_ring *ring, const struct window *window, const void *bytes, size_t len,
		    const struct window_now *now, struct text_error *error_ret);

/** window_ring_path() - path of a file. */
void window_ring_path(const struct window_ring *ring, u64 number, char path[WINDOW_RING_PATH]);

/** window_ring_good() - copy the windows that are not damaged, oldest first, to be freed. NULL: no memory. */
struct window *window_ring_good(const struct window_ring *ring, size_t *nr_ret);

void window_ring_close(struct window_ring *ring);

#endif
