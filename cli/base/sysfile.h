/* SPDX-License-Identifier: GPL-2.0-only */
/* Small files of /proc and /sys, in which the kernel says how it is set up. */
#ifndef SYSFILE_H
#define SYSFILE_H

#include <stddef.h>

/**
 * sysfile_line() - the first line of a file, without its end.
 * @line: NUL-terminated; empty when there is none. Cut at @len - 1 bytes
 * -errno: the file cannot be opened or read.
 */
int sysfile_line(const char *path, char *line, size_t len);

#endif
