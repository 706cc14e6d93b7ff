/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by programs that check sessions of calls through the bare interface. */
#ifndef HOOKS_H
#define HOOKS_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device.h"

static int nr_failed;

/** is() - print a broken promise and count it. */
static inline void is(const char *what, long long got, long long wanted)
{
	if (got == wanted)
		return;
	printf("%s: %lld, not %lld\n", what, got, wanted);
	nr_failed++;
}

static inline int open_device(void)
{
	int fd = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		perror("/dev/cpuprobe");
		exit(1);
	}
	return fd;
}

/** address_of() - address of a kernel function; 0: none of that name. */
static inline __u64 address_of(const char *wanted)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long long address;
	char line[512], name[256];
	__u64 found = 0;

	while (!found && fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %255s", &address, name) == 2 && !strcmp(name, wanted))
			found = address;
	fclose(file);
	return found;
}

/** call() - 0 or errno. */
static inline int call(int fd, unsigned long command, void *request)
{
	return ioctl(fd, command, request) ? errno : 0;
}

static inline void call_getppid(int nr)
{
	while (nr--)
		syscall(SYS_getppid);
}

#endif
