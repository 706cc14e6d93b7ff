/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests that carry one window of profiles to a store. Everything in a request is fixed when it is made:
 * a repeat has the same bytes, id and times.
 */
#ifndef PUSH_REQUEST_H
#define PUSH_REQUEST_H

#include <stddef.h>

#include "profile/stack_run.h"
#include "push/push_labels.h"
#include "push/push_services.h"
#include "push/push_url.h"

#define PUSH_ID_LEN	37	/* of a UUID as text, with its NUL */
#define PUSH_TARGET_LEN	8192

struct push_request {
	char id[PUSH_ID_LEN]; /* UUID made of its content: a window that is made again has the same */
	enum push_format format;
	char *target;			/* path and query */
	char *body;
	size_t len;
	u64 samples;			/* with lost ones */
	bool is_packed;			/* the body has Content-Encoding gzip */
	bool is_doubtful;		/* an earlier attempt had no answer */
};

/** Common properties of all requests to a store. */
struct push_shape {
	enum push_format format;
	struct push_labels labels;	/* of every series; they win over those of a service */
	const struct push_naming *naming;	/* NULL: the whole profile is one service */
	const char *service;		/* its name without @naming; NULL: the host's */
	u32 services_max;
	bool has_detail;		/* see push_services_extract() */
	bool is_packed;			/* bodies are compressed; Pyroscope's are then binary */
};

struct push_requests {
	struct push_request *list[PUSH_SERVICES_MAX + 1];
	u32 nr;
	u32 nr_services;
};

/**
 * push_request_make() - turn a run with stacks into requests: one, or for PUSH_INGEST one for each service.
 * Takes milliseconds and waits for nothing. -ENOMEM: @requests_ret is empty. -ENODATA: there are no
 * samples.
 */
int push_request_make(const struct stack_run *stacks, const struct push_shape *shape,
		      struct push_requests *requests_ret);

void push_request_destroy(struct push_request *request);

/** push_request_type() - Content-Type of a format's bodies. @is_packed: as in struct push_request */
const char *push_request_type(enum push_format format, bool is_packed);

#endif
