/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The client's side of a run's socket: how long it waits, and how much it takes. The other side may be another
 * user's: it can delay an answer, announce any length, and send single bytes.
 */
#ifndef CONTROL_CLIENT_H
#define CONTROL_CLIENT_H

#include <stddef.h>
#include <sys/un.h>

/** Limits of an answer that a client takes. */
struct control_limits {
	double seconds;		/* for an answer; an answer of N MiB may take N more; 0 or less: it must have come */
	size_t bytes;		/* most bytes of an answer */
};

/** control_socket() - make a socket, and its address for @path. Returns its descriptor; -1 and errno. */
int control_socket(const char *path, struct sockaddr_un *address_ret);

/**
 * control_connect() - connect to the socket at @path. Returns a descriptor; -1: nobody listens there, or nobody has
 * accepted other clients for @seconds, above 0.
 */
int control_connect(const char *path, double seconds);

/**
 * control_receive() - receive an answer: a line with the status and the length, then the bytes; or a reason, a tab and
 * a hint. Memory is taken for the bytes that have come.
 * @answer_ret: to be freed, with a NUL after its last byte; also with -EINVAL
 * @len_ret: set without an error
 * -EINVAL: the answer is a reason. -ETIMEDOUT: no answer within the limits. -ENOMEM.
 */
int control_receive(int fd, const struct control_limits *limits, char **answer_ret, size_t *len_ret);

#endif
