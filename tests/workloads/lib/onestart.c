// SPDX-License-Identifier: GPL-2.0-only
/*
 * libonestart.so, for LD_PRELOAD: every START after the first fails with EBUSY, as if other
 * sessions had used up the limits.
 */
#include <errno.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../../kmod/uapi/cpuprobe.h"

int ioctl(int fd, unsigned long request, ...)
{
	static int nr_starts;
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (request == CPUPROBE_IOC_START && nr_starts++) {
		errno = EBUSY;
		return -1;
	}
	return syscall(SYS_ioctl, fd, request, argument);
}
