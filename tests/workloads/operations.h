/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations that failnth makes fail, and how it reports what is wrong. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "abi.h"

/* One operation; @run and @check get the descriptor that @prepare has got ready. */
struct operation {
	const char *name;
	int (*run)(int fd);
	void (*prepare)(int fd);		/* or NULL */
	void (*check)(int fd, int error);	/* checks the state after @run returned @error */
};

static const char *failing;	/* name of the operation, for messages */
static unsigned char buffer[65536];
static int exe;			/* this program's file */

static void wrong(const char *what, int error)
{
	printf("%s: %s (%s)\n", failing, what, error ? strerror(-error) : "no error");
	nr_wrong++;
}

static int result_of(long result)
{
	return result < 0 ? -errno : 0;
}

#endif
