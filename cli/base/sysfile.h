/* SPDX-License-Identifier: GPL-2.0-only */
/* Small files of /proc and /sys that describe the kernel's configuration. */
#ifndef SYSFILE_H
#define SYSFILE_H

#include <stddef.h>

/**
 * sysfile_text() - read a whole file, or its first @len - 1 bytes.
 * @text: NUL-terminated; empty on failure
 * -errno: the file cannot be opened or read.
 */
int sysfile_text(const char *path, char *text, size_t len);

/**
 * sysfile_line() - read the first line of a file, without its newline.
 * @line: NUL-terminated; empty on failure. Cut at @len - 1 bytes
 * -errno: the file cannot be opened or read.
 */
int sysfile_line(const char *path, char *line, size_t len);

#endif
