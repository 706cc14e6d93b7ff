// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface for following calls: how a recording begins and ends, every field at its limits, and
 * calls out of order. Prints each broken promise; exits with 1 then. Needs full access, and nobody else
 * who calls getppid().
 */
#include <pthread.h>
#include <sys/wait.h>

#include "traced.h"
#include "syscall_function.h"

static struct cpuprobe_function function[2];

enum { GETPPID, GETPGID };

static struct cpuprobe_trace follow(__u32 nr, __u32 flags)
{
	return TRACE(.functions = (unsigned long)function, .nr_functions = nr, .flags = flags);
}

static void mark(int fd, const char *text)
{
	is("write", write(fd, text, strlen(text)), strlen(text));
}

/* Memory of one CPU is full: the end, for all. */
static void check_full(__u32 buffer_kib, __u64 max_events, unsigned int limit)
{
	struct cpuprobe_trace request = follow(1, 0);
	int fd, nr_full = 0, cpu;

	request.buffer_kib = buffer_kib;
	request.max_events = max_events;
	fd = begin_trace(request);
	call_getppid(limit + 100);
	is("the end", has_ended(fd, 10000), 1);
	read_events(fd);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		is("flags", totals[cpu].flags, CPUPROBE_EVENTS_ENDED | CPUPROBE_EVENTS_FULL);
		is("no more than the limit", totals[cpu].stored <= limit + 4, 1);
		is("nothing was overwritten", totals[cpu].first, 0);
		is("one length", totals[cpu].traced_ns, totals[0].traced_ns);
		is("lost", totals[cpu].lost, 0);
		nr_full += totals[cpu].stored >= limit;
	}
	is("full CPUs", nr_full >= 1, 1);
	is("STOP", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	is("flags after STOP", totals[0].flags, CPUPROBE_EVENTS_ENDED | CPUPROBE_EVENTS_FULL);
	close(fd);
}

/* The newest events are kept: the last call is there, and no gap is before it. */
static void check_wrap(void)
{
	struct cpuprobe_trace request = follow(1, CPUPROBE_TRACE_WRAP);
	int fd, i, is_entry = -1, nr = 5000, newest = -1, nr_here = 0;
	__u64 stored = 0, kept = 0;

	request.buffer_kib = 8;
	fd = begin_trace(request);
	call_getppid(nr);
	is("no end", has_ended(fd, 0), 0);
	end_trace(fd);
	for (i = 0; i < nr_cpus; i++) {
		stored += totals[i].stored;
		kept += totals[i].nr_slots;
		is("slots of one CPU", totals[i].nr_slots <= 512, 1);
		is("a whole block", totals[i].first % 128, 0);
	}
	is("slots since the beginning", stored > 2u * nr, 1);
	is("slots that are kept", kept >= 384, 1);
	/* The first events are those of this task's CPU, the first one. */
	for (i = 0; i < nr_seen; i++) {
		nr_here += !seen[i].cpu;
		if (seen[i].tid != (__u32)gettid() || (seen[i].type != CPUPROBE_EVENT_ENTRY &&
						       seen[i].type != CPUPROBE_EVENT_EXIT))
			continue;
		if (is_entry >= 0)
			is("entries and exits alternate", seen[i].type == CPUPROBE_EVENT_ENTRY, !is_entry);
		is_entry = seen[i].type == CPUPROBE_EVENT_ENTRY;
		newest = i;
	}
	is("the newest is an exit", newest >= 0 && seen[newest].type == CPUPROBE_EVENT_EXIT, 1);
	is("and near the end", newest > nr_here - 128, 1);
}

/* Recording begins with the thousandth call of one function, and ends with a call of another. */
static void check_triggers(void)
{
	struct cpuprobe_trace request = follow(2, CPUPROBE_TRACE_WAIT);
	struct cpuprobe_events events = REQUEST(events, .cpu = 0);
	int fd, cpu, first = -1;

	request.start_function = GETPPID;
	request.start_count = 1000;
	request.stop_function = GETPGID;
	fd = begin_trace(request);
	syscall(SYS_getpgid, 0);	/* too early to end anything */
	call_getppid(999);
	is("EVENTS before the trigger", call(fd, CPUPROBE_IOC_EVENTS, &events), EBUSY);
	is("flags", events.flags, CPUPROBE_EVENTS_WAITING);
	is("nothing is stored", events.stored + events.began_ns + events.traced_ns, 0);
	call_getppid(11);
	is("EVENTS before the end", call(fd, CPUPROBE_IOC_EVENTS, &events), EBUSY);
	is("flags", events.flags, 0);
	is("not yet the end", has_ended(fd, 0), 0);
	syscall(SYS_getpgid, 0);
	is("the end", has_ended(fd, 10000), 1);
	call_getppid(5);
	read_events(fd);
	for (cpu = 0; cpu < nr_cpus; cpu++)
		is("flags", totals[cpu].flags, CPUPROBE_EVENTS_ENDED | CPUPROBE_EVENTS_TRIGGERED);
	is("calls", count_events(CPUPROBE_EVENT_ENTRY, GETPPID, gettid()), 11);
	is("ends", count_events(CPUPROBE_EVENT_EXIT, GETPPID, gettid()), 11);
	is("the last call", count_events(CPUPROBE_EVENT_ENTRY, GETPGID, gettid()), 1);
	is("its end", count_events(CPUPROBE_EVENT_EXIT, GETPGID, gettid()), 1);
	for (cpu = 0; cpu < nr_seen && first < 0; cpu++)
		if (seen[cpu].tid == (__u32)gettid() && seen[cpu].type != CPUPROBE_EVENT_RUNNING)
			first = cpu;
	is("the first event is the thousandth call", first >= 0 && seen[first].type == CPUPROBE_EVENT_ENTRY, 1);
	close(fd);
}

static void check_start_mark(void)
{
	struct cpuprobe_trace request = follow(1, CPUPROBE_TRACE_WAIT);
	int fd, at;

	memcpy(request.start_mark, "now", 3);
	fd = begin_trace(request);
	call_getppid(10);
	mark(fd, "now or never");
	mark(fd, "no");
	call_getppid(10);
	mark(fd, "now");
	call_getppid(3);
	mark(fd, "now");
	end_trace(fd);
	is("calls", count_events(CPUPROBE_EVENT_ENTRY, GETPPID, gettid()), 3);
	is("marks", count_events(CPUPROBE_EVENT_MARK, ~0u, ~0u), 2);
	at = find_event(0, CPUPROBE_EVENT_MARK, ~0u, gettid());
	is("the first is the trigger", at >= 0 && !strcmp(seen[at].text, "now"), 1);
	/* A trigger that never comes. */
	fd = begin_trace(request);
	call_getppid(10);
	end_trace(fd);
	is("events", nr_seen, 0);
	is("flags", totals[0].flags, CPUPROBE_EVENTS_ENDED | CPUPROBE_EVENTS_WAITING);
}

/* Events cost more than the budget allows. */
static void check_budget(void)
{
	struct cpuprobe_trace request = follow(1, CPUPROBE_TRACE_WRAP);
	int fd, i;

	request.budget_ppm = 100;
	fd = begin_trace(request);
	for (i = 0; i < 100 && !has_ended(fd, 0); i++)
		call_getppid(5000);
	is("the end", has_ended(fd, 10000), 1);
	read_events(fd);
	is("flags", totals[0].flags, CPUPROBE_EVENTS_ENDED | CPUPROBE_EVENTS_OVER);
	close(fd);
}

static void check_field(const char *what, struct cpuprobe_trace request, int error, __u32 reason)
{
	int fd = open_device();

	is(what, call(fd, CPUPROBE_IOC_TRACE, &request), error);
	is("its reason", request.reason, reason);
	close(fd);
}

#define REFUSED(field, value, error, why) do { \
	struct cpuprobe_trace request = follow(2, 0); \
	request.field = value; \
	check_field(#field " = " #value, request, error, CPUPROBE_REASON_##why); \
} while (0)

static void check_fields(void)
{
	REFUSED(version, CPUPROBE_ABI_VERSION + 1, EPROTO, NONE);
	REFUSED(size, sizeof(struct cpuprobe_trace) - 1, EPROTO, NONE);
	REFUSED(nr_functions, CPUPROBE_FUNCTIONS_MAX + 1, EINVAL, FIELD);
	REFUSED(flags, 64, EINVAL, FIELD);
	REFUSED(flags, CPUPROBE_TRACE_WAIT, EINVAL, FIELD);
	REFUSED(buffer_kib, CPUPROBE_TRACE_KIB_MIN - 1, EINVAL, FIELD);
	REFUSED(buffer_kib, CPUPROBE_TRACE_KIB_MAX + 1, EINVAL, FIELD);
	REFUSED(buffer_kib, CPUPROBE_TRACE_KIB_MAX, ENOMEM, MEMORY);
	REFUSED(reserved, 1, EINVAL, FIELD);
	REFUSED(exe_fd, -2, EINVAL, FIELD);
	REFUSED(exe_fd, 999, EBADF, TARGET);
	REFUSED(cgroup_fd, -2, EINVAL, FIELD);
	REFUSED(cgroup_fd, 999, EBADF, TARGET);
	REFUSED(pid, 0x7ffffff0, ESRCH, TARGET);
	REFUSED(budget_ppm, ~0u, EBUSY, OVERHEAD);
	REFUSED(functions, 8, EFAULT, NONE);
	REFUSED(start_function, 0, EINVAL, FIELD);
	REFUSED(start_count, 2, EINVAL, FIELD);
	REFUSED(start_mark[0], 'a', EINVAL, FIELD);
	REFUSED(start_mark[31], 'a', EINVAL, FIELD);
	REFUSED(stop_function, 2, EINVAL, FIELD);
	function[1].reserved = 1;
	REFUSED(pid, 0, EINVAL, FIELD);
	function[1].reserved = 0;
}

/* Fields that go together. */
static void check_combinations(void)
{
	struct cpuprobe_trace request = follow(2, CPUPROBE_TRACE_WAIT), saved = request;

	request.start_function = 2;
	request.start_count = 1;
	check_field("a trigger that is no function", request, EINVAL, CPUPROBE_REASON_FIELD);
	request.start_function = 1;
	request.start_count = 0;
	check_field("the call before the first", request, EINVAL, CPUPROBE_REASON_FIELD);
	request.start_count = 0x80000000;
	check_field("a call out of range", request, EINVAL, CPUPROBE_REASON_FIELD);
	request = saved;
	memcpy(request.start_mark, "a\0b", 3);
	check_field("text after the end of a mark", request, EINVAL, CPUPROBE_REASON_FIELD);
	request = follow(2, CPUPROBE_TRACE_WRAP);
	request.max_events = 5;
	check_field("a limit on what has no end", request, EINVAL, CPUPROBE_REASON_FIELD);
	function[1].address += 16;	/* in the middle of the function */
	request = follow(2, 0);
	request.stop_function = 1;
	check_field("an end that is no function", request, EINVAL, CPUPROBE_REASON_FUNCTIONS);
	is("state of a function", function[1].state, CPUPROBE_FUNCTION_UNKNOWN);
	is("state of the other", function[0].state, CPUPROBE_FUNCTION_HOOKED);
	request = follow(2, CPUPROBE_TRACE_WAIT);
	request.start_function = 1;
	request.start_count = 1;
	check_field("a beginning that is no function", request, EINVAL, CPUPROBE_REASON_FUNCTIONS);
	request = follow(1, 0);
	request.functions += sizeof(function[0]);
	check_field("no function", request, EINVAL, CPUPROBE_REASON_FUNCTIONS);
	function[1].address -= 16;
}

static void check_order(void)
{
	struct cpuprobe_trace request = follow(1, 0);
	struct cpuprobe_events events = REQUEST(events, .cpu = 0);
	struct cpuprobe_missed missed = REQUEST(missed, .nr_functions = 0);
	struct cpuprobe_counts counts = REQUEST(counts, .cpu = 0);
	struct cpuprobe_start start = START(.what = CPUPROBE_WHAT_SYSTEM, .period_ns = 1000000);
	int fd = open_device();

	is("EVENTS before TRACE", call(fd, CPUPROBE_IOC_EVENTS, &events), EINVAL);
	is("MISSED before TRACE", call(fd, CPUPROBE_IOC_MISSED, &missed), EINVAL);
	is("STOP before TRACE", ioctl(fd, CPUPROBE_IOC_STOP) ? errno : 0, EINVAL);
	is("TRACE", call(fd, CPUPROBE_IOC_TRACE, &request), 0);
	is("TRACE again", call(fd, CPUPROBE_IOC_TRACE, &request), EBUSY);
	is("START after TRACE", call(fd, CPUPROBE_IOC_START, &start), EBUSY);
	is("COUNTS of a trace", call(fd, CPUPROBE_IOC_COUNTS, &counts), EINVAL);
	is("MISSED without room", call(fd, CPUPROBE_IOC_MISSED, &missed), ENOSPC);
	is("room that it takes", missed.nr_functions, 1);
	missed.buffer = 8;
	is("MISSED to no memory", call(fd, CPUPROBE_IOC_MISSED, &missed), EFAULT);
	missed.reserved = 1;
	is("MISSED, reserved", call(fd, CPUPROBE_IOC_MISSED, &missed), EINVAL);
	is("EVENTS before the end", call(fd, CPUPROBE_IOC_EVENTS, &events), EBUSY);
	is("STOP", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	is("STOP again", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	is("the end", has_ended(fd, 0), 1);
	is("TRACE after STOP", call(fd, CPUPROBE_IOC_TRACE, &request), EBUSY);
	close(fd);
}

/* Arguments of EVENTS, and of write(). */
static void check_reading(void)
{
	struct cpuprobe_events events = REQUEST(events, .cpu = 0);
	int fd = begin_trace(follow(1, 0));
	char text[CPUPROBE_MARK_MAX + 1] = "";
	struct cpuprobe_event slot[2];

	call_getppid(10);
	is("STOP", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	is("EVENTS", call(fd, CPUPROBE_IOC_EVENTS, &events), 0);
	events.buffer = (unsigned long)slot;
	events.buffer_len = sizeof(slot) - 1;
	is("EVENTS with little room", call(fd, CPUPROBE_IOC_EVENTS, &events), 0);
	is("slots", events.nr_slots, events.stored ? 1 : 0);
	events.from = events.stored;
	is("EVENTS from the end", call(fd, CPUPROBE_IOC_EVENTS, &events), 0);
	is("slots", events.nr_slots, 0);
	events.from++;
	is("EVENTS from beyond the end", call(fd, CPUPROBE_IOC_EVENTS, &events), EINVAL);
	events.from = 0;
	events.buffer = 8;
	is("EVENTS to no memory", call(fd, CPUPROBE_IOC_EVENTS, &events), events.stored ? EFAULT : 0);
	events.cpu = 1 << 20;
	is("EVENTS of no CPU", call(fd, CPUPROBE_IOC_EVENTS, &events), ENODEV);
	events.version++;
	is("EVENTS of another version", call(fd, CPUPROBE_IOC_EVENTS, &events), EPROTO);
	is("a mark of no length", write(fd, text, 0), 0);
	is("a mark that is too long", write(fd, text, sizeof(text)) < 0 ? errno : 0, EMSGSIZE);
	is("a mark of no memory", syscall(SYS_write, fd, 8, 5) < 0 ? errno : 0, EFAULT);
	close(fd);
}

/* A session whose TRACE was refused can still begin something else. */
static void check_after_refusal(void)
{
	struct cpuprobe_trace request = follow(1, 0);
	int fd = open_device();

	request.reserved = 1;
	is("TRACE", call(fd, CPUPROBE_IOC_TRACE, &request), EINVAL);
	request.reserved = 0;
	function[0].address += 16;
	is("TRACE of no function", call(fd, CPUPROBE_IOC_TRACE, &request), EINVAL);
	function[0].address -= 16;
	is("TRACE", call(fd, CPUPROBE_IOC_TRACE, &request), 0);
	close(fd);
}

static int has_stopped;

static void *call_for_ever(void *cpu)
{
	stay_on((long)cpu);
	while (!__atomic_load_n(&has_stopped, __ATOMIC_RELAXED))
		call_getppid(1);
	return NULL;
}

/* Threads on all CPUs call: one is full first, and all end at that instant. */
static void check_together(void)
{
	pthread_t thread[CPUS_MAX];
	long i, nr = sysconf(_SC_NPROCESSORS_CONF);

	for (i = 0; i < nr; i++)
		pthread_create(&thread[i], NULL, call_for_ever, (void *)i);
	for (i = 0; i < 5; i++)
		check_full(64, 0, 4096 - 4);
	__atomic_store_n(&has_stopped, 1, __ATOMIC_RELAXED);
	for (i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
}

int main(void)
{
	stay_on(0);
	function[GETPPID].address = address_of(SYSCALL_FUNCTION("getppid"));
	function[GETPGID].address = address_of(SYSCALL_FUNCTION("getpgid"));
	check_full(4, 0, 256 - 4);
	check_full(0, 10, 10);
	check_full(0, 1, 1);
	check_full(5, 1000, 256 - 4);
	check_wrap();
	check_triggers();
	check_start_mark();
	check_budget();
	check_fields();
	check_combinations();
	check_order();
	check_reading();
	check_after_refusal();
	check_together();
	return nr_failed != 0;
}
