// SPDX-License-Identifier: GPL-2.0-only
/*
 * stuck: a harvest whose buffer's page never comes (userfaultfd) must not keep others from using
 * the descriptor: poll() answers, another harvest can be interrupted. Prints what is wrong and
 * ends with 1, or nothing and 0.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../kmod/uapi/cpuprobe.h"

#define BUFFER_LEN	65536

static int device;

static struct cpuprobe_harvest harvest_into(void *buffer)
{
	return (struct cpuprobe_harvest){ .size = sizeof(struct cpuprobe_harvest),
		.version = CPUPROBE_ABI_VERSION, .buffer = (unsigned long)buffer,
		.buffer_len = BUFFER_LEN };
}

static void *absent_memory(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	void *memory = mmap(NULL, BUFFER_LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	reg.range.start = (unsigned long)memory;
	reg.range.len = BUFFER_LEN;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &reg)) {
		perror("userfaultfd");
		exit(1);
	}
	return memory;
}

static void *wait_for_memory(void *memory)
{
	struct cpuprobe_harvest request = harvest_into(memory);

	ioctl(device, CPUPROBE_IOC_HARVEST, &request);
	return NULL;
}

static void *give_up(void *unused)
{
	(void)unused;
	sleep(3);
	puts("poll() waits for a harvest that waits for memory");
	fflush(stdout);
	_exit(1);
}

static void on_alarm(int signal)
{
	(void)signal;
}

int main(void)
{
	static char buffer[BUFFER_LEN];
	struct cpuprobe_start start = { .size = sizeof(start), .version = CPUPROBE_ABI_VERSION,
		.what = CPUPROBE_WHAT_SYSTEM, .period_ns = 1000000, .exe_fd = -1 };
	struct cpuprobe_harvest request = harvest_into(buffer);
	struct sigaction action = { .sa_handler = on_alarm };
	struct pollfd poller = { .events = POLLIN };
	pthread_t waiter, watchdog;

	device = poller.fd = open("/dev/cpuprobe", O_RDWR);
	if (device < 0 || ioctl(device, CPUPROBE_IOC_START, &start)) {
		perror("start");
		return 1;
	}
	usleep(100000);
	pthread_create(&waiter, NULL, wait_for_memory, absent_memory());
	usleep(200000);
	pthread_create(&watchdog, NULL, give_up, NULL);
	poll(&poller, 1, 100);
	sigaction(SIGALRM, &action, NULL);
	alarm(1);
	if (ioctl(device, CPUPROBE_IOC_HARVEST, &request) != -1 || errno != EINTR) {
		puts("a second harvest did not wait for the first");
		return 1;
	}
	fflush(stdout);
	_exit(0);
}
