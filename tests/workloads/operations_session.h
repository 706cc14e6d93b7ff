/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations on a session that samples: each kind of START, areas, harvests, the end. */
#ifndef OPERATIONS_SESSION_H
#define OPERATIONS_SESSION_H

#include <poll.h>
#include <signal.h>
#include <sys/time.h>

#include "operations.h"

static struct cpuprobe_area areas[CPUPROBE_AREAS_MAX];

static int start(int fd, struct cpuprobe_start request)
{
	return result_of(ioctl(fd, CPUPROBE_IOC_START, &request));
}

static int run_open(int fd)
{
	int result = open("/dev/cpuprobe", O_RDWR), error = result_of(result);

	if (result >= 0)
		close(result);
	return error;
}

static int run_system(int fd)
{
	return start(fd, good_start());
}

static int run_process(int fd)
{
	struct cpuprobe_start request = good_process(exe);

	request.pid = getpid();
	return start(fd, request);
}

static int run_late(int fd)
{
	return start(fd, good_late());
}

static int run_stacks(int fd)
{
	struct cpuprobe_start request = good_stacks();

	request.stack_kib = CPUPROBE_STACK_KIB_MIN;
	return start(fd, request);
}

static int run_mask(int fd)
{
	struct cpuprobe_start request = good_start();
	__u64 mask = 1;

	request.cpus = (unsigned long)&mask;
	request.cpus_len = 8;
	return start(fd, request);
}

static int run_areas(int fd)
{
	struct cpuprobe_areas request = good_areas(areas, 3);

	return result_of(ioctl(fd, CPUPROBE_IOC_AREAS, &request));
}

static int run_many_areas(int fd)
{
	struct cpuprobe_areas request = good_areas(areas, CPUPROBE_AREAS_MAX);

	return result_of(ioctl(fd, CPUPROBE_IOC_AREAS, &request));
}

static int run_info(int fd)
{
	struct cpuprobe_info info = { .size = sizeof(info) };

	return result_of(ioctl(fd, CPUPROBE_IOC_INFO, &info));
}

static struct cpuprobe_account account;

static int run_harvest(int fd)
{
	struct cpuprobe_harvest request = good_harvest(buffer);
	int error;

	request.buffer_len = sizeof(buffer);
	error = result_of(ioctl(fd, CPUPROBE_IOC_HARVEST, &request));
	account = request.account;
	return error;
}

static int run_exe(int fd)
{
	struct cpuprobe_open request = REQUEST(open, .seq = 1);
	int result = ioctl(fd, CPUPROBE_IOC_EXE, &request), error = result_of(result);

	if (result >= 0)
		close(result);
	return error;
}

static int run_poll(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return result_of(poll(&poll_fd, 1, 0));
}

static int run_stop(int fd)
{
	return result_of(ioctl(fd, CPUPROBE_IOC_STOP));
}

static void prepare_running(int fd)
{
	if (run_process(fd) || run_many_areas(fd))
		wrong("cannot be prepared", -errno);
}

static volatile sig_atomic_t is_over;

static void end_computing(int signal)
{
	is_over = 1;
}

/*
 * Computes for twenty periods of a session on this CPU. The interrupt that ends this runs the
 * session's timer first, so at least one sample finds this program, however busy the host is.
 */
static void compute(void)
{
	const struct itimerval twenty = { .it_value.tv_usec = 20000 };

	is_over = 0;
	signal(SIGALRM, end_computing);
	setitimer(ITIMER_REAL, &twenty, NULL);
	while (!is_over)
		;
}

static void prepare_counts(int fd)
{
	if (run_system(fd))
		wrong("cannot be prepared", -errno);
	compute();
}

static void prepare_stacks(int fd)
{
	if (run_stacks(fd))
		wrong("cannot be prepared", -errno);
	compute();
}

static void prepare_exe(int fd)
{
	prepare_stacks(fd);
	if (run_harvest(fd) || !account.objects)
		wrong("names no executable", -errno);
}

/* The session can be started, unless START succeeded but could not write its answer. */
static void check_new(int fd, int error)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	int again = run_system(fd);

	if (error == -EFAULT && again == -EBUSY && poll(&poll_fd, 1, 0) == 1 &&
	    poll_fd.revents == POLLHUP)
		return;
	if (again != (error ? 0 : -EBUSY))
		wrong("not as before", again);
	if (run_harvest(fd) || run_stop(fd))
		wrong("does not count", -errno);
}

static void check_areas(int fd, int error)
{
	if (run_many_areas(fd) || run_areas(fd))
		wrong("takes no areas", -errno);
}

/* The first account is still available, and adds up. */
static void check_counts(int fd, int error)
{
	__u64 sum;

	if (run_harvest(fd))
		wrong("no harvest", -errno);
	sum = hits_of_records((const void *)buffer, account.entries);
	if (account.seq != 1 || sum != account.taken || !sum)
		wrong("counts lost", 0);
}

static void check_stacks(int fd, int error)
{
	const struct cpuprobe_stack *stack;
	__u64 sum;

	if (run_harvest(fd))
		wrong("no harvest", -errno);
	sum = lost_samples(&account);
	for_each_stack(stack, buffer, &account)
		sum += stack->hits;
	if (account.seq != 1 || sum != account.taken || !account.entries)
		wrong("counts lost", 0);
}

static void check_exe(int fd, int error)
{
	if (run_exe(fd))
		wrong("EXE fails after the fault", -errno);
	check_stacks(fd, error);
}

static void check_info(int fd, int error)
{
	if (run_info(fd))
		wrong("no answer", -errno);
}

static void check_stopped(int fd, int error)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	if (run_stop(fd) || poll(&poll_fd, 1, 0) != 1 || poll_fd.revents != POLLHUP)
		wrong("cannot be stopped", -errno);
}

static const struct operation of_session[] = {
	{ "open", run_open, NULL, check_info },
	{ "INFO", run_info, NULL, check_info },
	{ "START system", run_system, NULL, check_new },
	{ "START process", run_process, NULL, check_new },
	{ "START late", run_late, NULL, check_new },
	{ "START stacks", run_stacks, NULL, check_new },
	{ "START with a mask", run_mask, NULL, check_new },
	{ "AREAS", run_areas, NULL, check_areas },
	{ "AREAS, many", run_many_areas, NULL, check_areas },
	{ "AREAS while sampling", run_many_areas, prepare_running, check_areas },
	{ "HARVEST", run_harvest, prepare_counts, check_counts },
	{ "HARVEST of stacks", run_harvest, prepare_stacks, check_stacks },
	{ "EXE", run_exe, prepare_exe, check_exe },
	{ "poll", run_poll, prepare_counts, check_counts },
	{ "STOP", run_stop, prepare_counts, check_stopped },
};

#endif
