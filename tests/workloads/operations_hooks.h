/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations on a session that hooks kernel functions, to count, to time or to trace them. */
#ifndef OPERATIONS_HOOKS_H
#define OPERATIONS_HOOKS_H

#include "hooks.h"
#include "operations_session.h"

static struct cpuprobe_function hooked[2];

static int run_calls(int fd, unsigned int flags, unsigned int nr)
{
	struct cpuprobe_calls request = REQUEST(calls, .functions = (unsigned long)hooked, .nr_functions = nr,
		.flags = flags, .table_kib = 64, .exe_fd = -1, .cgroup_fd = -1);

	return result_of(ioctl(fd, CPUPROBE_IOC_CALLS, &request));
}

static int run_counted(int fd)
{
	return run_calls(fd, 0, 2);
}

static int run_timed(int fd)
{
	return run_calls(fd, CPUPROBE_CALLS_EACH, 2);
}

static int run_syscalls(int fd)
{
	return run_calls(fd, CPUPROBE_CALLS_EACH | CPUPROBE_CALLS_SYSCALLS, 0);
}

static int run_trace(int fd)
{
	struct cpuprobe_trace request = REQUEST(trace, .functions = (unsigned long)hooked, .nr_functions = 2,
		.flags = CPUPROBE_TRACE_SYSCALLS | CPUPROBE_TRACE_IRQ, .buffer_kib = 4, .exe_fd = -1,
		.pid = getpid(), .cgroup_fd = -1, .start_function = CPUPROBE_NO_FUNCTION,
		.stop_function = CPUPROBE_NO_FUNCTION);

	return result_of(ioctl(fd, CPUPROBE_IOC_TRACE, &request));
}

static struct cpuprobe_events events;

static int run_events(int fd)
{
	events = REQUEST(events, .buffer = (unsigned long)buffer, .buffer_len = sizeof(buffer));
	return result_of(ioctl(fd, CPUPROBE_IOC_EVENTS, &events));
}

static void prepare_events(int fd)
{
	if (run_trace(fd))
		wrong("cannot be prepared", -errno);
	call_getppid(10);
	if (run_stop(fd))
		wrong("cannot be stopped", -errno);
}

/* A session that was refused can begin to trace; one whose answer could not be written has begun. */
static void check_hooks(int fd, int error)
{
	int again = run_trace(fd);

	if (again != (error ? 0 : -EBUSY) && !(error == -EFAULT && again == -EBUSY))
		wrong("not as before", again);
	if (!again && (run_stop(fd) || run_events(fd)))
		wrong("does not trace", -errno);
}

static void check_events(int fd, int error)
{
	if (run_events(fd) || events.first || events.nr_slots < 20)
		wrong("events are gone", -errno);
}

static const struct operation of_hooks[] = {
	{ "CALLS", run_counted, NULL, check_hooks },
	{ "CALLS, each", run_timed, NULL, check_hooks },
	{ "CALLS, system calls", run_syscalls, NULL, check_hooks },
	{ "TRACE", run_trace, NULL, check_hooks },
	{ "EVENTS", run_events, prepare_events, check_events },
};

#endif
