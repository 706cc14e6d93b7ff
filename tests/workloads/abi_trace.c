// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface for following calls: calls, switches, marks, tasks and triggers that are known. Prints
 * each broken promise; exits with 1 then. Needs full access, and nobody else who calls getppid().
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "traced.h"
#include "syscall_function.h"

#define FUNCTIONS	3

static struct cpuprobe_function function[FUNCTIONS];

enum { GETPPID, SLEEP_CALL, SLEEP };

static void name_functions(void)
{
	function[GETPPID].address = address_of(SYSCALL_FUNCTION("getppid"));
	function[SLEEP_CALL].address = address_of(SYSCALL_FUNCTION("clock_nanosleep"));
	function[SLEEP].address = address_of("hrtimer_nanosleep");
}

/* Follows the first functions, for all tasks. */
static struct cpuprobe_trace follow(__u32 nr, __u32 flags)
{
	return TRACE(.functions = (unsigned long)function, .nr_functions = nr, .flags = flags);
}

static void sleep_once(long ns)
{
	clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ .tv_nsec = ns }, NULL);
}

/* Entries and exits of getppid() alternate, on the thread that calls it. */
static void check_counts(void)
{
	int fd = begin_trace(follow(1, 0)), i, at = -1, nr = 1000;
	__u64 missed = 99;
	struct cpuprobe_missed request = REQUEST(missed, .buffer = (unsigned long)&missed,
						 .nr_functions = 1);

	call_getppid(nr);
	is("STOP", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	call_getppid(3);
	read_events(fd);
	is("entries", count_events(CPUPROBE_EVENT_ENTRY, GETPPID, gettid()), nr);
	is("exits", count_events(CPUPROBE_EVENT_EXIT, GETPPID, gettid()), nr);
	is("all entries", count_events(CPUPROBE_EVENT_ENTRY, ~0u, ~0u), nr);
	is("all exits", count_events(CPUPROBE_EVENT_EXIT, ~0u, ~0u), nr);
	is("lost", totals[0].lost, 0);
	is("calls of others", totals[0].others, 0);
	is("a beginning", totals[0].began_ns > 0, 1);
	for (i = 0; i < nr; i++) {
		int exit;

		at = find_event(at + 1, CPUPROBE_EVENT_ENTRY, GETPPID, ~0u);
		exit = find_event(at + 1, CPUPROBE_EVENT_EXIT, GETPPID, ~0u);
		is("the next entry follows the exit", exit < find_event(at + 1, CPUPROBE_EVENT_ENTRY,
			GETPPID, ~0u) || i == nr - 1, 1);
		is("stack pointers", seen[exit].data, seen[at].data);
		is("a task's level", seen[at].flags, 0);
	}
	is("MISSED", call(fd, CPUPROBE_IOC_MISSED, &request), 0);
	is("missed", missed, 0);
	is("functions", request.nr_functions, 1);
	close(fd);
}

/* A function that sleeps, and its caller, in the order of one task. */
static void check_nesting(void)
{
	static const struct { __u32 type, what; } order[] = {
		{ CPUPROBE_EVENT_ENTRY, SLEEP_CALL }, { CPUPROBE_EVENT_ENTRY, SLEEP },
		{ CPUPROBE_EVENT_SWITCH, ~0u }, { CPUPROBE_EVENT_SWITCH, ~0u },
		{ CPUPROBE_EVENT_EXIT, SLEEP }, { CPUPROBE_EVENT_EXIT, SLEEP_CALL },
	};
	const __u32 steps = sizeof(order) / sizeof(order[0]), self = gettid();
	enum { LEAVES = 2 };
	struct cpuprobe_trace request = follow(3, 0);
	int fd, i, nr = 0, nr_awake = 0;

	request.pid = getpid();
	fd = begin_trace(request);
	for (i = 0; i < 20; i++)
		sleep_once(1000000);
	end_trace(fd);
	for (i = 0; i < nr_seen; i++) {
		__u32 step = nr % steps, out = seen[i].type == CPUPROBE_EVENT_SWITCH && seen[i].data == self;

		if (!out && seen[i].tid != self)
			continue;
		/* On a busy host the time may be up before the task sleeps: it begins the next call awake. */
		if (step == LEAVES && seen[i].type == CPUPROBE_EVENT_EXIT) {
			nr -= LEAVES;
			nr_awake++;
		}
		if (seen[i].type != order[step].type)
			continue;
		/* It may be preempted before, and come back from that. */
		if (step == LEAVES && (!out || (seen[i].flags & CPUPROBE_EVENT_LEFT) != CPUPROBE_LEFT_BLOCKED))
			continue;
		if (step == LEAVES + 1)
			is("it comes back", seen[i].what, self);
		else if (step != LEAVES)
			is("the function", seen[i].what, order[step].what);
		nr++;
	}
	is("steps", nr, (20 - nr_awake) * steps);
	is("most calls sleep", nr_awake < 10, 1);
	is("entries", count_events(CPUPROBE_EVENT_ENTRY, ~0u, ~0u), 40);
	is("exits", count_events(CPUPROBE_EVENT_EXIT, ~0u, ~0u), 40);
}

/* A task of higher priority preempts this one, which stays ready to run. */
static void check_preemption(void)
{
	int fd = begin_trace(follow(0, 0)), i, nr = 0;
	volatile int *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const struct sched_param priority = { .sched_priority = 10 };
	pid_t child = fork();

	if (!child) {
		sched_setscheduler(0, SCHED_FIFO, &priority);
		for (i = 0; i < 10; i++)
			sleep_once(2000000);
		*done = 1;
		_exit(0);
	}
	while (!*done)
		;
	waitpid(child, NULL, 0);
	end_trace(fd);
	for (i = 0; i < nr_seen; i++)
		nr += seen[i].type == CPUPROBE_EVENT_SWITCH && seen[i].what == (__u32)child &&
			seen[i].data == (__u32)gettid() &&
			(seen[i].flags & CPUPROBE_EVENT_LEFT) == CPUPROBE_LEFT_PREEMPTED;
	/* A sleep that is over before the task has left its CPU is none. */
	is("preempted by the child", nr >= 5, 1);
	i = find_event(0, CPUPROBE_EVENT_DEAD, child, ~0u);
	is("the child is dead", i >= 0, 1);
	for (nr = 0; i >= 0 && i < nr_seen; i++)
		nr += seen[i].type == CPUPROBE_EVENT_SWITCH && seen[i].data == (__u32)child &&
			(seen[i].flags & CPUPROBE_EVENT_LEFT) == CPUPROBE_LEFT_DEAD;
	is("and leaves so", nr, 1);
}

/* A system call begins and ends with its number and result. */
static void check_syscalls(void)
{
	struct cpuprobe_trace request = follow(0, CPUPROBE_TRACE_SYSCALLS);
	int fd, i, nr = 500, at = -1;

	request.pid = getpid();
	fd = begin_trace(request);
	if (!fork())
		_exit(0);
	call_getppid(nr);
	for (i = 0; i < 7; i++)
		getpgid(-5);
	wait(NULL);
	end_trace(fd);
	is("calls begin", count_events(CPUPROBE_EVENT_SYSCALL_BEGIN, SYS_getppid, gettid()), nr);
	is("calls end", count_events(CPUPROBE_EVENT_SYSCALL_END, SYS_getppid, gettid()), nr);
	for (i = 0; i < nr; i++) {
		at = find_event(at + 1, CPUPROBE_EVENT_SYSCALL_END, SYS_getppid, gettid());
		is("the result", at >= 0 ? (__s32)seen[at].data : -1, getppid());
	}
	is("calls that fail", count_events(CPUPROBE_EVENT_SYSCALL_BEGIN, SYS_getpgid, gettid()), 7);
	at = find_event(0, CPUPROBE_EVENT_SYSCALL_END, SYS_getpgid, gettid());
	is("their result", at >= 0 ? (__s32)seen[at].data : 0, -ESRCH);
	is("calls of others", count_events(CPUPROBE_EVENT_SYSCALL_BEGIN, SYS_getppid, ~0u), nr);
	is("others are counted", totals[0].others > 0, 1);
}

/* A timer of the kernel's wheel expires, in a softirq. */
static void wait_in_vain(void)
{
	const struct timeval timeout = { .tv_usec = 20000 };
	int pair[2];
	char byte;

	is("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	is("setsockopt", setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)), 0);
	is("recv", recv(pair[0], &byte, 1, 0), -1);
	close(pair[0]);
	close(pair[1]);
}

/* Interrupts begin and end in turn. CPU 1 may be in one when the session begins or ends; this task's CPU is not. */
static void check_interrupts(void)
{
	int fd = begin_trace(follow(0, CPUPROBE_TRACE_IRQ)), i, irqs = 0, ends = 0;
	__u32 irq = ~0u, softirq = ~0u;

	for (i = 0; i < 20; i++)
		sleep_once(1000000);
	wait_in_vain();
	end_trace(fd);
	for (i = 0; i < nr_seen; i++) {
		if (!seen[i].cpu && seen[i].type == CPUPROBE_EVENT_IRQ_BEGIN) {
			irq = seen[i].what;
			irqs++;
			is("in an interrupt", seen[i].flags & CPUPROBE_EVENT_LEVEL, 2);
		} else if (!seen[i].cpu && seen[i].type == CPUPROBE_EVENT_IRQ_END && irq != ~0u) {
			is("the irq that began", seen[i].what, irq);
			ends++;
		} else if (!seen[i].cpu && seen[i].type == CPUPROBE_EVENT_SOFTIRQ_BEGIN) {
			softirq = seen[i].what;
			is("a softirq", softirq < 10, 1);
		} else if (!seen[i].cpu && seen[i].type == CPUPROBE_EVENT_SOFTIRQ_END && softirq != ~0u) {
			is("the softirq that began", seen[i].what, softirq);
		}
	}
	is("interrupts", irqs >= 20, 1);
	is("ends of interrupts", ends, irqs);
	is("softirqs", count_events(CPUPROBE_EVENT_SOFTIRQ_BEGIN, ~0u, ~0u) > 0, 1);
	is("none without the flag", count_events(CPUPROBE_EVENT_WAKEUP, ~0u, ~0u) +
	   count_events(CPUPROBE_EVENT_SYSCALL_BEGIN, ~0u, ~0u), 0);
}

/* A task that slept runs again only after it was woken. Returns how often it slept. */
static int count_sleeps(__u32 task)
{
	int i, nr = 0, is_woken = 1;

	for (i = 0; i < nr_seen; i++) {
		if (seen[i].type == CPUPROBE_EVENT_WAKEUP && seen[i].what == task) {
			is("a CPU", (int)seen[i].data < nr_cpus, 1);
			is_woken = 1;
		}
		if (seen[i].type != CPUPROBE_EVENT_SWITCH)
			continue;
		if (seen[i].data == task && (seen[i].flags & CPUPROBE_EVENT_LEFT) == CPUPROBE_LEFT_BLOCKED) {
			is_woken = 0;
			nr++;
		}
		if (seen[i].what == task)
			is("woken before it runs", is_woken, 1);
	}
	return nr;
}

/* A task wakes another one, which then runs. */
static void check_wakeups(void)
{
	int fd = begin_trace(follow(0, CPUPROBE_TRACE_WAKEUPS)), to[2], i;
	char byte = 0;
	pid_t child;

	is("pipe", pipe(to), 0);
	child = fork();
	if (!child) {
		for (i = 0; i < 10; i++)
			if (read(to[0], &byte, 1) != 1)
				_exit(1);
		_exit(0);
	}
	/* Long enough for the child to wait, in the first read at least. */
	for (i = 0; i < 10; i++) {
		sleep_once(i ? 1000000 : 300000000);
		is("write", write(to[1], &byte, 1), 1);
	}
	waitpid(child, NULL, 0);
	end_trace(fd);
	close(to[0]);
	close(to[1]);
	is("the child slept", count_sleeps(child) >= 1, 1);
	is("this task slept", count_sleeps(gettid()) >= 5, 1);
	is("the new task was woken", find_event(0, CPUPROBE_EVENT_WAKEUP, child, gettid()) >= 0, 1);
}

/* Names of an event's task; the last of them. */
static const char *name_of(pid_t pid)
{
	const char *name = "";
	int at = -1;

	while ((at = find_event(at + 1, CPUPROBE_EVENT_NAME, pid, ~0u)) >= 0)
		name = seen[at].text;
	return name;
}

/* Tasks begin, change their names, run programs and end. */
static void check_tasks(void)
{
	int fd = begin_trace(follow(0, 0)), at;
	pid_t named, ran;

	prctl(PR_SET_NAME, "abi-parent");
	named = fork();
	if (!named) {
		prctl(PR_SET_NAME, "abi-child");
		_exit(0);
	}
	waitpid(named, NULL, 0);
	ran = fork();
	if (!ran) {
		execlp("true", "true", NULL);
		_exit(1);
	}
	waitpid(ran, NULL, 0);
	end_trace(fd);
	at = find_event(0, CPUPROBE_EVENT_FORK, named, gettid());
	is("fork", at >= 0, 1);
	is("the child's process", at >= 0 ? seen[at].data : 0, named);
	at = find_event(0, CPUPROBE_EVENT_NAME, named, gettid());
	is("the child has its parent's name", at >= 0 && !strcmp(seen[at].text, "abi-parent"), 1);
	is("the parent's name", strcmp(name_of(gettid()), "abi-parent"), 0);
	is("the child's last name", strcmp(name_of(named), "abi-child"), 0);
	is("the child ends", count_events(CPUPROBE_EVENT_DEAD, named, named), 1);
	is("the program's name", strcmp(name_of(ran), "true"), 0);
	is("the program runs", count_events(CPUPROBE_EVENT_RUNNING, ran, ran) >= 1, 1);
	is("the program ends", count_events(CPUPROBE_EVENT_DEAD, ran, ran), 1);
}

static void mark(const char *text)
{
	static int device = -1;

	if (device < 0)
		device = open_device();
	is("write", write(device, text, strlen(text)), strlen(text));
}

/* Marks are in the order of the calls around them. Lengths reach all numbers of slots. */
static void check_marks(void)
{
	static const char letters[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789ABCDEF";
	int fd = begin_trace(follow(1, 0)), at = -1, len;
	char text[CPUPROBE_MARK_MAX + 1];
	pid_t child;

	for (len = 1; len <= CPUPROBE_MARK_MAX; len++) {
		snprintf(text, len + 1, "%s", letters);
		mark(text);
		call_getppid(1);
	}
	child = fork();
	if (!child) {
		mark("of the child");
		_exit(0);
	}
	waitpid(child, NULL, 0);
	end_trace(fd);
	for (len = 1; len <= CPUPROBE_MARK_MAX; len++) {
		at = find_event(at + 1, CPUPROBE_EVENT_MARK, gettid(), gettid());
		is("a mark", at >= 0, 1);
		if (at < 0)
			return;
		is("its length", seen[at].data, len);
		is("its text", strncmp(seen[at].text, letters, len) || strlen(seen[at].text) != (size_t)len, 0);
		at = find_event(at + 1, CPUPROBE_EVENT_ENTRY, GETPPID, gettid());
		is("the call after it", at >= 0, 1);
	}
	is("marks", count_events(CPUPROBE_EVENT_MARK, ~0u, gettid()), CPUPROBE_MARK_MAX);
	at = find_event(0, CPUPROBE_EVENT_MARK, child, child);
	is("the child's mark", at >= 0 && !strcmp(seen[at].text, "of the child"), 1);
}

/* Traces record what their filters let through. */
static void check_filter(void)
{
	struct cpuprobe_trace request = follow(1, 0);
	pid_t child = fork();
	int fd;

	if (!child) {
		raise(SIGSTOP);
		mark("of the child");
		call_getppid(5);
		_exit(0);
	}
	waitpid(child, NULL, WUNTRACED);
	request.pid = child;
	fd = begin_trace(request);
	mark("of the parent");
	call_getppid(50);
	kill(child, SIGCONT);
	waitpid(child, NULL, 0);
	end_trace(fd);
	is("marks", count_events(CPUPROBE_EVENT_MARK, ~0u, ~0u), 1);
	is("the child's", count_events(CPUPROBE_EVENT_MARK, child, child), 1);
	is("calls", count_events(CPUPROBE_EVENT_ENTRY, GETPPID, ~0u), 5);
	is("ends of calls", count_events(CPUPROBE_EVENT_EXIT, GETPPID, child), 5);
	is("calls of others", totals[0].others, 50);
}

/* The memory of CPUs holds text at every place in a block. */
static void check_text(void)
{
	struct cpuprobe_trace request = follow(1, CPUPROBE_TRACE_WRAP);
	int fd, i;

	request.buffer_kib = 4;
	fd = begin_trace(request);
	for (i = 0; i < 2000; i++) {
		call_getppid(i % 7);
		mark(i % 2 ? "a mark of more than one slot, i.e. of 64 bytes, or nearly so" : "short");
	}
	end_trace(fd);
	is("marks", count_events(CPUPROBE_EVENT_MARK, ~0u, ~0u) > 10, 1);
	for (i = 0; i < nr_seen; i++)
		is("padding alone is lost", seen[i].type == CPUPROBE_EVENT_LOST && seen[i].what, 0);
}

int main(void)
{
	stay_on(0);
	name_functions();
	check_counts();
	check_nesting();
	check_preemption();
	check_syscalls();
	check_interrupts();
	check_wakeups();
	check_tasks();
	check_marks();
	check_filter();
	check_text();
	return nr_failed != 0;
}
