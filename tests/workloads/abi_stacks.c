// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_stacks: tests sessions of stacks through the bare interface: their targets, and the stack of
 * this very program, whose calls are known. The 32-bit build of it has no frame pointers. Prints
 * each failure and exits 1, or prints nothing and exits 0.
 */
#pragma GCC optimize("no-omit-frame-pointer")
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "abi.h"
#include "machine.h"

#define BUFFER_LEN (CPUPROBE_STACK_KIB * 512)

/* No rule of a field says this (see abi.c): the named target must exist. */
static void targets(void)
{
	struct cpuprobe_start stacks = good_stacks();

	TAKES(stacks, stack_kib, 8192);
	TAKES(stacks, pid, getpid());
	REFUSES(stacks, pid, 4000000, ESRCH);
	REFUSES(stacks, exe_fd, 999, EBADF);
	REFUSES(stacks, cgroup_fd, 999, EBADF);
	REFUSES(stacks, cgroup_fd, open("/", O_RDONLY), EBADF);
}

static volatile unsigned long turns;

/* Runs long enough for most samples to land here. */
static __attribute__((noinline, noclone)) void inner(unsigned int milliseconds)
{
	struct timespec now, begun;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	do {
		unsigned int i;

		for (i = 0; i < 100000; i++)
			turns++;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((unsigned long)((now.tv_sec - begun.tv_sec) * 1000 +
				 (now.tv_nsec - begun.tv_nsec) / 1000000) <
		 milliseconds);
}

static __attribute__((noinline, noclone)) void recursive(unsigned int depth,
							 unsigned int milliseconds)
{
	if (depth)
		recursive(depth - 1, milliseconds);
	else
		inner(milliseconds);
	turns++;
}

static bool is_in(const void *function, __u64 addr)
{
	return addr - (unsigned long)function < 0x100;
}

/* Checks for a stack of inner(), called by @depth + 1 calls of recursive(). */
static bool is_ours(const struct cpuprobe_stack *stack, unsigned int depth)
{
	unsigned int i;

	if (sizeof(long) == 4)
		return stack->nr_user == 1 && is_in(inner, stack->frame[stack->nr_kernel]) &&
			stack->flags == (CPUPROBE_STACK_32BIT | CPUPROBE_STACK_NO_FRAME_POINTER);
	if (stack->nr_user < depth + 2 || !is_in(inner, stack->frame[stack->nr_kernel]))
		return false;
	for (i = 1; i <= depth + 1; i++)
		if (!is_in(recursive, stack->frame[stack->nr_kernel + i]))
			return false;
	return stack->nr_user == depth + 2 ||
		!is_in(recursive, stack->frame[stack->nr_kernel + depth + 2]);
}

static char buffer[BUFFER_LEN] __attribute__((aligned(8)));

static struct cpuprobe_harvest harvest(int fd, __u32 cpu, __u64 ack)
{
	struct cpuprobe_harvest request = good_harvest(buffer);

	request.buffer_len = sizeof(buffer);
	request.cpu = cpu;
	request.ack = ack;
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &request));
	return request;
}

static bool is_this_program(int fd)
{
	struct stat a, b;

	return fd >= 0 && !fstat(fd, &a) && !stat("/proc/self/exe", &b) && a.st_ino == b.st_ino &&
		a.st_dev == b.st_dev;
}

/* A stack's executable can be opened until its account is acknowledged. */
static void exe(int fd, const struct cpuprobe_harvest *counts, __u32 number)
{
	struct cpuprobe_open request = REQUEST(open, .cpu = counts->cpu, .exe = number,
		.seq = counts->account.seq), bad;
	int opened = ioctl(fd, CPUPROBE_IOC_EXE, &request);

	CHECK(is_this_program(opened));
	CHECK(fcntl(opened, F_GETFD) == FD_CLOEXEC &&
	      (fcntl(opened, F_GETFL) & O_ACCMODE) == O_RDONLY);
	close(opened);
	wrong_heads(fd, COMMAND(EXE), &request, __LINE__);
	bad = request, bad.exe = counts->account.objects;
	fails(fd, COMMAND(EXE), &bad, EINVAL, __LINE__);
	bad.exe = ~0u;
	fails(fd, COMMAND(EXE), &bad, EINVAL, __LINE__);
	bad = request, bad.seq++;
	fails(fd, COMMAND(EXE), &bad, ESTALE, __LINE__);
	bad = request, bad.cpu = 8192;
	fails(fd, COMMAND(EXE), &bad, ENODEV, __LINE__);
	FAILS(ioctl(fd, CPUPROBE_IOC_EXE, NULL), EFAULT);
	/* Acknowledge a number not issued yet, then the right one, then the right one again. */
	harvest(fd, counts->cpu, counts->account.seq + 1);
	opened = ioctl(fd, CPUPROBE_IOC_EXE, &request);
	CHECK(is_this_program(opened));
	close(opened);
	harvest(fd, counts->cpu, counts->account.seq);
	fails(fd, COMMAND(EXE), &request, ESTALE, __LINE__);
	harvest(fd, counts->cpu, counts->account.seq);
	fails(fd, COMMAND(EXE), &request, ESTALE, __LINE__);
}

/** Samples of this program, by stack. */
struct found {
	__u64 ours;	/* samples with the expected stack */
	__u64 all;	/* samples in user code */
	__u32 exe;	/* number of the executable in the latest account; 0: not in it */
};

/* Kernel frames are in the upper half; the frame that entered the kernel is a user frame. */
static bool are_kernel_frames(const struct cpuprobe_stack *stack)
{
	unsigned int i;

	for (i = 0; i < stack->nr_kernel; i++)
		if (!(stack->frame[i] >> 63))
			return false;
	return true;
}

static void count(const struct cpuprobe_harvest *counts, unsigned int depth, struct found *found)
{
	const struct cpuprobe_account *account = &counts->account;
	__u64 sum = account->excluded + account->other_exe + account->other_task +
		lost_samples(account);
	const struct cpuprobe_stack *stack;
	__u32 nr = 0;

	found->exe = 0;
	for_each_stack(stack, buffer, account) {
		nr++;
		sum += stack->hits;
		CHECK(are_kernel_frames(stack));
		CHECK(stack->nr_user <= CPUPROBE_FRAMES_MAX &&
		      stack->nr_kernel <= CPUPROBE_FRAMES_MAX);
		CHECK(!!stack->nr_kernel == (stack->mode != CPUPROBE_MODE_USER) ||
		      stack->kind == CPUPROBE_KIND_IDLE);
		if (stack->pid == (__u32)getpid() && stack->mode == CPUPROBE_MODE_USER) {
			CHECK(stack->kind == CPUPROBE_KIND_PROCESS && stack->exe && stack->space);
			CHECK(!strncmp(stack->comm, "abi_stacks", 10));
			found->exe = stack->exe;
			found->all += stack->hits;
			found->ours += is_ours(stack, depth) ? stack->hits : 0;
		}
	}
	CHECK(nr == account->entries);
	CHECK(sum == account->taken);
}

static void own_stack(unsigned int depth)
{
	struct cpuprobe_start start = good_stacks();
	struct found found = { 0 };
	int fd = device();
	long cpu;

	start.period_ns = 2000000;
	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start));
	recursive(depth, 500);
	CHECK(!ioctl(fd, CPUPROBE_IOC_STOP));
	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		struct cpuprobe_harvest counts = harvest(fd, cpu, 0);

		count(&counts, depth, &found);
		if (found.exe)
			exe(fd, &counts, found.exe - 1);
	}
	if (depth + 2 < CPUPROBE_FRAMES_MAX &&
	    (found.ours * 10 < found.all * 9 || found.all < 20)) {
		printf("depth %u: %llu of %llu samples have the stack of this program\n", depth,
		       (unsigned long long)found.ours, (unsigned long long)found.all);
		CHECK(0);
	}
	close(fd);
}

/* Each bit of @way chooses one call, so that each value has a stack of its own. */
static void left(unsigned int depth, unsigned long way);
static void right(unsigned int depth, unsigned long way);

static __attribute__((noinline, noclone)) void turn(unsigned int depth, unsigned long way)
{
	unsigned int i;

	if (depth && way & 1)
		left(depth - 1, way >> 1);
	else if (depth)
		right(depth - 1, way >> 1);
	for (i = 0; i < 1000; i++)
		turns++;
}

static __attribute__((noinline, noclone)) void left(unsigned int depth, unsigned long way)
{
	turn(depth, way);
	turns++;
}

static __attribute__((noinline, noclone)) void right(unsigned int depth, unsigned long way)
{
	turn(depth, way);
	turns++;
}

/*
 * More stacks than the table has room for, and no harvest: poll() reports that a harvest is due,
 * lost samples are counted, and a harvest makes room again. A failed copy loses nothing. A program
 * without frame pointers has too few stacks to fill the table.
 */
static void too_many(void)
{
	struct cpuprobe_start start = good_stacks();
	struct cpuprobe_harvest into_hole, counts;
	struct pollfd poll_fd = { .fd = device(), .events = POLLIN };
	struct cpuprobe_open exe_of = REQUEST(open, .seq = 1);
	void *hole = mmap(NULL, BUFFER_LEN, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct found found = { 0 };
	unsigned long way;
	__u64 mask = 1;
	int opened;

	start.stack_kib = CPUPROBE_STACK_KIB_MIN;
	start.period_ns = 100000;
	start.pid = getpid();
	start.cpus = (unsigned long)&mask;
	start.cpus_len = sizeof(mask);
	CHECK(!ioctl(poll_fd.fd, CPUPROBE_IOC_START, &start));
	for (way = 0; way < 300000; way++)
		turn(15, way * 40503);
	CHECK(sizeof(long) == 4 || (poll(&poll_fd, 1, 0) == 1 && poll_fd.revents == POLLIN));
	into_hole = good_harvest(hole);
	into_hole.buffer_len = harvest_bytes(&start) - 1;
	fails(poll_fd.fd, COMMAND(HARVEST), &into_hole, EINVAL, __LINE__);
	into_hole.buffer_len++;
	fails(poll_fd.fd, COMMAND(HARVEST), &into_hole, EFAULT, __LINE__);
	opened = ioctl(poll_fd.fd, CPUPROBE_IOC_EXE, &exe_of);
	CHECK(is_this_program(opened));
	close(opened);
	counts = harvest(poll_fd.fd, 0, 0);
	count(&counts, 0, &found);
	CHECK(counts.account.seq == 1 && counts.account.objects == 1);
	CHECK(sizeof(long) == 4 || (counts.account.lost[CPUPROBE_MODE_USER] && found.all > 50));
	CHECK(counts.account.bytes <= harvest_bytes(&start));
	recursive(0, 50);
	found = (struct found){ 0 };
	counts = harvest(poll_fd.fd, 0, 1);
	count(&counts, 0, &found);
	CHECK(counts.account.seq == 2 && found.ours && !counts.account.lost[CPUPROBE_MODE_USER]);
	close(poll_fd.fd);
	munmap(hole, BUFFER_LEN);
}

int main(void)
{
	targets();
	own_stack(0);
	own_stack(5);
	own_stack(50);
	own_stack(100);
	CHECK(!stay_on(0));
	too_many();
	return nr_wrong != 0;
}
