// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_unharmed: failed calls change neither the session nor the machine's resources. Prints each
 * failure and exits 1, or prints nothing and exits 0. A check that this kernel cannot run is named
 * on standard error, as "skipped: CHECK: REASON".
 */
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "abi.h"
#include "held.h"
#include "machine.h"

static unsigned char buffer[65536];

static int harvest(int fd, struct cpuprobe_harvest *harvest)
{
	__u64 ack = harvest->account.seq;

	*harvest = good_harvest(buffer);
	harvest->ack = ack;
	return ioctl(fd, CPUPROBE_IOC_HARVEST, harvest);
}

/* A second START, whose answer cannot be written, does not disturb the running session. */
static void running_session(void)
{
	struct cpuprobe_start *fixed = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct cpuprobe_harvest first = { 0 }, second = { 0 };
	struct cpuprobe_start start = good_start();
	int fd = device();

	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start));
	*fixed = good_start();
	mprotect(fixed, 4096, PROT_READ);
	FAILS(ioctl(fd, CPUPROBE_IOC_START, fixed), EFAULT);
	FAILS(ioctl(fd, CPUPROBE_IOC_HARVEST, fixed), EPROTO);
	FAILS(ioctl(fd, CPUPROBE_IOC_START, (void *)8), EFAULT);
	usleep(50000);
	CHECK(!harvest(fd, &first) && first.account.seq == 1);
	CHECK(!(first.account.flags & CPUPROBE_ACCOUNT_STOPPED));
	usleep(50000);
	second = first;
	CHECK(!harvest(fd, &second) && second.account.seq == 2 && second.account.taken > 0);
	close(fd);
	munmap(fixed, 4096);
}

/* A first START whose answer cannot be written ends the session: nobody knows its seed. */
static void unknown_seed(void)
{
	struct cpuprobe_start *fixed = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pollfd poll_fd = { .fd = device(), .events = POLLIN };

	*fixed = good_start();
	mprotect(fixed, 4096, PROT_READ);
	FAILS(ioctl(poll_fd.fd, CPUPROBE_IOC_START, fixed), EFAULT);
	CHECK(poll(&poll_fd, 1, 0) == 1 && poll_fd.revents == POLLHUP);
	CHECK(!ioctl(poll_fd.fd, CPUPROBE_IOC_STOP));
	close(poll_fd.fd);
	munmap(fixed, 4096);
}

/* Areas identify an address space by the address of the bottom of its stack. */
static __u64 own_space(void)
{
	FILE *file = fopen("/proc/self/stat", "r");
	unsigned long long space = 0;

	CHECK(file && fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u "
			     "%*u %*d %*d %*d %*d %*d %*d %*u %*u %*d %*u %*u %*u %llu",
			     &space) == 1);
	fclose(file);
	return space;
}

/* Refused areas do not replace the accepted ones: this process keeps its object. */
static void areas_stay(int exe)
{
	struct cpuprobe_area area = { .start = 0, .end = ~0ULL, .space = own_space(),
				      .pid = getpid(), .object = 9 };
	struct cpuprobe_areas request = good_areas(&area, 1);
	const __u64 *objects = (const __u64 *)buffer;
	struct cpuprobe_start start = good_process(exe);
	struct cpuprobe_harvest account = { 0 };
	int fd = device();

	request.flags = CPUPROBE_AREAS_EXACT;
	CHECK(!ioctl(fd, CPUPROBE_IOC_AREAS, &request));
	request.flags = 0;
	area.object = 1;
	FAILS(ioctl(fd, CPUPROBE_IOC_AREAS, &request), EINVAL);
	request.areas = 8;
	FAILS(ioctl(fd, CPUPROBE_IOC_AREAS, &request), EFAULT);
	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start));
	for (volatile int i = 0; i < 20000000; i++)
		;
	CHECK(!harvest(fd, &account) && account.account.objects == 10);
	CHECK(objects[9] > 0 && objects[0] == 0);
	close(fd);
}

static long free_kib(void)
{
	char line[128];
	long kib = 0;
	FILE *file = fopen("/proc/meminfo", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemFree: %ld kB", &kib) == 1)
			break;
	fclose(file);
	return kib;
}

/* However fast areas are replaced, they take the memory of a few tables of 320 KiB. */
static void areas_do_not_pile_up(int exe)
{
	static struct cpuprobe_area many[CPUPROBE_AREAS_MAX];
	struct cpuprobe_areas request = good_areas(many, CPUPROBE_AREAS_MAX);
	struct cpuprobe_start start = good_process(exe);
	long before, least, now;
	int fd = device(), i;

	for (i = 0; i < CPUPROBE_AREAS_MAX; i++)
		many[i] = (struct cpuprobe_area){ .start = i * 16, .end = i * 16 + 16, .pid = 1,
						  .object = 5 };
	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start));
	CHECK(!ioctl(fd, CPUPROBE_IOC_AREAS, &request));
	before = least = free_kib();
	for (i = 0; i < 200; i++) {
		CHECK(!ioctl(fd, CPUPROBE_IOC_AREAS, &request));
		now = free_kib();
		if (now < least)
			least = now;
	}
	if (before - least > 16384)
		printf("200 replaced tables of areas took %ld KiB\n", before - least);
	nr_wrong += before - least > 16384;
	close(fd);
}

static int stuck_fd;

static void *start_stuck(void *argument)
{
	ioctl(stuck_fd, CPUPROBE_IOC_START, argument);
	return NULL;
}

/* A call that waits for its caller's page does not block poll() beyond its timeout. */
static void poll_is_free(void)
{
	struct pollfd poll_fd = { .fd = device(), .events = POLLIN };
	void *page = held_memory(4096);
	pthread_t thread;
	double begun;

	if (!page) {
		fprintf(stderr, "skipped: poll() during a blocked START: no userfaultfd here\n");
		close(poll_fd.fd);
		return;
	}
	stuck_fd = poll_fd.fd;
	pthread_create(&thread, NULL, start_stuck, page);
	usleep(200000);
	/* If poll() blocked, this process and the test would hang; the alarm ends both. */
	alarm(10);
	begun = now_s();
	CHECK(poll(&poll_fd, 1, 100) == 0);
	CHECK(now_s() - begun < 5);
	alarm(0);
}

/* START from a new pid namespace, which has no process numbered @start.pid. */
static int start_from_inside(int fd, struct cpuprobe_start start)
{
	int status = 0;
	pid_t child;

	if (unshare(CLONE_NEWPID))
		return 0;
	child = fork();
	if (!child)
		_exit(getpid() == 1 && !ioctl(fd, CPUPROBE_IOC_START, &start) ? 0 : 1);
	waitpid(child, &status, 0);
	return status;
}

/* A pid is a number of the initial namespace, whichever process uses the descriptor. */
static void numbers_of_processes(int exe)
{
	struct cpuprobe_start start = good_process(exe);
	int fd = device(), status = 0;
	pid_t child;

	start.pid = getpid();
	child = fork();
	if (!child)
		_exit(start_from_inside(fd, start) ? 1 : 0);
	waitpid(child, &status, 0);
	CHECK(!status);
	close(fd);
}

int main(void)
{
	int exe = open("/proc/self/exe", O_RDONLY);

	stay_on(0);
	running_session();
	unknown_seed();
	areas_stay(exe);
	areas_do_not_pile_up(exe);
	numbers_of_processes(exe);
	poll_is_free();
	fflush(stdout);
	_exit(nr_wrong ? 1 : 0);
}
