/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs that go on in the background, by name: where they are found and how to talk to them. Each
 * has a holder, a process that owns it and listens on a socket; a lock that ends with the holder
 * tells whether there still is one. One folder for each user, closed to others.
 */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define CONTROL_NAME_DEFAULT	"default"	/* of a run that is not given one */
#define CONTROL_NAME_LEN	33	/* of a run's name, the final NUL included */
#define CONTROL_PATH_LEN	256

/** The holder's end. */
struct control {
	int lock_fd;
	int listen_fd;
	char lock[CONTROL_PATH_LEN];
	char socket[CONTROL_PATH_LEN];
};

/**
 * control_check_name() - -EINVAL: a name has 1 to 32 letters, digits, and "._-", not a dot first.
 */
int control_check_name(const char *name, struct text_error *error_ret);

/**
 * control_folder() - the user's directory, made if need be; one that others could write to is
 * refused.
 * @root: before every path; "" but in tests
 */
int control_folder(const char *root, char *path, size_t len, struct text_error *error_ret);

/** control_take() - be the holder of that name. -EEXIST: somebody is. */
int control_take(const char *name, struct control *control_ret, struct text_error *error_ret);

/** control_release() - be it no longer; what was there is removed. */
void control_release(struct control *control);

/**
 * control_accept() - a request that has come: the client's descriptor, to be closed, and its line.
 * -1: there is none, or it was not to be understood.
 */
int control_accept(const struct control *control, char *request, size_t len);

/** control_answer() - with @len bytes, and close the client's descriptor. */
void control_answer(int client, const void *bytes, size_t len);

/** control_refuse() - with a reason of one line, and close the client's descriptor. */
void control_refuse(int client, const char *reason);

/**
 * control_ask() - the client's end: a request of one line, and the answer, to be freed.
 * -ENOENT: no such run. -ESRCH: its holder is gone; what was left of it is removed.
 * -ETIMEDOUT: its holder does not answer.
 */
int control_ask(const char *name, const char *request, char **answer_ret, size_t *len_ret,
		struct text_error *error_ret);

/**
 * control_list() - the names of all runs, one a line, to be freed; "" for none. NULL: out of
 * memory.
 */
char *control_list(void);

#endif
