// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_limits: tries the limits that abi_rules.h has no row for (see abi.c): masks, targets, ranges,
 * areas, sizes; and checks that nothing is written beyond the stated size. Prints each failure and
 * exits 1, or prints nothing and exits 0.
 */
#include <limits.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "abi.h"
#include "page.h"

static void start_numbers(const struct cpuprobe_start *system)
{
	TAKES(*system, seed, 1);
	TAKES(*system, seed, ~0ULL);
	TAKES(*system, deferred_ns, 1);
	TAKES(*system, deferred_ns, ~0u);
	/* Output fields may hold any value before the call. */
	TAKES(*system, reason, ~0u);
	TAKES(*system, holder_pid, ~0u);
	TAKES(*system, used_rate_hz, ~0u);
	TAKES(*system, used_overhead_ppm, ~0u);
}

static void start_masks(struct cpuprobe_start system)
{
	/* 8192 bytes at the end of their memory. */
	unsigned char *memory = mmap(NULL, 2 * PAGE_MAX_BYTES, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned char *mask = memory + PAGE_MAX_BYTES - 8192;

	munmap(memory + PAGE_MAX_BYTES, PAGE_MAX_BYTES);
	mask[0] = 1;
	system.cpus = (unsigned long)mask;
	TAKES(system, cpus_len, 1);
	TAKES(system, cpus_len, 8192);
	REFUSES(system, cpus_len, 8193, EINVAL);
	REFUSES(system, cpus_len, ~0u, EINVAL);
	/* Bits for impossible CPUs are ignored. */
	memset(mask, 0xff, 8192);
	TAKES(system, cpus_len, 8192);
	/* The last mapped byte, and the first unmapped one. */
	system.cpus_len = 1;
	TAKES(system, cpus, (unsigned long)mask + 8191);
	REFUSES(system, cpus, (unsigned long)mask + 8192, EFAULT);
	system.cpus_len = 2;
	REFUSES(system, cpus, (unsigned long)mask + 8191, EFAULT);
	REFUSES(system, cpus, 0xffffffff81000000, EFAULT);
	REFUSES(system, cpus, ~0ULL, EFAULT);
	munmap(memory, PAGE_MAX_BYTES);
}

static void *own_number(void *number)
{
	*(pid_t *)number = syscall(SYS_gettid);
	pause();
	return NULL;
}

static void start_targets(struct cpuprobe_start process, int exe)
{
	struct cpuprobe_start kernel = good_kernel(exe);
	int self = device(), path = open("/proc/self/exe", O_PATH), pipes[2], memory;
	volatile pid_t thread_number = 0;
	pthread_t thread;

	CHECK(!pipe(pipes));
	memory = memfd_create("exe", 0);
	TAKES(process, exe_fd, memory);
	REFUSES(process, exe_fd, self, EBADF);	/* the device itself */
	REFUSES(process, exe_fd, path, EBADF);
	REFUSES(process, exe_fd, pipes[0], EBADF);
	REFUSES(process, exe_fd, INT_MAX, EBADF);
	REFUSES(process, exe_fd, INT_MIN, EBADF);
	TAKES(process, pid, getpid());
	pthread_create(&thread, NULL, own_number, (void *)&thread_number);
	while (!thread_number)
		usleep(1000);
	REFUSES(process, pid, thread_number, ESRCH);
	takes(kernel, __LINE__);
	TAKES(kernel, pid, getpid());
	kernel.exe_fd = -1;
	TAKES(kernel, pid, getpid());
	REFUSES(kernel, pid, 0, EBADF);
	close(self);
	close(path);
	close(pipes[0]);
	close(pipes[1]);
	close(memory);
}

/* No rule of a single field says this: the address range may not be empty. */
static void start_ranges(struct cpuprobe_start process)
{
	TAKES(process, low, process.high - 1);
	REFUSES(process, low, process.high, EINVAL);
	REFUSES(process, high, process.low, EINVAL);
	process.low = 0;
	TAKES(process, high, 1);
	TAKES(process, high, ~0ULL);
	process.high = ~0ULL;
	TAKES(process, low, ~0ULL - 1);
	REFUSES(process, low, ~0ULL, EINVAL);
}

#define AREA(...) ((struct cpuprobe_area){ __VA_ARGS__ })
#define PAIR(...) try_areas(fd, (struct cpuprobe_area[]){ __VA_ARGS__ }, 2, __LINE__)

static void areas_numbers(int fd)
{
	const struct cpuprobe_area low = AREA(0, 1, 0, 0, 1, CPUPROBE_OBJECT_FIRST);
	__u32 object;

	for (object = 0; object < CPUPROBE_OBJECT_FIRST; object++)
		PAIR(low, AREA(16, 32, 0, 0, 1, object));
	PAIR(low, AREA(16, 32, 0, 0, 1, CPUPROBE_OBJECTS));
	PAIR(low, AREA(16, 32, 0, 0, 1, ~0u));
	PAIR(low, AREA(1, ~0ULL, ~0ULL, ~0ULL, ~0u, CPUPROBE_OBJECTS - 1));
	PAIR(low, AREA(16, 16, 0, 0, 1, 5));
	PAIR(low, AREA(~0ULL, ~0ULL, 0, 0, 1, 5));
	PAIR(low, AREA(17, 16, 0, 0, 1, 5));
}

static void areas_order(int fd)
{
	const struct cpuprobe_area kernel = AREA(1, 2, 0, 0, 0, 5), user = AREA(16, 32, 0, 0, 9, 5);

	PAIR(kernel, user);
	PAIR(user, kernel);
	PAIR(AREA(1, 2, 0, 1, 0, 5), user);
	PAIR(AREA(1, 2, 0, 0, 0, 0), user);
	PAIR(user, AREA(32, 33, 0, 0, 9, 5));
	PAIR(user, AREA(31, 33, 0, 0, 9, 5));
	PAIR(user, AREA(0, 16, 0, 0, 9, 5));
	PAIR(user, user);
	PAIR(user, AREA(16, 32, 0, 0, 8, 5));
	PAIR(user, AREA(16, 32, 0, 0, 10, 5));
}

static void areas_heads(int fd)
{
	struct cpuprobe_area area = AREA(0, 1, 0, 0, 1, 5);
	struct cpuprobe_areas request = good_areas(&area, 1);

	wrong_heads(fd, COMMAND(AREAS), &request, __LINE__);
	wrong_values(fd, COMMAND(AREAS), &request, __LINE__);
	request.flags = CPUPROBE_AREAS_EXACT;
	CHECK(!ioctl(fd, CPUPROBE_IOC_AREAS, &request));
	request.flags = 0;
	request.areas = ~0ULL;
	fails(fd, COMMAND(AREAS), &request, EFAULT, __LINE__);
	request.nr_areas = 0;
	CHECK(!ioctl(fd, CPUPROBE_IOC_AREAS, &request));
	FAILS(ioctl(fd, CPUPROBE_IOC_AREAS, (void *)8), EFAULT);
}

/* INFO writes as many bytes as the caller has room for, at most the size of its struct. */
static void info_sizes(int fd)
{
	unsigned char bytes[sizeof(struct cpuprobe_info) + 8];
	static const __u32 sizes[] = { 0, 1, 4, 8, 31, 63, 64, 65, ~0u };
	unsigned int i, j, written;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		memset(bytes, 0xa5, sizeof(bytes));
		memcpy(bytes, &sizes[i], 4);
		CHECK(!ioctl(fd, CPUPROBE_IOC_INFO, bytes));
		written = sizes[i] < sizeof(struct cpuprobe_info) ? sizes[i] :
			sizeof(struct cpuprobe_info);
		for (j = written > 4 ? written : 4; j < sizeof(bytes); j++)
			check(bytes[j] == 0xa5, "nothing beyond", __LINE__);
		check(written < 8 || bytes[4] == CPUPROBE_ABI_VERSION, "version", __LINE__);
	}
	FAILS(ioctl(fd, CPUPROBE_IOC_INFO, (void *)8), EFAULT);
	FAILS(ioctl(fd, CPUPROBE_IOC_INFO, NULL), EFAULT);
}

/* Commands of another version of the interface, whose structs have other sizes. */
static void other_sizes(int fd)
{
	struct { struct cpuprobe_info info; __u64 more; } longer = { .info.size = sizeof(longer) };
	struct cpuprobe_start start = good_start();

	CHECK(!ioctl(fd, _IOWR(CPUPROBE_IOC_MAGIC, 0, longer), &longer));
	CHECK(longer.info.size == sizeof(longer.info) &&
	      longer.info.version == CPUPROBE_ABI_VERSION);
	CHECK(!ioctl(fd, _IOWR(CPUPROBE_IOC_MAGIC, 0, __u64), &longer));
	FAILS(ioctl(fd, _IOWR(CPUPROBE_IOC_MAGIC, 1, __u64), &start), EPROTO);
	FAILS(ioctl(fd, _IOWR(CPUPROBE_IOC_MAGIC, 3, __u64), &start), EPROTO);
	FAILS(ioctl(fd, _IOW(CPUPROBE_IOC_MAGIC, 4, __u64), &start), EPROTO);
	FAILS(ioctl(fd, _IOW(CPUPROBE_IOC_MAGIC, 0, struct cpuprobe_info), &longer), ENOTTY);
	FAILS(ioctl(fd, _IOWR(CPUPROBE_IOC_MAGIC, 5, __u64), &start), ENOTTY);
	FAILS(ioctl(fd, _IOWR(CPUPROBE_IOC_MAGIC ^ 1, 1, struct cpuprobe_start), &start), ENOTTY);
}

/*
 * A buffer of the minimum length is enough, and the bytes after it stay untouched. Any number may
 * be acknowledged.
 */
static void harvest_limits(struct cpuprobe_start start)
{
	static unsigned char buffer[65536], mask = 1;
	struct cpuprobe_harvest good = good_harvest(buffer), bad;
	unsigned int len = harvest_bytes(&start), i;
	int fd = device();

	start.cpus = (unsigned long)&mask;
	start.cpus_len = 1;
	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start));
	memset(buffer, 0xa5, sizeof(buffer));
	usleep(20000);
	good.buffer_len = len;
	wrong_heads(fd, COMMAND(HARVEST), &good, __LINE__);
	wrong_values(fd, COMMAND(HARVEST), &good, __LINE__);
	bad = good;
	bad.cpu = 1;			/* not sampled */
	fails(fd, COMMAND(HARVEST), &bad, ENODEV, __LINE__);
	bad.cpu = ~0u;
	fails(fd, COMMAND(HARVEST), &bad, ENODEV, __LINE__);
	bad = good;
	bad.buffer_len = len - 1;
	fails(fd, COMMAND(HARVEST), &bad, EINVAL, __LINE__);
	bad.buffer_len = 0;
	fails(fd, COMMAND(HARVEST), &bad, EINVAL, __LINE__);
	good.ack = ~0ULL;
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &good) && good.account.seq == 1);
	for (i = len; i < sizeof(buffer); i++)
		check(buffer[i] == 0xa5, "nothing beyond", __LINE__);
	good.buffer_len = ~0u;
	good.ack = 2;
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &good) && good.account.seq == 1);
	usleep(20000);
	good.ack = 1;
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &good) && good.account.seq == 2);
	close(fd);
}

int main(void)
{
	int exe = open("/proc/self/exe", O_RDONLY), fd = device();
	struct cpuprobe_start system = good_start(), process = good_process(exe);

	start_numbers(&system);
	start_masks(system);
	start_targets(process, exe);
	start_ranges(process);
	areas_numbers(fd);
	areas_order(fd);
	areas_heads(fd);
	info_sizes(fd);
	other_sizes(fd);
	close(fd);
	harvest_limits(system);
	harvest_limits(process);
	harvest_limits(good_late());
	return nr_wrong ? 1 : 0;
}
