// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_limits: every field of the interface at its limits: what is just allowed is taken, what
 * is just not is refused (see also abi.c), and nothing is written beyond what is said. Prints
 * what is wrong and ends with 1, or nothing and 0.
 */
#include <limits.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "abi.h"

/* Refused, with @reason where that is for the module to say (-1: it is not). */
static void refuses(struct cpuprobe_start start, int error, int reason, int line)
{
	struct cpuprobe_start asked = start;
	int fd = device();

	check(ioctl(fd, CPUPROBE_IOC_START, &start) == -1 && errno == error, "refused", line);
	check(is_only_answered(&asked, start), "question unchanged", line);
	check(reason < 0 || start.reason == (unsigned int)reason, "the right reason", line);
	close(fd);
}

/* Taken; or it is too much for this machine, which is not for the field to say. */
static void takes(struct cpuprobe_start start, int line)
{
	struct cpuprobe_start asked = start;
	int fd = device();

	if (ioctl(fd, CPUPROBE_IOC_START, &start))
		check(errno == EBUSY && start.reason == CPUPROBE_REASON_OVERHEAD, "taken", line);
	else
		check(!start.reason && start.seed && (!asked.seed || start.seed == asked.seed),
		      "the seed answered", line);
	check(is_only_answered(&asked, start), "question unchanged", line);
	close(fd);
}

#define WITH(base, field, value) ({ struct cpuprobe_start s = base; s.field = value; s; })
#define REFUSES(base, field, value, error, reason) \
	refuses(WITH(base, field, value), error, reason, __LINE__)
#define TAKES(base, field, value) takes(WITH(base, field, value), __LINE__)

static void start_heads(const struct cpuprobe_start *system)
{
	static const __u32 sizes[] = { 0, 8, sizeof(*system) - 1, sizeof(*system) + 1,
		sizeof(*system) + 8, ~0u };
	static const __u32 versions[] = { 0, CPUPROBE_ABI_VERSION - 1, CPUPROBE_ABI_VERSION + 1,
					  ~0u };
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		REFUSES(*system, size, sizes[i], EPROTO, -1);
	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		REFUSES(*system, version, versions[i], EPROTO, -1);
}

static void start_choices(const struct cpuprobe_start *system, const struct cpuprobe_start *process)
{
	struct cpuprobe_start late = WITH(*system, what, CPUPROBE_WHAT_LATE);
	__u32 i;

	takes(late, __LINE__);
	REFUSES(*system, what, ~0u, EINVAL, CPUPROBE_REASON_FIELD);
	for (i = 0; i <= CPUPROBE_JITTER_NONE; i++)
		TAKES(*system, jitter, i);
	REFUSES(*system, jitter, ~0u, EINVAL, CPUPROBE_REASON_FIELD);
	for (i = 0; i <= CPUPROBE_BY_CGROUP; i++)
		TAKES(*system, by, i);
	REFUSES(*system, by, ~0u, EINVAL, CPUPROBE_REASON_FIELD);
	TAKES(*system, flags, CPUPROBE_START_EXCLUDE_DEFERRED);
	TAKES(*process, flags, CPUPROBE_START_EXCLUDE_DEFERRED);
	TAKES(*system, flags, CPUPROBE_START_IDLE_SLEEP);
	TAKES(*process, flags, CPUPROBE_START_IDLE_SLEEP);
	REFUSES(*process, flags, 4, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(*system, flags, 1u << 31, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(late, object, 1, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(late, pid, 1, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(late, low, 1, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(late, high, 1, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(late, code_start, 1, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(*system, exe_fd, 0, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(*system, exe_fd, -2, EINVAL, CPUPROBE_REASON_FIELD);
}

static void start_numbers(const struct cpuprobe_start *system)
{
	TAKES(*system, period_ns, CPUPROBE_PERIOD_MIN_NS);
	TAKES(*system, period_ns, CPUPROBE_PERIOD_MAX_NS);
	TAKES(*system, seed, 1);
	TAKES(*system, seed, ~0ULL);
	TAKES(*system, deferred_ns, 1);
	TAKES(*system, deferred_ns, ~0u);
	/* What the module answers may hold anything before. */
	TAKES(*system, reason, ~0u);
	TAKES(*system, holder_pid, ~0u);
	TAKES(*system, used_rate_hz, ~0u);
	TAKES(*system, used_overhead_ppm, ~0u);
}

static void start_masks(struct cpuprobe_start system)
{
	unsigned char *mask = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(mask + 8192, 4096);
	mask[0] = 1;
	system.cpus = (unsigned long)mask;
	TAKES(system, cpus_len, 1);
	TAKES(system, cpus_len, 8192);
	REFUSES(system, cpus_len, 8193, EINVAL, CPUPROBE_REASON_CPUS);
	REFUSES(system, cpus_len, ~0u, EINVAL, CPUPROBE_REASON_CPUS);
	/* Numbers of CPUs that cannot be are of no account. */
	memset(mask, 0xff, 8192);
	TAKES(system, cpus_len, 8192);
	/* The last byte that is there, and the first that is not. */
	system.cpus_len = 1;
	TAKES(system, cpus, (unsigned long)mask + 8191);
	REFUSES(system, cpus, (unsigned long)mask + 8192, EFAULT, CPUPROBE_REASON_NONE);
	system.cpus_len = 2;
	REFUSES(system, cpus, (unsigned long)mask + 8191, EFAULT, CPUPROBE_REASON_NONE);
	REFUSES(system, cpus, 0xffffffff81000000, EFAULT, CPUPROBE_REASON_NONE);
	REFUSES(system, cpus, ~0ULL, EFAULT, CPUPROBE_REASON_NONE);
	munmap(mask, 8192);
}

static void *own_number(void *number)
{
	*(pid_t *)number = syscall(SYS_gettid);
	pause();
	return NULL;
}

static void start_targets(struct cpuprobe_start process, int exe)
{
	struct cpuprobe_start kernel = WITH(process, mode, CPUPROBE_MODE_KERNEL);
	int self = device(), path = open("/proc/self/exe", O_PATH), pipes[2], memory;
	volatile pid_t thread_number = 0;
	pthread_t thread;

	kernel.code_start = 0;
	CHECK(!pipe(pipes));
	memory = memfd_create("exe", 0);
	TAKES(process, exe_fd, memory);
	REFUSES(process, exe_fd, self, EBADF, CPUPROBE_REASON_TARGET);	/* the device itself */
	REFUSES(process, exe_fd, path, EBADF, CPUPROBE_REASON_TARGET);
	REFUSES(process, exe_fd, pipes[0], EBADF, CPUPROBE_REASON_TARGET);
	REFUSES(process, exe_fd, INT_MAX, EBADF, CPUPROBE_REASON_TARGET);
	REFUSES(process, exe_fd, INT_MIN, EBADF, CPUPROBE_REASON_TARGET);
	TAKES(process, pid, getpid());
	pthread_create(&thread, NULL, own_number, (void *)&thread_number);
	while (!thread_number)
		usleep(1000);
	REFUSES(process, pid, thread_number, ESRCH, CPUPROBE_REASON_TARGET);
	takes(kernel, __LINE__);
	TAKES(kernel, pid, getpid());
	kernel.exe_fd = -1;
	TAKES(kernel, pid, getpid());
	REFUSES(kernel, pid, 0, EBADF, CPUPROBE_REASON_TARGET);
	kernel.exe_fd = exe;
	REFUSES(kernel, object, CPUPROBE_OBJECT_FIRST, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(kernel, code_start, 1, EINVAL, CPUPROBE_REASON_FIELD);
	close(self);
	close(path);
	close(pipes[0]);
	close(pipes[1]);
	close(memory);
}

static void start_ranges(struct cpuprobe_start process)
{
	__u32 object;

	for (object = CPUPROBE_OBJECT_SOFTIRQ; object <= CPUPROBE_OBJECT_KERNEL; object++)
		REFUSES(process, object, object, EINVAL, CPUPROBE_REASON_FIELD);
	TAKES(process, object, CPUPROBE_OBJECT_UNPLACED);
	TAKES(process, object, CPUPROBE_OBJECT_FIRST);
	TAKES(process, object, CPUPROBE_OBJECTS - 1);
	REFUSES(process, object, CPUPROBE_OBJECTS, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(process, object, ~0u, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(process, mode, CPUPROBE_MODE_GUEST, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSES(process, mode, ~0u, EINVAL, CPUPROBE_REASON_FIELD);
	TAKES(process, code_start, 0);
	TAKES(process, code_start, ~0ULL);
	TAKES(process, low, 0);
	TAKES(process, low, process.high - 1);
	REFUSES(process, low, process.high, EINVAL, CPUPROBE_REASON_RANGE);
	TAKES(process, high, ~0ULL);
	REFUSES(process, high, 0, EINVAL, CPUPROBE_REASON_RANGE);
	process.low = 0;
	TAKES(process, high, 1);
	TAKES(process, high, ~0ULL);
	process.high = ~0ULL;
	TAKES(process, low, ~0ULL - 1);
}

static struct cpuprobe_areas areas_with(struct cpuprobe_areas areas,
					const struct cpuprobe_area *area)
{
	areas.areas = (unsigned long)area;
	return areas;
}

static void areas_refused(int fd, struct cpuprobe_area first, struct cpuprobe_area second, int line)
{
	struct cpuprobe_area both[2] = { first, second };
	struct cpuprobe_areas request = areas_with(good_areas(NULL, 2), both);

	check(ioctl(fd, CPUPROBE_IOC_AREAS, &request) == -1 && errno == EINVAL, "refused", line);
}

static void areas_taken(int fd, struct cpuprobe_area first, struct cpuprobe_area second, int line)
{
	struct cpuprobe_area both[2] = { first, second };
	struct cpuprobe_areas request = areas_with(good_areas(NULL, 2), both);

	check(!ioctl(fd, CPUPROBE_IOC_AREAS, &request), "taken", line);
}

#define AREA(...) ((struct cpuprobe_area){ __VA_ARGS__ })

static void areas_numbers(int fd)
{
	const struct cpuprobe_area low = AREA(0, 1, 0, 0, 1, CPUPROBE_OBJECT_FIRST);
	struct cpuprobe_area bad = AREA(16, 32, 0, 0, 1, 0);
	__u32 object;

	areas_taken(fd, low, bad, __LINE__);
	for (object = 1; object < CPUPROBE_OBJECT_FIRST; object++) {
		bad.object = object;
		areas_refused(fd, low, bad, __LINE__);
	}
	bad.object = CPUPROBE_OBJECTS;
	areas_refused(fd, low, bad, __LINE__);
	bad.object = ~0u;
	areas_refused(fd, low, bad, __LINE__);
	areas_taken(fd, low, AREA(1, ~0ULL, ~0ULL, ~0ULL, ~0u, CPUPROBE_OBJECTS - 1), __LINE__);
	areas_refused(fd, low, AREA(16, 16, 0, 0, 1, 5), __LINE__);
	areas_refused(fd, low, AREA(~0ULL, ~0ULL, 0, 0, 1, 5), __LINE__);
	areas_refused(fd, low, AREA(17, 16, 0, 0, 1, 5), __LINE__);
}

static void areas_order(int fd)
{
	const struct cpuprobe_area kernel = AREA(1, 2, 0, 0, 0, 5), user = AREA(16, 32, 0, 0, 9, 5);

	areas_taken(fd, kernel, user, __LINE__);
	areas_refused(fd, user, kernel, __LINE__);
	/* the kernel has one space */
	areas_refused(fd, AREA(1, 2, 0, 1, 0, 5), user, __LINE__);
	areas_refused(fd, AREA(1, 2, 0, 0, 0, 0), user, __LINE__);	/* and no executable */
	areas_taken(fd, user, AREA(32, 33, 0, 0, 9, 5), __LINE__);
	areas_refused(fd, user, AREA(31, 33, 0, 0, 9, 5), __LINE__);
	areas_refused(fd, user, AREA(0, 16, 0, 0, 9, 5), __LINE__);
	areas_refused(fd, user, user, __LINE__);
	areas_refused(fd, user, AREA(16, 32, 0, 0, 8, 5), __LINE__);
	areas_taken(fd, user, AREA(16, 32, 0, 0, 10, 5), __LINE__);
}

static void areas_heads(int fd)
{
	struct cpuprobe_area area = AREA(0, 1, 0, 0, 1, 5);
	const struct cpuprobe_areas good = good_areas(&area, 1);
	struct cpuprobe_areas bad = good;

	for (bad.size = 0; bad.size < 64; bad.size++)
		if (bad.size != sizeof(bad))
			FAILS(ioctl(fd, CPUPROBE_IOC_AREAS, &bad), EPROTO);
	bad = good;
	bad.version = 0;
	FAILS(ioctl(fd, CPUPROBE_IOC_AREAS, &bad), EPROTO);
	bad = good;
	bad.flags = CPUPROBE_AREAS_EXACT;
	CHECK(!ioctl(fd, CPUPROBE_IOC_AREAS, &bad));
	bad.flags = 1u << 31;
	FAILS(ioctl(fd, CPUPROBE_IOC_AREAS, &bad), EINVAL);
	bad = good;
	bad.areas = ~0ULL;
	FAILS(ioctl(fd, CPUPROBE_IOC_AREAS, &bad), EFAULT);
	bad.nr_areas = 0;
	CHECK(!ioctl(fd, CPUPROBE_IOC_AREAS, &bad));
	FAILS(ioctl(fd, CPUPROBE_IOC_AREAS, (void *)8), EFAULT);
}

/* INFO writes as many bytes as the caller says it has room for, and no more than it has. */
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

static void harvest_heads(int fd, struct cpuprobe_harvest good)
{
	struct cpuprobe_harvest bad = good;

	bad.size--;
	FAILS(ioctl(fd, CPUPROBE_IOC_HARVEST, &bad), EPROTO);
	bad.size = 0;
	FAILS(ioctl(fd, CPUPROBE_IOC_HARVEST, &bad), EPROTO);
	bad = good;
	bad.version = 0;
	FAILS(ioctl(fd, CPUPROBE_IOC_HARVEST, &bad), EPROTO);
	bad = good;
	bad.flags = 1u << 31;
	FAILS(ioctl(fd, CPUPROBE_IOC_HARVEST, &bad), EINVAL);
	bad = good;
	bad.reserved = 1u << 31;
	FAILS(ioctl(fd, CPUPROBE_IOC_HARVEST, &bad), EINVAL);
	bad = good;
	bad.cpu = 1;			/* is there, and not sampled */
	FAILS(ioctl(fd, CPUPROBE_IOC_HARVEST, &bad), ENODEV);
	bad.cpu = ~0u;
	FAILS(ioctl(fd, CPUPROBE_IOC_HARVEST, &bad), ENODEV);
}

/* The buffer's least length, its bytes behind that untouched; any number may be acknowledged. */
static void harvest_lengths(struct cpuprobe_start start, unsigned int len)
{
	static unsigned char buffer[65536], mask = 1;
	struct cpuprobe_harvest good = good_harvest(buffer), bad;
	unsigned int i;
	int fd = device();

	start.cpus = (unsigned long)&mask;
	start.cpus_len = 1;
	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start));
	memset(buffer, 0xa5, sizeof(buffer));
	usleep(20000);
	good.buffer_len = len;
	harvest_heads(fd, good);
	bad = good;
	bad.buffer_len = len - 1;
	FAILS(ioctl(fd, CPUPROBE_IOC_HARVEST, &bad), EINVAL);
	bad.buffer_len = 0;
	FAILS(ioctl(fd, CPUPROBE_IOC_HARVEST, &bad), EINVAL);
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

	start_heads(&system);
	start_choices(&system, &process);
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
	harvest_lengths(system, CPUPROBE_RECORDS * sizeof(struct cpuprobe_record));
	harvest_lengths(process, (CPUPROBE_OBJECTS + CPUPROBE_SLOTS) * sizeof(__u64));
	system.what = CPUPROBE_WHAT_LATE;
	harvest_lengths(system, sizeof(struct cpuprobe_lateness));
	return nr_wrong ? 1 : 0;
}
