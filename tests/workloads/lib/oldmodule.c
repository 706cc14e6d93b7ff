// SPDX-License-Identifier: GPL-2.0-only
/* liboldmodule.so, for LD_PRELOAD: makes INFO report version 1 of the interface. */
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../../kmod/uapi/cpuprobe.h"

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;
	int result;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	result = syscall(SYS_ioctl, fd, request, argument);
	if (!result && request == CPUPROBE_IOC_INFO)
		((struct cpuprobe_info *)argument)->version = 1;
	return result;
}
