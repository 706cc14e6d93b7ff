/* SPDX-License-Identifier: MIT */
/* Marks in traces of cpuprobe, for programs: cpuprobe_mark("request 7 parsed"); see probe-mark(1). */
#ifndef CPUPROBE_MARK_H
#define CPUPROBE_MARK_H

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/** cpuprobe_mark() - write a mark of at most 64 bytes. Returns 0; -1 and errno: the device is not there. */
static inline int cpuprobe_mark(const char *text)
{
	int fd = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC);
	ssize_t written = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return written < 0 ? -1 : 0;
}

#endif
