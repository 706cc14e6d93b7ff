// SPDX-License-Identifier: GPL-2.0-only
/*
 * tarry SECONDS: harvests of a session with _IDLE_SLEEP are held up, by the module tarry, while they have borrowed the sampler
 * of CPU 1, which computes half of the time. Its work is not counted as idle, and the periods that it missed count
 * once. Prints each broken promise; exits with 1 then.
 */
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "abi.h"
#include "session.h"

#define PERIOD_NS	1000000
#define STRETCH_NS	10000000

static void run_on(int number)
{
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(number, &cpu);
	CHECK(!sched_setaffinity(0, sizeof(cpu), &cpu));
}

static double seconds_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* Compute for a stretch of processor time, sleep for one, and so on. */
static void compute_half(void)
{
	for (;;) {
		double end = seconds_of(CLOCK_PROCESS_CPUTIME_ID) + STRETCH_NS / 1e9;

		while (seconds_of(CLOCK_PROCESS_CPUTIME_ID) < end)
			;
		usleep(STRETCH_NS / 1000);
	}
}

/* A child that does so on CPU 1. */
static pid_t begin_on_1(void)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		run_on(1);
		compute_half();
	}
	return pid;
}

/** Samples of CPU 1. */
struct counts {
	__u64 idle, other, missed, charged;
};

static void harvest(int fd, __u64 *ack, struct counts *counts)
{
	static struct cpuprobe_record record[CPUPROBE_RECORDS];
	struct cpuprobe_harvest harvest = REQUEST(harvest, .cpu = 1, .buffer = (unsigned long)record,
		.buffer_len = sizeof(record), .ack = *ack);
	unsigned int i;
	int mode;

	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest));
	if (harvest.account.seq == *ack)
		return;
	*ack = harvest.account.seq;
	counts->missed += harvest.account.missed;
	CHECK(harvest.account.taken + harvest.account.missed + harvest.account.pending >= harvest.account.expected);
	for (i = 0; i < harvest.account.entries; i++) {
		for (mode = 0; mode < CPUPROBE_MODES; mode++)
			*(record[i].kind == CPUPROBE_KIND_IDLE ? &counts->idle : &counts->other) +=
				record[i].hits[mode];
		counts->charged += record[i].missed;
	}
}

static void sleep_and_compute(int seconds)
{
	pid_t pid = begin_on_1();
	__u64 cpus = 2, ack = 0;
	struct cpuprobe_start start = good_start();
	struct counts counts = { 0 };
	double began, took, computed;
	struct rusage usage;
	int fd = device();

	start.cpus = (unsigned long)&cpus;
	start.cpus_len = sizeof(cpus);
	start.period_ns = PERIOD_NS;
	start.flags = CPUPROBE_START_IDLE_SLEEP;
	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start));
	began = seconds_of(CLOCK_MONOTONIC);
	while (seconds_of(CLOCK_MONOTONIC) < began + seconds)
		harvest(fd, &ack, &counts);
	took = seconds_of(CLOCK_MONOTONIC) - began;
	kill(pid, SIGKILL);
	CHECK(wait4(pid, NULL, 0, &usage) == pid);
	computed = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	fprintf(stderr, "# %.2f s, computed %.2f s; %llu idle, %llu other, %llu missed, %llu charged\n", took, computed,
		counts.idle, counts.other, counts.missed, counts.charged);
	CHECK(computed > took / 5);
	/* A tenth of what was computed covers what else the CPU does and the chance of samples. */
	CHECK(counts.idle * (PERIOD_NS / 1e9) < took - 0.9 * computed);
	CHECK(counts.missed > 0);
	/* A missed period counts for one record. That of the last samples may come in the next harvest. */
	CHECK(counts.charged > 0 && counts.charged <= counts.missed);
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	run_on(0);
	sleep_and_compute(atoi(argv[1]));
	return nr_wrong != 0;
}
