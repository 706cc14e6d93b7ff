/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Background runs, by name: how to find them and to talk to them. Each run has a holder, a process
 * that owns the run and listens on a socket. The holder also holds a lock that ends with it, so
 * that others see whether it still runs. Each user has a directory of his own, closed to others.
 */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "background/control_name.h"
#include "base/text.h"

#define CONTROL_NAME_DEFAULT	"default"	/* name of a run started without a name */
#define CONTROL_PATH_LEN	256

/** The holder's side. */
struct control {
	int lock_fd;
	int listen_fd;
	char lock[CONTROL_PATH_LEN];
	char socket[CONTROL_PATH_LEN];
};

/**
 * control_directory() - find or make the user's directory. -EPERM: the user is not its owner, or
 * others have access.
 * @root: prefix of every path; "" except in tests
 */
int control_directory(const char *root, char *path, size_t len, struct text_error *error_ret);

/** control_take() - become the holder of run @name. -EEXIST: there is one already. */
int control_take(const char *name, struct control *control_ret, struct text_error *error_ret);

/** control_release() - stop being the holder; removes lock and socket. */
void control_release(struct control *control);

/**
 * control_accept() - accept a client and read its request, one line without the newline. Returns
 * the client's descriptor for an answer. -1: no client, or no complete line within a second.
 */
int control_accept(const struct control *control, char *request, size_t len);

/** control_answer() - answer with @len bytes, and close the client's descriptor. */
void control_answer(int client, const void *bytes, size_t len);

/**
 * control_deliver() - as control_answer(), for an answer that must not get lost. False: the client has not read all of
 * it, because it has ended or does not read for long.
 */
bool control_deliver(int client, const void *bytes, size_t len);

/** control_refuse() - answer with a reason and a hint or "", and close the client's descriptor. */
void control_refuse(int client, const char *reason, const char *hint);

/** A request that a run has not answered yet. */
struct control_asked {
	const char *name;
	int fd;
	struct control control;		/* paths, unless it is another user's */
	bool is_other;
	size_t bytes;			/* most of the answer */
	double seconds, end;		/* how long the answer may take, and until when, by clock_seconds() */
};

/**
 * control_send() - send a request as control_ask() does, and do not wait for its answer: other runs can be asked beside
 * it. Errors as of control_ask().
 * @name: must stay until control_await()
 * @other_seconds: how long another user's run may take to answer
 */
int control_send(const char *name, const char *request, double other_seconds, struct control_asked *asked_ret,
		 struct text_error *error_ret);

/** control_await() - receive the answer to control_send(), as control_ask(), and end the connection. */
int control_await(struct control_asked *asked, char **answer_ret, size_t *len_ret, struct text_error *error_ret);

/**
 * control_ask() - as a client, send a request of one line and receive the answer, to be freed. Root asks another
 * user's run if it has none of this name itself, or if the name is USER/NAME.
 * -ENOENT: no such run. -ESRCH: its holder was killed; removes lock and socket.
 * -ETIMEDOUT: its holder does not answer.
 */
int control_ask(const char *name, const char *request, char **answer_ret, size_t *len_ret,
		struct text_error *error_ret);

/**
 * control_list() - names of all runs, one per line, to be freed; for root also USER/NAME of others' runs. NULL:
 * out of memory.
 */
char *control_list(void);

#endif
