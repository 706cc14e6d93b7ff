// SPDX-License-Identifier: GPL-2.0-only
/* Small files of /proc and /sys: see sysfile.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/sysfile.h"

int sysfile_line(const char *path, char *line, size_t len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = 0;
	ssize_t got;

	line[0] = '\0';
	if (fd < 0)
		return -errno;
	got = read(fd, line, len - 1);
	if (got < 0)
		error = -errno;
	line[got > 0 ? got : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	close(fd);
	return error;
}
