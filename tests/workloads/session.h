/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What programs that abuse the device share: sessions by the bare interface, at every harvest
 * checked as the interface promises. What does not hold is printed, and the program ends with 1.
 */
#ifndef SESSION_H
#define SESSION_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../../kmod/uapi/cpuprobe.h"

#define SESSION_CPUS	8

/** One session, as far as its reader knows it. */
struct session {
	int fd;
	unsigned int what;
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
} session_buffer;

static inline void session_fail(const char *what, long long got, long long wanted)
{
	printf("%s: %lld, not %lld (errno %d, %s)\n", what, got, wanted, errno, strerror(errno));
	fflush(stdout);
	_exit(1);
}

static inline void session_equal(const char *what, long long got, long long wanted)
{
	if (got != wanted)
		session_fail(what, got, wanted);
}

static inline double session_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static inline int session_cpus(void)
{
	int nr = sysconf(_SC_NPROCESSORS_CONF);

	return nr < SESSION_CPUS ? nr : SESSION_CPUS;
}

/** session_open() - a new one; its fd is -1 when it is refused. */
static inline void session_open(struct session *session)
{
	memset(session, 0, sizeof(*session));
	session->fd = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC);
}

/**
 * session_start() - @kind 0-4: system mode by enum cpuprobe_by; 5: process mode, this program;
 * 6: process mode in the kernel; 7: late mode. Returns 0 or errno.
 */
static inline int session_start(struct session *session, unsigned int kind, __u64 period_ns)
{
	struct cpuprobe_start start = {
		.size = sizeof(start), .version = CPUPROBE_ABI_VERSION,
		.what = CPUPROBE_WHAT_SYSTEM, .period_ns = period_ns, .exe_fd = -1, .cgroup_fd = -1,
		.jitter = kind % 3,
	};
	int exe = -1, error = 0;

	if (kind < 5) {
		start.by = kind;
	} else if (kind == 7) {
		start.what = CPUPROBE_WHAT_LATE;
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
	if (ioctl(session->fd, CPUPROBE_IOC_START, &start))
		error = errno;
	if (exe >= 0)
		close(exe);
	return error;
}

static inline __u64 session_entries(const struct session *session,
				    const struct cpuprobe_account *account)
{
	__u64 sum = account->excluded + account->outside + account->other_mode +
		account->other_exe + account->other_task;
	unsigned int i, mode;

	if (session->what == CPUPROBE_WHAT_LATE) {
		for (i = 0; i < 2 * CPUPROBE_LATE_BINS; i++)
			sum += (&session_buffer.late.hits[0][0])[i];
		return sum;
	}
	for (i = 0; i < account->entries; i++) {
		if (session->what == CPUPROBE_WHAT_PROCESS)
			sum += i < account->objects ? 0 : session_buffer.count[i];
		for (mode = 0; session->what == CPUPROBE_WHAT_SYSTEM && mode < CPUPROBE_MODES; mode++)
			sum += session_buffer.record[i].hits[mode];
	}
	for (mode = 0; session->what == CPUPROBE_WHAT_SYSTEM && mode < CPUPROBE_MODES; mode++)
		sum += account->lost[mode];
	return sum;
}

static inline void session_account(struct session *session, unsigned int number,
				   const struct cpuprobe_account *account)
{
	struct session_cpu *cpu = &session->cpu[number];
	unsigned int mode;

	if (account->seq == cpu->ack)
		return;		/* no news */
	session_equal("numbers of accounts", account->seq, cpu->ack + 1);
	session_equal("damaged", account->flags & CPUPROBE_ACCOUNT_DAMAGED, 0);
	session_equal("entries of an account", session_entries(session, account), account->taken);
	cpu->ack = account->seq;
	cpu->expected += account->expected;
	cpu->counted += account->taken + account->missed;
	session_equal("expected", cpu->expected, cpu->counted + account->pending);
	/* A difference that wrapped around would hold in the sum. */
	session_equal("expected backwards", (long long)account->expected < 0, 0);
	session->taken += account->taken;
	session->missed += account->missed;
	session->pending += account->pending;
	for (mode = 0; session->what != CPUPROBE_WHAT_PROCESS && mode < CPUPROBE_MODES; mode++)
		session->lost += account->lost[mode];
}

/** session_harvest() - every CPU once; all sums are checked. 0, or the errno of a refusal. */
static inline int session_harvest(struct session *session)
{
	unsigned int cpu, nr = session_cpus();

	session->pending = 0;
	for (cpu = 0; cpu < nr; cpu++) {
		struct cpuprobe_harvest harvest = {
			.size = sizeof(harvest), .version = CPUPROBE_ABI_VERSION, .cpu = cpu,
			.buffer = (unsigned long)&session_buffer,
			.buffer_len = sizeof(session_buffer), .ack = session->cpu[cpu].ack,
		};

		if (ioctl(session->fd, CPUPROBE_IOC_HARVEST, &harvest))
			return errno;
		session_account(session, cpu, &harvest.account);
	}
	return 0;
}

#endif
