// SPDX-License-Identifier: GPL-2.0-only
/* Requests that wait in memory: see push_queue.h. */
#include <stdlib.h>
#include <string.h>

#include "push/push_queue.h"

static u64 get_bytes(const struct push_request *request)
{
	return sizeof(*request) + strlen(request->target) + request->len;
}

static void drop(struct push_queue *queue, struct push_request *request)
{
	queue->dropped++;
	queue->dropped_samples += request->samples;
	push_request_destroy(request);
}

static struct push_queue_link *make_link(struct push_queue *queue, struct push_request *request)
{
	struct push_queue_link *link = calloc(1, sizeof(*link));

	if (!link) {
		drop(queue, request);
		return NULL;
	}
	link->request = request;
	queue->bytes += get_bytes(request);
	queue->nr++;
	return link;
}

void push_queue_add(struct push_queue *queue, struct push_request *request)
{
	struct push_queue_link *link = make_link(queue, request);

	if (!link)
		return;
	if (queue->last)
		queue->last->next = link;
	else
		queue->first = link;
	queue->last = link;
	while (queue->nr && queue->bytes > queue->bytes_max)
		drop(queue, push_queue_take(queue));
}

void push_queue_return(struct push_queue *queue, struct push_request *request)
{
	struct push_queue_link *link;

	if (queue->bytes + get_bytes(request) > queue->bytes_max) {
		drop(queue, request);
		return;
	}
	link = make_link(queue, request);
	if (!link)
		return;
	link->next = queue->first;
	queue->first = link;
	if (!queue->last)
		queue->last = link;
}

struct push_request *push_queue_take(struct push_queue *queue)
{
	struct push_queue_link *link = queue->first;
	struct push_request *request = link ? link->request : NULL;

	if (!link)
		return NULL;
	queue->first = link->next;
	if (!queue->first)
		queue->last = NULL;
	queue->bytes -= get_bytes(request);
	queue->nr--;
	free(link);
	return request;
}

void push_queue_deinit(struct push_queue *queue)
{
	while (queue->nr)
		drop(queue, push_queue_take(queue));
}
