/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * POST over HTTP and HTTPS, by libcurl. Certificates are always verified; TLS is 1.2 or later; redirects
 * are followed within the server only; an answer is cut off at a limit. Proxies are those of the
 * environment (http_proxy, https_proxy, no_proxy). One thread at a time.
 */
#ifndef TRANSPORT_H
#define TRANSPORT_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/text.h"
#include "push/push_url.h"

#define TRANSPORT_LINE_LEN	200

struct transport;

/** All texts belong to the caller and are copied. */
struct transport_options {
	const char *cacert;		/* file of certificates to believe; NULL: those of the system */
	const char *token;		/* for "Authorization: Bearer"; NULL: none */
	const char *user;		/* NAME:PASSWORD for basic authentication; NULL: none */
	const char *tenant;		/* for X-Scope-OrgID; NULL: none */
	double connect_seconds;		/* limit for the connection */
	double total_seconds;		/* limit for a whole request */
	size_t answer_max;		/* bytes of an answer, head and body */
};

/** The result of a request. */
struct transport_answer {
	int status;			/* of HTTP; 0: no answer */
	bool was_sent;			/* a part of the request may have reached the server */
	bool is_hopeless;		/* no repeat helps before somebody changes something: a certificate */
	double retry_after;		/* seconds; 0: not given */
	char line[TRANSPORT_LINE_LEN];	/* first line of the answer, or the reason why there is none; clean */
};

/**
 * transport_create() - prepare requests to @url. NULL with a reason: no libcurl, a file that cannot be
 * read, or a secret that would be sent without encryption to another machine.
 * @is_ending: set by another thread, it ends a request within a second
 */
struct transport *transport_create(const struct push_url *url, const struct transport_options *options,
				   const atomic_bool *is_ending, struct text_error *error_ret);

/** transport_destroy() - NULL is allowed. */
void transport_destroy(struct transport *transport);

/**
 * transport_post() - send a request and wait for the answer, up to the limits of time.
 * @target: path and query, after the base of the URL
 * @is_packed: the body is compressed by gzip
 * @id: for the header Idempotency-Key
 */
void transport_post(struct transport *transport, const char *target, const char *type, bool is_packed,
		    const char *id, const void *body, size_t len, struct transport_answer *answer_ret);

#endif
