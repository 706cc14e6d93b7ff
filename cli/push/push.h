/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Delivers windows of profiles to a store, at least once. A window becomes requests, whose bytes, ids and
 * times are fixed from then on; they wait in memory or in a spool on disk, both bounded, and one thread
 * delivers them, the oldest first. A failed request is tried again after growing pauses. A request that is
 * refused, or finds no room, is dropped and counted.
 *
 * push_submit() never waits for the network or the disk. All functions but the thread's own belong to one
 * thread.
 */
#ifndef PUSH_H
#define PUSH_H

#include "base/text.h"
#include "profile/stack_run.h"
#include "push/push_request.h"
#include "push/push_url.h"
#include "push/transport.h"

/** All texts must live until push_close(). */
struct push_config {
	struct push_url url;
	struct push_shape shape;	/* its format is set by push_open() */
	struct transport_options transport;
	const char *spool;		/* directory; NULL: in memory only */
	u64 spool_bytes;		/* limit of the files */
	u64 memory_bytes;		/* limit of what waits in memory */
};

/**
 * The fate of all requests so far. After push_open() everything is 0 except the requests found in the
 * spool.
 */
struct push_counts {
	u64 windows;		/* submitted */
	u64 made;		/* requests made of them */
	u64 made_samples;
	u64 found;		/* requests found in the spool */
	u64 attempts;
	u64 delivered;		/* requests that the store took */
	u64 delivered_samples;
	u64 delivered_bytes;	/* of their bodies */
	u64 repeated;		/* attempts after one that had no answer */
	u64 doubled;		/* delivered requests that perhaps were delivered before */
	u64 refused;		/* requests dropped as the store refused them */
	u64 refused_samples;
	u64 dropped;		/* requests dropped for lack of room, or of time at the end */
	u64 dropped_samples;
	u64 damaged;		/* files of the spool with a wrong head or checksum */
	u64 spool_errors;	/* requests that could not be written to the spool and stayed in memory */
	u64 waiting;		/* requests in memory and spool */
	u64 waiting_spool;	/* those in the spool */
};

struct push;

/**
 * push_open() - open the spool and start the thread. NULL with a reason. A spool that cannot be used, or has requests
 * of another format, is no failure: the first push_message() says why.
 */
struct push *push_open(const struct push_config *config, struct text_error *error_ret);

/**
 * push_submit() - hand over a window. @stacks is not needed after the call. 0; -ENODATA: it has no samples;
 * -ENOMEM: it is lost.
 */
int push_submit(struct push *push, const struct stack_run *stacks, struct text_error *error_ret);

/** push_counts() - get the fate of all requests so far. */
void push_counts(struct push *push, struct push_counts *counts_ret);

/** The meaning of a line for a log. */
enum push_line {
	PUSH_NO_LINE,
	PUSH_LINE_FAULT,	/* a fault that may pass */
	PUSH_LINE_REFUSED,	/* a store refused a request for good */
	PUSH_LINE_WORKS,	/* a fault has ended */
};

/**
 * push_message() - get the next line about a fault, or about its end, for a log: without newline, clean.
 * Equal faults in a row are one line. PUSH_NO_LINE: there is none.
 */
enum push_line push_message(struct push *push, char *line_ret, size_t len);

/**
 * push_wait() - wait until everything is delivered, refused or dropped.
 * @seconds: at most; also ends at once if a certificate or similar makes all attempts fail
 * Returns whether nothing waits any more.
 */
bool push_wait(struct push *push, double seconds);

/**
 * push_close() - end the thread, which may take a second, and free everything. Requests in the spool stay
 * there for the next process; requests in memory go to the spool, or are dropped and counted.
 * @counts_ret: final counts; NULL: not wanted
 */
void push_close(struct push *push, struct push_counts *counts_ret);

#endif
