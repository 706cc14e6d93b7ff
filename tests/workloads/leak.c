// SPDX-License-Identifier: GPL-2.0-only
/*
 * leak PROGRAM: runs sessions of all kinds after the module pattern.ko has filled free memory, with
 * a cpuprobe.ko whose local variables the compiler has filled, and searches everything that the
 * module returns for both patterns: accepted calls and refused ones, complete copies and copies cut
 * short by a hole. Prints each pattern found and the number of bytes written. PROGRAM, which must
 * be running, is the target of process sessions.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "device.h"
#include "machine.h"
#include "page.h"

#define PATTERN		0xc3a5f1969b87d2e4ULL	/* pattern of pattern.ko */
#define STACK		0xfe			/* byte of -ftrivial-auto-var-init=pattern */
#define HEAP		"/sys/module/pattern/parameters/heap"
#define BLANK		0x5b			/* byte in our buffers before the module writes */
#define BUFFER_BYTES	65536UL	/* more than any harvest; an inaccessible page follows */
#define PART_BYTES	4096
#define LEAST_DIRTY	50	/* minimum percent of new memory with the pattern */
#define FILLS_MAX	50
#define SAMPLING_US	30000

static unsigned char *buffer;
static unsigned long long nr_written;
static int nr_wrong;

static void need(int is_good, const char *what)
{
	if (is_good)
		return;
	printf("leak: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void fill(void)
{
	int fd = open(HEAP, O_WRONLY);

	need(fd >= 0 && write(fd, "1", 1) == 1, "write " HEAP);
	close(fd);
}

/* The percentage of new memory that has the pattern. */
static int fill_and_look(void)
{
	int percent = -1;
	FILE *file;

	fill();
	file = fopen(HEAP, "r");
	need(file && fscanf(file, "%d", &percent) == 1, "read how much memory is filled");
	fclose(file);
	return percent;
}

/*
 * Without init_on_alloc=0 the kernel clears all memory, and the test could find nothing. With it the kernel may still
 * hand out other memory first, about once in ten boots: that is filled by the next attempt.
 */
static void check_rig(void)
{
	int percent = 0, nr = 0;

	while (percent < LEAST_DIRTY && nr++ < FILLS_MAX)
		percent = fill_and_look();
	if (percent < LEAST_DIRTY) {
		printf("leak: only %d%% of new memory has the pattern\n", percent);
		exit(2);
	}
	if (nr > 1)
		printf("memory was filled %d times\n", nr);
}

/* Finds four consecutive bytes of a pattern, at any offset. All bytes of PATTERN differ. */
static int is_pattern(const unsigned char *bytes)
{
	static unsigned char next[256];	/* successor of a byte in PATTERN; 0: not in it */

	if (!next[PATTERN & 0xff])
		for (int i = 0; i < 8; i++)
			next[PATTERN >> 8 * i & 0xff] = PATTERN >> 8 * ((i + 1) % 8) & 0xff;
	if (bytes[0] == STACK && bytes[1] == STACK && bytes[2] == STACK && bytes[3] == STACK)
		return 1;
	for (int i = 0; i < 3; i++)
		if (!next[bytes[i]] || next[bytes[i]] != bytes[i + 1])
			return 0;
	return 1;
}

static void look(const void *memory, size_t len, const char *what)
{
	const unsigned char *bytes = memory;

	for (size_t i = 0; i < len; i++) {
		nr_written += bytes[i] != BLANK;
		if (i + 4 <= len && is_pattern(bytes + i)) {
			printf("%s: a pattern at byte %zu\n", what, i);
			nr_wrong++;
			return;
		}
	}
}

/* Makes a call, and searches its argument and some room after it. */
static int call(int fd, unsigned long command, void *argument, size_t len, const char *what)
{
	unsigned char room[512];
	int result;

	memset(room, BLANK, sizeof(room));
	memcpy(room, argument, len);
	result = ioctl(fd, command, room) ? -errno : 0;
	look(room, sizeof(room), what);
	memcpy(argument, room, len);
	for (size_t i = len; i < sizeof(room); i++)
		if (room[i] != BLANK) {
			printf("%s: written after the argument\n", what);
			nr_wrong++;
			break;
		}
	return result;
}

static int device(void)
{
	int fd;

	fill();
	fd = open("/dev/cpuprobe", O_RDWR);
	need(fd >= 0, "open");
	return fd;
}

/* INFO with every length must not touch the bytes after it. */
static void info(void)
{
	int fd = device();

	for (unsigned int size = 0; size <= sizeof(struct cpuprobe_info) + 8; size += 4) {
		struct cpuprobe_info info;

		memset(&info, BLANK, sizeof(info));
		info.size = size;
		need(!call(fd, CPUPROBE_IOC_INFO, &info, sizeof(info), "INFO"), "INFO");
	}
	close(fd);
}

struct kind {
	const char *name;
	unsigned int what, by, mode;
};

static const struct kind kinds[] = {
	{ "by exe", CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_EXE, 0 },
	{ "by pid", CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_PID, 0 },
	{ "by thread", CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_THREAD, 0 },
	{ "by comm", CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_COMM, 0 },
	{ "by cgroup", CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_CGROUP, 0 },
	{ "user addresses", CPUPROBE_WHAT_PROCESS, 0, CPUPROBE_MODE_USER },
	{ "kernel addresses", CPUPROBE_WHAT_PROCESS, 0, CPUPROBE_MODE_KERNEL },
	{ "lateness", CPUPROBE_WHAT_LATE, 0, 0 },
	{ "stacks", CPUPROBE_WHAT_STACKS, 0, 0 },
};

static struct cpuprobe_start start_of(const struct kind *kind, const char *program)
{
	struct cpuprobe_start start = START(.what = kind->what, .by = kind->by, .mode = kind->mode,
		.period_ns = 500000, .deferred_ns = 1000);

	if (kind->what == CPUPROBE_WHAT_STACKS) {
		start.frames = CPUPROBE_FRAMES_USER | CPUPROBE_FRAMES_KERNEL;
		start.stack_kib = CPUPROBE_STACK_KIB_MIN;
	}
	if (kind->what != CPUPROBE_WHAT_PROCESS)
		return start;
	start.exe_fd = open(program, O_RDONLY);
	need(start.exe_fd >= 0, program);
	start.high = kind->mode == CPUPROBE_MODE_KERNEL ? ~0ULL : 0x100000;
	start.low = kind->mode == CPUPROBE_MODE_KERNEL ? 1ULL << 63 : 0x1000;
	start.code_start = kind->mode == CPUPROBE_MODE_KERNEL ? 0 : 0x1000;
	return start;
}

/* After a name's NUL comes the name of its directory, or zeros. */
static void look_at_names(const struct cpuprobe_record *record, unsigned int nr, const char *what)
{
	for (unsigned int i = 0; i < nr; i++) {
		const char *name = record[i].name;
		size_t len = strnlen(name, sizeof(record[i].name)) + 1;

		if (len < sizeof(record[i].name))
			len += strnlen(name + len, sizeof(record[i].name) - len);
		while (len < sizeof(record[i].name) && !name[len])
			len++;
		if (len >= sizeof(record[i].name) && !record[i].reserved)
			continue;
		printf("%s: bytes after the name %s\n", what, name);
		nr_wrong++;
	}
}

/* After a stack's name come zeros; each executable of the stacks can be opened. */
static void look_at_stacks(int fd, unsigned int cpu, const struct cpuprobe_account *account,
			   const unsigned char *entries)
{
	struct cpuprobe_open request = REQUEST(open, .cpu = cpu, .seq = account->seq);
	const struct cpuprobe_stack *stack;
	int exe;

	for (; request.exe < account->objects; request.exe++) {
		exe = ioctl(fd, CPUPROBE_IOC_EXE, &request);
		need(exe >= 0, "EXE");
		close(exe);
	}
	for_each_stack(stack, entries, account) {
		size_t len = strnlen(stack->comm, sizeof(stack->comm));

		while (len < sizeof(stack->comm) && !stack->comm[len])
			len++;
		if (len < sizeof(stack->comm)) {
			printf("stacks: bytes after the name %.16s\n", stack->comm);
			nr_wrong++;
		}
		if (stack->nr_sure > stack->nr_user) {
			printf("stacks: %u frames by tables of %u\n", stack->nr_sure, stack->nr_user);
			nr_wrong++;
		}
	}
}

/* Copies one CPU's account into the last @room bytes before the hole. */
static int harvest(int fd, const struct kind *kind, unsigned int cpu, size_t room, __u64 *ack)
{
	unsigned char *entries = buffer + BUFFER_BYTES - room;
	struct cpuprobe_harvest request = REQUEST(harvest, .cpu = cpu,
		.buffer = (unsigned long)entries, .buffer_len = BUFFER_BYTES, .ack = *ack);
	int result;

	memset(buffer, BLANK, BUFFER_BYTES);
	result = call(fd, CPUPROBE_IOC_HARVEST, &request, sizeof(request), kind->name);
	look(buffer, BUFFER_BYTES, kind->name);
	/* An account that is already acknowledged comes without its entries. */
	if (!result && kind->what == CPUPROBE_WHAT_SYSTEM && request.account.seq != *ack)
		look_at_names((void *)entries, request.account.entries, kind->name);
	if (!result && kind->what == CPUPROBE_WHAT_STACKS && request.account.seq != *ack)
		look_at_stacks(fd, cpu, &request.account, entries);
	if (!result)
		*ack = request.account.seq;
	return result;
}

static void areas(int fd, const struct kind *kind)
{
	struct cpuprobe_area area = { .start = 0x1000, .end = 0x2000, .pid = 1,
				      .object = CPUPROBE_OBJECTS - 1 };
	struct cpuprobe_areas request = REQUEST(areas, .nr_areas = 1, .areas = (unsigned long)&area);

	need(!call(fd, CPUPROBE_IOC_AREAS, &request, sizeof(request), kind->name), "AREAS");
	request.nr_areas = 2000;	/* most of them in the hole */
	request.areas = (unsigned long)buffer + BUFFER_BYTES - PART_BYTES;
	call(fd, CPUPROBE_IOC_AREAS, &request, sizeof(request), kind->name);
}

static void session(const struct kind *kind, const char *program, int nr_cpus)
{
	struct cpuprobe_start start = start_of(kind, program);
	__u64 ack[64] = { 0 };
	int fd = device();

	need(!call(fd, CPUPROBE_IOC_START, &start, sizeof(start), kind->name), "START");
	if (kind->what == CPUPROBE_WHAT_PROCESS)
		areas(fd, kind);
	for (int round = 0; round < 3; round++) {
		usleep(SAMPLING_US);
		if (round == 2)
			need(!call(fd, CPUPROBE_IOC_STOP, &start, sizeof(start), "STOP"), "STOP");
		for (int cpu = 0; cpu < nr_cpus; cpu++) {
			harvest(fd, kind, cpu, 32, &ack[cpu]);
			harvest(fd, kind, cpu, PART_BYTES, &ack[cpu]);
			need(!harvest(fd, kind, cpu, BUFFER_BYTES, &ack[cpu]), "HARVEST");
		}
	}
	close(fd);
	close(start.exe_fd);
}

static void refused(void)
{
	struct cpuprobe_start start = start_of(&kinds[0], NULL), other = start;
	int holder = device(), fd = device();

	need(!call(holder, CPUPROBE_IOC_START, &start, sizeof(start), "holder"), "START");
	other.period_ns = CPUPROBE_PERIOD_MIN_NS;
	need(call(fd, CPUPROBE_IOC_START, &other, sizeof(other), "refused") == -EBUSY &&
	     other.holder_pid, "a START refused for its rate");
	other.period_ns = 1;
	need(call(fd, CPUPROBE_IOC_START, &other, sizeof(other), "refused") == -EINVAL,
	     "a START refused for its period");
	other = start_of(&kinds[0], NULL);
	other.pid = 1;
	other.what = CPUPROBE_WHAT_PROCESS;
	other.mode = CPUPROBE_MODE_USER;
	need(call(fd, CPUPROBE_IOC_START, &other, sizeof(other), "refused") == -EBADF,
	     "a START refused for its target");
	close(holder);
	close(fd);
}

int main(int argc, char **argv)
{
	int nr_cpus = sysconf(_SC_NPROCESSORS_CONF);

	need(argc == 2, "usage: leak PROGRAM (a running one)");
	/* Memory freed on a CPU is allocated there again. */
	need(!stay_on(0), "stay on CPU 0");
	setpriority(PRIO_PROCESS, 0, -20);
	buffer = mmap(NULL, BUFFER_BYTES + page_bytes, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	need(buffer != MAP_FAILED && !mprotect(buffer + BUFFER_BYTES, page_bytes, PROT_NONE),
	     "memory with a hole");
	check_rig();
	info();
	refused();
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		session(&kinds[i], argv[1], nr_cpus);
	printf("%llu bytes written, %d leaks\n", nr_written, nr_wrong);
	return nr_wrong || nr_written < 20000;
}
