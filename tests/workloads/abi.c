// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi: tries every rule of abi_rules.h at its limits, calls out of order, and a harvest whose copy
 * fails. Prints each failure and exits 1, or prints nothing and exits 0.
 */
#include <poll.h>
#include <sys/mman.h>

#include "abi.h"

#define FEW 5	/* first values of a range to try; flags and enumerations have no more */

/*
 * START with another value in a field must fail if the rules reject the value, else succeed.
 * @fd: a session for the failing calls. @is_wrong_only: do not try valid values
 */
static void try_value(int fd, const struct cpuprobe_start *right, const struct rule *rule,
		      __u64 value, bool is_wrong_only)
{
	struct cpuprobe_start start = *right;
	int nr_before = nr_wrong;
	unsigned int wrong;

	memcpy((char *)&start + rule->at, &value, rule->len);
	/* The value may select another kind of session, which is tried by itself. */
	if (start_kind(&start) & ~(start_kind(right) | IN_UNKNOWN))
		return;
	wrong = wrong_start(&start);
	if (wrong)
		refuses(fd, start, EINVAL, wrong, __LINE__);
	else if (!is_wrong_only)
		takes(start, __LINE__);
	if (nr_wrong != nr_before)
		printf("with %s = %#llx, what = %u, mode = %u\n", rule->field, value, start.what,
		       start.mode);
}

static void try_field(const struct cpuprobe_start *right, const struct rule *rule)
{
	bool is_wrong_only = rule->is_name || !(rule->kinds & start_kind(right));
	int fd = device(), i;

	for (i = 0; i < ODD_VALUES; i++)
		try_value(fd, right, rule, odd_value(rule, i), true);
	for (i = 0; i < FEW; i++)
		try_value(fd, right, rule, rule->least + i, is_wrong_only);
	try_value(fd, right, rule, rule->most, is_wrong_only);
	still_starts(fd, __LINE__);
}

static void start_fields(int exe)
{
	const struct cpuprobe_start system = good_start(), process = good_process(exe),
		kernel = good_kernel(exe), late = good_late(), stacks = good_stacks(),
		*const right[] = { &system, &process, &kernel, &late, &stacks };
	struct cpuprobe_start poisson = WITH(system, jitter, CPUPROBE_JITTER_POISSON);
	unsigned int kind, field;

	for (kind = 0; kind < NR(right); kind++)
		for (field = 0; field < NR(start_rules); field++)
			try_field(right[kind], &start_rules[field]);
	REFUSES(poisson, flags, CPUPROBE_START_IDLE_SLEEP, EINVAL);
	/* These values are valid in another kind of session only. */
	REFUSES(system, exe_fd, exe, EINVAL);
	REFUSES(late, exe_fd, exe, EINVAL);
	REFUSES(system, stack_kib, CPUPROBE_STACK_KIB, EINVAL);
	REFUSES(process, mode, CPUPROBE_MODE_KERNEL, EINVAL);
}

static void start_names(int exe)
{
	struct cpuprobe_start system = good_start(), process = good_process(exe);
	static unsigned char mask[8193];
	int notexe = open("/proc", O_RDONLY), fd = device();

	system.cpus = (unsigned long)mask;
	refuses(fd, WITH(system, cpus_len, 8), EINVAL, REASON(CPUS), __LINE__);	/* no CPU in it */
	still_starts(fd, __LINE__);
	REFUSES(system, cpus_len, 8193, EINVAL);
	system.cpus_len = 8;
	REFUSES(system, cpus, 8, EFAULT);
	REFUSES(process, exe_fd, -1, EBADF);
	REFUSES(process, exe_fd, 999, EBADF);
	REFUSES(process, exe_fd, notexe, EBADF);
	REFUSES(process, pid, 4000000, ESRCH);
	REFUSES(process, pid, ~0u, ESRCH);
	close(notexe);
}

/* A failed copy loses nothing; an unacknowledged account is returned again, byte for byte. */
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
	two.ack = 12345;		/* no such account: nothing is acknowledged */
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
	const struct cpuprobe_harvest right = good_harvest(records);
	struct cpuprobe_harvest harvest = right;

	/* HARVEST_DUE does not swap banks while the table is far from full. */
	harvest.flags = CPUPROBE_HARVEST_DUE;
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest) && !harvest.account.seq);
	wrong_heads(fd, COMMAND(HARVEST), &right, __LINE__);
	wrong_values(fd, COMMAND(HARVEST), &right, __LINE__);
	harvest = right;
	harvest.cpu = 4000000000u;
	fails(fd, COMMAND(HARVEST), &harvest, ENODEV, __LINE__);
	harvest = right;
	harvest.buffer_len--;
	fails(fd, COMMAND(HARVEST), &harvest, EINVAL, __LINE__);
	FAILS(ioctl(fd, CPUPROBE_IOC_HARVEST, (void *)8), EFAULT);
}

/* Valid calls that the session's state forbids. */
static void forbidden_calls(int fd, enum session_state state, const struct cpuprobe_start *start,
			    int line)
{
	static struct cpuprobe_record records[CPUPROBE_RECORDS];
	const struct cpuprobe_harvest harvest = good_harvest(records);
	const struct cpuprobe_open exe = REQUEST(open);
	const void *const right[NR(commands)] = {
		[_IOC_NR(CPUPROBE_IOC_START)] = start, [_IOC_NR(CPUPROBE_IOC_STOP)] = start,
		[_IOC_NR(CPUPROBE_IOC_HARVEST)] = &harvest, [_IOC_NR(CPUPROBE_IOC_EXE)] = &exe,
	};
	unsigned int i;

	for (i = 0; i < NR(commands); i++)
		if (commands[i].error[state])
			fails(fd, &commands[i], right[i], commands[i].error[state], line);
}

static void order_of_calls(void)
{
	static struct cpuprobe_record records[CPUPROBE_RECORDS];
	struct cpuprobe_harvest harvest = good_harvest(records);
	struct cpuprobe_start start = good_start();
	struct pollfd poll_fd = { .fd = device(), .events = POLLIN };
	int fd = poll_fd.fd;

	forbidden_calls(fd, SESSION_NEW, &start, __LINE__);
	FAILS(ioctl(fd, _IO(CPUPROBE_IOC_MAGIC, 99)), ENOTTY);
	CHECK(poll(&poll_fd, 1, 0) == 0);
	wrong_heads(fd, COMMAND(START), &start, __LINE__);
	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start) && start.seed);
	forbidden_calls(fd, SESSION_RUNNING, &start, __LINE__);
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
	forbidden_calls(fd, SESSION_STOPPED, &start, __LINE__);
	close(fd);
}

static void areas_fields(void)
{
	static struct cpuprobe_area many[CPUPROBE_AREAS_MAX + 1];
	struct cpuprobe_areas good = good_areas(many, CPUPROBE_AREAS_MAX);
	int fd = device(), i;

	for (i = 0; i <= CPUPROBE_AREAS_MAX; i++)
		many[i] = (struct cpuprobe_area){ .start = i * 16, .end = i * 16 + 16, .pid = 1,
						  .object = CPUPROBE_OBJECTS - 1 };
	wrong_heads(fd, COMMAND(AREAS), &good, __LINE__);
	wrong_values(fd, COMMAND(AREAS), &good, __LINE__);
	good.areas = 8;
	fails(fd, COMMAND(AREAS), &good, EFAULT, __LINE__);
	try_areas(fd, many, CPUPROBE_AREAS_MAX, __LINE__);
	many[5].object = CPUPROBE_OBJECTS;
	try_areas(fd, many, CPUPROBE_AREAS_MAX, __LINE__);
	many[5].object = CPUPROBE_OBJECT_KERNEL;
	try_areas(fd, many, CPUPROBE_AREAS_MAX, __LINE__);
	many[5].object = 0;
	many[5].end++;
	try_areas(fd, many, CPUPROBE_AREAS_MAX, __LINE__);
	many[5].end -= 17;
	try_areas(fd, many, CPUPROBE_AREAS_MAX, __LINE__);
	good.nr_areas = 0;
	good.areas = 0;
	CHECK(!ioctl(fd, CPUPROBE_IOC_AREAS, &good));
	close(fd);
}

/* Areas are replaced while sampling runs; every account must be valid. */
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
	/* A shorter struct is filled up to its size. */
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
	start_names(exe);
	order_of_calls();
	areas_fields();
	areas_while_sampling(exe);
	return nr_wrong ? 1 : 0;
}
