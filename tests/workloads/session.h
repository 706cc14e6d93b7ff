/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by programs that abuse the device: sessions through the bare interface, whose harvests
 * must keep all promises of the interface. A broken one is printed, and the program exits 1.
 */
#ifndef SESSION_H
#define SESSION_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device.h"
#include "machine.h"

#define SESSION_CPUS	8
#define SESSION_KINDS_QUIET 14	/* kinds that session_start() knows without NMIs */
#define SESSION_KINDS_STILL 10	/* the first of them, which change no kernel text */
#define SESSION_STACK_KIB CPUPROBE_STACK_KIB_MIN
#define SESSION_SOFTWARE 2	/* events as of perf_event_open(2): the type of software events, plus one */
#define SESSION_PAGE_FAULTS 2
#define SESSION_SWITCHES 3
#define SESSION_TRACE	100	/* @what of a session that follows calls */

/** One session, as far as its reader knows it. */
struct session {
	int fd;
	unsigned int what;
	__u64 cpus;			/* mask of the CPUs to sample, lowest first; 0: all */
	/* called for each harvested stack, while its executable can still be opened; or NULL */
	void (*see)(const struct session *session, const struct cpuprobe_harvest *harvest,
		    const struct cpuprobe_stack *stack);
	struct session_cpu {
		__u64 ack;
		__u64 expected;
		__u64 counted;		/* taken + missed */
	} cpu[SESSION_CPUS];
	__u64 taken;
	__u64 missed;
	__u64 pending;			/* at the last harvest */
	__u64 lost;
};

static union {
	struct cpuprobe_record record[CPUPROBE_RECORDS];
	struct cpuprobe_lateness late;
	__u64 count[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];
	__u64 stacks[SESSION_STACK_KIB * 512 / 8];
} session_buffer;

/* Why the module refused the latest beginning of a session: enum cpuprobe_reason. */
static __u32 session_reason;

static inline void session_fail(const char *what, long long got, long long wanted)
{
	printf("%s: %lld, not %lld (errno %d, %s; reason %u)\n", what, got, wanted, errno, strerror(errno),
	       session_reason);
	fflush(stdout);
	_exit(1);
}

static inline void session_equal(const char *what, long long got, long long wanted)
{
	if (got != wanted)
		session_fail(what, got, wanted);
}

static inline int session_cpus(void)
{
	int nr = sysconf(_SC_NPROCESSORS_CONF);

	return nr < SESSION_CPUS ? nr : SESSION_CPUS;
}

/** session_kinds() - how many kinds session_start() knows here: CPUs send each other NMIs, but not those of arm64. */
static inline unsigned int session_kinds(void)
{
#ifdef __aarch64__
	return SESSION_KINDS_QUIET;
#else
	return sysconf(_SC_NPROCESSORS_ONLN) > 1 ? SESSION_KINDS_QUIET + 3 : SESSION_KINDS_QUIET;
#endif
}

/** session_open() - open a new session; its fd is -1 if the device refuses. */
static inline void session_open(struct session *session)
{
	memset(session, 0, sizeof(*session));
	session->fd = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC);
}

/*
 * Begins, as @command and @request say, and again as long as hooks of an earlier session are in the way: the busier
 * the host, the longer the kernel takes to remove them. Returns 0 or errno; the module sets @reason in the request.
 */
static inline int session_begin(struct session *session, unsigned long command, void *request, const __u32 *reason)
{
	int error;

	do {
		error = ioctl(session->fd, command, request) ? errno : 0;
		session_reason = error ? *reason : CPUPROBE_REASON_NONE;
	} while (error == EBUSY && session_reason == CPUPROBE_REASON_UNHOOKING);
	return error;
}

static inline int session_follow(struct session *session)
{
	struct cpuprobe_trace trace = REQUEST(trace, .exe_fd = -1, .cgroup_fd = -1, .budget_ppm = 1000,
		.flags = CPUPROBE_TRACE_SYSCALLS | CPUPROBE_TRACE_IRQ | CPUPROBE_TRACE_WAKEUPS |
			CPUPROBE_TRACE_WRAP, .buffer_kib = CPUPROBE_TRACE_KIB_MIN,
		.start_function = CPUPROBE_NO_FUNCTION, .stop_function = CPUPROBE_NO_FUNCTION);

	session->what = SESSION_TRACE;
	return session_begin(session, CPUPROBE_IOC_TRACE, &trace, &trace.reason);
}

/**
 * session_start() - start a session of one of SESSION_KINDS kinds.
 * @kind: 0-4: system, by enum cpuprobe_by; 5: this process; 6: this executable in the kernel;
 * 7: late samples; 8: stacks of all processes; 9: user stacks of this process; 10: as 8, with unwinding
 * tables, which nobody hands over; 11: a trace of tasks, interrupts and system calls; 12: each page fault, by
 * executable; 13: stacks of every third switch of tasks; 14 to 16: by NMI, as 0, 7 and 8
 * Returns 0 or errno.
 */
static inline int session_start(struct session *session, unsigned int kind, __u64 period_ns)
{
	struct cpuprobe_start start = START(.what = CPUPROBE_WHAT_SYSTEM, .period_ns = period_ns,
		.jitter = kind % 3, .cpus = session->cpus ? (unsigned long)&session->cpus : 0,
		.cpus_len = session->cpus ? sizeof(session->cpus) : 0);
	int exe = -1, error;

	if (kind >= SESSION_KINDS_QUIET) {
		start.flags = CPUPROBE_START_NMI;
		kind = kind == SESSION_KINDS_QUIET ? 0 : kind - 8;
	}
	if (kind == 11)
		return session_follow(session);
	if (kind >= 12) {
		start.jitter = CPUPROBE_JITTER_GRID;
		start.event_type = SESSION_SOFTWARE;
		start.event_config = kind == 12 ? SESSION_PAGE_FAULTS : SESSION_SWITCHES;
		start.event_period = kind == 12 ? 1 : 3;
	}
	if (kind < 5) {
		start.by = kind;
	} else if (kind == 12) {
		start.by = CPUPROBE_BY_EXE;
	} else if (kind == 7) {
		start.what = CPUPROBE_WHAT_LATE;
	} else if (kind >= 8) {
		start.what = CPUPROBE_WHAT_STACKS;
		start.stack_kib = SESSION_STACK_KIB;
		start.frames = CPUPROBE_FRAMES_USER | (kind != 9 ? CPUPROBE_FRAMES_KERNEL : 0);
		start.pid = kind != 9 ? 0 : getpid();
		start.flags |= kind == 10 ? CPUPROBE_START_UNWIND : 0;
	} else {
		exe = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		start.what = CPUPROBE_WHAT_PROCESS;
		start.exe_fd = exe;
		start.mode = kind == 5 ? CPUPROBE_MODE_USER : CPUPROBE_MODE_KERNEL;
		start.low = 0x1000;
		start.high = 0x100000;
		start.pid = kind == 5 ? getpid() : 0;
	}
	session->what = start.what;
	error = session_begin(session, CPUPROBE_IOC_START, &start, &start.reason);
	if (exe >= 0)
		close(exe);
	return error;
}

/** session_open_exe() - open an executable of the latest account. Returns a descriptor or -1. */
static inline int session_open_exe(const struct session *session,
				   const struct cpuprobe_harvest *harvest, __u32 number)
{
	struct cpuprobe_open request = REQUEST(open, .cpu = harvest->cpu, .exe = number,
		.seq = harvest->account.seq);

	return ioctl(session->fd, CPUPROBE_IOC_EXE, &request);
}

/* Checks the promises about a single stack. */
static inline void session_check_stack(const struct cpuprobe_account *account,
				       const struct cpuprobe_stack *stack)
{
	unsigned int i;

	session_equal("frames", stack->nr_kernel <= CPUPROBE_FRAMES_MAX &&
		      stack->nr_user <= CPUPROBE_FRAMES_MAX, 1);
	for (i = 0; i < stack->nr_kernel; i++)
		session_equal("a kernel frame in user memory", stack->frame[i] >> 63, 1);
	session_equal("hits of a stack", stack->hits > 0, 1);
	session_equal("number of an executable", stack->exe <= account->objects, 1);
	session_equal("mode", stack->mode < CPUPROBE_MODES, 1);
	session_equal("user frames in softirq",
		      stack->mode == CPUPROBE_MODE_SOFTIRQ && stack->nr_user, 0);
	session_equal("a name's end", memchr(stack->comm, 0, sizeof(stack->comm)) != NULL, 1);
}

/* Returns the hits of all stacks; checks them, and that an executable can be opened. */
static inline __u64 session_stacks(const struct session *session,
				   const struct cpuprobe_harvest *harvest)
{
	const struct cpuprobe_account *account = &harvest->account;
	const struct cpuprobe_stack *stack;
	__u64 sum = 0;
	__u32 nr = 0;
	int fd;

	for_each_stack(stack, session_buffer.stacks, account) {
		session_check_stack(account, stack);
		if (session->see)
			session->see(session, harvest, stack);
		sum += stack->hits;
		nr++;
	}
	session_equal("bytes of stacks",
		      (const char *)stack - (const char *)session_buffer.stacks, account->bytes);
	session_equal("number of stacks", nr, account->entries);
	if (account->objects) {
		fd = session_open_exe(session, harvest, account->objects - 1);
		session_equal("an executable opened", fd >= 0, 1);
		close(fd);
	}
	session_equal("one executable too many",
		      session_open_exe(session, harvest, account->objects), -1);
	return sum;
}

static inline __u64 session_entries(const struct session *session,
				    const struct cpuprobe_harvest *harvest)
{
	const struct cpuprobe_account *account = &harvest->account;
	__u64 sum = account->excluded + account->outside + account->other_mode +
		account->other_exe + account->other_task;
	unsigned int i;

	switch (session->what) {
	case CPUPROBE_WHAT_SYSTEM:
		sum += hits_of_records(session_buffer.record, account->entries);
		return sum + lost_samples(account);
	case CPUPROBE_WHAT_PROCESS:
		for (i = account->objects; i < account->entries; i++)
			sum += session_buffer.count[i];
		return sum;
	case CPUPROBE_WHAT_LATE:
		for (i = 0; i < 2 * CPUPROBE_LATE_BINS; i++)
			sum += (&session_buffer.late.hits[0][0])[i];
		return sum;
	default:
		return sum + session_stacks(session, harvest) + lost_samples(account);
	}
}

static inline void session_account(struct session *session, const struct cpuprobe_harvest *harvest)
{
	const struct cpuprobe_account *account = &harvest->account;
	struct session_cpu *cpu = &session->cpu[harvest->cpu];

	if (account->seq == cpu->ack)
		return;		/* the same account as before */
	session_equal("numbers of accounts", account->seq, cpu->ack + 1);
	session_equal("damaged", account->flags & CPUPROBE_ACCOUNT_DAMAGED, 0);
	session_equal("entries of an account", session_entries(session, harvest), account->taken);
	cpu->ack = account->seq;
	cpu->expected += account->expected;
	cpu->counted += account->taken + account->missed;
	session_equal("expected", cpu->expected, cpu->counted + account->pending);
	/* The sum would hold even if a difference had wrapped around. */
	session_equal("expected periods are negative", (long long)account->expected < 0, 0);
	session->taken += account->taken;
	session->missed += account->missed;
	session->pending += account->pending;
	if (session->what != CPUPROBE_WHAT_PROCESS)
		session->lost += lost_samples(account);
}

/* Read the events of a trace, which may have ended or not. A mark, too, may be recorded or not. */
static inline int session_read_trace(struct session *session)
{
	static struct cpuprobe_event slot[CPUPROBE_TRACE_KIB_MIN * 64];
	unsigned int cpu, nr = session_cpus();

	session_equal("write", write(session->fd, "mark", 4), 4);
	for (cpu = 0; cpu < nr; cpu++) {
		struct cpuprobe_events events = REQUEST(events, .cpu = cpu);

		if (ioctl(session->fd, CPUPROBE_IOC_EVENTS, &events)) {
			session_equal("events before the end", errno, EBUSY);
			session_equal("the end", events.flags & CPUPROBE_EVENTS_ENDED, 0);
			continue;
		}
		events.from = events.first;
		events.buffer = (unsigned long)slot;
		events.buffer_len = sizeof(slot);
		if (ioctl(session->fd, CPUPROBE_IOC_EVENTS, &events))
			return errno;
		session_equal("slots", events.nr_slots, events.stored - events.first);
		session_equal("first event", events.nr_slots && (slot[0].head >> 8 & 0xff) !=
			      CPUPROBE_EVENT_RUNNING, 0);
	}
	return 0;
}

/** session_harvest() - harvest every CPU once and check all sums. Returns 0 or errno. */
static inline int session_harvest(struct session *session)
{
	unsigned int cpu, nr = session_cpus();

	session->pending = 0;
	if (session->what == SESSION_TRACE)
		return session_read_trace(session);
	for (cpu = 0; cpu < nr; cpu++) {
		struct cpuprobe_harvest harvest = REQUEST(harvest, .cpu = cpu,
			.buffer = (unsigned long)&session_buffer,
			.buffer_len = sizeof(session_buffer), .ack = session->cpu[cpu].ack);

		if (session->cpus && !(session->cpus >> cpu & 1))
			continue;
		if (ioctl(session->fd, CPUPROBE_IOC_HARVEST, &harvest))
			return errno;
		session_account(session, &harvest);
	}
	return 0;
}

#endif
