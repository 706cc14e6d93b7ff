/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics over HTTP: GET /metrics of the last published text, and nothing else. libmicrohttpd serves in a thread of
 * its own, which shares only a pointer with the thread that measures: no client can hold up a measurement. Clients
 * that ask for more, stop in the middle or are too many get an error or wait; LISTEN_* bounds their memory.
 */
#ifndef LISTEN_H
#define LISTEN_H

#include <stddef.h>

#include "base/options.h"
#include "metrics/metrics.h"

#define LISTEN_CLIENTS		16	/* connections at a time; further ones wait */
#define LISTEN_IDLE_SECONDS	10	/* after which a silent connection is closed */
#define LISTEN_CLIENT_BYTES	16384	/* of a connection's request, with its headers */

struct listen_options {
	const char *address;	/* "127.0.0.1:9101", "[::1]:9101"; port 0: any free one; NULL: do not listen */
	bool is_remote;		/* the address may be one that other machines reach */
};

extern const struct option_spec listen_specs[];

struct listen;

/**
 * listen_check() - check an address. -EINVAL: malformed, or not a loopback address unless is_remote is set.
 * -ENOTSUP: the tool was built without the library. Both with a reason.
 */
int listen_check(const struct listen_options *options, struct text_error *error_ret);

/** listen_start() - listen. Errors as of listen_check(), or -errno, with a reason. Clients get 503 at first. */
int listen_start(struct listen **listen_ret, const struct listen_options *options, struct text_error *error_ret);

/** listen_port() - the port that was chosen. */
unsigned int listen_port(const struct listen *listen);

/** listen_publish() - serve the current metrics from now on. Does not wait. -ENOMEM: the earlier ones stay. */
int listen_publish(struct listen *listen, const struct metrics *metrics);

/** listen_stop() - close all connections, and wait for the thread. NULL is allowed. */
void listen_stop(struct listen *listen);

#endif
