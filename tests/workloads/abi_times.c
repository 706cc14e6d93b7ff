// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface for timing calls: calls, ends, blocked time and errors that are known. Prints each
 * broken promise; exits with 1 then. Needs full access, and nobody else who calls getppid().
 */
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "hooks.h"
#include "syscall_function.h"

/* Number of the system call that pause() makes. */
#ifdef SYS_pause
#define PAUSE_NUMBER SYS_pause
#else
#define PAUSE_NUMBER SYS_ppoll
#endif

#define NODES		8192
#define CALLS		5000
#define FUNCTIONS	3

static struct cpuprobe_function function[FUNCTIONS];

enum { GETPPID, SLEEP_CALL, SLEEP };

static void name_functions(void)
{
	function[GETPPID].address = address_of(SYSCALL_FUNCTION("getppid"));
	function[SLEEP_CALL].address = address_of(SYSCALL_FUNCTION("clock_nanosleep"));
	function[SLEEP].address = address_of("hrtimer_nanosleep");
}

/* Sums of one node over all CPUs; the other fields are those of any CPU. */
static struct cpuprobe_time node[NODES];
static struct cpuprobe_times totals;

static void add(const struct cpuprobe_time *time)
{
	struct cpuprobe_time *sum = &node[time->node];
	const __u64 *from = &time->calls;
	__u64 *to = &sum->calls, min_ns = sum->min_ns, max_ns = sum->max_ns;
	int was_there = sum->ended > 0;
	size_t i;

	if (time->parent)
		is("a parent comes first", time->parent < time->node, 1);
	for (i = 0; i < (sizeof(*time) - offsetof(struct cpuprobe_time, calls)) / 8; i++)
		to[i] += from[i];
	sum->min_ns = was_there && (!time->ended || min_ns < time->min_ns) ? min_ns : time->min_ns;
	sum->max_ns = max_ns > time->max_ns ? max_ns : time->max_ns;
	sum->function = time->function;
	sum->node = time->node;
	sum->parent = time->parent;
	sum->type = time->type;
	memcpy(sum->comm, time->comm, sizeof(sum->comm));
}

static __u64 sum_of_bins(const struct cpuprobe_time *time)
{
	__u64 sum = 0;
	int i;

	for (i = 0; i < CPUPROBE_TIME_BINS; i++)
		sum += time->bins[i];
	return sum;
}

/* Every node keeps these promises. */
static void check_node(const struct cpuprobe_time *time)
{
	__u64 away = time->blocked_ns + time->preempted_ns + time->interrupted_ns;

	is("no more ends than calls", time->ended <= time->calls, 1);
	is("bins hold all outermost calls", sum_of_bins(time), time->ended - time->recursive);
	is("the least is no more than the most", time->min_ns <= time->max_ns, 1);
	is("time away is part of the whole", away <= time->wall_ns, 1);
	is("descendants include children", time->descendants >= time->children || time->recursive, 1);
}

static void read_times(int fd)
{
	static struct cpuprobe_time time[NODES];
	int cpu, nr = sysconf(_SC_NPROCESSORS_CONF);
	__u64 others = 0;
	__u32 i;

	memset(node, 0, sizeof(node));
	for (cpu = 0; cpu < nr; cpu++) {
		totals = REQUEST(times, .cpu = cpu, .buffer = (unsigned long)time,
				 .buffer_len = sizeof(time));
		is("TIMES", call(fd, CPUPROBE_IOC_TIMES, &totals), 0);
		for (i = 0; i < totals.nr_nodes; i++)
			add(&time[i]);
		others += totals.others;
	}
	totals.others = others;
	for (i = 0; i < NODES; i++)
		check_node(&node[i]);
}

/* Begins to time calls of the first functions, or with 0 system calls; of a process or of all. */
static int begin_for(pid_t pid, __u32 flags, __u32 nr, __u32 table_kib)
{
	struct cpuprobe_calls request = REQUEST(calls, .exe_fd = -1, .cgroup_fd = -1,
		.functions = (unsigned long)function, .nr_functions = nr, .table_kib = table_kib,
		.flags = CPUPROBE_CALLS_EACH | flags, .pid = pid);
	int fd = open_device();

	if (!nr) {
		request.functions = 0;
		request.flags |= CPUPROBE_CALLS_SYSCALLS;
	}
	is("CALLS", call(fd, CPUPROBE_IOC_CALLS, &request), 0);
	is("its reason", request.reason, 0);
	is("hooked", request.nr_hooked, nr ?: 1);
	is("a cost", request.cost_ps > 0, 1);
	is("the call's own cost is a part of it", request.own_ps < request.cost_ps, 1);
	is("the cost kept out is a part of it", request.seen_ps <= request.cost_ps, 1);
	is("of which its own is a part", request.own_ps <= request.seen_ps, 1);
	return fd;
}

static int begin(__u32 flags, __u32 nr, __u32 table_kib)
{
	return begin_for(0, flags, nr, table_kib);
}

static void sleep_once(long ns)
{
	clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ .tv_nsec = ns }, NULL);
}

static void check_counts(void)
{
	const struct cpuprobe_time *getppid_time = &node[GETPPID + 1];
	int fd = begin(0, 1, 0);

	call_getppid(CALLS);
	read_times(fd);
	is("node", getppid_time->node, GETPPID + 1);
	is("its function", getppid_time->function - function[GETPPID].address < 8, 1);
	is("calls", getppid_time->calls, CALLS);
	is("ended", getppid_time->ended, CALLS);
	is("recursive", getppid_time->recursive, 0);
	is("missed", getppid_time->missed, 0);
	is("children", getppid_time->children, 0);
	is("blocked", getppid_time->blocked_ns, 0);
	is("a time", getppid_time->max_ns > 0, 1);
	is("STOP", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	call_getppid(3);
	read_times(fd);
	is("calls after STOP", getppid_time->calls, CALLS);
	is("flags after STOP", totals.flags, CPUPROBE_COUNTS_ENDED);
	close(fd);
}

/* A function that sleeps, and its caller. */
static void check_sleeps(void)
{
	const struct cpuprobe_time *outer = &node[SLEEP_CALL + 1], *inner = &node[SLEEP + 1];
	int fd = begin_for(getpid(), 0, 3, 0), i;

	for (i = 0; i < 100; i++)
		sleep_once(1000000);
	read_times(fd);
	is("outer calls", outer->calls, 100);
	is("inner calls", inner->calls, 100);
	is("children", outer->children, 100);
	is("descendants", outer->descendants, 100);
	is("the inner call blocks", inner->blocked_ns >= 100 * 900000ULL, 1);
	is("and so does the outer one", outer->blocked_ns, inner->blocked_ns);
	is("the outer call takes longer", outer->wall_ns > inner->wall_ns, 1);
	is("the callee's time is not net",
	   outer->net_ns + inner->net_ns <= outer->wall_ns - outer->blocked_ns, 1);
	is("the least is a millisecond", inner->min_ns >= 1000000, 1);
	close(fd);
}

/* The node of a function or system call under a parent; a hook may be a few bytes into the function. */
static const struct cpuprobe_time *child_of(__u32 parent, __u64 what)
{
	int i;

	for (i = 1; i < NODES; i++)
		if (node[i].node && node[i].parent == parent &&
		    node[i].function - what < (what >> 63 ? 8 : 1))
			return &node[i];
	return &node[0];
}

static void check_paths(void)
{
	int fd = begin_for(getpid(), CPUPROBE_CALLS_PATHS, 3, 0), i;
	const struct cpuprobe_time *inner;

	for (i = 0; i < 10; i++)
		sleep_once(100000);
	call_getppid(20);
	read_times(fd);
	inner = child_of(SLEEP_CALL + 1, function[SLEEP].address);
	is("calls at the root", node[SLEEP_CALL + 1].calls, 10);
	is("calls outside of the path", node[SLEEP + 1].calls, 0);
	is("calls of the path", inner->calls, 10);
	is("other calls at the root", node[GETPPID + 1].calls, 20);
	is("calls without room", child_of(0, 0)->calls, 0);
	close(fd);
}

/* The root of a process. */
static __u32 root_of(pid_t pid)
{
	int i;

	for (i = 1; i < NODES; i++)
		if (node[i].type == CPUPROBE_NODE_PROCESS && node[i].function == (__u64)pid)
			return i;
	return 0;
}

static pid_t run_child(int nr)
{
	pid_t child = fork();

	if (!child) {
		prctl(PR_SET_NAME, "timed-child");
		call_getppid(nr);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return child;
}

static void check_processes(void)
{
	int fd = begin(CPUPROBE_CALLS_PROCESSES, 1, 0);
	pid_t child = run_child(7);

	call_getppid(9);
	read_times(fd);
	is("name of the child", strcmp(node[root_of(child)].comm, "timed-child"), 0);
	is("calls of the child", child_of(root_of(child), function[GETPPID].address)->calls, 7);
	is("calls of this process", child_of(root_of(getpid()), function[GETPPID].address)->calls, 9);
	close(fd);
}

/* A table with room for two nodes besides those of functions. */
static void check_room(void)
{
	int fd = begin(CPUPROBE_CALLS_PROCESSES, 1, CPUPROBE_CALLS_KIB_MIN), i, nr_lost = 0;
	__u64 calls = 0;

	for (i = 0; i < 8; i++)
		run_child(100);
	read_times(fd);
	for (i = 1; i < NODES; i++) {
		calls += node[i].calls;
		nr_lost += node[i].type == CPUPROBE_NODE_NO_ROOM ? node[i].calls : 0;
	}
	is("calls with and without room", calls, 800);
	is("calls without room", nr_lost >= 600, 1);
	close(fd);
}

static void check_syscalls(void)
{
	const struct cpuprobe_time *getppid_time, *failing_time, *pause_time;
	int fd = begin(CPUPROBE_CALLS_PROCESSES, 0, 0), i;
	pid_t child = fork();
	__u32 root;

	if (!child) {
		for (;;)
			pause();
	}
	call_getppid(CALLS);
	for (i = 0; i < 7; i++)
		getpgid(-5);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	read_times(fd);
	root = root_of(getpid());
	getppid_time = child_of(root, SYS_getppid);
	failing_time = child_of(root, SYS_getpgid);
	pause_time = child_of(root_of(child), PAUSE_NUMBER);
	is("system calls", getppid_time->calls, CALLS);
	is("their ends", getppid_time->ended, CALLS);
	is("their errors", getppid_time->errors, 0);
	is("system calls that fail", failing_time->calls, 7);
	is("their errors", failing_time->errors, 7);
	is("a system call that a signal ends", pause_time->calls <= 1, 1);
	close(fd);
}

/* Only calls of one process. */
static void check_filter(void)
{
	int fd = begin_for(getpid(), 0, 1, 0);

	run_child(50);
	call_getppid(5);
	read_times(fd);
	is("calls of the process", node[GETPPID + 1].calls, 5);
	is("calls of others", totals.others, 50);
	close(fd);
}

/* Tasks that die inside a call leave it open, and give their place back. */
static void check_deaths(void)
{
	struct cpuprobe_function saved = function[GETPPID];
	int fd, i, nr = 200;

	function[GETPPID].address = address_of("do_exit");
	fd = begin(0, 1, CPUPROBE_CALLS_KIB_MIN);
	for (i = 0; i < nr; i++)
		run_child(0);
	read_times(fd);
	is("calls that never end", node[GETPPID + 1].calls, nr);
	is("their ends", node[GETPPID + 1].ended, 0);
	is("missed", node[GETPPID + 1].missed, 0);
	close(fd);
	function[GETPPID] = saved;
}

static void check_buffer(void)
{
	struct cpuprobe_times times = REQUEST(times, .cpu = 0);
	struct cpuprobe_counts counts = REQUEST(counts, .cpu = 0);
	int fd = begin(CPUPROBE_CALLS_PROCESSES, 1, 0);

	call_getppid(1);
	is("TIMES without nodes", call(fd, CPUPROBE_IOC_TIMES, &times), 0);
	is("nodes not copied", times.nr_nodes, 0);
	times.buffer = 8;
	times.buffer_len = sizeof(struct cpuprobe_time) - 1;
	is("TIMES without room", call(fd, CPUPROBE_IOC_TIMES, &times), ENOSPC);
	is("nodes without room", times.nr_nodes >= 1, 1);
	times.buffer_len = sizeof(struct cpuprobe_time);
	is("TIMES to no memory", call(fd, CPUPROBE_IOC_TIMES, &times), EFAULT);
	times.cpu = 1 << 20;
	is("TIMES of no CPU", call(fd, CPUPROBE_IOC_TIMES, &times), ENODEV);
	times.version++;
	is("TIMES of another version", call(fd, CPUPROBE_IOC_TIMES, &times), EPROTO);
	is("COUNTS of times", call(fd, CPUPROBE_IOC_COUNTS, &counts), EINVAL);
	close(fd);
}

static void check_table(void)
{
	struct cpuprobe_calls request = REQUEST(calls, .exe_fd = -1, .cgroup_fd = -1,
		.functions = (unsigned long)function, .nr_functions = 3,
		.flags = CPUPROBE_CALLS_EACH, .table_kib = CPUPROBE_CALLS_KIB_MIN);
	int fd = open_device();

	is("CALLS without room", call(fd, CPUPROBE_IOC_CALLS, &request), EINVAL);
	is("its reason", request.reason, CPUPROBE_REASON_TABLE);
	close(fd);
}

int main(void)
{
	name_functions();
	check_counts();
	check_sleeps();
	check_paths();
	check_processes();
	check_room();
	check_syscalls();
	check_filter();
	check_deaths();
	check_buffer();
	check_table();
	return nr_failed != 0;
}
