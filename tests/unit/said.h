/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Standard error goes to a file for a while. cmocka tells there too which assertion failed: a test ends the
 * while before it asserts anything.
 */
#ifndef SAID_H
#define SAID_H

#include <fcntl.h>
#include <unistd.h>

#include "unit.h"

/* The descriptor to end this with. */
static inline int said_begin(const char *path)
{
	int before, fd;

	fflush(stderr);
	before = dup(STDERR_FILENO);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	dup2(fd, STDERR_FILENO);
	close(fd);
	return before;
}

static inline void said_end(int before)
{
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
}

#endif
