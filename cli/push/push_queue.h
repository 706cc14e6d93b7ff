/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests that wait in memory, the oldest first. The sum of their bytes is bounded: the oldest are
 * dropped.
 */
#ifndef PUSH_QUEUE_H
#define PUSH_QUEUE_H

#include "push/push_request.h"

struct push_queue_link {
	struct push_request *request;
	struct push_queue_link *next;
};

/** All zero except @bytes_max: empty. */
struct push_queue {
	struct push_queue_link *first, *last;
	u64 bytes, bytes_max;
	u32 nr;
	u64 dropped, dropped_samples;	/* for lack of room */
};

/**
 * push_queue_add() - append a request, which the queue owns from then on; drop the oldest beyond the limit.
 */
void push_queue_add(struct push_queue *queue, struct push_request *request);

/** push_queue_return() - put a request back as the oldest, or drop it if there is no room. */
void push_queue_return(struct push_queue *queue, struct push_request *request);

/** push_queue_take() - take the oldest request out; the caller owns it. NULL: there is none. */
struct push_request *push_queue_take(struct push_queue *queue);

/** push_queue_deinit() - drop and count everything. */
void push_queue_deinit(struct push_queue *queue);

#endif
