// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface for counting calls: every field at its limits, calls out of order, and counts that
 * are known: getppid() called a known number of times. Prints each broken promise; exits with 1 then.
 * Needs full access, and nobody else who calls getppid().
 */
#include <sys/wait.h>

#include "hooks.h"
#include "syscall_function.h"

#define ARCS		4096
#define CALLS		5000

static int calls_refused(struct cpuprobe_calls *request)
{
	int fd = open_device(), error = call(fd, CPUPROBE_IOC_CALLS, request);

	close(fd);
	return error;
}

static struct cpuprobe_function getppid_function;

static struct cpuprobe_calls request_of_getppid(void)
{
	return REQUEST(calls, .functions = (unsigned long)&getppid_function, .nr_functions = 1,
		       .exe_fd = -1, .cgroup_fd = -1);
}

static void check_field(const char *what, struct cpuprobe_calls request, int error, __u32 reason)
{
	is(what, calls_refused(&request), error);
	is("its reason", request.reason, reason);
}

#define REFUSED(field, value, error, why) do { \
	struct cpuprobe_calls request = request_of_getppid(); \
	request.field = value; \
	check_field(#field " = " #value, request, error, CPUPROBE_REASON_##why); \
} while (0)

static void check_fields(void)
{
	REFUSED(version, CPUPROBE_ABI_VERSION + 1, EPROTO, NONE);
	REFUSED(size, sizeof(struct cpuprobe_calls) - 1, EPROTO, NONE);
	REFUSED(nr_functions, 0, EINVAL, FIELD);
	REFUSED(nr_functions, CPUPROBE_FUNCTIONS_MAX + 1, EINVAL, FIELD);
	REFUSED(flags, 32, EINVAL, FIELD);
	REFUSED(flags, CPUPROBE_CALLS_PATHS, EINVAL, FIELD);
	REFUSED(flags, CPUPROBE_CALLS_PROCESSES, EINVAL, FIELD);
	REFUSED(flags, CPUPROBE_CALLS_SYSCALLS, EINVAL, FIELD);
	REFUSED(flags, CPUPROBE_CALLS_EACH | CPUPROBE_CALLS_SYSCALLS, EINVAL, FIELD);
	REFUSED(reserved, 1, EINVAL, FIELD);
	REFUSED(table_kib, CPUPROBE_CALLS_KIB_MIN - 1, EINVAL, FIELD);
	REFUSED(table_kib, CPUPROBE_CALLS_KIB_MAX + 1, EINVAL, FIELD);
	REFUSED(exe_fd, -2, EINVAL, FIELD);
	REFUSED(exe_fd, 999, EBADF, TARGET);
	REFUSED(cgroup_fd, -2, EINVAL, FIELD);
	REFUSED(cgroup_fd, 999, EBADF, TARGET);
	REFUSED(pid, 0x7ffffff0, ESRCH, TARGET);
	REFUSED(budget_ppm, ~0u, EBUSY, OVERHEAD);
	REFUSED(functions, 8, EFAULT, NONE);
	getppid_function.reserved = 1;
	REFUSED(pid, 0, EINVAL, FIELD);
	getppid_function.reserved = 0;
	getppid_function.address += 16;	/* in the middle of the function */
	REFUSED(pid, 0, EINVAL, FUNCTIONS);
	is("state of a function", getppid_function.state, CPUPROBE_FUNCTION_UNKNOWN);
	getppid_function.address -= 16;
}

static void check_order(void)
{
	struct cpuprobe_calls request = request_of_getppid();
	struct cpuprobe_start start = START(.what = CPUPROBE_WHAT_SYSTEM, .period_ns = 1000000);
	struct cpuprobe_counts counts = REQUEST(counts, .cpu = 0);
	struct cpuprobe_harvest harvest = REQUEST(harvest, .cpu = 0);
	int fd = open_device();

	is("COUNTS before CALLS", call(fd, CPUPROBE_IOC_COUNTS, &counts), EINVAL);
	is("CALLS", call(fd, CPUPROBE_IOC_CALLS, &request), 0);
	is("CALLS again", call(fd, CPUPROBE_IOC_CALLS, &request), EBUSY);
	is("START after CALLS", call(fd, CPUPROBE_IOC_START, &start), EBUSY);
	is("HARVEST of calls", call(fd, CPUPROBE_IOC_HARVEST, &harvest), EINVAL);
	counts.version++;
	is("COUNTS of another version", call(fd, CPUPROBE_IOC_COUNTS, &counts), EPROTO);
	counts.version--;
	counts.cpu = 1 << 20;
	is("COUNTS of no CPU", call(fd, CPUPROBE_IOC_COUNTS, &counts), ENODEV);
	is("STOP", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	is("STOP again", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	close(fd);
	fd = open_device();
	is("START", call(fd, CPUPROBE_IOC_START, &start), 0);
	is("CALLS after START", call(fd, CPUPROBE_IOC_CALLS, &request), EBUSY);
	is("COUNTS of samples", call(fd, CPUPROBE_IOC_COUNTS, &counts), EINVAL);
	close(fd);
}

/* A session whose CALLS was refused can still sample, and claims no more than its samples. */
static void check_after_refusal(void)
{
	struct cpuprobe_calls request = request_of_getppid();
	struct cpuprobe_start start = START(.what = CPUPROBE_WHAT_SYSTEM, .period_ns = 1000000);
	struct cpuprobe_info before = { .size = sizeof(before) }, after = before;
	int fd = open_device(), other = open_device();

	request.budget_ppm = 10000;
	getppid_function.address += 16;
	is("CALLS of no function", call(fd, CPUPROBE_IOC_CALLS, &request), EINVAL);
	getppid_function.address -= 16;
	is("START", call(other, CPUPROBE_IOC_START, &start), 0);
	is("INFO", call(other, CPUPROBE_IOC_INFO, &before), 0);
	is("START after CALLS was refused", call(fd, CPUPROBE_IOC_START, &start), 0);
	is("INFO", call(fd, CPUPROBE_IOC_INFO, &after), 0);
	is("overhead in use", after.overhead_used_ppm, 2 * before.overhead_used_ppm);
	close(fd);
	close(other);
}

struct sums {
	__u64 calls[CPUPROBE_CONTEXTS], lost, others, arcs;
	__u32 flags;
};

/* Sums over all CPUs; checks that each arc is one of getppid(). */
static struct sums sum_counts(int fd)
{
	static struct cpuprobe_arc arc[ARCS];
	struct sums sums = { .arcs = 0 };
	int cpu, nr = sysconf(_SC_NPROCESSORS_CONF), context;
	__u32 i;

	for (cpu = 0; cpu < nr; cpu++) {
		struct cpuprobe_counts counts = REQUEST(counts, .cpu = cpu,
			.buffer = (unsigned long)arc, .buffer_len = sizeof(arc));

		is("COUNTS", call(fd, CPUPROBE_IOC_COUNTS, &counts), 0);
		for (i = 0; i < counts.nr_arcs; i++) {
			is("an arc's function is getppid()",
			   arc[i].function - getppid_function.address < 8, 1);
			is("an arc's caller is in the kernel", arc[i].caller >> 63, 1);
			for (context = 0; context < CPUPROBE_CONTEXTS; context++)
				sums.calls[context] += arc[i].calls[context];
		}
		sums.arcs += counts.nr_arcs;
		sums.lost += counts.lost;
		sums.others += counts.others;
		sums.flags |= counts.flags;
	}
	return sums;
}

/* Counts calls of this process or of all. */
static void check_counts(__u32 pid)
{
	struct cpuprobe_calls request = request_of_getppid();
	struct sums sums;
	int fd = open_device();
	pid_t child;

	request.pid = pid;
	is("CALLS", call(fd, CPUPROBE_IOC_CALLS, &request), 0);
	is("hooked", request.nr_hooked, 1);
	is("a cost", request.cost_ps > 0, 1);
	is("a budget", request.budget_ppm > 0, 1);
	call_getppid(CALLS);
	child = fork();
	if (!child) {
		call_getppid(7);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	sums = sum_counts(fd);
	is("calls in processes", sums.calls[CPUPROBE_CONTEXT_PROCESS], CALLS + (pid ? 0 : 7));
	is("calls in interrupts", sums.calls[CPUPROBE_CONTEXT_IRQ] + sums.calls[1], 0);
	is("calls lost", sums.lost, 0);
	is("calls by others", sums.others, pid ? 7 : 0);
	is("ended", sums.flags, 0);
	is("STOP", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	call_getppid(3);
	sums = sum_counts(fd);
	is("calls after STOP", sums.calls[CPUPROBE_CONTEXT_PROCESS], CALLS + (pid ? 0 : 7));
	is("flags after STOP", sums.flags, CPUPROBE_COUNTS_ENDED);
	close(fd);
}

/* Two sessions on one function: each has its own counts. */
static void check_two(void)
{
	struct cpuprobe_calls request = request_of_getppid();
	int a = open_device(), b = open_device();

	request.budget_ppm = 1000;
	is("CALLS, first", call(a, CPUPROBE_IOC_CALLS, &request), 0);
	call_getppid(10);
	is("CALLS, second", call(b, CPUPROBE_IOC_CALLS, &request), 0);
	call_getppid(20);
	is("calls, second", sum_counts(b).calls[0], 20);
	close(b);
	call_getppid(5);
	is("calls, first", sum_counts(a).calls[0], 35);
	close(a);
}

static void check_buffer(void)
{
	struct cpuprobe_calls request = request_of_getppid();
	struct cpuprobe_counts counts = REQUEST(counts, .cpu = 0);
	int fd = open_device(), cpu, nr = sysconf(_SC_NPROCESSORS_CONF), short_ones = 0;

	is("CALLS", call(fd, CPUPROBE_IOC_CALLS, &request), 0);
	call_getppid(1);
	for (cpu = 0; cpu < nr; cpu++) {
		counts.cpu = cpu;
		counts.buffer = 0;
		is("COUNTS without arcs", call(fd, CPUPROBE_IOC_COUNTS, &counts), 0);
		is("arcs not copied", counts.nr_arcs, 0);
		counts.buffer = 8;
		counts.buffer_len = sizeof(struct cpuprobe_arc) - 1;
		if (call(fd, CPUPROBE_IOC_COUNTS, &counts) == ENOSPC)
			short_ones += counts.nr_arcs;
		counts.buffer_len = sizeof(struct cpuprobe_arc);
		if (counts.nr_arcs)
			is("COUNTS to no memory", call(fd, CPUPROBE_IOC_COUNTS, &counts), EFAULT);
	}
	is("arcs without room", short_ones, 1);
	is("calls, still", sum_counts(fd).calls[0], 1);
	close(fd);
}

/* A budget of a millionth of a CPU allows a few dozen calls; counting ends, the counts stay. */
static void check_budget(void)
{
	struct cpuprobe_calls request = request_of_getppid();
	int fd = open_device();
	struct sums before, after;

	request.budget_ppm = 1;
	is("CALLS", call(fd, CPUPROBE_IOC_CALLS, &request), 0);
	call_getppid(200000);
	before = sum_counts(fd);
	is("over the budget", before.flags, CPUPROBE_COUNTS_ENDED | CPUPROBE_COUNTS_OVER);
	is("calls were counted", before.calls[0] > 0 && before.calls[0] < 200000, 1);
	call_getppid(100);
	after = sum_counts(fd);
	is("calls after the end", after.calls[0], before.calls[0]);
	close(fd);
}

/* Calls that cost less than a small budget go on, although together they cost more than a second's. */
static void check_small_budget(void)
{
	struct cpuprobe_calls request = request_of_getppid();
	int fd = open_device(), i, nr;

	request.budget_ppm = 500;
	is("CALLS", call(fd, CPUPROBE_IOC_CALLS, &request), 0);
	/* In each tenth of a second half of the budget, for five seconds. */
	nr = 500000000 / 20 / request.cost_ps;
	for (i = 0; i < 50; i++) {
		call_getppid(nr);
		usleep(100000);
	}
	is("flags within the budget", sum_counts(fd).flags, 0);
	is("calls within the budget", sum_counts(fd).calls[0], 50 * nr);
	close(fd);
}

/* The other way round: what a refused START has asked for is not claimed by CALLS. */
static void check_after_start(void)
{
	struct cpuprobe_calls request = request_of_getppid();
	struct cpuprobe_start start = START(.what = CPUPROBE_WHAT_SYSTEM, .period_ns = CPUPROBE_PERIOD_MIN_NS);
	struct cpuprobe_info before = { .size = sizeof(before) }, after = before;
	int fd[64], nr = 0, error;

	do {
		fd[nr] = open_device();
		error = call(fd[nr++], CPUPROBE_IOC_START, &start);
	} while (!error && nr < 64);
	is("START beyond the limits", error, EBUSY);
	is("their reason", start.reason == CPUPROBE_REASON_RATE || start.reason == CPUPROBE_REASON_OVERHEAD, 1);
	/* One leaves, so that CALLS has room. */
	close(fd[0]);
	is("INFO", call(fd[nr - 1], CPUPROBE_IOC_INFO, &before), 0);
	request.budget_ppm = 1;
	is("CALLS after START was refused", call(fd[nr - 1], CPUPROBE_IOC_CALLS, &request), 0);
	is("INFO", call(fd[nr - 1], CPUPROBE_IOC_INFO, &after), 0);
	is("claim of CALLS", after.overhead_used_ppm - before.overhead_used_ppm, 1);
	while (--nr)
		close(fd[nr]);
}

int main(void)
{
	getppid_function.address = address_of(SYSCALL_FUNCTION("getppid"));
	if (!getppid_function.address) {
		printf("no address of getppid()\n");
		return 1;
	}
	check_fields();
	check_order();
	check_after_refusal();
	check_after_start();
	check_counts(0);
	check_counts(getpid());
	check_two();
	check_buffer();
	check_budget();
	check_small_budget();
	return nr_failed != 0;
}
