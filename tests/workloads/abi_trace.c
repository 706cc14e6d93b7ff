// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface for following calls: calls, switches, marks, tasks and triggers that are known. Prints
 * each broken promise; exits with 1 then. Needs full access, and nobody else who calls getppid().
 */
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "traced.h"

#define FUNCTIONS	3

static struct cpuprobe_function function[FUNCTIONS];

enum { GETPPID, SLEEP_CALL, SLEEP };

static void name_functions(void)
{
	function[GETPPID].address = address_of("__x64_sys_getppid");
	function[SLEEP_CALL].address = address_of("__x64_sys_clock_nanosleep");
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
	struct cpuprobe_trace request = follow(3, 0);
	int fd, i, nr = 0;

	request.pid = getpid();
	fd = begin_trace(request);
	for (i = 0; i < 20; i++)
		sleep_once(1000000);
	end_trace(fd);
	for (i = 0; i < nr_seen; i++) {
		__u32 step = nr % steps, out = seen[i].type == CPUPROBE_EVENT_SWITCH && seen[i].data == self;

		if (!out && seen[i].tid != self)
			continue;
		if (seen[i].type != order[step].type)
			continue;
		if (out)
			is("it leaves asleep", seen[i].flags & CPUPROBE_EVENT_LEFT, CPUPROBE_LEFT_BLOCKED);
		else if (order[step].type == CPUPROBE_EVENT_SWITCH)
			is("it comes back", seen[i].what, self);
		else
			is("the function", seen[i].what, order[step].what);
		nr++;
	}
	is("steps", nr, 20 * steps);
	is("entries", count_events(CPUPROBE_EVENT_ENTRY, ~0u, ~0u), 40);
	is("exits", count_events(CPUPROBE_EVENT_EXIT, ~0u, ~0u), 40);
}

/* A task of higher priority preempts this one, which stays ready to run. */
static void check_preemption(void)
{
	int fd = begin_trace(follow(0, 0)), i, nr = 0;
	volatile int *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const struct sched_param priority = { .sched_priority = 10 };
	cpu_set_t one;
	pid_t child;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	child = fork();
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
	is("preempted by the child", nr >= 10, 1);
	i = find_event(0, CPUPROBE_EVENT_DEAD, child, ~0u);
	is("the child is dead", i >= 0, 1);
	for (nr = 0; i >= 0 && i < nr_seen; i++)
		nr += seen[i].type == CPUPROBE_EVENT_SWITCH && seen[i].data == (__u32)child &&
			(seen[i].flags & CPUPROBE_EVENT_LEFT) == CPUPROBE_LEFT_DEAD;
	is("and leaves so", nr, 1);
}

/* Memory of one CPU is full: the end. */
static void check_full(void)
{
	struct cpuprobe_trace request = follow(1, 0);
	int fd, nr_full = 0, cpu;

	request.buffer_kib = 4;
	fd = begin_trace(request);
	is("not yet the end", has_ended(fd, 0), 0);
	call_getppid(1000);
	is("the end", has_ended(fd, 10000), 1);
	read_events(fd);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		is("flags", totals[cpu].flags, CPUPROBE_EVENTS_ENDED | CPUPROBE_EVENTS_FULL);
		is("no more than the memory", totals[cpu].stored <= 256, 1);
		is("nothing was overwritten", totals[cpu].first, 0);
		is("one length", totals[cpu].traced_ns, totals[0].traced_ns);
		nr_full += totals[cpu].stored >= 252;
		is("lost", totals[cpu].lost, 0);
	}
	is("full CPUs", nr_full >= 1, 1);
	is("calls until then", count_events(CPUPROBE_EVENT_ENTRY, GETPPID, ~0u) < 256, 1);
	close(fd);
	request.max_events = 10;
	fd = begin_trace(request);
	call_getppid(1000);
	is("the end", has_ended(fd, 10000), 1);
	read_events(fd);
	for (cpu = 0, nr_full = 0; cpu < nr_cpus; cpu++) {
		nr_full += totals[cpu].stored >= 10;
		is("no more than asked for", totals[cpu].stored <= 14, 1);
	}
	is("full CPUs", nr_full >= 1, 1);
	close(fd);
}

int main(void)
{
	name_functions();
	check_counts();
	check_nesting();
	check_preemption();
	check_full();
	return nr_failed != 0;
}
