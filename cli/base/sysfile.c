// SPDX-License-Identifier: GPL-2.0-only
/* Small files of /proc and /sys: see sysfile.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/sysfile.h"

int sysfile_text(const char *path, char *text, size_t len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = 0;
	ssize_t got;

	text[0] = '\0';
	if (fd < 0)
		return -errno;
	got = read(fd, text, len - 1);
	if (got < 0)
		error = -errno;
	text[got > 0 ? got : 0] = '\0';
	close(fd);
	return error;
}

int sysfile_line(const char *path, char *line, size_t len)
{
	int error = sysfile_text(path, line, len);

	line[strcspn(line, "\n")] = '\0';
	return error;
}
