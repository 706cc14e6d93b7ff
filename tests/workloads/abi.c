// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi: every field of the interface with values that must be refused, calls out of order, and a
 * harvest whose copy fails. Prints what is wrong and ends with 1, or nothing and 0.
 */
#include <poll.h>
#include <sys/mman.h>

#include "abi.h"

/* A start that must fail so, and leave a session that can still be started. */
static void refused(struct cpuprobe_start start, int error, unsigned int reason, int line)
{
	struct cpuprobe_start asked;
	int fd = device();

	start.reason = 77;
	start.holder_pid = 77;
	memset(start.holder_comm, 77, sizeof(start.holder_comm));
	asked = start;
	check(ioctl(fd, CPUPROBE_IOC_START, &start) == -1 && errno == error, "refused as it should",
	      line);
	check(is_only_answered(&asked, start) && start.seed == asked.seed, "question unchanged",
	      line);
	check(error == EPROTO || (start.reason == reason && !start.holder_pid &&
				  !start.holder_comm[0]),
	      "the right reason", line);
	start = good_start();
	check(!ioctl(fd, CPUPROBE_IOC_START, &start), "startable afterwards", line);
	close(fd);
}

#define REFUSED(base, field, value, error, reason) do { \
	struct cpuprobe_start bad = base; \
	bad.field = value; \
	refused(bad, error, reason, __LINE__); \
} while (0)

static void start_fields(int exe)
{
	struct cpuprobe_start system = good_start(), process = good_process(exe), late = system,
		poisson = system;
	static unsigned char mask[16384];
	int notexe = open("/proc", O_RDONLY);

	late.what = CPUPROBE_WHAT_LATE;
	poisson.jitter = CPUPROBE_JITTER_POISSON;
	REFUSED(system, size, sizeof(system) - 8, EPROTO, 0);
	REFUSED(system, version, CPUPROBE_ABI_VERSION + 1, EPROTO, 0);
	REFUSED(system, what, 0, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, what, 5, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, by, CPUPROBE_BY_CGROUP + 1, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, flags, 4, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(process, by, CPUPROBE_BY_PID, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(late, by, CPUPROBE_BY_PID, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(late, flags, CPUPROBE_START_EXCLUDE_DEFERRED, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(late, flags, CPUPROBE_START_IDLE_SLEEP, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(poisson, flags, CPUPROBE_START_IDLE_SLEEP, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(late, mode, CPUPROBE_MODE_USER, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(late, exe_fd, exe, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, jitter, 3, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, object, 1, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, period_ns, 0, EINVAL, CPUPROBE_REASON_PERIOD);
	REFUSED(system, period_ns, CPUPROBE_PERIOD_MIN_NS - 1, EINVAL, CPUPROBE_REASON_PERIOD);
	REFUSED(system, period_ns, CPUPROBE_PERIOD_MAX_NS + 1, EINVAL, CPUPROBE_REASON_PERIOD);
	REFUSED(system, period_ns, ~0ULL, EINVAL, CPUPROBE_REASON_PERIOD);
	REFUSED(system, exe_fd, exe, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, pid, 1, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, mode, 2, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, low, 1, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, high, 1, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, code_start, 1, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(system, cpus_len, 8, EINVAL, CPUPROBE_REASON_CPUS);
	REFUSED(system, cpus, (__u64)(unsigned long)mask, EINVAL, CPUPROBE_REASON_CPUS);
	system.cpus = (unsigned long)mask;
	REFUSED(system, cpus_len, 8, EINVAL, CPUPROBE_REASON_CPUS);	/* no CPU in it */
	REFUSED(system, cpus_len, 8193, EINVAL, CPUPROBE_REASON_CPUS);
	system.cpus_len = 8;
	REFUSED(system, cpus, 8, EFAULT, 0);

	REFUSED(process, exe_fd, -1, EBADF, CPUPROBE_REASON_TARGET);
	REFUSED(process, exe_fd, 999, EBADF, CPUPROBE_REASON_TARGET);
	REFUSED(process, exe_fd, notexe, EBADF, CPUPROBE_REASON_TARGET);
	REFUSED(process, pid, 4000000, ESRCH, CPUPROBE_REASON_TARGET);
	REFUSED(process, pid, ~0u, ESRCH, CPUPROBE_REASON_TARGET);
	REFUSED(process, mode, CPUPROBE_MODE_SOFTIRQ, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(process, mode, 4, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(process, mode, CPUPROBE_MODE_KERNEL, EINVAL, CPUPROBE_REASON_FIELD);
	REFUSED(process, high, 0x1000, EINVAL, CPUPROBE_REASON_RANGE);
	REFUSED(process, low, ~0ULL, EINVAL, CPUPROBE_REASON_RANGE);
	close(notexe);
}

/* A copy that fails loses nothing; what is not acknowledged comes again, to the letter. */
static void harvest_again(int fd)
{
	static struct cpuprobe_record first[CPUPROBE_RECORDS], second[CPUPROBE_RECORDS];
	void *hole = mmap(NULL, 65536, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct cpuprobe_harvest bad = good_harvest(hole), one = good_harvest(first), two;

	usleep(50000);
	CHECK(ioctl(fd, CPUPROBE_IOC_HARVEST, &bad) == -1 && errno == EFAULT);
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &one));
	CHECK(one.account.taken > 0 && one.account.seq == 1 && !one.account.flags);
	CHECK(hits_of_records(first, one.account.entries) == one.account.taken);
	usleep(50000);
	two = good_harvest(second);
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &two));
	CHECK(!memcmp(&one.account, &two.account, sizeof(one.account)));
	CHECK(!memcmp(first, second, sizeof(first)));
	two.ack = 12345;		/* of no account: nothing is acknowledged */
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &two) && two.account.seq == 1);
	two.ack = 1;
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &two) && two.account.seq == 2);
	CHECK(two.account.taken > 0);
	CHECK(hits_of_records(second, two.account.entries) == two.account.taken);
	munmap(hole, 65536);
}

static void harvest_fields(int fd)
{
	static struct cpuprobe_record records[CPUPROBE_RECORDS];
	struct cpuprobe_harvest harvest = good_harvest(records);

	harvest.cpu = 4000000000u;
	CHECK(ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest) == -1 && errno == ENODEV);
	harvest = good_harvest(records);
	harvest.buffer_len--;
	CHECK(ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest) == -1 && errno == EINVAL);
	harvest = good_harvest(records);
	harvest.flags = 2;
	CHECK(ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest) == -1 && errno == EINVAL);
	harvest = good_harvest(records);
	harvest.reserved = 1;
	CHECK(ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest) == -1 && errno == EINVAL);
	/* A table that is not filling is left alone. */
	harvest = good_harvest(records);
	harvest.flags = CPUPROBE_HARVEST_DUE;
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest) && !harvest.account.seq);
	harvest = good_harvest(records);
	harvest.version++;
	CHECK(ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest) == -1 && errno == EPROTO);
	CHECK(ioctl(fd, CPUPROBE_IOC_HARVEST, (void *)8) == -1 && errno == EFAULT);
}

static void order_of_calls(void)
{
	static struct cpuprobe_record records[CPUPROBE_RECORDS];
	struct cpuprobe_harvest harvest = good_harvest(records);
	struct cpuprobe_start start = good_start();
	struct pollfd poll_fd = { .fd = device(), .events = POLLIN };
	int fd = poll_fd.fd;

	CHECK(ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest) == -1 && errno == EINVAL);
	CHECK(ioctl(fd, CPUPROBE_IOC_STOP) == -1 && errno == EINVAL);
	CHECK(ioctl(fd, _IO(CPUPROBE_IOC_MAGIC, 99)) == -1 && errno == ENOTTY);
	CHECK(poll(&poll_fd, 1, 0) == 0);
	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start) && start.seed);
	CHECK(ioctl(fd, CPUPROBE_IOC_START, &start) == -1 && errno == EBUSY);
	harvest_fields(fd);
	harvest_again(fd);
	CHECK(!ioctl(fd, CPUPROBE_IOC_STOP));
	CHECK(!ioctl(fd, CPUPROBE_IOC_STOP));
	CHECK(poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLHUP);
	harvest.ack = 2;
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest));
	CHECK(harvest.account.flags & CPUPROBE_ACCOUNT_STOPPED && harvest.account.seq == 3);
	harvest.ack = 3;
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest) && harvest.account.seq == 3);
	CHECK(ioctl(fd, CPUPROBE_IOC_START, &start) == -1 && errno == EBUSY);
	close(fd);
}

static void areas_refused(struct cpuprobe_areas request, int error, int line)
{
	int fd = device();

	check(ioctl(fd, CPUPROBE_IOC_AREAS, &request) == -1 && errno == error, "areas refused",
	      line);
	close(fd);
}

static void areas_fields(void)
{
	static struct cpuprobe_area many[CPUPROBE_AREAS_MAX + 1];
	struct cpuprobe_areas good = good_areas(many, CPUPROBE_AREAS_MAX), bad;
	int fd = device(), i;

	for (i = 0; i <= CPUPROBE_AREAS_MAX; i++)
		many[i] = (struct cpuprobe_area){ .start = i * 16, .end = i * 16 + 16, .pid = 1,
						  .object = CPUPROBE_OBJECTS - 1 };
#define AREAS_REFUSED(field, value, error) do { \
	bad = good; \
	bad.field = value; \
	areas_refused(bad, error, __LINE__); \
} while (0)
	AREAS_REFUSED(size, sizeof(good) - 8, EPROTO);
	AREAS_REFUSED(version, CPUPROBE_ABI_VERSION + 1, EPROTO);
	AREAS_REFUSED(flags, 2, EINVAL);
	AREAS_REFUSED(nr_areas, CPUPROBE_AREAS_MAX + 1, EINVAL);
	AREAS_REFUSED(nr_areas, ~0u, EINVAL);
	AREAS_REFUSED(areas, 8, EFAULT);
	CHECK(!ioctl(fd, CPUPROBE_IOC_AREAS, &good));
	many[5].object = CPUPROBE_OBJECTS;
	areas_refused(good, EINVAL, __LINE__);
	many[5].object = CPUPROBE_OBJECT_KERNEL;
	areas_refused(good, EINVAL, __LINE__);
	many[5].object = 0;
	many[5].end++;
	areas_refused(good, EINVAL, __LINE__);
	many[5].end -= 17;
	areas_refused(good, EINVAL, __LINE__);
	good.nr_areas = 0;
	good.areas = 0;
	CHECK(!ioctl(fd, CPUPROBE_IOC_AREAS, &good));
	close(fd);
}

/* Areas come and go under a running sampler; every account adds up by object and by slot. */
static void areas_while_sampling(int exe)
{
	static __u64 counts[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];
	struct cpuprobe_area area = { .start = 0x1000, .end = ~0ULL, .pid = getpid(),
				      .object = CPUPROBE_OBJECT_FIRST + 3 };
	struct cpuprobe_areas request = good_areas(&area, 1);
	struct cpuprobe_harvest harvest = REQUEST(harvest, .buffer = (unsigned long)counts,
		.buffer_len = sizeof(counts));
	struct cpuprobe_start start = good_process(exe);
	unsigned long long total = 0;
	int fd = device(), round;

	start.period_ns = 200000;
	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start));
	for (round = 0; round < 200; round++) {
		request.nr_areas = round % 3 != 0;
		request.flags = round % 2 ? CPUPROBE_AREAS_EXACT : 0;
		CHECK(!ioctl(fd, CPUPROBE_IOC_AREAS, &request));
		if (round % 10)
			continue;
		CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest));
		CHECK(!(harvest.account.flags & CPUPROBE_ACCOUNT_DAMAGED));
		CHECK(!harvest.account.entries ||
		      harvest.account.objects >= CPUPROBE_OBJECT_FIRST);
		harvest.ack = harvest.account.seq;
		total += harvest.account.taken;
	}
	CHECK(total > 0);
	harvest.buffer_len--;
	CHECK(ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest) == -1 && errno == EINVAL);
	close(fd);
}

static void info(void)
{
	struct cpuprobe_info info = { .size = sizeof(info) };
	int fd = device();

	CHECK(!ioctl(fd, CPUPROBE_IOC_INFO, &info));
	CHECK(info.version == CPUPROBE_ABI_VERSION && info.size == sizeof(info) &&
	      info.access == 2);
	CHECK(info.bytes_per_cpu <= 32768 && info.cost_ns > 0);
	/* A shorter struct is filled as far as it goes. */
	memset(&info, 0, sizeof(info));
	info.size = 8;
	CHECK(!ioctl(fd, CPUPROBE_IOC_INFO, &info));
	CHECK(info.version == CPUPROBE_ABI_VERSION && !info.access && !info.cost_ns);
	close(fd);
}

int main(void)
{
	int exe = open("/proc/self/exe", O_RDONLY);

	info();
	start_fields(exe);
	order_of_calls();
	areas_fields();
	areas_while_sampling(exe);
	return nr_wrong ? 1 : 0;
}
