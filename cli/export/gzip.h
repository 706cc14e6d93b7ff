/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GZIP_H
#define GZIP_H

#include <stddef.h>
#include <stdio.h>

/** gzip_write() - compress to @out. Equal input gives equal output. 0 or -ENOMEM. */
int gzip_write(FILE *out, const void *bytes, size_t len);

#endif
